// Consistency of functions of the mass matrix: factors, inverse, operators, hybrid dynamics,
// momentum.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/capability.hpp"
#include "tests/support/how_many.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/tree/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/inverse_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel::factors_test {
namespace {

class Factors : public testing::TestWithParam<int> {
 protected:
  Factors()
      : robot(GetParam(), {.bodies = 1 + GetParam() % 15}),
        nv(robot.model.nv()),
        M(nv, nv),
        factors(robot.model) {
    EXPECT_TRUE(mass_matrix(robot.model, robot.state, robot.workspace, M).ok());
    EXPECT_TRUE(articulated_inertias(robot.model, robot.state, robot.workspace, factors).ok());
    size = M.cwiseAbs().maxCoeff();
    const Eigen::VectorXd e = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M).eigenvalues();
    condition = e.maxCoeff() / e.minCoeff();
  }
  RandomRobot robot;
  int nv;
  Eigen::MatrixXd M;
  ArticulatedInertias factors;
  double size = 1, condition = 1;
};
INSTANTIATE_TEST_SUITE_P(seeds, Factors, testing::Range(1, 1 + how_many(60)));

TEST_P(Factors, multiply_to_the_mass_matrix) {
  Eigen::MatrixXd L(nv, nv), D(nv, nv);
  ASSERT_TRUE(mass_matrix_factors(robot.model, factors, L, D).ok());
  EXPECT_LT((L.transpose() * D * L - M).cwiseAbs().maxCoeff(), 1e-12 * size) << robot;
  EXPECT_EQ(L.diagonal().minCoeff(), 1);
  for (int j = 1; j < nv; ++j)  // unit lower triangular in the order of v
    for (int i = 0; i < j; ++i) EXPECT_EQ(L(i, j), 0);
}

TEST_P(Factors, of_the_inverse_multiply_to_the_inverse) {
  Eigen::MatrixXd L(nv, nv), D(nv, nv), inverse(nv, nv);
  ASSERT_TRUE(mass_matrix_inverse_factors(robot.model, factors, L, D).ok());
  ASSERT_TRUE(mass_matrix_inverse(robot.model, factors, robot.workspace, inverse).ok());
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(nv, nv);
  // a backward stable inverse has an error of the condition number times rounding
  EXPECT_LT((M * inverse - one).cwiseAbs().maxCoeff(), 1e-14 * condition + 1e-12) << robot;
  EXPECT_LT((L * D * L.transpose() - inverse).cwiseAbs().maxCoeff(),
            (1e-14 * condition + 1e-12) * inverse.cwiseAbs().maxCoeff())
      << robot;
}

TEST_P(Factors, operational_inertia_is_made_of_jacobian_and_inverse) {
  Eigen::MatrixXd J(6, nv), Y(6, 6), inverse(nv, nv);
  const FrameRef place{BodyId(int(robot.model.named_bodies().size()) - 1),
                       {exponential_rotation(robot.random.vector()), robot.random.vector(0.3)}};
  Kinematics where(robot.model);
  ASSERT_TRUE(kinematics(robot.model, robot.state, {}, robot.workspace, where).ok());
  ASSERT_TRUE(mass_matrix_inverse(robot.model, factors, robot.workspace, inverse).ok());
  for (const Axes axes : {Axes::body, Axes::world}) {
    ASSERT_TRUE(jacobian(robot.model, where, place, axes, J).ok());
    ASSERT_TRUE(operational_space_inertia_inverse(robot.model, robot.state, factors, place, axes,
                                                  robot.workspace, Y)
                    .ok());
    const Eigen::MatrixXd dense = J * inverse * J.transpose();
    EXPECT_LT((Y - dense).cwiseAbs().maxCoeff(),
              (1e-14 * condition + 1e-12) * std::max(1.0, dense.cwiseAbs().maxCoeff()))
        << robot;
    Eigen::MatrixXd Lambda(6, 6);
    if (operational_space_inertia(robot.model, robot.state, factors, place, axes, robot.workspace,
                                  Lambda)) {
      const double amplification = Lambda.cwiseAbs().maxCoeff() * Y.cwiseAbs().maxCoeff();
      EXPECT_LT((Lambda * Y - Eigen::MatrixXd::Identity(6, 6)).cwiseAbs().maxCoeff(),
                1e-13 * std::max(1.0, amplification))
          << robot;
    }
  }
}

TEST_P(Factors, centroidal_momentum_is_its_matrix_times_v) {
  if (robot.model.named_bodies().size() < 2) return;
  Momentum h;
  CenterOfMass center;
  Eigen::MatrixXd A(6, nv);
  ASSERT_TRUE(centroidal_momentum(robot.model, robot.state, robot.workspace, h).ok());
  ASSERT_TRUE(centroidal_momentum_matrix(robot.model, robot.state, robot.workspace, A).ok());
  ASSERT_TRUE(center_of_mass(robot.model, robot.state, robot.workspace, center).ok());
  Eigen::VectorXd six(6);
  six << h.angular.x, h.angular.y, h.angular.z, h.linear.x, h.linear.y, h.linear.z;
  const Eigen::VectorXd v = Eigen::VectorXd::Map(robot.state.v.data(), nv);
  EXPECT_LT((A * v - six).norm(), 1e-12 * (1 + six.norm())) << robot;
  EXPECT_LT(norm(h.linear - center.mass * center.velocity), 1e-13 * (1 + six.norm())) << robot;
}

