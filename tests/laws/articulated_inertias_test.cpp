// Felt through its joints, every body still is an inertia: symmetric, positive, and no lighter than
// the body alone; also where feathers carry anvils.
#include <gtest/gtest.h>

#include "tests/capability.hpp"
#include "tests/operator_matrices.hpp"
#include "tests/random_robot.hpp"

namespace trammel {
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
    for (std::size_t i = 1; i < model.bodies().size(); ++i) {
      const Matrix6 P = six_by_six(factors.I_A[i]);
      EXPECT_EQ(largest(P - P.transpose()), 0) << "body " << i;
      // not negative, but for rounding of its largest part
      const auto smallest = [](const Matrix6& A) {
        return Eigen::SelfAdjointEigenSolver<Matrix6>(A).eigenvalues()[0];
      };
      const double rounding = 1e-14 * largest(P);
      EXPECT_GT(smallest(P), -rounding) << "body " << i;
      EXPECT_GT(smallest(P - six_by_six(model.numbers().bodies[i].inertia)), -rounding)
          << "body " << i;

      // D of every joint is positive, which makes the next step possible
      const int nv = factors.freedoms[i], start = model.bodies()[i].v_start;
      Eigen::MatrixXd D(nv, nv);
      for (int k = 0; k < nv; ++k)
        for (int l = 0; l < nv; ++l) D(k, l) = factors.D[std::size_t(start + k)][std::size_t(l)];
      EXPECT_EQ(Eigen::LLT<Eigen::MatrixXd>(D).info(), Eigen::Success) << "body " << i;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(seeds, ArticulatedInertiaLaw, testing::Range(1, 101));

TEST_P(ArticulatedInertiaLaw, stays_symmetric_and_positive) {
  shows("R-60");
  RandomRobot robot(GetParam(), {.floating = GetParam() % 2 == 0});
  SCOPED_TRACE(testing::Message() << robot);
  holds(robot.model, robot.state);
}

TEST_P(ArticulatedInertiaLaw, stays_so_where_masses_differ_by_twelve_orders) {
  shows("R-60");
  RandomRobot robot(GetParam(), {.bodies = 2 + GetParam() % 20, .floating = GetParam() % 2 == 0});
  Description said = robot.description;
  for (BodyDescription& body : said.bodies) {
    const double scale = std::pow(10, robot.random(-6, 6));
    body.solid.mass = scale * body.solid.mass;
    SymMat3<Expr>& I = body.solid.inertia;
    for (Expr* entry : {&I.xx, &I.xy, &I.xz, &I.yy, &I.yz, &I.zz}) *entry = scale * *entry;
  }
  SCOPED_TRACE(testing::Message() << robot);
  holds(build_model(said), robot.state);
}

}  // namespace
}  // namespace trammel
