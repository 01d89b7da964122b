// The six steps to the equations of motion of [Saha 1991], on every vehicle of its examples.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

#include "tests/support/capability.hpp"
#include "tests/support/motion_of.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/mobility/natural_complement.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"

namespace trammel::six_steps_test {

class SixSteps : public testing::TestWithParam<const char*> {};
// S-T01 (an axle), S-T03 (a caster), S-T07 to S-T09 (three, four and driven wheels with rollers);
// S-T02, S-T04 to S-T06 and S-T08 are motions of the same vehicles.
INSTANTIATE_TEST_SUITE_P(vehicles, SixSteps,
                         testing::Values("s_t01", "s_t03", "s_t07", "s_t08", "s_t09"),
                         [](const auto& vehicle) { return std::string(vehicle.param); });

// [Saha 1991, section 3.4]: 1 twists and their constraints, 2 the complement for the independent
// speeds, 3 its rate, 4 inertia, 5 projected working forces, 6 solved for the accelerations.
TEST_P(SixSteps, lead_to_the_engine_s_accelerations) {
  shows({"S-20", "natural_complement", "forward_dynamics"});
  MotionOf run(load_model("@" + std::string(GetParam())));
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int round = 0; round < 5; ++round) {
    for (double& v : run.state.v) v = any(random);
    const Status slowed = project_velocity(run.model, run.state, run.workspace);
    ASSERT_TRUE(slowed.ok()) << slowed.message();
    std::vector<double> tau(std::size_t(run.model.nv()));
    for (double& effort : tau) effort = any(random);

    OrthogonalComplement complement;
    NaturalComplement natural;
    Status status = trammel::orthogonal_complement(run.model, run.state, {.tau = tau},
                                                   run.workspace, complement);
    ASSERT_TRUE(status.ok()) << status.message();
    status =
        natural_complement(run.model, run.state, {.tau = tau}, complement, run.workspace, natural);
    ASSERT_TRUE(status.ok()) << status.message();
    const Eigen::MatrixXd& T = natural.T;
    EXPECT_LT((natural.A * T).norm(), 1e-11 * natural.A.norm());
    EXPECT_LT((T * complement.u - natural.t).norm(), 1e-11 * (1 + natural.t.norm()));

    // T^T M T u' = T^T (working - gyroscopic - M T_dot_u): no multiplier is left
    const Eigen::MatrixXd inertia = T.transpose() * natural.M * T;
    const Eigen::VectorXd force =
        T.transpose() * (natural.working - natural.gyroscopic - natural.M * natural.T_dot_u);
    const Eigen::VectorXd u_dot = inertia.ldlt().solve(force);
    const Eigen::VectorXd wanted = complement.T * u_dot + complement.T_dot_u;

    Eigen::VectorXd a(run.model.nv());
    status = forward_dynamics(run.model, run.state, {.tau = tau}, run.workspace,
                              {a.data(), std::size_t(a.size())});
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_LT((a - wanted).norm(), 1e-9 * (1 + a.norm()));  // solvers agree to 1e-9
  }
}

}  // namespace trammel::six_steps_test
