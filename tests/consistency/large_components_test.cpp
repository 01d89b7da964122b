// Mechanisms whose loops form one large component: every function gives with sparse matrices what
// it gives with dense ones, and ladders and lattices have the mobility, the motion and the
// indeterminate reactions that one counts by hand.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/support/how_many.hpp"
#include "tests/support/n_four_bar.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "tests/support/sparse_everywhere.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/mobility/actuation.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/freeze_rank.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"

namespace trammel::large_components_test {
namespace {

// Results of the functions around the solve, of one mechanism.
struct Answers {
  RowBasis basis;
  Eigen::MatrixXd J;
  Mobility mobile;
  Actuation actuated;
  UniqueReactions reacted;
  DriveEfforts efforts;
  std::vector<double> a;
  State assembled;
  bool is_assembled = false;
};

Answers answers_of(const RandomClosedRobot& robot) {
  const Model& model = robot.model;
  Workspace workspace(model);
  const State& state = robot.state;
  Answers out;
  const Inputs inputs{.tau = robot.tau};
  EXPECT_TRUE(row_basis(model, state, workspace, out.basis).ok());
  EXPECT_TRUE(constraint_jacobian(model, state, workspace, out.J).ok());
  EXPECT_TRUE(mobility(model, state, workspace, out.mobile).ok());
  EXPECT_TRUE(actuation(model, state, workspace, out.actuated).ok());
  EXPECT_TRUE(constrained_reactions(model, state, inputs, workspace, out.reacted).ok());
  out.a.resize(std::size_t(model.nv()));
  EXPECT_TRUE(forward_dynamics(model, state, inputs, workspace, out.a).ok());
  EXPECT_TRUE(drive_efforts(model, state, {.a = out.a}, workspace, out.efforts).ok());
  // from a guess near the closed state
  out.assembled = state;
  std::vector<double> step(std::size_t(model.nv()));
  for (std::size_t k = 0; k < step.size(); ++k) step[k] = 1e-3 * std::cos(1.0 + 2.4 * double(k));
  integrate(model, state.q, step, out.assembled.q);
  out.is_assembled = assemble(model, out.assembled, workspace).ok();
  return out;
}

class EveryMechanismBothWays : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EveryMechanismBothWays, testing::Range(1, 1 + how_many(150)));

TEST_P(EveryMechanismBothWays, has_the_answers_of_dense_matrices) {
  const RandomClosedRobot robot(GetParam(), GetParam() % 3 == 0);
  const Answers dense = answers_of(robot);
  const Answers sparse = [&] {
    const SparseEverywhere everywhere;
    return answers_of(robot);
  }();

  EXPECT_EQ(sparse.basis.rank(), dense.basis.rank());
  EXPECT_EQ(sparse.basis.count, dense.basis.count);
  EXPECT_EQ(sparse.basis.undecided.size(), dense.basis.undecided.size());
  // the rows found are a basis: no worse than by a factor of a thousand than the pivots of QR
  const auto least = [&](const RowBasis& basis) {
    Eigen::MatrixXd rows = sparse.J(basis.rows, Eigen::all);
    rows.rowwise().normalize();
    return min_entry(singular_values(rows), 1);
  };
  const double condition = 1 / std::min(least(sparse.basis), least(dense.basis));
  EXPECT_GT(least(sparse.basis), 1e-3 * least(dense.basis));

  EXPECT_EQ(sparse.mobile.instantaneous, dense.mobile.instantaneous);
  EXPECT_EQ(sparse.mobile.finite, dense.mobile.finite);
  EXPECT_EQ(sparse.mobile.verdict, dense.mobile.verdict);
  EXPECT_EQ(sparse.mobile.dependent.size(), dense.mobile.dependent.size());
  EXPECT_EQ(sparse.actuated.mobility, dense.actuated.mobility);
  EXPECT_EQ(sparse.actuated.rank, dense.actuated.rank);
  EXPECT_EQ(sparse.actuated.under, dense.actuated.under);
  EXPECT_EQ(sparse.actuated.over, dense.actuated.over);
  EXPECT_EQ(sparse.actuated.uncontrollable_modes.size(),
            dense.actuated.uncontrollable_modes.size());

  // solutions of different bases differ by rounding times their conditions
  const double tolerance = 1e-11 * (1 + condition * condition);
  const auto expect_near = [&](const std::vector<double>& x, const std::vector<double>& y,
                               const char* what) {
    ASSERT_EQ(x.size(), y.size());
    double largest = 1;
    for (const double entry : y) largest = std::max(largest, std::abs(entry));
    for (std::size_t k = 0; k < x.size(); ++k)
      EXPECT_NEAR(x[k], y[k], tolerance * largest) << what << ' ' << k;
  };
  expect_near(sparse.a, dense.a, "acceleration");
  expect_near({sparse.efforts.tau.begin(), sparse.efforts.tau.end()},
              {dense.efforts.tau.begin(), dense.efforts.tau.end()}, "effort");
  EXPECT_EQ(sparse.efforts.is_unique, dense.efforts.is_unique);
  EXPECT_EQ(sparse.reacted.is_unique, dense.reacted.is_unique);
  std::vector<double> sparse_forces, dense_forces;
  for (const auto& [from, to] :
       {std::pair{&sparse.reacted, &sparse_forces}, std::pair{&dense.reacted, &dense_forces}})
    for (const Force<double>& F : from->force)
      to->insert(to->end(), {F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z});
  expect_near(sparse_forces, dense_forces, "reaction");

  EXPECT_EQ(sparse.is_assembled, dense.is_assembled);
  if (dense.is_assembled) expect_near(sparse.assembled.q, dense.assembled.q, "position");
}

// Parallelograms side by side, cranks of one length on the ground; couplers of these widths. The
// coupler `doubled` has a second one beside it, at the same pins.
Description ladder(const std::vector<double>& widths, double crank = 1, int doubled = -1) {
  Description description("ladder");
  description.gravity = {0.0, -9.81, 0.0};
  const auto bar = [&](const std::string& name, double x, double y) {
    const double I = (x * x + y * y) / 12;
    description.body(name,
                     {.mass = 1.0, .com = {x / 2, y / 2, 0.0}, .inertia = {I, 0, 0, I, 0, I}});
  };
  const auto couple = [&](const std::string& suffix, std::size_t k) {
    const std::string coupler = "coupler" + suffix;
    bar(coupler, widths[k], 0);
    description.joint("left" + suffix, JointKind::revolute, fmt::format("crank{}", k), coupler,
                      {.at = {{0.0, crank, 0.0}, {}}});
    description.joint(
        "right" + suffix, JointKind::revolute, coupler, fmt::format("crank{}", k + 1),
        {.at = {{widths[k], 0.0, 0.0}, {}}, .child_at = {{0.0, crank, 0.0}, {}}, .cut = true});
  };
  double x = 0;
  for (std::size_t k = 0; k <= widths.size(); ++k) {
    bar(fmt::format("crank{}", k), 0, crank);
    description.joint(fmt::format("foot{}", k), JointKind::revolute, "ground",
                      fmt::format("crank{}", k), {.at = {{x, 0.0, 0.0}, {}}});
    if (k < widths.size()) x += widths[k];
  }
  for (std::size_t k = 0; k < widths.size(); ++k) {
    couple(std::to_string(k), k);
    if (int(k) == doubled) couple(fmt::format("{}twin", k), k);
  }
  return description;
}

// All cranks turned by `angle` to the right, couplers horizontal.
State turned(const Model& model, double angle) {
  State state = neutral_state(model);
  for (const NamedJoint& joint : model.joints()) {
    if (joint.role != NamedJoint::Role::tree) continue;
    state.q[std::size_t(joint.q_start)] = joint.name.starts_with("foot") ? -angle : angle;
  }
  return state;
}

struct Posed {
  explicit Posed(const Description& description, double angle = 0)
      : model(build_model(description)), workspace(model), state(turned(model, angle)) {}
  Model model;
  Workspace workspace;
  State state;
};

TEST(Ladder, moves_as_one_pendulum) {
  const int n = 100;
  Posed posed(n_four_bar(n), 0.4);
  std::vector<double> a(std::size_t(posed.model.nv())), tau(a.size());
  ASSERT_TRUE(forward_dynamics(posed.model, posed.state, {}, posed.workspace, a).ok());
  // I theta'' = m g sin(theta)  (n_four_bar.hpp)
  const double I = (n + 1) / 3.0 + n, m = (n + 1) / 2.0 + n;
  const double expected = m * 9.81 * std::sin(0.4) / I;
  for (const NamedJoint& joint : posed.model.joints()) {
    if (joint.role != NamedJoint::Role::tree) continue;
    const double sign = joint.name.starts_with("foot") ? -1 : 1;
    EXPECT_NEAR(a[std::size_t(joint.v_start)], sign * expected, 1e-9 * expected) << joint.name;
  }
  ASSERT_TRUE(inverse_dynamics(posed.model, posed.state, {.a = a}, posed.workspace, tau).ok());
  for (const double effort : tau) EXPECT_NEAR(effort, 0, 1e-8);
}

TEST(Ladder, has_one_way_to_move_and_closes_from_a_guess) {
  Posed posed(n_four_bar(60), 0.7);
  for (std::size_t k = 0; k < posed.state.q.size(); ++k)
    posed.state.q[k] += 1e-2 * std::cos(2.4 * double(k));
  ASSERT_TRUE(assemble(posed.model, posed.state, posed.workspace).ok());
  Mobility found;
  ASSERT_TRUE(mobility(posed.model, posed.state, posed.workspace, found).ok());
  EXPECT_EQ(found.rank, 120);
  EXPECT_EQ(found.instantaneous, 1);
  EXPECT_EQ(found.finite, 1);
  EXPECT_EQ(found.verdict, Mobility::Verdict::regular);
  EXPECT_TRUE(found.undecided.empty());
  EXPECT_EQ(int(found.dependent.size()), 3 * 60);  // out of plane
  Actuation actuated;
  ASSERT_TRUE(actuation(posed.model, posed.state, posed.workspace, actuated).ok());
  EXPECT_EQ(actuated.mobility, 1);
  ASSERT_EQ(actuated.uncontrollable_modes.size(), 1u);
  EXPECT_EQ(int(actuated.uncontrollable_modes[0].size()), 121);  // all joints of the tree move
}

// Couplers from 1e-4 to 1e2 m long in one ladder; then ladders of one size each.
TEST(Ladder, of_lengths_from_1e_4_to_1e2_m_has_one_way_to_move) {
  std::vector<double> mixed;
  for (int k = 0; k < 40; ++k) mixed.push_back(std::pow(10.0, -4 + 6 * (k * 17 % 40) / 39.0));
  std::vector<Description> ladders;
  for (const double crank : {0.1, 1.0, 1e2}) ladders.push_back(ladder(mixed, crank));
  for (const double size : {1e-4, 1e-2, 1e2})
    ladders.push_back(ladder(std::vector<double>(40, size), size));
  for (std::size_t k = 0; k < ladders.size(); ++k) {
    Posed posed(ladders[k], 0.5);
    Mobility found;
    ASSERT_TRUE(mobility(posed.model, posed.state, posed.workspace, found).ok());
    EXPECT_EQ(found.rank, 80) << k;
    EXPECT_EQ(found.instantaneous, 1) << k;
    EXPECT_TRUE(found.undecided.empty()) << k;
  }
}

// Cranks of 0.1 mm in a ladder of 400 m: rounding of the positions is 1e-9 of a crank. In the
// metric of the diagonal of M that is too near to a thousand times it to decide: rows are reported
// as undecided. The metric of the whole M decides that all 80 rows in the plane are independent.
TEST(Ladder, of_tiny_cranks_is_undecided_in_the_diagonal_metric) {
  std::vector<double> mixed;
  for (int k = 0; k < 40; ++k) mixed.push_back(std::pow(10.0, -4 + 6 * (k * 17 % 40) / 39.0));
  Posed posed(ladder(mixed, 1e-4), 0.5);
  RowBasis sparse, dense;
  ASSERT_TRUE(row_basis(posed.model, posed.state, posed.workspace, sparse).ok());
  const int before = std::exchange(most_dense_rows, 1000);
  ASSERT_TRUE(row_basis(posed.model, posed.state, posed.workspace, dense).ok());
  most_dense_rows = before;
  EXPECT_FALSE(sparse.undecided.empty());
  EXPECT_LT(sparse.rank(), 80);
  EXPECT_GE(sparse.rank() + int(sparse.undecided.size()), 80);
  EXPECT_EQ(dense.rank(), 80);
  EXPECT_TRUE(dense.undecided.empty());
}

// Two couplers at the same pins: one row in the plane too many. The bars can pull against each
// other along their line; nothing else in the plane is indeterminate.
TEST(Ladder, with_a_doubled_bar_has_one_more_redundant_row) {
  const int n = 40, doubled = 23;
  Posed posed(ladder(std::vector<double>(n, 1.0), 1.0, doubled));
  Mobility found;
  ASSERT_TRUE(mobility(posed.model, posed.state, posed.workspace, found).ok());
  EXPECT_EQ(found.rank, 2 * n + 1);  // a joint more and two rows more
  EXPECT_EQ(found.instantaneous, 1);
  EXPECT_EQ(found.finite, 1);
  EXPECT_TRUE(found.undecided.empty());
  int in_plane = 0;
  for (const std::string& set : found.dependent)
    in_plane += set.find(';') != std::string::npos ? 1 : 0;
  EXPECT_EQ(in_plane, 1);

  UniqueReactions reacted;
  ASSERT_TRUE(constrained_reactions(posed.model, posed.state, {}, posed.workspace, reacted).ok());
  for (std::size_t j = 0; j < posed.model.joints().size(); ++j) {
    const std::string& name = posed.model.joints()[j].name;
    const bool pulls = name == fmt::format("left{}", doubled) ||
                       name == fmt::format("right{}", doubled) || name.ends_with("twin");
    // moment x y z, force x y z; a loop in a plane leaves forces and moments out of it undetermined
    const std::array<bool, 6> expected{false, false, true, !pulls, true, false};
    EXPECT_EQ(reacted.is_unique[j], expected) << name;
  }
  // the two bars share what one bar alone would carry
  const auto force = [&](const std::string& name) {
    return reacted.force[std::size_t(index(*posed.model.find_joint(name)))].force;
  };
  const std::string first = fmt::format("left{}", doubled), second = first + "twin";
  EXPECT_NEAR(force(first).x, force(second).x, 1e-9);
}

// N x N squares of bars on pins, the lowest row of pins on the ground: N (N + 1) pins above it with
// two coordinates each, and as many bars less N: every level shears by itself, mobility N.
Description lattice(int n) {
  Description description("lattice");
  description.gravity = {0.0, -9.81, 0.0};
  const auto name = [](const char* what, int i, int j) {
    return fmt::format("{}{}_{}", what, i, j);
  };
  for (int i = 0; i <= n; ++i)
    for (int j = 1; j <= n; ++j) {
      description.body(name("post", i, j),
                       {.mass = 1.0, .com = {0.0, 0.5, 0.0}, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}});
      description.joint(name("pin", i, j), JointKind::revolute,
                        j == 1 ? "ground" : name("post", i, j - 1), name("post", i, j),
                        {.at = {{j == 1 ? double(i) : 0.0, j == 1 ? 0.0 : 1.0, 0.0}, {}}});
    }
  for (int i = 0; i < n; ++i)
    for (int j = 1; j <= n; ++j) {
      description.body(name("beam", i, j),
                       {.mass = 1.0, .com = {0.5, 0.0, 0.0}, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}});
      description.joint(name("left", i, j), JointKind::revolute, name("post", i, j),
                        name("beam", i, j), {.at = {{0.0, 1.0, 0.0}, {}}});
      description.joint(
          name("right", i, j), JointKind::revolute, name("beam", i, j), name("post", i + 1, j),
          {.at = {{1.0, 0.0, 0.0}, {}}, .child_at = {{0.0, 1.0, 0.0}, {}}, .cut = true});
    }
  return description;
}

