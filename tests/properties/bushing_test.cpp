// Properties of mechanisms with bushings: closed forms, linearization, equilibrium, the limit of a
// weld, generalized forces.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "tests/support/bushed.hpp"
#include "tests/support/how_many.hpp"
#include "tests/support/placement_of.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/analyze/equilibrium.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::bushing_test {
namespace {

Eigen::MatrixXd matrix_of(const std::vector<Expr>& K) {
  Eigen::MatrixXd out(6, 6);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) out(i, j) = K[std::size_t(6 * i + j)].constant();
  return out;
}

// Largest distance of an eigenvalue of one list from the nearest of the other, both ways: none is
// missing, and none is there too often.
template <class A, class B> double distance_of(const A& expected, const B& found) {
  if (std::size_t(expected.size()) != std::size_t(found.size())) return INFINITY;
  double worst = 0;
  const auto compare = [&](const auto& from, const auto& to) {
    for (const std::complex<double> one : from) {
      double nearest = INFINITY;
      for (const std::complex<double> other : to)
        nearest = std::min(nearest, std::abs(one - other));
      worst = std::max(worst, nearest);
    }
  };
  compare(expected, found);
  compare(found, expected);
  return worst;
}

// One body whose center of mass is at the bushing: M x'' + C x' + K x = 0 near displacement 0.
TEST(Bushing, is_an_oscillator_of_six_dof_near_its_rest) {
  Description block("block");
  block.gravity = {0.0, 0.0, 0.0};
  block.body("block", box(3.0, {0.3, 0.4, 0.5}));
  block.joint("fly", JointKind::free, "ground", "block");
  BushingDescription bushing{.name = "mount", .frame = "ground", .other_frame = "block"};
  bushing.stiffness = coupled(500, 20);
  bushing.damping = coupled(3, 0.05);
  block.bushings.push_back(bushing);
  const Model model = build_model(block);
  Workspace workspace(model);
  Linearization near;
  const Status status = linearize(model, neutral_state(model), {}, workspace, near);
  ASSERT_TRUE(status.ok()) << status.message();
  Eigen::VectorXd m(6);  // of the box: m (b^2 + c^2)/12
  m << 3, 3, 3, 3 * 0.41 / 12, 3 * 0.34 / 12, 3 * 0.25 / 12;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(12, 12);
  A.topRightCorner(6, 6).setIdentity();
  A.bottomLeftCorner(6, 6) = -(m.cwiseInverse().asDiagonal() * matrix_of(bushing.stiffness));
  A.bottomRightCorner(6, 6) = -(m.cwiseInverse().asDiagonal() * matrix_of(bushing.damping));
  // a simple eigenvalue of a matrix of norm 1e4: rounding times its condition, below 1e3
  EXPECT_LT(distance_of(A.eigenvalues(), near.eigenvalues), 1e-9);
  // diagonal: frequencies sqrt(k/m), sqrt(k/I)
  block.bushings[0].stiffness = {100.0, 200.0, 300.0, 1.0, 2.0, 3.0};
  block.bushings[0].damping.clear();
  const Model simple = build_model(block);
  Workspace room(simple);
  ASSERT_TRUE(linearize(simple, neutral_state(simple), {}, room, near).ok());
  Eigen::VectorXcd frequencies(12);
  const double k_of[] = {100, 200, 300, 1, 2, 3};
  for (int k = 0; k < 6; ++k) {
    frequencies[2 * k] = std::complex<double>(0, std::sqrt(k_of[k] / m[k]));
    frequencies[2 * k + 1] = std::conj(frequencies[2 * k]);
  }
  EXPECT_LT(distance_of(frequencies, near.eigenvalues), 1e-10);
}

// A body with its center of mass beside the bushing: it sinks by m g/k, and turns by phi with
// k_r phi = m g c cos phi.
TEST(Bushing, carries_a_weight_at_the_equilibrium_of_the_closed_form) {
  const double m = 3, g = 9.81, c = 0.25, k = 2000, k_r = 15;
  Description block("block");
  block.body("block", box(m, {0.3, 0.4, 0.5}, {c, 0.0, 0.0}));
  block.joint("fly", JointKind::free, "ground", "block");
  BushingDescription bushing{.name = "mount", .frame = "ground", .other_frame = "block"};
  bushing.stiffness = {k, k, k, k_r, k_r, k_r};
  block.bushings.push_back(bushing);
  const Model model = build_model(block);
  Workspace workspace(model);
  State state = neutral_state(model);
  const Status status = equilibrium(model, state, {}, workspace, {});
  ASSERT_TRUE(status.ok()) << status.message();
  double phi = 0.3;
  for (int step = 0; step < 50; ++step)
    phi -= (k_r * phi - m * g * c * std::cos(phi)) / (k_r + m * g * c * std::sin(phi));
  // quaternion w x y z, then the position; equilibrium() stops at 1e-11 m/s^2
  EXPECT_NEAR(2 * std::asin(state.q[2]), phi, 1e-11);  // about y, downward at +x
  EXPECT_NEAR(state.q[6], -m * g / k, 1e-12);
  EXPECT_NEAR(state.q[4], 0, 1e-12);
}

