#include "trammel/constraint/mobility/finite_mobility.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <optional>
#include <random>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/rank/basis_by_components.hpp"
#include "trammel/constraint/rank/null_space.hpp"
#include "trammel/constraint/rank/rank_by_qr.hpp"
#include "trammel/constraint/rank/sparse_row_basis.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Step length: large enough to detect curvature, small enough that projection stays on the branch;
// rotations in radians, slides in characteristic lengths.
constexpr double branch_step = 0.02;
// Step length at the new pose: short enough not to return to where branches meet.
constexpr double side_step = branch_step / 10;
// Smallest ratio of remaining to taken step: projection reverses a step along a direction of no
// branch, up to the square root of rounding at a double root, 1e-5 of a step.
constexpr double taken_back = 0.1;
// Smallest singular value of independent directions: the curvature of a path contributes about its
// step.
constexpr double bend = 0.2;
// Relative rank tolerance after a step: loops are closed to rounding, and dependent rows differ by
// its square root.
constexpr double same = 1e-6;
// Largest number of basis directions to start from.
constexpr Eigen::Index most_directions = 12;

int rank(const Eigen::MatrixXd& A, double tolerance) {
  if (A.size() == 0) return 0;
  return int((singular_values(A).array() > tolerance).count());
}

// Random directions, the same on every platform: four random combinations, then each basis
// direction with both signs plus a random part.
std::vector<Eigen::VectorXd> mixed_directions(Eigen::Index n) {
  std::mt19937 engine(1);
  const auto any = [&] {
    Eigen::VectorXd x(n);
    for (double& part : x) part = 2 * (double(engine()) / 4294967296.0) - 1;
    return x;
  };
  std::vector<Eigen::VectorXd> list;
  for (int k = 0; k < 4; ++k) list.push_back(any().normalized());
  for (Eigen::Index i = 0; i < std::min(n, most_directions); ++i)
    for (const double sign : {1.0, -1.0})
      list.push_back((sign * Eigen::VectorXd::Unit(n, i) + 0.7 * any()).normalized());
  return list;
}

// Random orthogonal matrix, the same on every platform. A basis along the coordinates is not
// generic: some of its motions leave unchanged what all others change, as wheels that stay parallel
// while none of them is steered.
Eigen::MatrixXd any_rotation(Eigen::Index n) {
  std::mt19937 engine(2);
  return Qr(Eigen::MatrixXd::NullaryExpr(n, n, [&] { return double(engine()) / 2147483648.0 - 1; }))
      .q();
}

// A component with redundant rows, and what is known of its branches.
struct TestedComponent {
  const MatrixComponent* component;
  int instantaneous;
  Eigen::MatrixXd T = {};                   // tangents at the pose, in scaled dofs
  std::vector<Eigen::VectorXd> mixed = {};  // combinations of the tangents to follow
  Eigen::MatrixXd directions = {};          // those that could be followed
  int ways = 0;
  bool is_regular() const { return ways == instantaneous; }  // an upper bound
};

// A component and a direction to follow, in its scaled dofs.
struct Way {
  const MatrixComponent* component;
  Eigen::VectorXd along;
};

class Walk {
 public:
  Walk(const Model& model, Workspace& workspace, std::span<const double> q)
      : model_(model), workspace_(workspace), rows_(model) {
    evaluate(q);
    unit_ = dof_weights(model, workspace->kinematics).cwiseInverse();
  }

  const SparseRows& jacobian() const { return rows_.sparse_jacobian(); }
  void evaluate(std::span<const double> q) {
    kernel::kernels().kinematics({model_, model_.numbers()}, q, workspace_->zero, workspace_->zero,
                                 *workspace_, workspace_->kinematics);
    rows_.evaluate(model_, workspace_->kinematics, q, workspace_->zero, workspace_->zero, {});
  }

  // Orthonormal tangents of a component at the evaluated position (null space of its block of J),
  // `count` of them or all; slides in characteristic lengths.
  Eigen::MatrixXd motions(const MatrixComponent& component, int count = -1) const {
    const auto& [rows, dofs] = component;
    if (std::ssize(rows) > most_dense_rows)
      if (std::optional<Eigen::MatrixXd> T = sparse_motions(component, count)) return *T;
    Eigen::MatrixXd J = rows_.sparse_jacobian().block(rows, dofs) * unit_(dofs).asDiagonal();
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (!rows_.is_turn(rows[k])) J.row(Eigen::Index(k)) /= model_.characteristic_length();
    const Svd svd = svd_divide(J, Basis::full);
    const Eigen::VectorXd& size = svd.values;
    const auto constrained = size.size() == 0 ? 0 : (size.array() > same * size[0]).count();
    return svd.V.rightCols(count >= 0 ? count : J.cols() - constrained);
  }