TEST(Lattice, of_squares_shears_in_every_level) {
  for (const int n : {4, 7}) {
    const Model model = build_model(lattice(n));
    Workspace workspace(model);
    const State state = neutral_state(model);
    Mobility found;
    ASSERT_TRUE(mobility(model, state, workspace, found).ok());
    EXPECT_EQ(found.rank, 2 * n * n);
    EXPECT_EQ(found.instantaneous, n);
    EXPECT_EQ(found.finite, n);
    EXPECT_TRUE(found.undecided.empty());
    Actuation actuated;
    ASSERT_TRUE(actuation(model, state, workspace, actuated).ok());
    EXPECT_EQ(actuated.mobility, n);
    EXPECT_EQ(int(actuated.uncontrollable_modes.size()), n);
    std::vector<double> a(std::size_t(model.nv())), tau(a.size());
    ASSERT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
    for (const double one : a) EXPECT_NEAR(one, 0, 1e-9);  // upright: it stands
    ASSERT_TRUE(inverse_dynamics(model, state, {.a = a}, workspace, tau).ok());
    for (const double effort : tau) EXPECT_NEAR(effort, 0, 1e-9);
  }
}

// Accelerations of the levels of the lattice of n x n squares, all posts of a level at the same
// angle from the vertical, in long double. Level k is one pendulum on the one below: its beams
// translate, so with w_ak = 1 below level k and 1/2 in it, t_a . t_b = cos(theta_a - theta_b) and
//   K_ab = sum over k of n [a, b <= k] + (n + 1) w_ak w_bk
// Lagrange's equations are
//   sum_b K_ab (cos(theta_a - theta_b) theta_b'' + sin(theta_a - theta_b) theta_b'^2)
//     + (n + 1) 0.1 theta_a'' = g sin(theta_a) sum over k of n [a <= k] + (n + 1) w_ak
class ShearedLattice {
 public:
  using Real = long double;
  explicit ShearedLattice(int n) : n_(n), angle(std::size_t(n)), rate(angle), acceleration(angle) {
    for (int a = 0; a < n; ++a) {
      angle[std::size_t(a)] = 0.3L * std::cos(1.0L + 2.4L * Real(a));
      rate[std::size_t(a)] = std::sin(2.0L + 1.7L * Real(a));
    }
    solve();
  }

