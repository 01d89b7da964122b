// The vehicle with a caster at one state [Saha 1991, sections 3.4 and 3.7]: passive joints, and
// loops closed by rolling; and the part of S-T14 about it.
#include <fmt/format.h>

#include "tests/reference/saha/vehicles.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/operator_matrices.hpp"
#include "trammel/model/topology.hpp"

namespace trammel::vehicle_test {
namespace {

constexpr double r = Vehicle::r, l = Vehicle::l;
constexpr double a = CasterVehicle::a, b = CasterVehicle::b, d = CasterVehicle::d;

// Sections 3.3 and 3.4: T = T_I - T_D J_D^-1 J_I and its rate, from maps of the tree alone.
TEST(saha_vehicle, orthogonal_complement_through_passive_joints) {
  CasterVehicle vehicle;
  vehicle.steer() = -1.1;
  const Eigen::Vector2d rates(5, 2);
  vehicle.roll(rates);
  const OrthogonalComplement basis = vehicle.basis();
  const NaturalComplement all = natural_of(vehicle.posed, basis);
  EXPECT_LT(largest(all.A * all.T), 1e-14);
  // the tree without its rolling contacts: twists of all bodies by all seven rates
  Description description = vehicle.posed.model.description();
  description.wheels.clear();
  Posed tree(description, vehicle.posed.state.q);
  const auto twists = [&](const std::vector<double>& q) {
    tree.state.q = q;
    OrthogonalComplement one;
    EXPECT_TRUE(orthogonal_complement(tree.model, tree.state, {}, tree.workspace, one).ok());
    NaturalComplement out;
    EXPECT_TRUE(natural_complement(tree.model, tree.state, {}, one, tree.workspace, out).ok());
    return out.T;
  };
  // rolling: five of the six rows are independent
  const std::vector<int> rows = basis.basis.rows;
  ASSERT_EQ(rows.size(), 5u);
  const auto J = [&](const std::vector<double>& q) -> Eigen::MatrixXd {
    State there = vehicle.posed.state;
    there.q = q;
    std::ranges::fill(there.v, 0.0);
    Eigen::MatrixXd out;
    EXPECT_TRUE(constraint_jacobian(vehicle.posed.model, there, vehicle.posed.workspace, out).ok());
    return out(rows, Eigen::all);
  };
  const std::vector<int> independent = {3, 4}, dependent = {0, 1, 2, 5, 6};
  // rate of a matrix of the configuration as the vehicle rolls: its coordinates form a vector space
  const auto rate_of = [&](const auto& matrix_at) {
    const Eigen::MatrixXd now = matrix_at(vehicle.posed.state.q);
    const Eigen::VectorXd slope = time_derivative([&](double t) -> Eigen::VectorXd {
      const Eigen::VectorXd q = vector_of(vehicle.posed.state.q) + t * basis.T * rates;
      const Eigen::MatrixXd there = matrix_at(list_of(q));
      return there.reshaped();
    });
    return Eigen::MatrixXd(slope.reshaped(now.rows(), now.cols()));
  };
  const Eigen::MatrixXd N = twists(vehicle.posed.state.q), N_dot = rate_of(twists);
  const Eigen::MatrixXd all_J = J(vehicle.posed.state.q), all_J_dot = rate_of(J);
  const Eigen::MatrixXd T_I = N(Eigen::all, independent), T_D = N(Eigen::all, dependent),
                        T_I_dot = N_dot(Eigen::all, independent),
                        T_D_dot = N_dot(Eigen::all, dependent),
                        J_I = all_J(Eigen::all, independent), J_D = all_J(Eigen::all, dependent),
                        J_I_dot = all_J_dot(Eigen::all, independent),
                        J_D_dot = all_J_dot(Eigen::all, dependent);
  const Eigen::MatrixXd J_D_inverse = J_D.inverse();
  const Eigen::MatrixXd U = -J_D_inverse * J_I;
  EXPECT_LT(largest(T_I + T_D * U - all.T), 1e-13);
  EXPECT_LT(largest(ClosedForm(-1.1, rates).U.row(1) - basis.T.row(5)), 1e-13);
  const Eigen::MatrixXd T_dot = T_I_dot - T_D_dot * J_D_inverse * J_I +
                                T_D * J_D_inverse * J_D_dot * J_D_inverse * J_I -
                                T_D * J_D_inverse * J_I_dot;
  // derivatives by differences: rounding divided by the step
  EXPECT_LT(largest(T_dot * rates - all.T_dot_u), 1e-9);
  // six steps: I = T^T M T, h = T^T (M T' + gyroscopic terms) u, and w^N does no work
  const ClosedForm form(-1.1, rates);
  EXPECT_LT(largest(all.T.transpose() * all.M * all.T - form.I), 1e-15);
  const Eigen::VectorXd forces = all.M * all.T_dot_u + all.gyroscopic;
  EXPECT_LT(largest(all.T.transpose() * forces - form.h), 1e-13);
}

// S-T14: the graph in [Saha 1991] has no joint between floor and platform: with a free joint its
// wheels support it. Loops, rank and determinant as printed.
TEST(saha_vehicle, graph_has_two_loops_and_their_rows_the_rank_printed) {
  CasterVehicle planar;
  planar.roll({-4, -7});
  const Eigen::VectorXd expected = planar.posed.a();
  Description description = planar.posed.model.description();
  const Vec3<Expr> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
  for (JointDescription& joint : description.joints)
    if (joint.name == "base") {
      joint.kind = JointKind::compound;
      joint.options.motions = {slide(x), slide(y), slide(z), turn(x), turn(y), turn(z)};
    }
  for (WheelDescription& wheel : description.wheels) wheel.touches = true;
  description.start_positions.clear(), description.start_velocities.clear();
  Posed flying(description, {0, 0.101, 0, 0, 0, 0, 0, 0, 0.3, 0}, {});
  const Topology graph = topology(flying.model);
  EXPECT_EQ(graph.nodes, 6);
  EXPECT_EQ(graph.edges, 7);
  EXPECT_EQ(graph.loops.size(), 2u);
  // and three contacts fix height, roll and pitch: the same motion
  const std::vector<double>& v = planar.posed.state.v;
  flying.state.v = {v[0], v[1], 0, 0, 0, v[2], v[3], v[4], v[5], v[6]};
  const Eigen::VectorXd found = flying.a();
  for (const auto& [free, flat] : {std::pair{0, 0}, {1, 1}, {5, 2}, {6, 3}, {7, 4}, {8, 5}, {9, 6}})
    EXPECT_NEAR(found[free], expected[flat], 1e-11);

  // velocity of the contact of each wheel, in the axes of the vehicle, by theta1 .. theta4 and psi'
  for (const double steer : {0.3, -1.1, 2.0}) {
    planar.steer() = steer;
    const auto contact = [&](const std::string& wheel, const Eigen::Vector2d& axle) {
      Eigen::MatrixXd J;
      EXPECT_TRUE(
          constraint_jacobian(planar.posed.model, planar.posed.state, planar.posed.workspace, J)
              .ok());
      const std::vector<std::string> names = row_names(planar.posed.model);
      const auto row = [&](const std::string& which) -> Eigen::RowVectorXd {
        return J.row(std::ranges::find(names, fmt::format("wheel '{}': force {}", wheel, which)) -
                     names.begin());
      };
      // along is the axle turned by a quarter to the right, across is to the left of that
      Eigen::Matrix2d directions;
      directions << axle, Eigen::Vector2d(axle.y(), -axle.x());
      Eigen::MatrixXd both(2, 7);
      both << row("across"), row("along");
      return Eigen::MatrixXd(directions * both);
    };
    planar.posed.state.q[2] = 0;
    std::ranges::fill(planar.posed.state.v, 0.0);
    const Eigen::Vector2d i(1, 0), j(0, 1), e3(std::cos(steer), std::sin(steer)),
        f3(-e3.y(), e3.x());
    const Eigen::MatrixXd front = contact("caster_rim", e3);
    Eigen::MatrixXd loops(4, 7), printed(4, 5);
    loops << contact("left_rim", i) - front, contact("right_rim", i) - front;
    const Eigen::Vector2d none = Eigen::Vector2d::Zero();
    printed << r * j, none, -r * f3, -d * e3, -l / 2 * j + (a + b) * i - d * e3,  //
        none, r * j, -r * f3, -d * e3, l / 2 * j + (a + b) * i - d * e3;
    // the motion of the platform itself is in no loop
    EXPECT_LT(largest(loops.leftCols<2>()), 1e-15);
    EXPECT_LT(largest(loops(Eigen::all, std::vector<int>{3, 4, 6, 5, 2}) - printed), 1e-15);
    EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(printed).setThreshold(1e-12).rank(), 3);
    const Eigen::Matrix3d J_D = printed.rightCols<3>()(std::vector<int>{0, 1, 3}, Eigen::all);
    EXPECT_NEAR(J_D.determinant(), -l * d * r, 1e-17);
    EXPECT_NEAR(J_D.determinant(), -5.0e-4, 1e-17);
  }
}

// (3.28): working wrenches on the vehicle, part by part.
TEST(saha_vehicle, working_wrenches_are_of_drives_weight_and_dampers) {
  shows({"S-30", "natural_complement"});
  CasterVehicle vehicle;
  const Eigen::Vector2d torque(0.03, -0.02);
  const std::vector<double> tau = vehicle.torques(torque);
  const Description still = vehicle.posed.model.description();
  Description damped = still;
  const double damping = 0.004;
  for (JointDescription& joint : damped.joints)
    if (joint.name != "base") joint.options.damping = {damping};
  const auto pulled = [&](Description description, const Vec3<double>& g) {
    description.gravity = {g.x, g.y, g.z};
    return Posed(description, vehicle.posed.state.q, vehicle.posed.state.v);
  };
  struct Part {
    Eigen::Vector2d generalised;
    NaturalComplement all;
  };
  const auto part_of = [&](const Description& description, const Vec3<double>& gravity,
                           const std::vector<double>& efforts) -> Part {
    Posed posed = pulled(description, gravity);
    const NaturalComplement all = natural_of(posed, wheel_basis(posed), {.tau = efforts});
    return {all.T.transpose() * all.working, all};
  };
  const Vec3<double> none{}, down{0, 0, -9.81}, slanted{9.81 * 0.6, 0, -9.81 * 0.8};
  // tau: of the drives, entry by entry
  const Part run_inputs = part_of(still, none, tau);
  EXPECT_LT(largest(run_inputs.generalised - torque), 1e-15);
  // gamma: zero on a level floor, though each body has its weight
  const Part weight = part_of(still, down, {});
  EXPECT_NEAR(weight.all.working.norm(), 9.81 * std::hypot(20, std::hypot(2, std::hypot(2, 2))),
              1e-12);
  EXPECT_LT(largest(weight.generalised), 1e-14);
  // on a slope the gradient of the height of all masses
  const Part slope = part_of(still, slanted, {});
  Posed tilted = pulled(still, slanted);
  const Eigen::MatrixXd T = vehicle.basis().T;
  for (int k = 0; k < 2; ++k) {
    const Eigen::VectorXd rate = time_derivative([&](double t) -> Eigen::VectorXd {
      std::ranges::fill(tilted.state.v, 0.0);
      tilted.state.q = list_of(vector_of(vehicle.posed.state.q) + t * T.col(k));
      return numbers({tilted.energies().gravity});
    });
    EXPECT_NEAR(slope.generalised[k], -rate[0], 1e-9);  // rounding divided by the step
    EXPECT_GT(std::abs(slope.generalised[k]), 0.01);
  }
  // delta: dampers only dissipate
  const Part dampers = part_of(damped, none, {});
  const Eigen::MatrixXd joints = T.bottomRows(4);
  const Eigen::Vector2d u(-4, -7);
  EXPECT_LT(largest(dampers.generalised + damping * joints.transpose() * joints * u), 1e-15);
  EXPECT_LT(dampers.generalised.dot(u), 0);
  // together they are the whole, I u' = -h + tau + gamma + delta; all other forces do no work
  const Part whole = part_of(damped, slanted, tau);
  const Eigen::Vector2d sum = run_inputs.generalised + slope.generalised + dampers.generalised;
  EXPECT_LT(largest(whole.generalised - sum), 1e-14);
  Posed engine = pulled(damped, slanted);
  const Eigen::VectorXd acceleration = engine.a({.tau = tau});
  const ClosedForm form(0.3, u);
  EXPECT_LT(largest(form.I * vehicle.of_wheels(acceleration) + form.h - sum), 1e-12);
  const NaturalComplement& all = whole.all;
  const Eigen::VectorXd w_N = all.M * (all.T * vehicle.of_wheels(acceleration) + all.T_dot_u) +
                              all.gyroscopic - all.working;
  EXPECT_LT(largest(all.T.transpose() * w_N), 1e-12);
  EXPECT_GT(w_N.norm(), 1);
}

}  // namespace
}  // namespace trammel::vehicle_test
