// One large system on several threads: every function gives the same bits as on one.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/state.hpp"
#include "trammel/model/tree_partition.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel::threads_test {
namespace {

using Bits = std::vector<std::uint64_t>;

void add(std::span<const double> numbers, Bits& bits) {
  for (const double x : numbers) bits.push_back(std::bit_cast<std::uint64_t>(x));
}
void add(const Motion<double>& V, Bits& bits) {
  const auto& [w, v] = V;
  add(std::vector{w.x, w.y, w.z, v.x, v.y, v.z}, bits);
}

const Vec3<Expr> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};

void link(Description& description, const std::string& name, const std::string& parent,
          const Vec3<Expr>& at, const Vec3<Expr>& axis, JointKind kind = JointKind::revolute,
          double mass = 0.2) {
  description.body(name, {.mass = mass,
                          .com = {0.03, 0.0, -0.05},
                          .inertia = {2e-3 * mass, 0.0, 0.0, 3e-3 * mass, 0.0, 2e-3 * mass}});
  description.joint("to_" + name, kind, parent, name,
                    {.at = {at, {}}, .axis = axis, .stiffness = {0.01}});
}

// Four-bars side by side on ground, each with an arm of two bodies on its coupler and another
// start; those with the numbers `first` to `last`.
Model forest(int first, int last) {
  Description description("forest");
  description.gravity = {0.0, -9.81, 0.0};
  const Vec3<Expr> end{0.05, 0.0866, 0.0};
  for (int k = first; k <= last; ++k) {
    const auto name = [&](const char* what) { return fmt::format("{}{}", what, k); };
    link(description, name("crank"), "ground", {0.2 * k, 0.0, 0.0}, z);
    link(description, name("rocker"), "ground", {0.2 * k + 0.1, 0.0, 0.0}, z);
    link(description, name("coupler"), name("crank"), end, z);
    description.joint(name("elbow"), JointKind::revolute, name("coupler"), name("rocker"),
                      {.at = {{0.1, 0.0, 0.0}, {}}, .child_at = {end, {}}, .axis = z, .cut = true});
    link(description, name("upper"), name("coupler"), {0.05, 0.0, 0.0}, x);
    link(description, name("fore"), name("upper"), {0.0, 0.0, -0.1}, y);
    description.start_positions.push_back({name("to_crank"), {0.001 * k}});
    description.start_velocities.push_back({name("to_crank"), {1.0 - 0.01 * k}});
  }
  return build_model(std::move(description));
}

// A tree with branches of all sizes and joints of several types.
Model tree(int bodies) {
  Description description("tree");
  std::mt19937 random(7);
  for (int k = 0; k < bodies; ++k) {
    // half of the bodies continue the last branch
    const int parent = k == 0 ? -1 : random() % 2 == 0 ? k - 1 : int(random() % unsigned(k));
    const std::string on = parent < 0 || random() % 40 == 0 ? "ground" : fmt::format("b{}", parent);
    const unsigned type = random() % 8;
    link(description, fmt::format("b{}", k), on, {0.1, 0.0, -0.1}, k % 2 ? x : y,
         type == 0   ? JointKind::prismatic
         : type == 1 ? JointKind::cylindrical
                     : JointKind::revolute);
  }
  return build_model(std::move(description));
}

State moving(const Model& model, State state) {
  for (std::size_t k = 0; k < state.q.size(); ++k) state.q[k] += 0.3 * std::sin(1.0 + double(k));
  for (std::size_t k = 0; k < state.v.size(); ++k) state.v[k] = std::cos(2.0 * double(k));
  static_cast<void>(model);
  return state;
}

// Of functions that divide the tree, and of a run, all results; with a wrench on the last body.
Bits bits_of(const Model& model, const State& state, Workspace& workspace) {
  Bits bits;
  const Wrench wrench{{BodyId(int(model.named_bodies().size()) - 1), {}},
                      {{0.1, 0.2, 0.3}, {1.0, -2.0, 0.5}}};
  std::vector<double> a(std::size_t(model.nv())), tau(a);
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] = 0.01 * std::sin(3.0 * double(k));
  const Inputs inputs{.tau = tau, .wrenches = {&wrench, 1}};
  for (int again = 0; again < 2; ++again) {
    EXPECT_TRUE(forward_dynamics(model, state, inputs, workspace, a).ok());
    add(a, bits);
  }
  EXPECT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
  add(a, bits);
  std::vector<double> efforts(a.size());
  EXPECT_TRUE(
      inverse_dynamics(model, state, {.a = a, .wrenches = {&wrench, 1}}, workspace, efforts).ok());
  add(efforts, bits);
  Kinematics moved(model);
  EXPECT_TRUE(kinematics(model, state, {.a = a}, workspace, moved).ok());
  for (const auto* motions : {&moved.V, &moved.A, &moved.axes})
    for (const Motion<double>& motion : *motions) add(motion, bits);
  for (const Pose<double>& X : moved.X_WB)
    add(std::vector{X.p.x, X.p.y, X.p.z, X.R.x.x, X.R.y.z}, bits);
  Energy found;
  EXPECT_TRUE(energy(model, state, workspace, found).ok());
  add(std::vector{found.kinetic, found.gravity, found.elastic}, bits);
  State end = state;
  RunStatistics statistics;
  const Status status = simulate(
      model, end, SimulationInputs(model), {.duration = 2e-3, .method = Method::rk4, .step = 1e-3},
      workspace, [](const State&) { return Status(); }, statistics);
  EXPECT_TRUE(status.ok()) << status.message();
  add(end.q, bits);
  add(end.v, bits);
  return bits;
}