TEST(Bushing, is_named_where_it_is_turned_too_far) {
  Description block("block");
  block.body("block", box(3.0, {0.3, 0.4, 0.5}));
  block.joint("turn", JointKind::revolute, "ground", "block");
  BushingDescription bushing{.name = "mount", .frame = "ground", .other_frame = "block"};
  bushing.stiffness = std::vector<Expr>(6, 1.0);
  block.bushings.push_back(bushing);
  const Model model = build_model(block);
  Workspace workspace(model);
  State state = neutral_state(model);
  std::vector<double> a(1);
  state.q = {2.99};
  EXPECT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
  state.q = {-3.01};
  EXPECT_EQ(forward_dynamics(model, state, {}, workspace, a).message(),
            "forward_dynamics: bushing 'mount' is turned by more than 3 rad (172 deg), where its "
            "rotation vector soon jumps: a bushing is for smaller angles, take a joint with a "
            "spring for larger ones");
}

// A stiff bushing in place of a weld: the difference falls with 1/k.
TEST(Bushing, becomes_a_weld_as_it_gets_stiff) {
  const auto angle = [](double k) {
    Description arm("arm");
    arm.body("arm", thin_rod(1.0, 0.6, {0.3, 0.0, 0.0}));
    arm.body("load", box(2.0, {0.1, 0.1, 0.2}, {0.1, 0.05, 0.0}));
    arm.joint("pivot", JointKind::revolute, "ground", "arm",
              {.axis = {0.0, 1.0, 0.0}, .stiffness = {60.0}});
    arm.frame("tip", "arm", {.xyz = {0.6, 0.0, 0.0}});
    if (k == 0) {
      arm.joint("grip", JointKind::fixed, "arm", "load", {.at = {.xyz = {0.6, 0.0, 0.0}}});
    } else {
      arm.joint("grip", JointKind::free, "arm", "load", {.at = {.xyz = {0.6, 0.0, 0.0}}});
      BushingDescription bushing{.name = "grip", .frame = "tip", .other_frame = "load"};
      bushing.stiffness = std::vector<Expr>(6, k);
      arm.bushings.push_back(bushing);
    }
    const Model model = build_model(arm);
    Workspace workspace(model);
    State state = neutral_state(model);
    const Status status = equilibrium(model, state, {}, workspace, {});
    EXPECT_TRUE(status.ok()) << status.message();
    return state.q[std::size_t(model[*model.find_joint("pivot")].q_start)];
  };
  const double welded = angle(0);
  const double soft = angle(1e4) - welded, stiff = angle(1e5) - welded, rigid = angle(1e6) - welded;
  EXPECT_GT(std::abs(soft), 1e-6);
  // the next term of the series is 1/k times smaller than the first, some 1e-3
  EXPECT_NEAR(soft / stiff, 10, 0.05);
  EXPECT_NEAR(stiff / rigid, 10, 0.01);
}

// In any tree: generalized forces are the gradient of the elastic energy, and inverse dynamics
// undoes forward dynamics.
class EveryBushedTree : public testing::TestWithParam<int> {
 protected:
  EveryBushedTree() : robot(GetParam(), {.bodies = 2 + GetParam() % 8}) {
    description = robot.description;
    Random random(GetParam() + 52000);
    std::string last;  // the last body that moves
    for (const NamedBody& body : robot.model.named_bodies())
      if (body.tree_body != 0) last = body.name;
    const Vec3<double> p = random.vector(0.4), r = random.vector(0.5);
    description.frame("head", last, {.xyz = {p.x, p.y, p.z}, .rpy = {r.x, r.y, r.z}});
    // the foot stands near the head, turned by up to 1.7 rad: a bushing ends at 3 rad
    Kinematics at(robot.model);
    EXPECT_TRUE(kinematics(robot.model, robot.state, {}, robot.workspace, at).ok());
    const Pose<double> X_WB = pose(robot.model, at, frame_ref(robot.model, last));
    const Pose<double> X_WF{X_WB.R * exponential_rotation(random.vector(0.5)),
                            X_WB.p + random.vector(0.4)};
    description.frame("foot", "ground", placement_of(X_WF));
    BushingDescription bushing{.name = "mount", .frame = "foot", .other_frame = "head"};
    bushing.stiffness = coupled(20, 3);
    if (GetParam() % 2) bushing.damping = coupled(2, 0.5);
    bushing.tables[5] = {{-1.0, 0.0, 1.0}, {-2.0, 0.5, 1.0}};
    description.bushings.push_back(bushing);
  }
  RandomRobot robot;
  Description description;
};
INSTANTIATE_TEST_SUITE_P(seeds, EveryBushedTree, testing::Range(1, 1 + how_many(30)));