  // Rank of the rows of a component at the evaluated position, which need not be closed; -1: not
  // certain.
  int rank_of(const MatrixComponent& component) const {
    const auto& [rows, dofs] = component;
    const SparseRows& J = rows_.sparse_jacobian();
    RowScales scales = rows_.scales(rows);
    scales.uncertainty = scales.rounding;  // the position is meant as it is
    RowBasis basis;
    if (std::ssize(rows) > most_dense_rows) {
      std::optional<SparseRowBasis> large =
          sparse_row_basis(J, rows, dofs, Eigen::VectorXd(), scales, Estimates::none);
      if (!large) return -1;
      basis = std::move(large->basis);
    } else {
      basis = rank_by_qr(J.block(rows, dofs), Eigen::MatrixXd(), scales);
    }
    return rows_.are_defined() && basis.undecided.empty() ? basis.rank() : -1;
  }

  // Evaluates a position near q that violates the constraints.
  void evaluate_beside(const std::vector<double>& q) {
    std::mt19937 engine(4);
    std::vector<double> step(std::size_t(model_.nv())), there(q.size());
    for (std::size_t f = 0; f < step.size(); ++f)
      step[f] = branch_step * unit_[Eigen::Index(f)] * (double(engine()) / 2147483648.0 - 1);
    integrate(model_, q, step, there);
    evaluate(there);
  }

  // Steps along the ways, one per component, and projection onto the constraints: the displacement
  // of each component per step length. Empty if no closed position is found nearby.
  std::vector<Eigen::VectorXd> follow(const std::vector<double>& from, std::span<const Way> ways,
                                      double far) {
    std::vector<Eigen::VectorXd> gone(ways.size());
    std::vector<double> step(std::size_t(model_.nv()), 0.0);
    for (const auto& [component, along] : ways)
      for (std::size_t k = 0; k < component->columns.size(); ++k) {
        const int f = component->columns[k];
        step[std::size_t(f)] = far * unit_[f] * along[Eigen::Index(k)];
      }
    State next = neutral_state(model_);
    integrate(model_, from, step, next.q);
    if (assemble(model_, next, workspace_, {.nudges = 0}).ok()) {
      difference(model_, from, next.q, step);
      for (std::size_t i = 0; i < ways.size(); ++i) {
        const std::vector<int>& dofs = ways[i].component->columns;
        const Eigen::VectorXd left = as_vector(step)(dofs).cwiseQuotient(unit_(dofs)) / far;
        if (left.norm() < 2) gone[i] = left;
      }
    } else if (ways.size() > 1) {
      // some component cannot follow: the others can
      const std::size_t half = ways.size() / 2;
      std::ranges::copy(follow(from, ways.first(half), far), gone.begin());
      std::ranges::copy(follow(from, ways.subspan(half), far), gone.begin() + std::ptrdiff_t(half));
    }
    return gone;
  }

  // Position after displacements of components.
  std::vector<double> moved(const std::vector<double>& from, std::span<const Way> by) const {
    std::vector<double> step(std::size_t(model_.nv()), 0.0), there(from.size());
    for (const auto& [component, along] : by)
      for (std::size_t k = 0; k < component->columns.size(); ++k) {
        const int f = component->columns[k];
        step[std::size_t(f)] = unit_[f] * along[Eigen::Index(k)];
      }
    integrate(model_, from, step, there);
    return there;
  }

 private:
  // The same by sparse QR; none if their number differs from `count`.
  std::optional<Eigen::MatrixXd> sparse_motions(const MatrixComponent& component, int count) const {
    const auto& [rows, dofs] = component;
    const SparseRows& J = rows_.sparse_jacobian();
    const Eigen::VectorXd unit = unit_(dofs);
    SparseColumns A = unit_columns(J, rows, dofs);
    double longest = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double length = rows_.is_turn(rows[k]) ? 1 : model_.characteristic_length();
      for (auto& [dof, value] : A.columns[k]) value *= J.norm(rows[k]) * unit[dof] / length;
      longest = std::max(longest, A.norm(int(k)));
    }
    std::optional<Eigen::MatrixXd> T = orthogonal_complement_of(A, same * longest);
    if (T && count >= 0 && T->cols() != count) return std::nullopt;
    return T;
  }

  const Model& model_;
  Workspace& workspace_;
  ConstraintRows rows_;
  Eigen::VectorXd unit_;
};

// Tangents of components at a position.
struct Tangents {
  const MatrixComponent* component;
  Eigen::MatrixXd T;
};

