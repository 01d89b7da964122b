// Null-space basis T of the loop constraints (orthogonal complement), on 200 random mechanisms with
// loops: in the velocities of the tree and, for study, in the twists of all bodies.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/capability.hpp"
#include "tests/support/how_many.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/mobility/natural_complement.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/mass_matrix.hpp"

namespace trammel::orthogonal_complement_test {
namespace {

class ComplementOfEveryClosedRobot : public testing::TestWithParam<int> {
 protected:
  ComplementOfEveryClosedRobot() : robot(GetParam(), GetParam() % 3 == 0) {}

  OrthogonalComplement complement_of(const OrthogonalComplementOptions& options = {}) {
    OrthogonalComplement out;
    const Status status =
        orthogonal_complement(robot.model, robot.state, {}, robot.workspace, out, options);
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }
  NaturalComplement natural(const OrthogonalComplement& in) {
    NaturalComplement out;
    const Status status =
        natural_complement(robot.model, robot.state, {.tau = robot.tau}, in, robot.workspace, out);
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }
  // J and the residual of the accelerations
  ConstraintRows rows(const Eigen::VectorXd& a) {
    ConstraintRows out(robot.model);
    Kinematics at(robot.model);
    const std::span<const double> list{a.data(), std::size_t(a.size())};
    kernel::kernels().kinematics({robot.model, robot.model.numbers()}, robot.state.q, robot.state.v,
                                 list, *robot.workspace, at);
    out.evaluate(robot.model, at, robot.state.q, robot.state.v, list, {});
    return out;
  }
  Eigen::VectorXd forward(const std::vector<double>& tau) {
    std::vector<double> a(tau.size());
    EXPECT_TRUE(forward_dynamics(robot.model, robot.state, {.tau = tau}, robot.workspace, a).ok());
    return view(a);
  }
  static Eigen::VectorXd view(const std::vector<double>& x) {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), Eigen::Index(x.size()));
  }
  // loss of digits in solving for T if rows are nearly dependent, or the independent joints ill
  // chosen
  double loss(const OrthogonalComplement& in) const { return 1 / (in.basis.least() * in.least); }

  RandomClosedRobot robot;
};
INSTANTIATE_TEST_SUITE_P(seeds, ComplementOfEveryClosedRobot, testing::Range(1, 1 + how_many(200)));

TEST_P(ComplementOfEveryClosedRobot, spans_what_the_rows_allow) {
  for (const bool orthonormal : {false, true}) {
    const OrthogonalComplement found = complement_of({.orthonormal = orthonormal});
    const Eigen::VectorXd any = Eigen::VectorXd::Random(found.T.cols());
    const ConstraintRows at = rows(found.T * any + found.T_dot_u);
    EXPECT_EQ(found.T.cols(), robot.model.nv() - found.basis.rank());
    EXPECT_LT((at.jacobian() * found.T).norm(),
              1e-13 * loss(found) * (1 + at.jacobian().norm()) * (1 + found.T.norm()));
    // J a = gamma for any u'
    EXPECT_LT(at.acceleration().norm(),
              1e-12 * loss(found) * (1 + found.T_dot_u.norm() + found.T.norm()));
    EXPECT_LT((found.T * found.u - view(robot.state.v)).norm(),
              1e-10 * loss(found) * (1 + view(robot.state.v).norm()));
    EXPECT_EQ(found.independent.empty(), orthonormal || found.T.cols() == 0);
    if (!orthonormal) continue;
    const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(found.T.cols(), found.T.cols());
    EXPECT_LT((found.T.transpose() * found.T - unit).norm(), 1e-13 * double(1 + found.T.size()));
  }
}

TEST_P(ComplementOfEveryClosedRobot, independent_joints_are_well_chosen) {
  shows({"S-19", "orthogonal_complement"}, {"Y-60", "orthogonal_complement"});
  const OrthogonalComplement found = complement_of();
  const auto ways = Eigen::Index(found.independent.size());
  for (Eigen::Index k = 0; k < ways; ++k)
    EXPECT_EQ(found.T.row(found.independent[std::size_t(k)]),
              Eigen::MatrixXd::Identity(ways, ways).row(k));
  // pivoting stays within a modest factor of the best choice
  EXPECT_GT(found.least, 1e-4);
  // dependent joints: theta_D = -J_D^-1 J_I theta_I, also for accelerations
  const ConstraintRows at = rows(Eigen::VectorXd::Zero(robot.model.nv()));
  const Eigen::MatrixXd J = independent_rows(at.jacobian(), found.basis);
  std::vector<int> dependent;
  for (int f = 0; f < robot.model.nv(); ++f)
    if (std::ranges::find(found.independent, f) == found.independent.end()) dependent.push_back(f);
  const Eigen::MatrixXd J_I = J(Eigen::all, found.independent), J_D = J(Eigen::all, dependent);
  ASSERT_EQ(J_D.rows(), J_D.cols());
  const Eigen::MatrixXd U = -J_D.fullPivLu().solve(J_I);
  const Eigen::MatrixXd T_D = found.T(dependent, Eigen::all);
  EXPECT_LT((T_D - U).norm(), 1e-12 * loss(found) * (1 + U.norm()));
  Eigen::VectorXd gamma(found.basis.rank());
  for (int k = 0; k < found.basis.rank(); ++k)
    gamma[k] = -at.acceleration()[found.basis.rows[std::size_t(k)]];
  const Eigen::VectorXd follow = J_D.fullPivLu().solve(gamma);
  const Eigen::VectorXd bias_D = found.T_dot_u(dependent);
  EXPECT_LT((bias_D - follow).norm(), 1e-11 * loss(found) * (1 + follow.norm()));
}

