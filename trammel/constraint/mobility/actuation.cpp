#include "trammel/constraint/mobility/actuation.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/rank/null_space.hpp"
#include "trammel/constraint/rank/rank_by_qr.hpp"
#include "trammel/constraint/rank/sparse_row_basis.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix_blocks.hpp"

namespace trammel {

namespace {

// Rank tolerance: loops are closed to 1e-13 and T is orthonormal, so smaller values are zero.
constexpr double actuation_tolerance = 1e-9;

// Scale of each dof of the tree: 1 for a rotation, the characteristic length for a slide.
Eigen::VectorXd lengths(const Model& model, const Kinematics& kinematics) {
  Eigen::VectorXd size(model.nv());
  for (Eigen::Index f = 0; f < size.size(); ++f)
    size[f] = norm(kinematics.axes[std::size_t(f)].angular) > 0 ? 1 : model.characteristic_length();
  return size;
}

bool is_drive(Drive drive) { return drive == Drive::torque || drive == Drive::motion; }
bool is_driven(const Model& model, const Closure& closure) {
  return closure.named && is_drive(model[*closure.named].drive);
}

// Null-space basis T of the constraints without prescribed motions, in scaled dofs. T is block
// diagonal: one block per group of dofs that constraints or driven loop joints couple. Every other
// dof is a motion of its own.
class Motions {
 public:
  Motions(const Model& model, const State& state, Workspace& workspace)
      : model_(model), state_(state), workspace_(workspace), kinematics_(model) {}

  struct Group {
    std::vector<int> dofs;                   // ascending
    Eigen::MatrixXd T;                       // dofs x motions
    std::vector<Eigen::RowVectorXd> driven;  // per drive: its rate in every motion
    Eigen::Index row_of(int dof) const {
      return std::ranges::lower_bound(dofs, dof) - dofs.begin();
    }
  };

  Status find() {
    std::ranges::fill(state_.v, 0.0);
    // a small constraint violation is projected away; a large one is refused
    RowBasis whole;
    if (Status status = row_basis(model_, state_, workspace_, whole); !status) return status;
    if (Status status = assemble(model_, state_, workspace_, {.nudges = 0}); !status) return status;
    if (Status status = kinematics(model_, state_, {}, workspace_, kinematics_); !status)
      return status;
    size_ = lengths(model_, kinematics_);

    ConstraintRows rows(model_);
    const std::vector<double> zero(state_.v.size(), 0.0);
    rows.evaluate(model_, kinematics_, state_.q, zero, zero, {});
    const SparseRows& J = rows.sparse_jacobian();
    std::vector<int> constrained;  // rows without prescribed motions, which are drives
    std::vector<std::vector<int>> pattern;
    for (int k = 0; k < rows.count(); ++k)
      if (!rows.name(k).starts_with("prescribed motion")) {
        constrained.push_back(k);
        pattern.emplace_back(J.columns(k).begin(), J.columns(k).end());
      }
    for (std::size_t c = 0; c < model_.closures().size(); ++c)
      if (is_driven(model_, model_.closures()[c])) pattern.push_back(dofs_of_loop(model_, int(c)));
    const SparseRows coupled(model_.nv(), pattern);
    for (int f = 0; f < model_.nv(); ++f) group_of_.push_back(coupled.component_of_column(f));

    const RowScales scales = rows.scales();
    MassMatrixBlocks inertia;
    if (!coupled.components().empty()) inertia.evaluate(model_, kinematics_);
    for (const MatrixComponent& component : coupled.components()) {
      std::vector<int> own;
      for (const int k : component.rows)
        if (std::size_t(k) < constrained.size()) own.push_back(constrained[std::size_t(k)]);
      const std::vector<int>& dofs = component.columns;
      const RowScales of_own{scales.natural(own), scales.rounding(own), scales.uncertainty(own)};
      const RowBasis basis = basis_of(J, own, dofs, inertia, of_own);
      std::vector<int> independent;
      for (const int k : basis.rows) independent.push_back(own[std::size_t(k)]);
      groups_.push_back({dofs, null_space(J, independent, dofs, size_(dofs)), {}});
    }
    return {};
  }

  std::vector<Group>& groups() { return groups_; }
  int group_of(int dof) const { return group_of_[std::size_t(dof)]; }  // -1: moves on its own

  // Scaled rates of the dofs of the driven loop joints in each motion of their groups, per closure.
  // One motion of every group is evaluated at a time: groups share no dof.
  std::vector<Eigen::MatrixXd> of_closures(const std::vector<int>& closures) {
    std::vector<Eigen::MatrixXd> rates;
    Eigen::Index most = 0;
    for (const int c : closures) {
      const int count = std::visit([](const auto& joint) { return joint.nv(); },
                                   model_.closures()[std::size_t(c)].joint);
      const int group = group_of_closure(c);
      rates.push_back(
          Eigen::MatrixXd::Zero(count, group < 0 ? 0 : groups_[std::size_t(group)].T.cols()));
      most = std::max(most, rates.back().cols());
    }
    for (Eigen::Index m = 0; m < most; ++m) {
      State moving = state_;
      for (const int c : closures)
        if (const int group = group_of_closure(c); group >= 0) {
          const Group& own = groups_[std::size_t(group)];
          if (m >= own.T.cols()) continue;
          for (std::size_t k = 0; k < own.dofs.size(); ++k)
            moving.v[std::size_t(own.dofs[k])] = size_[own.dofs[k]] * own.T(Eigen::Index(k), m);
        }
      if (!kinematics(model_, moving, {}, workspace_, kinematics_).ok()) continue;
      for (std::size_t i = 0; i < closures.size(); ++i)
        if (m < rates[i].cols()) rates[i].col(m) = rates_of(closures[i], rates[i].rows());
    }
    return rates;
  }
  int group_of_closure(int closure) const {
    const std::vector<int> dofs = dofs_of_loop(model_, closure);
    return dofs.empty() ? -1 : group_of(dofs[0]);
  }

