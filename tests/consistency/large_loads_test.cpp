// Loads of large closed mechanisms: reactions by a network of springs, efforts without the motions
// that the rows allow, and efforts by components. Compared with dense least squares, with the
// efforts that a null-space basis gives, and with closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/support/how_many.hpp"
#include "tests/support/lattice.hpp"
#include "tests/support/n_four_bar.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "tests/support/sparse_everywhere.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"

namespace trammel::large_loads_test {
namespace {

struct Case {
  explicit Case(const Description& description)
      : model(build_model(description)), workspace(model), state(neutral_state(model)) {
    EXPECT_TRUE(assemble(model, state, workspace).ok());
  }
  UniqueReactions reactions(const StressWeights& weights = {}) {
    UniqueReactions out;
    const Status status = constrained_reactions(model, state, {}, workspace, out,
                                                ConstraintSolver::automatic, weights);
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }
  // Accelerations that the mechanism can have: those under efforts of all joints.
  std::vector<double> possible_motion() {
    std::vector<double> tau(std::size_t(model.nv())), a(tau.size());
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] = std::cos(1.0 + 2.4 * double(k));
    const Status status = forward_dynamics(model, state, {.tau = tau}, workspace, a);
    EXPECT_TRUE(status.ok()) << status.message();
    return a;
  }
  // inverse_dynamics and drive_efforts, which forms a null-space basis.
  void expect_least_efforts(double tolerance) {
    const std::vector<double> a = possible_motion();
    std::vector<double> tau(a.size());
    const Status status = inverse_dynamics(model, state, {.a = a}, workspace, tau);
    ASSERT_TRUE(status.ok()) << status.message();
    DriveEfforts efforts;
    ASSERT_TRUE(drive_efforts(model, state, {.a = a}, workspace, efforts).ok());
    const double largest = max_abs(efforts.tau);
    EXPECT_GT(largest, 1e-3);
    for (std::size_t k = 0; k < tau.size(); ++k)
      EXPECT_NEAR(tau[k], efforts.tau[Eigen::Index(k)], tolerance * largest) << k;
  }