// T changes with the configuration: the difference of T u at two states on either side, for
// constant u, against T_dot_u.
TEST_P(ComplementOfEveryClosedRobot, rate_is_that_of_the_basis) {
  const OrthogonalComplement here = complement_of();
  if (here.T.cols() == 0) return;  // no mobility
  const auto at_time = [&](double t) {
    const Eigen::VectorXd step = t * (here.T * here.u) + t * t / 2 * here.T_dot_u;
    RandomClosedRobot moved = RandomClosedRobot(GetParam(), GetParam() % 3 == 0);
    integrate(robot.model, robot.state.q, {step.data(), std::size_t(step.size())}, moved.state.q);
    std::fill(moved.state.v.begin(), moved.state.v.end(), 0.0);
    EXPECT_TRUE(assemble(moved.model, moved.state, moved.workspace).ok());
    OrthogonalComplement there;
    EXPECT_TRUE(orthogonal_complement(moved.model, moved.state, {}, moved.workspace, there).ok());
    // same independent joints, regardless of the choice at that state
    const Eigen::MatrixXd chosen = there.T(here.independent, Eigen::all);
    return Eigen::VectorXd(there.T * chosen.fullPivLu().solve(here.u));
  };
  // v of a joint with a quaternion is in axes that rotate with the body, and so is its rate
  const double h = 1e-4;
  const Eigen::VectorXd slope = (at_time(h) - at_time(-h)) / (2 * h);
  // second difference: h^2 times a third derivative that scales with the cube of the speed
  const double speed = 1 + here.u.norm() * loss(here);
  EXPECT_LT((slope - here.T_dot_u).norm(), 1e-7 * speed * speed * speed * loss(here));
}

TEST_P(ComplementOfEveryClosedRobot, minimal_equations_move_it_as_the_multipliers_do) {
  shows({"S-18", "orthogonal_complement"}, {"S-27", "minimal_equations", "bias"});
  const Eigen::VectorXd a = forward(robot.tau);
  for (const bool orthonormal : {false, true}) {
    const OrthogonalComplement found = complement_of({.orthonormal = orthonormal});
    MinimalEquations equations;
    ASSERT_TRUE(minimal_equations(robot.model, robot.state, {.tau = robot.tau}, found,
                                  robot.workspace, equations)
                    .ok());
    const Eigen::VectorXd u_dot = equations.inertia.ldlt().solve(equations.effort - equations.bias);
    const Eigen::VectorXd again = found.T * u_dot + found.T_dot_u;
    const double tolerance = std::max(1e-9, 1e-13 * loss(found) * loss(found));
    EXPECT_LT((again - a).norm(), tolerance * (1 + a.norm())) << "orthonormal " << orthonormal;
    // the bias is C u + N, computed without forming the rate of T
    Eigen::MatrixXd M(robot.model.nv(), robot.model.nv());
    ASSERT_TRUE(mass_matrix(robot.model, robot.state, robot.workspace, M).ok());
    std::vector<double> h(robot.tau.size()), passive(robot.tau.size());
    ASSERT_TRUE(bias(robot.model, robot.state, {}, robot.workspace, h).ok());
    ASSERT_TRUE(passive_forces(robot.model, robot.state, robot.workspace, passive).ok());
    const Eigen::VectorXd explicit_bias =
        found.T.transpose() * (M * found.T_dot_u + view(h) - view(passive));
    EXPECT_LT((explicit_bias - equations.bias).norm(), 1e-11 * (1 + explicit_bias.norm()));
  }
}