TEST_P(Factors, hybrid_dynamics_is_inverse_and_forward_dynamics_in_one) {
  // some joints have a prescribed motion, one is locked; the others get the efforts of the same
  // motion
  Description description = robot.description;
  int k = 0;
  for (JointDescription& joint : description.joints) {
    if (joint.kind == JointKind::fixed) continue;
    joint.options.drive = ++k % 3 == 0 ? Drive::motion : k % 7 == 0 ? Drive::locked : Drive::torque;
  }
  const Model model = build_model(description);
  Workspace workspace(model);
  for (int f = 0; f < nv; ++f)
    if (model.prescription(f) == Drive::locked)
      robot.state.v[std::size_t(f)] = robot.a[std::size_t(f)] = 0;
  std::vector<double> tau(robot.a.size()), a(robot.a.size()), efforts(robot.a.size());
  ASSERT_TRUE(inverse_dynamics(model, robot.state, {.a = robot.a}, workspace, tau).ok());
  std::vector<double> prescribed = robot.a;  // the other accelerations are results
  for (int f = 0; f < nv; ++f)
    if (model.prescription(f) != Drive::motion) prescribed[std::size_t(f)] = 0;
  ASSERT_TRUE(
      hybrid_dynamics(model, robot.state, {.tau = tau, .a = prescribed}, workspace, a, efforts)
          .ok());
  const Eigen::VectorXd off =
      Eigen::VectorXd::Map(a.data(), nv) - Eigen::VectorXd::Map(robot.a.data(), nv);
  EXPECT_LT((M * off).cwiseAbs().maxCoeff(), 1e-11 * (largest(tau) + size + 1)) << robot;
  EXPECT_LT(difference_of(efforts, tau), 1e-11) << robot;
  // forward dynamics applies the drives by itself
  std::vector<double> same(a.size());
  ASSERT_TRUE(
      forward_dynamics(model, robot.state, {.tau = tau, .a = prescribed}, workspace, same).ok());
  EXPECT_LT(difference_of(same, a), 1e-12) << robot;
}

// Derivatives by the parameters: changes of the efforts with every mass and length.
TEST_P(Factors, derivatives_by_a_parameter_are_finite_differences) {
  const RandomRobot symbolic(GetParam(), {.bodies = 1 + GetParam() % 6, .symbols = true});
  const Model& model = symbolic.model;
  std::vector<double> values;
  for (const auto& parameter : model.parameters()) values.push_back(parameter.value);
  const std::size_t p = std::size_t(GetParam() * 7) % values.size();

  std::vector<Duals> dual(values.begin(), values.end());
  dual[p].derivative[0] = 1;
  const ModelParameters<Duals> numbers = make_numbers<Duals>(model, dual);
  const KernelInput<Duals, Duals> input{model, numbers};
  BasicWorkspace<Duals> workspace(model);
  const std::vector<Duals> q(symbolic.state.q.begin(), symbolic.state.q.end());
  const std::vector<Duals> v(symbolic.state.v.begin(), symbolic.state.v.end());
  const std::vector<Duals> a(symbolic.a.begin(), symbolic.a.end());
  std::vector<Duals> tau(a.size());
  kernel::inverse_dynamics<Duals, Duals>(input, q, v, a, workspace, tau);

  const double h = 1e-4;
  std::vector<double> difference(a.size());
  for (const auto& [steps, weight] : {std::pair{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
    std::vector<double> moved = values;
    moved[p] += steps * h;
    const ModelParameters<double> there = make_numbers<double>(model, moved);
    BasicWorkspace<double> plain(model);
    std::vector<double> t(a.size());
    kernel::inverse_dynamics<double, double>({model, there}, symbolic.state.q, symbolic.state.v,
                                             symbolic.a, plain, t);
    for (std::size_t k = 0; k < t.size(); ++k) difference[k] += weight / (12 * h) * t[k];
  }
  std::vector<double> slopes;
  for (const Duals& t : tau) slopes.push_back(t.derivative[0]);
  EXPECT_LT(difference_of(slopes, difference), 1e-9)
      << symbolic << ", parameter " << p;  // rounding / h
}

TEST_P(Factors, lanes_may_have_masses_of_their_own) {
  const RandomRobot symbolic(GetParam(), {.bodies = 1 + GetParam() % 6, .symbols = true});
  const Model& model = symbolic.model;
  Random random(GetParam());
  std::vector<std::vector<double>> values(native_lanes);
  std::vector<Lanes> together;
  for (const auto& parameter : model.parameters()) {
    Lanes lane;
    for (std::size_t l = 0; l < native_lanes; ++l) {
      values[l].push_back(parameter.value * (1 + 0.01 * random()));
      lane.lanes[l] = values[l].back();
    }
    together.push_back(lane);
  }
  const ModelParameters<Lanes> numbers = make_numbers<Lanes>(model, together);
  BasicWorkspace<Lanes> workspace(model);
  const std::vector<Lanes> q(symbolic.state.q.begin(), symbolic.state.q.end());
  const std::vector<Lanes> v(symbolic.state.v.begin(), symbolic.state.v.end());
  const std::vector<Lanes> tau(symbolic.a.begin(), symbolic.a.end());
  std::vector<Lanes> a(tau.size());
  EXPECT_EQ(
      (kernel::forward_dynamics<Lanes, Lanes>({model, numbers}, q, v, tau, workspace, a).weak_dof),
      Pivots::none);
  for (std::size_t l = 0; l < native_lanes; ++l) {
    const ModelParameters<double> alone = make_numbers<double>(model, values[l]);
    BasicWorkspace<double> plain(model);
    std::vector<double> single(a.size()), lane;
    kernel::forward_dynamics<double, double>({model, alone}, symbolic.state.q, symbolic.state.v,
                                             symbolic.a, plain, single);
    for (const Lanes& x : a) lane.push_back(x[int(l)]);
    EXPECT_LT(difference_of(lane, single), 1e-10) << symbolic;  // condition of a small robot
  }
}

}  // namespace
}  // namespace trammel::factors_test
