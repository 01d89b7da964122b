// Every articulated-body inertia is symmetric and positive definite, and not smaller than the
// inertia of the body alone, also for chains in which light bodies carry heavy ones.
#include <gtest/gtest.h>

#include "tests/support/capability.hpp"
#include "tests/support/how_many.hpp"
#include "tests/support/operator_matrices.hpp"
#include "tests/support/random_robot.hpp"

#include "trammel/model/build/parameters.hpp"

namespace trammel::articulated_inertias_test {
namespace {

template <class I> Matrix6 six_by_six(const I& inertia) {
  Matrix6 out;
  for (int c = 0; c < 6; ++c) out.col(c) = column(inertia * motion(Vector6::Unit(c)));
  return out;
}

class ArticulatedInertiaLaw : public testing::TestWithParam<int> {
 protected:
  void holds(const Model& model, const State& state) {
    Workspace workspace(model);
    const ArticulatedInertias factors = factors_of(model, state, workspace);
    // rounding is relative to the largest inertia in the sum, shifted to this body
    std::vector<double> size(model.bodies().size());
    for (std::size_t i = size.size() - 1; i > 0; --i) {
      const Matrix6 P = six_by_six(factors.I_A[i]);
      size[i] = std::max(size[i], largest(P));
      const double reach = 1 + norm(factors.X_PB[i].p);
      double& parent = size[std::size_t(model.bodies()[i].parent)];
      parent = std::max(parent, reach * reach * size[i]);

      EXPECT_EQ(largest(P - P.transpose()), 0) << "body " << i;
      const auto smallest = [](const Matrix6& A) {
        return Eigen::SelfAdjointEigenSolver<Matrix6>(A).eigenvalues()[0];
      };
      EXPECT_GT(smallest(P), -1e-14 * size[i]) << "body " << i;
      EXPECT_GT(smallest(P - six_by_six(model.numbers().bodies[i].inertia)), -1e-14 * size[i])
          << "body " << i;

      // D of every joint is positive, as the next step of the recursion requires
      const int nv = factors.dofs[i], start = model.bodies()[i].v_start;
      Eigen::MatrixXd D(nv, nv);
      for (int k = 0; k < nv; ++k)
        for (int l = 0; l < nv; ++l) D(k, l) = factors.D[std::size_t(start + k)][std::size_t(l)];
      EXPECT_EQ(Eigen::LLT<Eigen::MatrixXd>(D).info(), Eigen::Success) << "body " << i;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(seeds, ArticulatedInertiaLaw, testing::Range(1, 1 + how_many(100)));

TEST_P(ArticulatedInertiaLaw, stays_symmetric_and_positive) {
  shows({"R-60", "articulated_inertias"});
  RandomRobot robot(GetParam(), {.floating = GetParam() % 2 == 0});
  SCOPED_TRACE(testing::Message() << robot);
  holds(robot.model, robot.state);
}

TEST_P(ArticulatedInertiaLaw, stays_so_where_masses_differ_by_twelve_orders) {
  shows({"R-60", "articulated_inertias"});
  RandomRobot robot(GetParam(), {.bodies = 2 + GetParam() % 20, .floating = GetParam() % 2 == 0});
  Description description = robot.description;
  double lightest = 1, heaviest = 1;
  for (BodyDescription& body : description.bodies) {
    const double scale = std::pow(10, robot.random(-6, 6));
    lightest = std::min(lightest, scale);
    heaviest = std::max(heaviest, scale);
    body.solid.mass = scale * body.solid.mass;
    SymMat3<Expr>& I = body.solid.inertia;
    for (Expr* entry : {&I.xx, &I.xy, &I.xz, &I.yy, &I.yz, &I.zz}) *entry = scale * *entry;
  }
  SCOPED_TRACE(testing::Message() << robot);
  const Model model = build_model(description);

  // rotation has a hundredth of the mass only: at eleven orders of magnitude a degree of freedom
  // may be lost in rounding, and is then named in the error
  ArticulatedInertias factors(model);
  const Status status = articulated_inertias(model, robot.state, robot.workspace, factors);
  if (!status.ok() && heaviest > 1e11 * lightest) {
    EXPECT_NE(status.message().find("meets no inertia"), std::string::npos) << status.message();
    return;
  }
  holds(model, robot.state);
}

}  // namespace
}  // namespace trammel::articulated_inertias_test