TEST_P(ComplementOfEveryClosedRobot, restricted_jacobian_moves_the_last_body) {
  const OrthogonalComplement found = complement_of();
  const FrameRef last{BodyId{int(robot.model.named_bodies().size()) - 1},
                      {Mat3<double>::identity(), {0.1, -0.2, 0.3}}};
  RestrictedJacobian restricted;
  ASSERT_TRUE(restricted_jacobian(robot.model, robot.state, last, Axes::world, found,
                                  robot.workspace, restricted)
                  .ok());
  const Eigen::VectorXd a = forward(robot.tau);
  Kinematics moving(robot.model);
  ASSERT_TRUE(kinematics(robot.model, robot.state, {.a = {a.data(), std::size_t(a.size())}},
                         robot.workspace, moving)
                  .ok());
  const auto six = [](const Motion<double>& x) {
    Eigen::VectorXd out(6);
    out << x.angular.x, x.angular.y, x.angular.z, x.linear.x, x.linear.y, x.linear.z;
    return out;
  };
  Eigen::VectorXd u_dot(found.u.size());
  for (Eigen::Index k = 0; k < u_dot.size(); ++k) u_dot[k] = a[found.independent[std::size_t(k)]];
  const Eigen::VectorXd V = six(velocity(robot.model, moving, last)),
                        A = six(acceleration(robot.model, moving, last));
  EXPECT_LT((restricted.J * found.u - V).norm(), 1e-10 * loss(found) * (1 + V.norm()));
  EXPECT_LT((restricted.J * u_dot + six(restricted.rate) - A).norm(),
            1e-10 * loss(found) * (1 + A.norm()));
}

TEST_P(ComplementOfEveryClosedRobot, couplings_of_all_twists_vanish_on_it) {
  shows({"S-06", "natural_complement"}, {"S-11", "natural_complement", "energy"});
  const OrthogonalComplement found = complement_of();
  const NaturalComplement all = natural(found);
  const Eigen::Index n = 6 * Eigen::Index(all.bodies.size());
  ASSERT_EQ(all.A.cols(), n);
  EXPECT_EQ(all.rows.size(), std::size_t(all.A.rows()));
  const double size = (1 + all.A.norm()) * (1 + all.T.norm());
  EXPECT_LT((all.A * all.T).norm(), 1e-13 * loss(found) * size);
  EXPECT_LT((all.A * all.t).norm(), 1e-10 * loss(found) * (1 + all.A.norm()) * (1 + all.t.norm()));
  EXPECT_LT((all.T * found.u - all.t).norm(), 1e-10 * loss(found) * (1 + all.t.norm()));
  // T spans the whole null space of A. The threshold is well above rounding and well below the
  // singular values of a mechanism near a singular pose
  const Eigen::VectorXd singular = all.A.bdcSvd().singularValues();
  EXPECT_EQ((singular.array() > 1e-9 * singular[0]).count(), n - found.T.cols());
  // KE = t M t / 2
  Energy energies;
  ASSERT_TRUE(energy(robot.model, robot.state, robot.workspace, energies).ok());
  EXPECT_NEAR(all.t.dot(all.M * all.t) / 2, energies.kinetic, 1e-11 * (1 + energies.kinetic));
}

// Newton-Euler equations of every body with the rows of all joints (maximal coordinates): no tree,
// no recursion.
TEST_P(ComplementOfEveryClosedRobot, maximal_coordinates_move_alike) {
  const OrthogonalComplement found = complement_of();
  const NaturalComplement all = natural(found);
  const Eigen::Index n = all.A.cols(), m = all.A.rows();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + m, n + m);
  matrix.topLeftCorner(n, n) = all.M;
  matrix.topRightCorner(n, m) = -all.A.transpose();
  matrix.bottomLeftCorner(m, n) = all.A;
  Eigen::VectorXd rhs(n + m);
  rhs << all.working - all.gyroscopic, all.A * all.T_dot_u;
  const Eigen::VectorXd x = matrix.completeOrthogonalDecomposition().solve(rhs);
  const Eigen::VectorXd a = forward(robot.tau);
  Eigen::VectorXd u_dot(found.u.size());
  for (Eigen::Index k = 0; k < u_dot.size(); ++k) u_dot[k] = a[found.independent[std::size_t(k)]];
  const Eigen::VectorXd t_dot = all.T * u_dot + all.T_dot_u;
  const double tolerance = std::max(1e-8, 1e-12 * loss(found) * loss(found));
  EXPECT_LT((x.head(n) - t_dot).norm(), tolerance * (1 + t_dot.norm()));
  // power of the applied forces is the rate of energy; the gyroscopic terms do no work
  MinimalEquations equations;
  ASSERT_TRUE(minimal_equations(robot.model, robot.state, {.tau = robot.tau}, found,
                                robot.workspace, equations)
                  .ok());
  const Eigen::MatrixXd inertia = all.T.transpose() * all.M * all.T;
  EXPECT_LT((inertia - equations.inertia).norm(), 1e-11 * (1 + inertia.norm()));
  const Eigen::VectorXd bias =
      all.T.transpose() * (all.M * all.T_dot_u + all.gyroscopic - all.working);
  EXPECT_LT((bias - (equations.bias - equations.effort)).norm(), 1e-10 * (1 + bias.norm()));
}

}  // namespace
}  // namespace trammel::orthogonal_complement_test