  int n_;
  std::vector<Real> angle, rate, acceleration;

 private:
  Real part(int a, int k) const { return a < k ? 1.0L : a == k ? 0.5L : 0.0L; }
  void solve() {
    const auto n = std::size_t(n_);
    std::vector<std::vector<Real>> A(n, std::vector<Real>(n + 1, 0));
    for (int a = 0; a < n_; ++a) {
      std::vector<Real>& row = A[std::size_t(a)];
      row[std::size_t(a)] = 0.1L * (n_ + 1);
      for (int k = 0; k < n_; ++k)
        row[n] +=
            9.81L * std::sin(angle[std::size_t(a)]) * ((a <= k ? n_ : 0) + (n_ + 1) * part(a, k));
      for (int b = 0; b < n_; ++b) {
        Real K = 0;
        for (int k = 0; k < n_; ++k)
          K += (a <= k && b <= k ? n_ : 0) + (n_ + 1) * part(a, k) * part(b, k);
        const Real apart = angle[std::size_t(a)] - angle[std::size_t(b)];
        row[std::size_t(b)] += K * std::cos(apart);
        row[n] -= K * std::sin(apart) * rate[std::size_t(b)] * rate[std::size_t(b)];
      }
    }
    for (std::size_t p = 0; p < n; ++p)  // Gauss; A is positive definite
      for (std::size_t i = p + 1; i < n; ++i)
        for (std::size_t j = n + 1; j-- > p;) A[i][j] -= A[i][p] / A[p][p] * A[p][j];
    for (std::size_t p = n; p-- > 0;) {
      acceleration[p] = A[p][n];
      for (std::size_t j = p + 1; j < n; ++j) acceleration[p] -= A[p][j] * acceleration[j];
      acceleration[p] /= A[p][p];
    }
  }
};