// Per component: number of independent tangents that can be followed.
std::vector<int> ways_to_follow(Walk& walk, const std::vector<double>& q,
                                const std::vector<Tangents>& tangents) {
  std::vector<Eigen::MatrixXd> left;
  Eigen::Index most = 0;
  for (const auto& [component, T] : tangents) {
    left.push_back(Eigen::MatrixXd::Zero(T.cols(), T.cols()));
    most = std::max(most, T.cols());
  }
  for (Eigen::Index k = 0; k < most; ++k) {
    std::vector<Way> ways;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < tangents.size(); ++i)
      if (k < tangents[i].T.cols()) {
        ways.push_back({tangents[i].component, tangents[i].T.col(k)});
        of.push_back(i);
      }
    const std::vector<Eigen::VectorXd> gone = walk.follow(q, ways, side_step);
    for (std::size_t j = 0; j < of.size(); ++j)
      if (gone[j].size() > 0) left[of[j]].col(k) = tangents[of[j]].T.transpose() * gone[j];
  }
  std::vector<int> counts;
  for (const Eigen::MatrixXd& each : left) counts.push_back(rank(each, 0.3));
  return counts;
}

// A step of each component along its combination number `step` of tangents.
void follow_mixed(Walk& walk, const std::vector<double>& q,
                  const std::vector<TestedComponent*>& tested, std::size_t step) {
  std::vector<Way> ways;
  for (const TestedComponent* one : tested)
    ways.push_back({one->component, one->T * one->mixed[step]});
  const std::vector<Eigen::VectorXd> gone = walk.follow(q, ways, branch_step);
  std::vector<Way> by;
  std::vector<TestedComponent*> moved;
  for (std::size_t i = 0; i < tested.size(); ++i) {
    if (gone[i].size() == 0 || gone[i].norm() < taken_back) continue;
    Eigen::MatrixXd& directions = tested[i]->directions;
    directions.conservativeResize(gone[i].size(), directions.cols() + 1);
    directions.rightCols(1) = gone[i].normalized();
    by.push_back({tested[i]->component, branch_step * gone[i]});
    moved.push_back(tested[i]);
  }
  if (moved.empty()) return;
  const std::vector<double> there = walk.moved(q, by);
  walk.evaluate(there);
  std::vector<Tangents> tangents;
  std::vector<TestedComponent*> counted;
  for (TestedComponent* one : moved)
    if (Eigen::MatrixXd T = walk.motions(*one->component); T.cols() > one->ways) {
      tangents.push_back({one->component, std::move(T)});
      counted.push_back(one);
    }
  const std::vector<int> found = ways_to_follow(walk, there, tangents);
  for (std::size_t i = 0; i < counted.size(); ++i)
    counted[i]->ways = std::clamp(found[i], counted[i]->ways, counted[i]->instantaneous);
}

}  // namespace

FiniteMobility finite_mobility(const Model& model, const std::vector<double>& q,
                               const RowBasis& basis, Workspace& workspace) {
  FiniteMobility found{.ways = model.nv() - basis.rank()};
  Walk walk(model, workspace, q);
  std::vector<TestedComponent> tested;
  const std::vector<RowBasis> bases = bases_of_components(walk.jacobian(), basis);
  std::size_t steps = 0;
  std::vector<std::size_t> suspects;  // components with redundant rows that move
  for (std::size_t c = 0; c < bases.size(); ++c)
    if (bases[c].redundant() > 0 &&
        bases[c].rank() < int(walk.jacobian().components()[c].columns.size()))
      suspects.push_back(c);
  if (suspects.empty()) return found;
  // the rank near a position is at least the rank there: where a position beside it, which need not
  // be closed, has no other rank, all near it have this one, and the closed ones are a manifold of
  // as many dimensions as there are motions [Lee 2013, theorem 4.12]
  walk.evaluate_beside(q);
  std::erase_if(suspects, [&](std::size_t c) {
    return walk.rank_of(walk.jacobian().components()[c]) == bases[c].rank();
  });
  walk.evaluate(q);
  for (const std::size_t c : suspects) {
    const MatrixComponent& component = walk.jacobian().components()[c];
    const int instantaneous = int(component.columns.size()) - bases[c].rank();
    TestedComponent one{&component, instantaneous};
    one.T = walk.motions(component, instantaneous) * any_rotation(instantaneous);
    one.mixed = mixed_directions(instantaneous);
    steps = std::max(steps, one.mixed.size());
    tested.push_back(std::move(one));
  }
  for (std::size_t step = 0; step < steps; ++step) {
    std::vector<TestedComponent*> open;
    for (TestedComponent& one : tested)
      if (!one.is_regular() && step < one.mixed.size()) open.push_back(&one);
    if (open.empty()) break;
    follow_mixed(walk, q, open, step);
  }
  for (const TestedComponent& one : tested) {
    found.ways -= one.instantaneous - one.ways;
    found.branches_meet |= !one.is_regular() && rank(one.directions, bend) > one.ways;
  }
  return found;
}

}  // namespace trammel
