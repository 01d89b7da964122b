// One source for every scalar type: SIMD lanes, Dual numbers, floats and symbols agree with
// doubles.
#include <gtest/gtest.h>

#include <limits>

#include <Eigen/Eigenvalues>

#include "tests/support/capability.hpp"
#include "tests/support/dual_derivatives.hpp"
#include "tests/support/how_many.hpp"
#include "tests/support/symbolic_robot.hpp"
#include "trammel/dynamics/articulated_inertias.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/derivatives.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/tree/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/kinematics.hpp"
#include "trammel/dynamics/kernel/tree/mass_matrix.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel::scalars_test {
namespace {

class Scalars : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, Scalars, testing::Range(1, 1 + how_many(60)));

std::vector<double> solved(RandomRobot& robot, const std::vector<double>& tau) {
  std::vector<double> a(tau.size());
  EXPECT_TRUE(forward_dynamics(robot.model, robot.state, {.tau = tau}, robot.workspace, a).ok());
  return a;
}
std::vector<double> needed(RandomRobot& robot) {
  std::vector<double> tau(robot.a.size());
  EXPECT_TRUE(
      inverse_dynamics(robot.model, robot.state, {.a = robot.a}, robot.workspace, tau).ok());
  return tau;
}
// Condition number: factor of rounding in the accelerations of forward dynamics.
double condition(RandomRobot& robot) {
  Eigen::MatrixXd M(robot.model.nv(), robot.model.nv());
  EXPECT_TRUE(mass_matrix(robot.model, robot.state, robot.workspace, M).ok());
  const Eigen::VectorXd e = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M).eigenvalues();
  return e.maxCoeff() / e.minCoeff();
}

struct BothSlopes {
  Derivatives inverse_, forward_;
};
BothSlopes analytic_slopes(RandomRobot& robot, const std::vector<double>& tau,
                           std::span<const Wrench> wrenches = {}) {
  BothSlopes both;
  DerivativeWorkspace workspace(robot.model);
  EXPECT_TRUE(inverse_dynamics_derivatives(robot.model, robot.state,
                                           {.a = robot.a, .wrenches = wrenches}, robot.workspace,
                                           workspace, both.inverse_)
                  .ok());
  EXPECT_TRUE(forward_dynamics_derivatives(robot.model, robot.state,
                                           {.tau = tau, .wrenches = wrenches}, robot.workspace,
                                           workspace, both.forward_)
                  .ok());
  return both;
}

TEST_P(Scalars, a_batch_gives_what_single_states_give) {
  RandomRobot robot(GetParam(), {.bodies = 1 + GetParam() % 25});
  const Model& model = robot.model;
  const int nq = model.nq(), nv = model.nv(),
            count = 1 + GetParam() % 11;  // full and partial groups
  Eigen::MatrixXd q(nq, count), v(nv, count), a(nv, count), tau(nv, count), back(nv, count);
  // every number is written, also the zeros between branches
  const double unwritten = std::numeric_limits<double>::quiet_NaN();
  Eigen::MatrixXd M = Eigen::MatrixXd::Constant(nv * nv, count, unwritten);
  const std::ptrdiff_t bodies = std::ptrdiff_t(model.named_bodies().size());
  Eigen::MatrixXd poses = Eigen::MatrixXd::Constant(12 * bodies, count, unwritten);
  std::vector<State> states;
  for (int s = 0; s < count; ++s) {
    states.push_back(RandomRobot::random_state(model, robot.random));
    q.col(s) = Eigen::Map<Eigen::VectorXd>(states[std::size_t(s)].q.data(), nq);
    v.col(s) = Eigen::Map<Eigen::VectorXd>(states[std::size_t(s)].v.data(), nv);
    const auto acceleration_ = robot.random.numbers(nv);
    a.col(s) = Eigen::Map<const Eigen::VectorXd>(acceleration_.data(), nv);
  }
  BatchWorkspace workspace(model);
  ASSERT_TRUE(inverse_dynamics_batch(model, {q, v}, a, workspace, tau).ok());
  ASSERT_TRUE(forward_dynamics_batch(model, {q, v}, tau, workspace, back).ok());
  ASSERT_TRUE(mass_matrix_batch(model, {q, v}, workspace, M).ok());
  ASSERT_TRUE(kinematics_batch(model, {q, v}, workspace, poses).ok());

  for (int s = 0; s < count; ++s) {
    robot.state = states[std::size_t(s)];
    Eigen::VectorXd::Map(robot.a.data(), nv) = a.col(s);
    const auto effort = needed(robot);
    const Eigen::VectorXd t = tau.col(s), b = back.col(s);
    const std::vector<double> lane(t.begin(), t.end()), undone(b.begin(), b.end());
    EXPECT_LT(difference_of(lane, effort), 1e-13) << robot << ", state " << s;
    EXPECT_LT(difference_of(undone, robot.a), 1e-14 * condition(robot) + 1e-13) << robot;
    Eigen::MatrixXd single = Eigen::MatrixXd::Constant(nv, nv, unwritten);
    ASSERT_TRUE(mass_matrix(model, robot.state, robot.workspace, single).ok());
    ASSERT_TRUE(single.allFinite() && M.col(s).allFinite()) << robot;
    EXPECT_LT((single.reshaped() - M.col(s)).cwiseAbs().maxCoeff(),
              1e-13 * single.cwiseAbs().maxCoeff());
    Kinematics at_(model);
    ASSERT_TRUE(kinematics(model, robot.state, {}, robot.workspace, at_).ok());
    for (int body = 0; body < int(bodies); ++body) {
      const auto& [R, p] = pose(model, at_, {BodyId(body)});
      const double expected[] = {R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z,
                                 R.z.x, R.z.y, R.z.z, p.x,   p.y,   p.z};
      for (int k = 0; k < 12; ++k)  // positions of some meters
        EXPECT_NEAR(poses(12 * body + k, s), expected[k], 1e-12) << robot << ", body " << body;
    }
  }
}

