// Numerical experiments on accuracy, left for future work in [Rodriguez 1988, section 12]: the
// condition of Omega over poses, and its effect. docs/theory/conditioning.md describes them; its
// table is that of examples/conditioning.cpp.
#include <fstream>
#include <sstream>

#include "tests/reference/rodriguez/five_stages.hpp"
#include "tests/reference/rodriguez/held_object.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/test_folder.hpp"

namespace trammel::conditioning_test {
namespace {

// Elbow up by an angle on both sides, the hand level: stretched at 0.
std::vector<double> bent(double degrees) {
  const double x = degrees * std::numbers::pi / 180;
  return {0, -x, 2 * x, 0, -x, 0};
}

// Condition numbers and errors at a pose of two arms.
struct Study {
  Study(const std::vector<double>& left, const std::vector<double>& right)
      : held({left, right}, Vector6::Zero()) {
    // by the recursions of [Rodriguez 1988]
    std::vector<TipToBase> arms;
    std::vector<std::vector<double>> torques;
    std::vector<Eigen::Vector3d> tips;
    for (int i = 0; i < 2; ++i) {
      GenericArm arm(i + 1);
      arm.state.q = i == 0 ? left : right;
      arms.emplace_back(arm.model, arm.state, arm.tip, arm.workspace);
      torques.push_back(arms.back().from_base_to_tip(arm.tau));
      tips.push_back(arm.tip_position());
      J[i] = condition(arm.tip_jacobian());
    }
    Object object;
    object.C = column(held.C);
    object.twist.setZero();
    Omega = condition(FiveStages(arms, torques, tips, object).Omega);
    // by the solvers of the engine
    Posed posed(held.description, held.q);
    std::vector<Eigen::VectorXd> accelerations;
    for (const ConstraintSolver solver :
         {ConstraintSolver::schur, ConstraintSolver::null_space, ConstraintSolver::kkt}) {
      ConstrainedAnswer answer;
      const Status status = constrained_dynamics(posed.model, posed.state, {.tau = held.tau},
                                                 posed.workspace, answer, solver);
      EXPECT_TRUE(status.ok()) << status.message();
      accelerations.push_back(answer.a);
      rank = answer.basis.rank();
      K = 1 / answer.basis.least();
    }
    for (const Eigen::VectorXd& a : accelerations)
      spread = std::max(spread, largest(a - accelerations[0]) / largest(accelerations[0]));
  }
  static double condition(const Eigen::MatrixXd& matrix) {
    const Eigen::VectorXd singular = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues();
    return singular[0] / singular[singular.size() - 1];
  }
  HeldObject held;
  double J[2], Omega = 0, K = 0, spread = 0;
  int rank = 0;
};

// The lines of the table of the page, in its order: conditions of J1, J2 and Omega.
std::vector<std::array<double, 3>> table_of_page() {
  std::ifstream page(test_folder() + "/../docs/theory/conditioning.md");
  std::vector<std::array<double, 3>> lines;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| R-EX2") && line.find(" bent by ") == line.npos) continue;
    if (!line.starts_with("|")) continue;
    std::istringstream cells(line);
    std::string cell;
    std::array<double, 3> numbers{};
    std::getline(cells, cell, '|'), std::getline(cells, cell, '|');
    for (double& number : numbers) {
      std::getline(cells, cell, '|');
      number = std::stod(cell);
    }
    lines.push_back(numbers);
  }
  return lines;
}

TEST(rodriguez_conditioning, is_a_matter_of_directions_that_all_arms_lose) {
  shows({"R-65", "constrained_dynamics"});
  std::vector<Study> studies;
  studies.emplace_back(HeldObject::seed_angles(2)[0], HeldObject::seed_angles(2)[1]);
  for (const double degrees : {60.0, 10.0, 1.0, 0.1}) studies.emplace_back(bent(degrees), bent(60));
  for (const double degrees : {10.0, 1.0, 0.1}) studies.emplace_back(bent(degrees), bent(degrees));

  // printed numbers at the printed pose
  EXPECT_NEAR(studies[0].J[0], 14.11, 5.1e-3);
  EXPECT_NEAR(studies[0].J[1], 12.89, 5.1e-3);
  EXPECT_NEAR(studies[0].Omega, 2005.4213 / 0.095347, 1);  // of eigenvalues with five digits
  // one stretched arm: the condition of its own Jacobian grows with 1 / angle, that of Omega does
  // not
  EXPECT_NEAR(studies[4].J[0] / studies[3].J[0], 10, 0.1);
  EXPECT_LT(studies[4].Omega / studies[3].Omega, 1.01);
  EXPECT_LT(studies[4].Omega, 10 * studies[1].Omega);
  // both, in line: they lose the same direction, and the condition of Omega grows with 1 / angle^2
  EXPECT_NEAR(std::log10(studies[7].Omega / studies[6].Omega), 2, 0.01);
  EXPECT_GT(studies[7].Omega, 1e4 * studies[1].Omega);

  // effect: accelerations of different solvers differ by no more than the tolerance of
  // tests/README.md, and no pose near a singular one is taken for a singular one
  for (const Study& study : studies) {
    EXPECT_EQ(study.rank, 6);
    EXPECT_LT(study.spread, std::max(1e-9, 1e-14 * study.K * study.K)) << study.Omega;
  }

  // and the page has these numbers
  const auto page = table_of_page();
  ASSERT_EQ(page.size(), studies.size());
  for (std::size_t k = 0; k < studies.size(); ++k) {
    EXPECT_NEAR(page[k][0], studies[k].J[0], 0.051);
    EXPECT_NEAR(page[k][1], studies[k].J[1], 0.051);
    EXPECT_NEAR(page[k][2], studies[k].Omega, 0.0051 * studies[k].Omega);
  }
}

}  // namespace
}  // namespace trammel::conditioning_test