  Model model;
  Workspace workspace;
  State state;
};

// With gravity out of the plane, whose reactions are indeterminate.
Description leaning(Description description) {
  description.gravity = {1.0, -9.81, 4.0};
  return description;
}

void expect_dense_reactions(const Description& description, const StressWeights& weights,
                            double tolerance) {
  Case mechanism(description);
  const UniqueReactions network = mechanism.reactions(weights);
  const int before = std::exchange(most_dense_rows, 100'000);
  const UniqueReactions dense = mechanism.reactions(weights);
  most_dense_rows = before;
  double largest = 0;
  for (const Force<double>& F : dense.force)
    largest = std::max({largest, norm(F.moment), norm(F.force)});
  for (std::size_t j = 0; j < dense.force.size(); ++j) {
    const auto& [moment, force] = network.force[j] - dense.force[j];
    EXPECT_LE(norm(moment) + norm(force), tolerance * largest) << mechanism.model.joints()[j].name;
  }
  EXPECT_EQ(network.is_unique, dense.is_unique);
}

TEST(LargeReactions, of_a_lattice_are_those_of_dense_least_squares) {
  expect_dense_reactions(leaning(lattice(7)), {}, 1e-9);
  expect_dense_reactions(leaning(n_four_bar(30)), {}, 1e-9);
}
TEST(LargeReactions, with_weights_are_those_of_dense_least_squares) {
  const Description description = leaning(lattice(6));
  StressWeights weights{.length = 0.3};
  for (std::size_t j = 0; j < description.joints.size(); ++j)
    weights.joints.push_back(1 + 0.9 * std::cos(2.4 * double(j)));
  expect_dense_reactions(description, weights, 1e-9);
}

// A door on n hinges of one axis. Its weight m g is shared equally; its moment M = m g x about the
// horizontal axis in the wall by forces mu (z - mean) and moments mu l^2 of the hinges, for which
// sum of f^2 + (moment / l)^2 is the least: mu = M / (sum (z - mean)^2 + n l^2).
TEST(LargeReactions, of_a_door_on_many_hinges_are_shared_by_height) {
  const int n = 41;  // more self-stresses than are solved by a dense matrix
  const double length = 0.5, g = 9.81, m = 20, x = 0.4;
  Description description("door");
  description.gravity = {0.0, 0.0, -g};
  description.body("door", {.mass = m, .com = {x, 0.0, 0.0}, .inertia = {1, 0, 0, 1, 0, 1}});
  const auto height = [](int k) { return 0.1 * k + 0.03 * std::cos(2.4 * k); };
  double mean = 0, squares = 0;
  for (int k = 0; k < n; ++k) {
    mean += height(k) / n;
    const Placement at{{0.0, 0.0, height(k)}, {}};
    description.joint(fmt::format("hinge{}", k), JointKind::revolute, "ground", "door",
                      {.at = at, .child_at = at, .cut = k > 0});
  }
  for (int k = 0; k < n; ++k) squares += std::pow(height(k) - mean, 2);
  Case door(description);
  const UniqueReactions found = door.reactions({.length = length});
  const double mu = m * g * x / (squares + n * length * length);
  for (int k = 0; k < n; ++k) {
    const auto& [moment, force] = found.force[std::size_t(k)];
    EXPECT_NEAR(force.z, m * g / n, 1e-9 * m * g) << k;
    EXPECT_NEAR(std::abs(force.x), std::abs(mu * (height(k) - mean)), 1e-9 * m * g) << k;
    EXPECT_NEAR(std::abs(moment.y), mu * length * length, 1e-9 * m * g) << k;
  }
}

TEST(LargeEfforts, of_lattices_and_ladders_are_those_of_a_null_space_basis) {
  Case(leaning(lattice(7))).expect_least_efforts(1e-9);
  Case(leaning(lattice(12))).expect_least_efforts(1e-9);
  Case(n_four_bar(80)).expect_least_efforts(1e-9);
  Case(space_lattice(3)).expect_least_efforts(1e-9);
}

// More than 512 degrees of freedom, in components of three.
TEST(LargeEfforts, of_many_small_loops_are_those_of_a_null_space_basis) {
  Description description("four-bars");
  for (int k = 0; k < 200; ++k) {
    const auto name = [&](const char* what) { return fmt::format("{}{}", what, k); };
    for (const char* bar : {"crank", "coupler", "rocker"})
      description.body(name(bar),
                       {.mass = 1.0, .com = {0.4, 0.1, 0.0}, .inertia = {1, 0, 0, 1, 0, 1}});
    const auto pin = [&](const char* joint, const std::string& parent, const char* child, double x,
                         double y, bool cut = false) {
      description.joint(
          name(joint), JointKind::revolute, parent, name(child),
          {.at = {{x, y, 0.0}, {}}, .child_at = {{cut ? 1.0 : 0.0, 0.0, 0.0}, {}}, .cut = cut});
    };
    pin("left", "ground", "crank", 2.0 * k, 0);
    pin("knee", name("crank"), "coupler", 1, 0);
    pin("right", "ground", "rocker", 2.0 * k + 0.3, 0.8);
    pin("elbow", name("coupler"), "rocker", 1, 0, true);
  }
  Case(description).expect_least_efforts(1e-9);
}

class EveryMechanism : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EveryMechanism, testing::Range(1, 1 + how_many(100)));

TEST_P(EveryMechanism, has_the_efforts_of_a_null_space_basis) {
  const SparseEverywhere everywhere;
  RandomClosedRobot robot(GetParam(), GetParam() % 3 == 0);
  std::vector<double> a(std::size_t(robot.model.nv())), tau(a.size());
  const Inputs inputs{.tau = robot.tau};
  ASSERT_TRUE(forward_dynamics(robot.model, robot.state, inputs, robot.workspace, a).ok());
  DriveEfforts efforts;
  const Status by_basis =
      drive_efforts(robot.model, robot.state, {.a = a}, robot.workspace, efforts);
  const Status status = inverse_dynamics(robot.model, robot.state, {.a = a}, robot.workspace, tau);
  ASSERT_EQ(status.ok(), by_basis.ok()) << status.message() << by_basis.message();
  for (std::size_t k = 0; k < tau.size() && status.ok(); ++k)
    EXPECT_NEAR(tau[k], efforts.tau[Eigen::Index(k)], 1e-8 * (1 + max_abs(efforts.tau))) << k;
}

}  // namespace
}  // namespace trammel::large_loads_test