TEST_P(Scalars, a_batch_is_the_same_to_the_last_bit_for_any_number_of_threads) {
  RandomRobot robot(GetParam(), {.bodies = 1 + GetParam() % 9});
  const Model& model = robot.model;
  const int nq = model.nq(), nv = model.nv(), count = 300 + 37 * GetParam();
  Eigen::MatrixXd q(nq, count), v(nv, count), a(nv, count);
  for (int s = 0; s < count; ++s) {
    const State state = RandomRobot::random_state(model, robot.random);
    q.col(s) = Eigen::VectorXd::Map(state.q.data(), nq);
    v.col(s) = Eigen::VectorXd::Map(state.v.data(), nv);
    const auto numbers = robot.random.numbers(nv);
    a.col(s) = Eigen::VectorXd::Map(numbers.data(), nv);
  }
  // a huge angle puts all lanes of its register on the slow sine, too
  if (model.quaternion_starts().empty()) q(0, count / 2) = 3e7;

  const auto answers = [&](int threads) {
    BatchWorkspace workspace(model, threads);
    EXPECT_EQ(workspace.threads(), threads);
    Eigen::MatrixXd tau(nv, count), back(nv, count), M(nv * nv, count);
    Eigen::MatrixXd poses(12 * std::ptrdiff_t(model.named_bodies().size()), count);
    EXPECT_TRUE(inverse_dynamics_batch(model, {q, v}, a, workspace, tau).ok());
    EXPECT_TRUE(forward_dynamics_batch(model, {q, v}, tau, workspace, back).ok());
    EXPECT_TRUE(mass_matrix_batch(model, {q, v}, workspace, M).ok());
    EXPECT_TRUE(kinematics_batch(model, {q, v}, workspace, poses).ok());
    Eigen::MatrixXd all(tau.rows() + back.rows() + M.rows() + poses.rows(), count);
    all << tau, back, M, poses;
    return all;
  };
  const Eigen::MatrixXd alone = answers(1);
  for (const int threads : {2, 3, 7}) EXPECT_TRUE(answers(threads) == alone) << robot << threads;
}