// Of functions that decide and solve component by component.
Bits bits_of_components(const Model& model, Workspace& workspace) {
  Bits bits;
  State state;
  const Status assembled = assembled_start(model, workspace, state);
  EXPECT_TRUE(assembled.ok()) << assembled.message();
  add(state.q, bits);
  add(state.v, bits);
  State far = start_state(model);
  for (std::size_t k = 0; k < far.q.size(); ++k) far.q[k] += 0.2 * std::sin(double(k));
  EXPECT_TRUE(assemble(model, far, workspace).ok());
  add(far.q, bits);
  add(far.v, bits);
  RowBasis basis;
  EXPECT_TRUE(row_basis(model, state, workspace, basis).ok());
  for (const int row : basis.rows) bits.push_back(std::uint64_t(row));
  add(basis.pivots, bits);
  add(basis.singular, bits);
  Mobility mobile;
  EXPECT_TRUE(mobility(model, state, workspace, mobile).ok());
  add(std::vector{double(mobile.finite), double(mobile.rank), mobile.least, mobile.digits}, bits);
  UniqueReactions reacted;
  EXPECT_TRUE(constrained_reactions(model, state, {}, workspace, reacted).ok());
  for (const Force<double>& F : reacted.force) add(Motion<double>{F.moment, F.force}, bits);
  return bits;
}

TEST(Threads, leave_every_bit_of_a_forest_of_four_bars) {
  const Model model = forest(0, 999);
  Workspace alone(model);
  State state;
  ASSERT_TRUE(assembled_start(model, alone, state).ok());
  const Bits expected = bits_of(model, state, alone);
  const Bits of_components = bits_of_components(model, alone);
  for (const int threads : {2, 3}) {
    Workspace workspace(model);
    workspace.set_threads(model, threads);
    ASSERT_EQ(workspace.threads(), threads);
    EXPECT_EQ(bits_of(model, state, workspace), expected) << threads << " threads";
    EXPECT_EQ(bits_of_components(model, workspace), of_components) << threads << " threads";
  }
}

// The forest is divided on one thread, too; a four-bar alone is not.
TEST(Threads, each_four_bar_of_a_forest_accelerates_as_alone) {
  const Model model = forest(0, 999);
  Workspace workspace(model);
  workspace.set_threads(model, 2);
  State state;
  ASSERT_TRUE(assembled_start(model, workspace, state).ok());
  std::vector<double> a(std::size_t(model.nv()));
  ASSERT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
  for (const int k : {0, 25, 26, 499, 998, 999}) {
    const Model one = forest(k, k);
    Workspace own(one);
    const auto from = std::ptrdiff_t(5 * k);
    State here = neutral_state(one);
    std::copy_n(state.q.begin() + from, 5, here.q.begin());
    std::copy_n(state.v.begin() + from, 5, here.v.begin());
    std::vector<double> alone(5);
    ASSERT_TRUE(forward_dynamics(one, here, {}, own, alone).ok());
    // positions of 200 m cost some digits of poses of 0.1 m
    for (std::size_t f = 0; f < 5; ++f)
      EXPECT_NEAR(a[std::size_t(from) + f], alone[f], 1e-9 * (1 + std::abs(alone[f]))) << k;
  }
}

TEST(Threads, leave_every_bit_of_a_large_tree) {
  const Model model = tree(5000);
  ASSERT_GE(tree_partition(model).pieces.size(), 8U);
  const State state = moving(model, neutral_state(model));
  Workspace alone(model);
  const Bits expected = bits_of(model, state, alone);
  for (const int threads : {2, 3}) {
    Workspace workspace(model);
    workspace.set_threads(model, threads);
    EXPECT_EQ(bits_of(model, state, workspace), expected) << threads << " threads";
    workspace.set_threads(model, 1);
    EXPECT_EQ(workspace.threads(), 1);
    EXPECT_EQ(bits_of(model, state, workspace), expected);
  }
}

// Of several dofs without inertia the same one is named.
TEST(Threads, name_the_same_joint_without_inertia) {
  Description description("weak");
  for (int arm = 0; arm < 500; ++arm)
    for (int k = 0; k < 4; ++k)
      link(description, fmt::format("b{}_{}", arm, k),
           k == 0 ? "ground" : fmt::format("b{}_{}", arm, k - 1), {0.1, 0.0, 0.0}, y,
           JointKind::revolute, k == 3 && (arm == 17 || arm == 430) ? 0.0 : 0.2);
  const Model model = build_model(std::move(description));
  const State state = moving(model, neutral_state(model));
  std::vector<double> a(std::size_t(model.nv()));
  std::vector<std::string> messages;
  for (const int threads : {1, 2, 3}) {
    Workspace workspace(model);
    workspace.set_threads(model, threads);
    const Status status = forward_dynamics(model, state, {}, workspace, a);
    EXPECT_FALSE(status.ok());
    messages.emplace_back(status.message());
  }
  EXPECT_NE(messages[0].find("'to_b430_3'"), std::string::npos) << messages[0];
  EXPECT_EQ(messages[1], messages[0]);
  EXPECT_EQ(messages[2], messages[0]);
}

TEST(Threads, of_a_wrong_number_are_refused) {
  const Model model = tree(10);
  Workspace workspace(model);
  EXPECT_THROW(workspace.set_threads(model, -1), std::invalid_argument);
  EXPECT_THROW(workspace.set_threads(model, 100000), std::invalid_argument);
  EXPECT_THROW(workspace.set_threads(tree(11), 2), std::invalid_argument);
  workspace.set_threads(model, 0);
  EXPECT_GE(workspace.threads(), 1);
}

}  // namespace
}  // namespace trammel::threads_test
