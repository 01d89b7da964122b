// Computational cost in [van der Merwe 1995, section 5], by counting operations on symbols.
#include <gtest/gtest.h>

#include "tests/reference/sdof_arms.hpp"
#include "tests/support/capability.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/tree/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/mass_matrix.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/scalar/expr_count.hpp"

namespace trammel::cost_test {
namespace {

struct Counted {
  int inverse_dynamics, forward_dynamics, mass_matrix;
};

// The state is symbolic, the parameters of the model are numbers.
Counted count(const SdofChain& chain) {
  const Model model = build_model(described(chain, {0.0, -9.81, 0.0}));
  const int n = model.nv();
  Graph graph;
  const auto symbols = [&](const std::string& stem) {
    std::vector<Expr> out;
    for (int k = 0; k < n; ++k) out.push_back(graph.symbol(stem + std::to_string(k)));
    return out;
  };
  const std::vector<Expr> q = symbols("q"), v = symbols("v"), x = symbols("x");
  const ModelParameters<Expr> numbers = make_numbers<Expr>(model, std::vector<Expr>{});
  const KernelInput<Expr, Expr> input{model, numbers};
  BasicWorkspace<Expr> workspace(model);
  std::vector<Expr> tau(q.size()), a(q.size()), M(q.size() * q.size());
  kernel::inverse_dynamics<Expr, Expr>(input, q, v, x, workspace, tau);
  kernel::forward_dynamics<Expr, Expr>(input, q, v, x, workspace, a);
  kernel::mass_matrix<Expr, Expr>(input, q, workspace, {M.data(), n, n});
  return {operations(tau).total(), operations(a).total(), operations(M).total()};
}

SdofLink general_link(std::vector<Sdof> free) {
  return {
      .gamma = {0.3, -0.4, 0.5, 0.6, 0.1, -0.2},
      .free = std::move(free),
      .solid = {
          .mass = 1.3, .com = {0.1, 0.2, 0.3}, .inertia = {0.11, 0.01, 0.02, 0.12, 0.03, 0.13}}};
}

TEST(SdofCost, of_inverse_and_forward_dynamics_grows_by_the_same_for_every_link) {
  shows({"M-71", "operations"});
  std::vector<Counted> counts;
  for (std::size_t n = 1; n <= 12; ++n) {
    SdofChain chain;
    chain.links.assign(n, general_link({Sdof::rz}));
    counts.push_back(count(chain));
  }
  // links next to the base and at the tip have zeros that those between do not
  const auto step = [&](std::size_t n, int Counted::*what) {
    return counts[n].*what - counts[n - 1].*what;
  };
  for (std::size_t n = 5; n < counts.size(); ++n) {
    EXPECT_EQ(step(n, &Counted::inverse_dynamics), step(4, &Counted::inverse_dynamics)) << n;
    EXPECT_EQ(step(n, &Counted::forward_dynamics), step(4, &Counted::forward_dynamics)) << n;
    // the mass matrix has n^2 entries: each link costs more than the one before
    EXPECT_GT(step(n, &Counted::mass_matrix), step(n - 1, &Counted::mass_matrix)) << n;
  }
}

TEST(SdofCost, of_the_axes_of_a_gimbal_is_within_the_published_bound) {
  shows({"M-71", "operations"});
  Graph graph;
  std::vector<Expr> q;
  for (int k = 0; k < 3; ++k) q.push_back(graph.symbol("q" + std::to_string(k)));
  SinCosCache<Expr> turns(3);
  turns.prepare(q);
  const std::vector<Expr> constants;
  using enum Compound::Step;
  const Compound gimbal{turn_x, turn_y, turn_z};
  std::vector<Motion<Expr>> columns(3);
  gimbal.columns(turns.at(0, constants.data()), columns.data());
  std::vector<Expr> all;
  for (const Motion<Expr>& column : columns)
    for (const Vec3<Expr>& part : {column.angular, column.linear})
      for (const Expr& x : {part.x, part.y, part.z}) all.push_back(x);
  // section 5: at most 9 multiplications and 14 additions; with given sines and cosines, 2
  const OperationCount cost = operations(all);
  EXPECT_EQ(cost.multiplications, 2);
  EXPECT_EQ(cost.additions, 0);
}

}  // namespace
}  // namespace trammel::cost_test