TEST_P(Scalars, derivatives_are_finite_differences) {
  RandomRobot robot(GetParam(), {.bodies = 1 + GetParam() % 12});
  const Model& model = robot.model;
  const int nv = model.nv();
  const auto tau = needed(robot);
  const auto both = analytic_slopes(robot, tau);
  const Derivatives &inverse_ = both.inverse_, &forward_ = both.forward_;

  // differences of fourth order: (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h
  const double h = 1e-3;
  const State here = robot.state;
  const auto slope = [&](const auto& move) {
    Eigen::VectorXd by_tau = Eigen::VectorXd::Zero(nv), by_a = by_tau;
    for (const auto& [steps, weight] : {std::pair{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
      robot.state = here;
      move(steps * h);
      const auto t = needed(robot), acceleration_ = solved(robot, tau);
      by_tau += weight / (12 * h) * Eigen::VectorXd::Map(t.data(), nv);
      by_a += weight / (12 * h) * Eigen::VectorXd::Map(acceleration_.data(), nv);
    }
    robot.state = here;
    return std::pair(by_tau, by_a);
  };
  // the error: h^4 times the fifth derivative, which grows with the accelerations
  const double size = 1 + inverse_.dq.cwiseAbs().maxCoeff() + inverse_.dv.cwiseAbs().maxCoeff();
  const double forward_size =
      1 + forward_.dq.cwiseAbs().maxCoeff() + forward_.dv.cwiseAbs().maxCoeff();
  for (int k = 0; k < nv; ++k) {
    const auto by_q = slope([&](double t) {
      std::vector<double> step(static_cast<std::size_t>(nv));
      step[std::size_t(k)] = t;
      integrate(model, here.q, step, robot.state.q);
    });
    const auto by_v = slope([&](double t) { robot.state.v[std::size_t(k)] += t; });
    EXPECT_LT((inverse_.dq.col(k) - by_q.first).cwiseAbs().maxCoeff(), 1e-8 * size)
        << robot << " q " << k;
    EXPECT_LT((inverse_.dv.col(k) - by_v.first).cwiseAbs().maxCoeff(), 1e-8 * size)
        << robot << " v " << k;
    EXPECT_LT((forward_.dq.col(k) - by_q.second).cwiseAbs().maxCoeff(), 1e-7 * forward_size)
        << robot << " q " << k;
    EXPECT_LT((forward_.dv.col(k) - by_v.second).cwiseAbs().maxCoeff(), 1e-7 * forward_size)
        << robot << " v " << k;
  }
}

// Two methods, equal to rounding: the errors of both are those of a few sums of the largest
// entries, and, for accelerations, those times the condition of M. Every body has an external
// wrench.
TEST_P(Scalars, analytic_derivatives_are_those_of_dual_numbers) {
  RandomRobot robot(GetParam(), {.bodies = 1 + GetParam() % 20});
  const auto tau = needed(robot);
  std::vector<Wrench> wrenches;
  for (std::size_t body = 1; body < robot.model.named_bodies().size(); ++body)
    wrenches.push_back({{BodyId(int(body)), {Mat3<double>::identity(), robot.random.vector()}},
                        {robot.random.vector(5), robot.random.vector(5)},
                        Axes::body});
  const auto [inverse_, forward_] = analytic_slopes(robot, tau, wrenches);
  const auto expect_near = [&](const char* what, const Derivatives& a, const Derivatives& b,
                               double tolerance) {
    for (const auto block : {&Derivatives::dq, &Derivatives::dv, &Derivatives::dx})
      EXPECT_LT((a.*block - b.*block).cwiseAbs().maxCoeff(),
                tolerance * (b.*block).cwiseAbs().maxCoeff() + tolerance)
          << robot << " " << what;
  };
  expect_near("efforts", inverse_,
              DualDerivatives(robot.model, robot.state, robot.a, wrenches).inverse(), 1e-12);
  expect_near("accelerations", forward_,
              DualDerivatives(robot.model, robot.state, tau, wrenches).forward(),
              1e-14 * condition(robot) + 1e-12);
}

TEST_P(Scalars, derivatives_of_inverse_and_forward_dynamics_are_consistent) {
  RandomRobot robot(GetParam(), {.bodies = 1 + GetParam() % 12});
  const auto tau = needed(robot);
  const auto [inverse_, forward_] = analytic_slopes(robot, tau);
  Eigen::MatrixXd M(robot.model.nv(), robot.model.nv());
  ASSERT_TRUE(mass_matrix(robot.model, robot.state, robot.workspace, M).ok());
  const double size = M.cwiseAbs().maxCoeff() * (1 + forward_.dq.cwiseAbs().maxCoeff()) * 100;
  EXPECT_LT((inverse_.dx - M).cwiseAbs().maxCoeff(), 1e-12 * M.cwiseAbs().maxCoeff()) << robot;
  EXPECT_LT((M * forward_.dx - Eigen::MatrixXd::Identity(M.rows(), M.cols())).cwiseAbs().maxCoeff(),
            1e-14 * condition(robot) + 1e-12)
      << robot;
  EXPECT_LT((M * forward_.dq + inverse_.dq).cwiseAbs().maxCoeff(), 1e-12 * size) << robot;
  EXPECT_LT((M * forward_.dv + inverse_.dv).cwiseAbs().maxCoeff(), 1e-12 * size) << robot;
}

TEST_P(Scalars, floats_agree_to_their_own_rounding) {
  RandomRobot robot(GetParam(), {.bodies = 1 + GetParam() % 8});
  const Model& model = robot.model;
  const auto tau = needed(robot);
  const ModelParameters<float> numbers = make_numbers<float>(model, std::vector<float>{});
  const KernelInput<float, float> input{model, numbers};
  BasicWorkspace<float> workspace(model);
  const std::vector<float> q(robot.state.q.begin(), robot.state.q.end()),
      v(robot.state.v.begin(), robot.state.v.end()), a(robot.a.begin(), robot.a.end());
  std::vector<float> tau_f(a.size()), M(a.size() * a.size());
  kernel::inverse_dynamics<float, float>(input, q, v, a, workspace, tau_f);
  EXPECT_LT(difference_of({tau_f.begin(), tau_f.end()}, tau), 1e-4)
      << robot;  // 1e-7 times sums over a chain
  kernel::mass_matrix<float, float>(input, q, workspace, {M.data(), model.nv(), model.nv()});
  Eigen::MatrixXd exact(model.nv(), model.nv());
  ASSERT_TRUE(mass_matrix(model, robot.state, robot.workspace, exact).ok());
  for (int i = 0; i < exact.size(); ++i)
    EXPECT_NEAR(double(M[std::size_t(i)]), exact.data()[i], 1e-5 * exact.cwiseAbs().maxCoeff())
        << robot;
  // and forward dynamics inverts inverse dynamics to the precision of floats
  std::vector<float> back(a.size());
  const Pivots pivots = kernel::forward_dynamics<float, float>(input, q, v, tau_f, workspace, back);
  EXPECT_EQ(pivots.weak_dof, Pivots::none);
  Eigen::VectorXd off(model.nv());
  for (int k = 0; k < model.nv(); ++k)
    off[k] = double(back[std::size_t(k)]) - robot.a[std::size_t(k)];
  EXPECT_LT((exact * off).cwiseAbs().maxCoeff(), 2e-4 * (1 + largest(tau))) << robot;
}

// Symbols, as parameters and as state, evaluated at the state of the robot.
class Symbols : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, Symbols, testing::Range(1, 1 + how_many(30)));

std::vector<Expr> six(const Force<Expr>& F) {
  return {F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z};
}
std::vector<double> six(const Force<double>& F) {
  return {F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z};
}

TEST_P(Symbols, inverse_and_forward_dynamics_and_mass_matrix) {
  SymbolicRobot robot(GetParam(), {.bodies = 1 + GetParam() % 5, .symbols = true});
  const Model& model = robot.plain.model;
  BasicWorkspace<Expr> workspace(model);
  std::vector<Expr> tau(robot.a.size()), back(robot.a.size()), M(robot.a.size() * robot.a.size());
  kernel::inverse_dynamics<Expr, Expr>(robot.input(), robot.q, robot.v, robot.a, workspace, tau);
  kernel::mass_matrix<Expr, Expr>(robot.input(), robot.q, workspace,
                                  {M.data(), model.nv(), model.nv()});
  const auto tau_numbers = needed(robot.plain);
  EXPECT_LT(difference_of(robot(tau), tau_numbers), 1e-12) << robot.plain;
  const auto efforts = robot.symbols("tau", tau_numbers);
  kernel::forward_dynamics<Expr, Expr>(robot.input(), robot.q, robot.v, efforts, workspace, back);
  EXPECT_LT(difference_of(robot(back), robot.plain.a), 1e-14 * condition(robot.plain) + 1e-12)
      << robot.plain;
  Eigen::MatrixXd exact(model.nv(), model.nv());
  ASSERT_TRUE(mass_matrix(model, robot.plain.state, robot.plain.workspace, exact).ok());
  EXPECT_LT(difference_of(robot(M), {exact.data(), exact.data() + exact.size()}), 1e-13)
      << robot.plain;
}

TEST_P(Symbols, kinematics_jacobian_energy_momentum_and_reactions) {
  SymbolicRobot robot(GetParam(), {.bodies = 1 + GetParam() % 5, .symbols = true});
  RandomRobot& plain = robot.plain;
  const Model& model = plain.model;
  BasicWorkspace<Expr> workspace(model);
  BasicKinematics<Expr> symbols(model);
  Kinematics numbers(model);
  kernel::kinematics<Expr, Expr>(robot.input(), robot.q, robot.v, robot.a, workspace, symbols);
  ASSERT_TRUE(kinematics(model, plain.state, {.a = plain.a}, plain.workspace, numbers).ok());

  const BasicEnergy<Expr> energy_ = kernel::energy<Expr, Expr>(robot.input(), robot.q, symbols);
  Energy energy_number;
  ASSERT_TRUE(energy(model, plain.state, plain.workspace, energy_number).ok());
  EXPECT_LT(difference_of(robot({energy_.kinetic, energy_.gravity, energy_.elastic}),
                          {energy_number.kinetic, energy_number.gravity, energy_number.elastic}),
            1e-12)
      << plain;

  const BasicMomentum<Expr> h = kernel::momentum<Expr, Expr>(robot.input(), symbols);
  Momentum h_number;
  ASSERT_TRUE(momentum(model, plain.state, plain.workspace, h_number).ok());
  EXPECT_LT(difference_of(robot(six(Force<Expr>{h.angular, h.linear})),
                          six(Force<double>{h_number.angular, h_number.linear})),
            1e-12)
      << plain;
  const BasicCenterOfMass<Expr> c = kernel::center_of_mass<Expr, Expr>(robot.input(), symbols);
  CenterOfMass c_number;
  if (center_of_mass(model, plain.state, plain.workspace, c_number).ok()) {
    EXPECT_LT(difference_of(robot({c.mass, c.position.x, c.velocity.y}),
                            {c_number.mass, c_number.position.x, c_number.velocity.y}),
              1e-12)
        << plain;
  }

  const int body = int(model.bodies().size()) - 1;
  if (body == 0) return;  // all bodies are fixed to ground
  std::vector<Motion<Expr>> J(robot.v.size());
  kernel::jacobian<Expr>(model, symbols, body, Pose<Expr>::identity(), Axes::world, J);
  std::vector<Motion<double>> J_number(robot.v.size());
  kernel::jacobian<double>(model, numbers, body, Pose<double>::identity(), Axes::world, J_number);
  for (std::size_t k = 0; k < J.size(); ++k)
    EXPECT_LT(difference_of(robot(six(Force<Expr>{J[k].angular, J[k].linear})),
                            six(Force<double>{J_number[k].angular, J_number[k].linear})),
              1e-12)
        << plain;
  const Motion<Expr> A =
      kernel::acceleration<Expr>(symbols, body, Pose<Expr>::identity(), Axes::world);
  const Motion<double> A_number =
      kernel::acceleration<double>(numbers, body, Pose<double>::identity(), Axes::world);
  EXPECT_LT(difference_of(robot(six(Force<Expr>{A.angular, A.linear})),
                          six(Force<double>{A_number.angular, A_number.linear})),
            1e-12)
      << plain;

  std::vector<Force<Expr>> on_body(model.named_bodies().size()), carried(model.joints().size());
  std::vector<Force<double>> carried_number;
  kernel::reactions<Expr, Expr>(robot.input(), symbols, on_body, carried);
  ASSERT_TRUE(reactions(model, plain.state, {.a = plain.a}, plain.workspace, carried_number).ok());
  for (std::size_t k = 0; k < carried.size(); ++k)
    EXPECT_LT(difference_of(robot(six(carried[k])), six(carried_number[k])), 1e-11) << plain;
}

TEST_P(Symbols, factors_of_the_mass_matrix_and_operational_inertia) {
  SymbolicRobot robot(GetParam(), {.bodies = 1 + GetParam() % 5, .symbols = true});
  RandomRobot& plain = robot.plain;
  const Model& model = plain.model;
  if (model.nv() == 0) return;
  BasicWorkspace<Expr> workspace(model);
  BasicArticulatedInertias<Expr> symbols(model);
  ArticulatedInertias numbers(model);
  kernel::articulated_inertias<Expr, Expr>(robot.input(), robot.q, workspace, symbols);
  ASSERT_TRUE(articulated_inertias(model, plain.state, plain.workspace, numbers).ok());
  const std::size_t n = robot.v.size();
  std::vector<Expr> L(n * n), D(n * n), Y(36);
  kernel::mass_matrix_factor<Expr>(model, symbols, {L.data(), int(n), int(n)},
                                   {D.data(), int(n), int(n)});
  Eigen::MatrixXd L_number(n, n), D_number(n, n);
  ASSERT_TRUE(mass_matrix_factors(model, numbers, L_number, D_number).ok());
  EXPECT_LT(difference_of(robot(L), {L_number.data(), L_number.data() + n * n}),
            1e-11 * condition(plain))
      << plain;
  EXPECT_LT(difference_of(robot(D), {D_number.data(), D_number.data() + n * n}), 1e-11) << plain;
  const int body = int(model.bodies().size()) - 1;
  kernel::operational_space_inertia_inverse<Expr>(model, symbols, body, Pose<Expr>::identity(),
                                                  {Y.data(), 6, 6});
  std::vector<double> Y_number(36);
  kernel::operational_space_inertia_inverse<double>(model, numbers, body, Pose<double>::identity(),
                                                    {Y_number.data(), 6, 6});
  EXPECT_LT(difference_of(robot(Y), Y_number), 1e-12 * condition(plain)) << plain;
}

TEST_P(Symbols, hybrid_dynamics_and_solves_with_plain_parameters) {
  SymbolicRobot robot(GetParam(), {.bodies = 1 + GetParam() % 4, .symbols = true});
  RandomRobot& plain = robot.plain;
  // every second joint has a prescribed motion
  Description description = plain.description;
  int count = 0;
  for (JointDescription& joint : description.joints)
    if (joint.kind != JointKind::fixed && ++count % 2 == 0) joint.options.drive = Drive::motion;
  const Model model = build_model(description);
  const KernelInput<double, Expr> input{model, model.numbers()};
  BasicWorkspace<Expr> workspace(model);
  Workspace numbers(model);

  const auto tau = needed(plain);
  std::vector<double> a(tau.size()), effort(tau.size());
  std::vector<double> prescribed = plain.a;  // the other accelerations are results
  for (int f = 0; f < model.nv(); ++f)
    if (model.prescription(f) != Drive::motion) prescribed[std::size_t(f)] = 0;
  ASSERT_TRUE(
      hybrid_dynamics(model, plain.state, {.tau = tau, .a = prescribed}, numbers, a, effort).ok());
  std::vector<Expr> a_symbols = robot.a, tau_symbols = robot.symbols("tau", tau);
  kernel::hybrid_dynamics<double, Expr>(input, robot.q, robot.v, workspace, a_symbols, tau_symbols);
  const double tolerance = 1e-13 * condition(plain) + 1e-11;
  EXPECT_LT(difference_of(robot(a_symbols), a), tolerance) << plain;
  EXPECT_LT(difference_of(robot(tau_symbols), effort), tolerance) << plain;

  // M^-1 tau by the factors, with symbols, is the inverse of M
  BasicArticulatedInertias<Expr> factors(model);
  kernel::articulated_inertias<double, Expr>(input, robot.q, workspace, factors);
  std::vector<Expr> solution(tau.size());
  kernel::solve_mass_matrix<Expr>(model, factors, robot.symbols("force", tau), workspace, solution);
  const auto x = robot(solution);
  Eigen::MatrixXd M(model.nv(), model.nv());
  ASSERT_TRUE(mass_matrix(model, plain.state, numbers, M).ok());
  const Eigen::VectorXd back = M * Eigen::VectorXd::Map(x.data(), model.nv());
  EXPECT_LT(difference_of({back.begin(), back.end()}, tau), tolerance) << plain;
}

}  // namespace
}  // namespace trammel::scalars_test