// In the coordinates of the tree: posts relative to the post below, beams to their post.
TEST(Lattice, of_squares_falls_as_levels_of_pendulums) {
  for (const int n : {5, 9}) {
    const Model model = build_model(lattice(n));
    Workspace workspace(model);
    const ShearedLattice exact(n);
    State state = neutral_state(model);
    std::vector<double> expected(std::size_t(model.nv()));
    for (const NamedJoint& joint : model.joints()) {
      if (joint.role != NamedJoint::Role::tree) continue;
      const auto k = std::size_t(std::stoi(joint.name.substr(joint.name.find('_') + 1)) - 1);
      const bool is_post = joint.name.starts_with("pin");
      const auto value = [&](const std::vector<long double>& of) {
        const long double below = k > 0 ? of[k - 1] : 0;
        return double(is_post ? below - of[k] : of[k]);
      };
      state.q[std::size_t(joint.q_start)] = value(exact.angle);
      state.v[std::size_t(joint.v_start)] = value(exact.rate);
      expected[std::size_t(joint.v_start)] = value(exact.acceleration);
    }
    double largest = 0;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    std::vector<double> a(expected.size());
    ASSERT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
    ConstrainedAnswer sparse;
    ASSERT_TRUE(
        constrained_dynamics(model, state, {}, workspace, sparse, ConstraintSolver::sparse).ok());
    // rounding, times the depth of the tree and the condition of the levels' inertia: about n^2
    // each
    const double tolerance = 1e-15 * std::pow(n, 4) * largest;
    for (std::size_t f = 0; f < a.size(); ++f) {
      EXPECT_NEAR(a[f], expected[f], tolerance) << f;
      EXPECT_NEAR(sparse.a[Eigen::Index(f)], expected[f], tolerance) << f;
    }
    std::vector<double> tau(a.size());
    ASSERT_TRUE(inverse_dynamics(model, state, {.a = a}, workspace, tau).ok());
    for (const double effort : tau) EXPECT_NEAR(effort, 0, 1e-9);
  }
}

// Ladders whose samples are near a singular pose: their generic rank is that of all other poses.
TEST(Ladder, of_any_length_has_its_generic_rank) {
  for (const int n : {40, 127, 300}) {
    const Model model = build_model(n_four_bar(n));
    Workspace workspace(model);
    EXPECT_EQ(generic_rank(model, workspace), 2 * n);
  }
}

}  // namespace
}  // namespace trammel::large_components_test