 private:
  RowBasis basis_of(const SparseRows& J, const std::vector<int>& rows, const std::vector<int>& dofs,
                    const MassMatrixBlocks& inertia, const RowScales& scales) const {
    if (std::ssize(rows) > most_dense_rows)
      if (auto large =
              sparse_row_basis(J, rows, dofs, inertia.diagonal(model_, kinematics_, dofs).col(0),
                               scales, Estimates::none))
        return std::move(large->basis);
    return rank_by_qr(J.block(rows, dofs), inertia.block(model_, kinematics_, dofs), scales);
  }
  Eigen::VectorXd rates_of(int closure, Eigen::Index count) {
    double near[7] = {};
    std::visit([&](const auto& joint) { joint.neutral(near); },
               model_.closures()[std::size_t(closure)].joint);
    const ClosureAt at = evaluate_closure(model_, closure, kinematics_, near);
    Eigen::VectorXd rates(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      const bool slides = !(norm(at.columns[k].angular) > 0);
      rates[k] = at.v[k] / (slides ? model_.characteristic_length() : 1);
    }
    return rates;
  }

  const Model& model_;
  State state_;
  Workspace& workspace_;
  Kinematics kinematics_;
  Eigen::VectorXd size_;
  std::vector<Group> groups_;
  std::vector<int> group_of_;  // per dof
};

// Names of the drives; their rates in the motions are added to the groups.
struct DriveRows {
  std::vector<std::string> names;
  std::vector<bool> is_driven;  // per dof that moves on its own
};
DriveRows drives_of(const Model& model, Motions& motions) {
  DriveRows drives;
  drives.is_driven.assign(std::size_t(model.nv()), false);
  for (const NamedJoint& joint : model.joints())
    if (joint.role == NamedJoint::Role::tree && is_drive(joint.drive))
      for (int f = joint.v_start; f < joint.v_start + joint.nv; ++f) {
        drives.names.push_back(model.dof_name(f));
        drives.is_driven[std::size_t(f)] = true;
        if (motions.group_of(f) < 0) continue;
        Motions::Group& group = motions.groups()[std::size_t(motions.group_of(f))];
        group.driven.emplace_back(group.T.row(group.row_of(f)));
      }
  std::vector<int> closures;
  for (std::size_t c = 0; c < model.closures().size(); ++c)
    if (is_driven(model, model.closures()[c])) closures.push_back(int(c));
  const std::vector<Eigen::MatrixXd> rates = motions.of_closures(closures);
  for (std::size_t i = 0; i < closures.size(); ++i) {
    const Closure& closure = model.closures()[std::size_t(closures[i])];
    const int group = motions.group_of_closure(closures[i]);
    for (Eigen::Index k = 0; k < rates[i].rows(); ++k) {
      drives.names.push_back(model.closure_dof_name(closure.v_start + int(k)));
      if (group >= 0) motions.groups()[std::size_t(group)].driven.emplace_back(rates[i].row(k));
    }
  }
  return drives;
}

// The dofs of a group that take part in a motion, in descending order of their rate.
std::vector<std::string> movers(const Model& model, const std::vector<int>& dofs,
                                const Eigen::VectorXd& motion) {
  std::vector<int> order(dofs.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int a, int b) {
    return std::abs(motion[a]) > std::abs(motion[b]) + actuation_tolerance;
  });
  std::vector<std::string> names;
  for (const int k : order)
    if (std::abs(motion[k]) > actuation_tolerance)
      names.push_back(model.dof_name(dofs[std::size_t(k)]));
  return names;
}

}  // namespace

Status actuation(const Model& model, const State& state, Workspace& workspace, Actuation& out) {
  Motions motions(model, state, workspace);
  if (Status status = motions.find(); !status) return status;
  const DriveRows drives = drives_of(model, motions);
  out = {};
  out.driven = drives.names;

  double largest = 0, smallest = std::numeric_limits<double>::infinity();
  const auto count = [&](double singular) {
    largest = std::max(largest, singular);
    if (!(singular > actuation_tolerance)) return;
    ++out.rank;
    smallest = std::min(smallest, singular);
  };
  for (int f = 0; f < model.nv(); ++f) {
    if (motions.group_of(f) < 0) {
      ++out.mobility;
      if (drives.is_driven[std::size_t(f)])
        count(1);
      else
        out.uncontrollable_modes.push_back({model.dof_name(f)});
      continue;
    }
    const auto& [dofs, T, driven] = motions.groups()[std::size_t(motions.group_of(f))];
    if (dofs[0] != f) continue;
    out.mobility += int(T.cols());
    Eigen::MatrixXd modes = Eigen::MatrixXd::Identity(T.cols(), T.cols());
    if (!driven.empty() && T.cols() > 0) {
      Eigen::MatrixXd rows(Eigen::Index(driven.size()), T.cols());
      for (std::size_t k = 0; k < driven.size(); ++k) rows.row(Eigen::Index(k)) = driven[k];
      const Svd svd = svd_divide(rows, Basis::full);
      const int before = out.rank;
      for (const double singular : svd.values) count(singular);
      modes = svd.V.rightCols(T.cols() - (out.rank - before)).eval();
    }
    for (Eigen::Index k = 0; k < modes.cols(); ++k)
      out.uncontrollable_modes.push_back(movers(model, dofs, T * modes.col(k)));
  }
  if (out.rank > 0) out.least = smallest / largest;
  out.under = out.mobility - out.rank;
  out.over = int(out.driven.size()) - out.rank;
  return {};
}

}  // namespace trammel
