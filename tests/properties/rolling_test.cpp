// Properties of rolling wheels and of knife edges.
#include "tests/reference/posed.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/forces/stress_length.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::rolling_test {
namespace {

// Chaplygin sleigh: a body sliding on a plane, with a knife edge at a distance behind its center of
// mass.
struct Sleigh {
  static constexpr double mass = 3, inertia = 0.4, distance = 0.25;
  static Description described(bool on_planar_joint) {
    Description description("sleigh");
    description.body(
        "sleigh",
        {.mass = mass, .com = {distance, 0.0, 0.0}, .inertia = {0.3, 0.0, 0.0, 0.3, 0.0, inertia}});
    if (on_planar_joint) {
      description.joint("floor", JointKind::planar, "ground", "sleigh");
    } else {
      // free to rise: the knife edge fixes its height
      description.joint("free", JointKind::compound, "ground", "sleigh",
                        {.motions = {slide({1.0, 0.0, 0.0}), slide({0.0, 1.0, 0.0}),
                                     slide({0.0, 0.0, 1.0}), turn({0.0, 0.0, 1.0})}});
    }
    description.wheels.push_back({.name = "blade",
                                  .body = "sleigh",
                                  .kind = WheelDescription::Kind::knife_edge,
                                  .touches = !on_planar_joint});
    return description;
  }
};

TEST(knife_edge, guides_a_sleigh_as_Chaplygin_found) {
  const double u = 1.7, w = -0.6, heading = 0.8;
  const double along = Sleigh::distance * w * w;
  const double turning = -Sleigh::mass * Sleigh::distance * u * w /
                         (Sleigh::inertia + Sleigh::mass * Sleigh::distance * Sleigh::distance);
  const double c = std::cos(heading), s = std::sin(heading);
  for (const bool on_planar_joint : {true, false}) {
    Posed sleigh(Sleigh::described(on_planar_joint),
                 on_planar_joint ? std::vector<double>{0.3, -0.4, heading}
                                 : std::vector<double>{0.3, -0.4, 0, heading});
    sleigh.state.v = on_planar_joint ? std::vector<double>{u * c, u * s, w}
                                     : std::vector<double>{u * c, u * s, 0, w};
    const Kinematics before = sleigh.moving();
    ASSERT_NEAR(norm(velocity(sleigh.model, before, frame_ref(sleigh.model, "sleigh")).linear -
                     Vec3<double>{u * c, u * s, 0}),
                0, 1e-15)
        << "the joint's velocities mean something else";
    const Eigen::VectorXd a = sleigh.a();
    const std::vector<double> a_list = list_of(a);
    const Motion<double> A =
        acceleration(sleigh.model, sleigh.moving({.a = a_list}), frame_ref(sleigh.model, "sleigh"));
    EXPECT_NEAR(A.angular.z, turning, 1e-13);
    // of the speed of the edge along itself; across, it only turns with the edge
    EXPECT_NEAR(c * A.linear.x + s * A.linear.y, along, 1e-13);
    EXPECT_NEAR(-s * A.linear.x + c * A.linear.y, u * w, 1e-13);
  }
}

TEST(knife_edge, keeps_the_energy_of_a_sleigh) {
  Posed sleigh(Sleigh::described(false), {0, 0, 0, 0.3});
  sleigh.state.v = {1.7 * std::cos(0.3), 1.7 * std::sin(0.3), 0, 2.0};
  const double energy = sleigh.energies().total();
  sleigh.run(1e-3, 2000);
  EXPECT_NEAR(sleigh.energies().total(), energy, 1e-9);
  // it ends up running straight, edge behind: u^2 + (I + m c^2)/m w^2 is constant
  const double u = std::hypot(sleigh.state.v[0], sleigh.state.v[1]), w = sleigh.state.v[3];
  const double k =
      (Sleigh::inertia + Sleigh::mass * Sleigh::distance * Sleigh::distance) / Sleigh::mass;
  EXPECT_NEAR(u * u + k * w * w, 1.7 * 1.7 + k * 4, 1e-9);
  EXPECT_LT(std::abs(w), 1.0);
}

// The floor may be a moving body: a wheel on a truck that is pushed rolls relative to it.
TEST(wheel, rolls_on_a_floor_that_moves) {
  const double m = 2, r = 0.2, axial = 0.04, M = 5;
  Description description("ball on a truck");
  description.gravity = {0.0, 0.0, -9.81};
  description.body("truck", {.mass = M, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  description.body("wheel", {.mass = m, .inertia = {axial / 2, 0.0, 0.0, axial, 0.0, axial / 2}});
  description.joint("rails", JointKind::prismatic, "ground", "truck", {.axis = {1.0, 0.0, 0.0}});
  description.joint(
      "flight", JointKind::compound, "ground", "wheel",
      {.motions = {slide({1.0, 0.0, 0.0}), slide({0.0, 0.0, 1.0}), turn({0.0, 1.0, 0.0})}});
  description.wheels.push_back({.name = "rim", .body = "wheel", .on = "truck", .radius = r});
  Posed posed(description, {0.1, 0.4, r, 0.2}, {0.3, 0.3 + r * 1.5, 0, 1.5});
  const double push = 7;
  const std::vector<double> tau = {push, 0, 0, 0};
  const Eigen::VectorXd a = posed.a({.tau = tau});
  // m x'' = f, I w' = -f r, x'' - r w' = X'', M X'' = push - f
  const double share = m * axial / (axial + m * r * r);  // f = share X''
  EXPECT_NEAR(a[0], push / (M + share), 1e-13);
  EXPECT_NEAR(a[1], share / m * a[0], 1e-13);
  EXPECT_NEAR(a[2], 0, 1e-13);
  EXPECT_NEAR(a[3], -share * r / axial * a[0], 1e-13);
}

// The wheels on one axle have a redundant row: the lateral force of each is not unique, and is
// chosen equal for both.
TEST(wheel, two_on_one_axle_share_what_they_carry_across) {
  const double r = 0.15;
  Description description("cart");
  description.body("axle", {.mass = 10.0, .inertia = {0.2, 0.0, 0.0, 0.3, 0.0, 0.3}});
  description.joint("flight", JointKind::free, "ground", "axle");
  for (const double side : {-0.3, 0.3}) {
    const std::string name = side < 0 ? "left" : "right";
    description.body(name, {.mass = 1.0, .inertia = {0.01125, 0.0, 0.0, 0.005625, 0.0, 0.005625}});
    description.joint(
        name + " hub", JointKind::revolute, "axle", name,
        {.at = {.xyz = {side, 0.0, 0.0}}, .axis = {1.0, 0.0, 0.0}, .drive = Drive::torque});
    description.wheels.push_back(
        {.name = name, .body = name, .axis = {1.0, 0.0, 0.0}, .radius = r});
  }
  // [Yesiloglu 2007] E-07 and E-08: torques of .2 and .1 push forward, along +y, so about -x
  Posed cart(description, {1, 0, 0, 0, 0, 0, r, 0, 0});
  const double pushes[][2] = {{0.2, 0.2}, {0.2, -0.2}, {0.2, 0.1}};
  const double forward[] = {0.205128205, 0, 0.153846154};
  const double turning[] = {0, -1.376344086, -0.344086022};
  const double pitch[] = {2.0, 0, 1.5};
  for (int k = 0; k < 3; ++k) {
    const std::vector<double> tau = {0, 0, 0, 0, 0, 0, -pushes[k][0], -pushes[k][1]};
    const Eigen::VectorXd a = cart.a({.tau = tau});
    // nine printed digits; degrees of freedom: omega x y z, v x y z in the axes of the body
    EXPECT_NEAR(a[4], forward[k], 1e-9) << k;
    EXPECT_NEAR(a[2], turning[k], 1e-9) << k;
    EXPECT_NEAR(a[0], pitch[k], 1e-9) << k;
    UniqueReactions carried;
    const Status status =
        constrained_reactions(cart.model, cart.state, {.tau = tau}, cart.workspace, carried);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  RowBasis basis;
  ASSERT_TRUE(row_basis(cart.model, cart.state, cart.workspace, basis).ok());
  EXPECT_EQ(basis.count, 6);
  EXPECT_EQ(basis.rank(), 5);

  // in a turn: E-08b at 2 s, 2.540943 N lateral force in total
  cart.state.v = {0, 0, -0.688172043, 0, 0.307692308, 0, 0, 0};
  ASSERT_TRUE(
      assemble(cart.model, cart.state, cart.workspace, {.keep = {*cart.model.find_joint("flight")}})
          .ok());
  UniqueReactions carried;
  ASSERT_TRUE(constrained_reactions(cart.model, cart.state, {}, cart.workspace, carried).ok());
  const auto left = std::size_t(index(*cart.model.find_joint("left hub")));
  const auto right = std::size_t(index(*cart.model.find_joint("right hub")));
  EXPECT_FALSE(carried.is_unique[left][3]);
  EXPECT_TRUE(carried.is_unique[left][5]);
  const Force<double>&on_left = carried.force[left], &on_right = carried.force[right];
  // force of the floor on each wheel: for the wheel itself, and passed on to the axle
  const double bend = 0.307692308 * 0.688172043, inward = 0.3 * 0.688172043 * 0.688172043;
  const double floor_left = bend + inward - on_left.force.x;
  const double floor_right = bend - inward - on_right.force.x;
  EXPECT_NEAR(floor_left + floor_right, 2.540943, 1e-6);
  // minimum norm over hubs and wheels: stationary under an additional axial self-stress of the axle
  const double l = stress_length(cart.model);
  EXPECT_NEAR(floor_left - floor_right - on_left.force.x + on_right.force.x +
                  r / (l * l) * (on_left.moment.y - on_right.moment.y),
              0, 1e-8);
  // at the speed the rod has then, both carry the same weight
  ConstrainedAnswer answer;
  cart.state.v[0] = 3;
  ASSERT_TRUE(
      assemble(cart.model, cart.state, cart.workspace, {.keep = {*cart.model.find_joint("flight")}})
          .ok());
  ASSERT_TRUE(constrained_dynamics(cart.model, cart.state, {}, cart.workspace, answer).ok());
  EXPECT_NEAR(answer.lambda[0], 58.86, 1e-6);
  EXPECT_NEAR(answer.lambda[3], 58.86, 1e-6);
}

}  // namespace
}  // namespace trammel::rolling_test