TEST_P(EveryBushedTree, gets_the_gradient_of_its_energy) {
  const Model model = build_model(description);
  Workspace workspace(model);
  State still = robot.state;
  std::fill(still.v.begin(), still.v.end(), 0.0);
  std::vector<double> tau(still.v.size());
  const Status status = passive_forces(model, still, workspace, tau);
  ASSERT_TRUE(status.ok()) << status.message();
  // it acts: without it the forces differ
  std::vector<double> bare(tau.size());
  ASSERT_TRUE(passive_forces(robot.model, still, robot.workspace, bare).ok());
  EXPECT_GT(difference_of(tau, bare), 1e-3) << robot;
  const double h = 1e-5;
  for (int f = 0; f < model.nv(); ++f) {
    const auto at = [&](double step) {
      std::vector<double> dv(still.v.size());
      State there = still;
      dv[std::size_t(f)] = step;
      integrate(model, still.q, dv, there.q);
      Energy out;
      EXPECT_TRUE(energy(model, there, workspace, out).ok());
      return out.elastic;
    };
    const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    // energies up to 100 J have rounding errors of 1e-14 J, over a step of 1e-5; truncation is h^4
    EXPECT_NEAR(tau[std::size_t(f)], -slope, 1e-8 * (1 + std::abs(slope))) << robot << ", " << f;
  }
}

TEST_P(EveryBushedTree, has_dynamics_that_undo_each_other) {
  const Model model = build_model(description);
  Workspace workspace(model);
  std::vector<double> tau(robot.a.size()), a(tau);
  const Status status = inverse_dynamics(model, robot.state, {.a = robot.a}, workspace, tau);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_TRUE(forward_dynamics(model, robot.state, {.tau = tau}, workspace, a).ok()) << robot;
  // both are backward stable; the condition of the mass matrix, up to 1e5 here, multiplies rounding
  EXPECT_LT(difference_of(a, robot.a), 1e-10) << robot;
}

// Linearization against differences of forward dynamics, in motion, with tables and damping.
TEST(Bushing, has_the_derivatives_that_differences_show) {
  Description arm("arm");
  arm.body("upper", thin_rod(1.0, 0.4, {0.2, 0.0, 0.0}));
  arm.body("lower", box(1.0, {0.3, 0.05, 0.1}, {0.15, 0.0, 0.02}));
  arm.joint("shoulder", JointKind::universal, "ground", "upper");
  arm.joint("elbow", JointKind::revolute, "upper", "lower",
            {.at = {.xyz = {0.4, 0.0, 0.0}}, .axis = {0.0, 1.0, 0.0}});
  arm.frame("tip", "lower", {.xyz = {0.3, 0.0, 0.0}, .rpy = {0.3, 0.1, -0.2}});
  arm.frame("post", "ground", {.xyz = {0.6, 0.1, 0.2}});
  BushingDescription bushing{.name = "mount", .frame = "post", .other_frame = "tip"};
  bushing.stiffness = coupled(40, 5);
  bushing.damping = coupled(3, 0.4);
  bushing.tables[0] = {{-1.0, 0.0, 1.0}, {-5.0, 0.0, 20.0}};
  arm.bushings.push_back(bushing);
  const Model model = build_model(arm);
  Workspace workspace(model);
  State state = neutral_state(model);
  state.q = {0.3, -0.4, 0.9};
  state.v = {0.5, -0.7, 1.1};
  Linearization near;
  const Status status = linearize(model, state, {}, workspace, near);
  ASSERT_TRUE(status.ok()) << status.message();
  const double h = 1e-4;
  for (std::size_t k = 0; k < 6; ++k) {
    const auto at = [&](double step) {
      State there = state;
      (k < 3 ? there.q[k] : there.v[k - 3]) += step;
      std::vector<double> a(3);
      EXPECT_TRUE(forward_dynamics(model, there, {}, workspace, a).ok());
      return Eigen::Vector3d(a[0], a[1], a[2]);
    };
    const Eigen::Vector3d slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    // fourth order in the step, rounding over it
    EXPECT_LT((near.A.col(Eigen::Index(k)).tail(3) - slope).norm(), 1e-8 * (1 + slope.norm())) << k;
  }
}

}  // namespace
}  // namespace trammel::bushing_test
