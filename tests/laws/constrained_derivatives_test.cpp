// How accelerations change along the motions that loops leave: Dual numbers through the elimination
// against differences of fourth order between neighbouring closed states.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "trammel/constraint/assembly.hpp"
#include "trammel/constraint/constrained_derivatives.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/read/load.hpp"

namespace trammel {
namespace {

struct Neighbours {
  explicit Neighbours(const std::string& file) : model(load_model(file)), workspace(model) {
    EXPECT_TRUE(assembled_start(model, workspace, state).ok());
    for (std::size_t k = 0; k < state.v.size(); ++k)
      state.v[k] = 0.4 * std::cos(1.0 + 3.0 * double(k));
    EXPECT_TRUE(assemble(model, state, workspace).ok());
    for (int k = 0; k < model.nv(); ++k) tau.push_back(std::sin(2.0 + k));
    const Status status = complement(model, state, {}, workspace, basis);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  // The state some way along column k, closed again with the independent joints where they are, and
  // u as it was, but for `faster` more of column k.
  Eigen::VectorXd a_at(int k, double way, double faster) {
    State there = state;
    const Eigen::VectorXd step = way * basis.T.col(k);
    integrate(model, state.q, {step.data(), std::size_t(step.size())}, there.q);
    AssemblyOptions keep;
    for (const NamedJoint& joint : model.joints())
      for (const int f : basis.independent)
        if (f == joint.v_start && joint.nv == 1) keep.keep.push_back(*model.find_joint(joint.name));
    Status status = assemble(model, there, workspace, keep);
    EXPECT_TRUE(status.ok()) << status.message();
    Complement here;
    ComplementOptions same;
    same.independent = keep.keep;
    status = complement(model, there, {}, workspace, here, same);
    EXPECT_TRUE(status.ok()) << status.message();
    Eigen::VectorXd u = basis.u;
    u[k] += faster;
    const Eigen::VectorXd v = here.T * u;
    there.v.assign(v.begin(), v.end());
    std::vector<double> a(tau.size());
    status = forward_dynamics(model, there, {.tau = tau}, workspace, a);
    EXPECT_TRUE(status.ok()) << status.message();
    return Eigen::Map<Eigen::VectorXd>(a.data(), model.nv());
  }
  template <class At> static Eigen::VectorXd slope(const At& at) {
    const double h = 1e-3;
    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }

  Model model;
  Workspace workspace;
  State state;
  std::vector<double> tau;
  Complement basis;
};

class DerivativesOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(models, DerivativesOf,
                         testing::Values("@four_bar", "@me_3", "@r_ex2", "@bennett"));

TEST_P(DerivativesOf, follow_the_loops) {
  Neighbours near(GetParam());
  ConstrainedDerivatives found;
  const Status status = constrained_derivatives(near.model, near.state, {.tau = near.tau},
                                                near.basis, near.workspace, found);
  ASSERT_TRUE(status.ok()) << status.message();
  const double size = 1 + near.a_at(0, 0, 0).lpNorm<Eigen::Infinity>();
  ASSERT_GT(near.basis.T.cols(), 0);
  for (int k = 0; k < near.basis.T.cols(); ++k) {
    const Eigen::VectorXd by_q = Neighbours::slope([&](double h) { return near.a_at(k, h, 0); });
    const Eigen::VectorXd by_v = Neighbours::slope([&](double h) { return near.a_at(k, 0, h); });
    // h^4 and rounding / h
    EXPECT_LT((found.dq.col(k) - by_q).lpNorm<Eigen::Infinity>(), 1e-7 * size) << k;
    EXPECT_LT((found.dv.col(k) - by_v).lpNorm<Eigen::Infinity>(), 1e-8 * size) << k;
  }
  // in efforts the accelerations are linear
  const Eigen::VectorXd before = near.a_at(0, 0, 0);
  near.tau[0] += 0.5;
  EXPECT_LT((near.a_at(0, 0, 0) - before - 0.5 * found.dtau.col(0)).lpNorm<Eigen::Infinity>(),
            1e-10 * size);
}

TEST(constrained_derivatives, refuse_what_they_cannot_follow) {
  Neighbours near("@four_bar");
  ConstrainedDerivatives out;
  const Wrench push{at(near.model, near.model.named_bodies()[1].name), {{}, {1.0, 0.0, 0.0}}};
  const std::vector<Wrench> pushes{push};
  EXPECT_NE(constrained_derivatives(near.model, near.state, {.wrenches = pushes}, near.basis,
                                    near.workspace, out)
                .message()
                .find("wrenches are not differentiated"),
            std::string::npos);
  Complement other;
  other.T = Eigen::MatrixXd::Identity(2, 2);
  EXPECT_NE(constrained_derivatives(near.model, near.state, {}, other, near.workspace, out)
                .message()
                .find("of another model"),
            std::string::npos);
}

}  // namespace
}  // namespace trammel
