#include "trammel/constraint/forces/self_stress.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/forces/reaction_network.hpp"
#include "trammel/constraint/forces/stress_length.hpp"
#include "trammel/constraint/rank/sparse_row_basis.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Relative to the largest self-stress: smaller values are rounding.
constexpr double least_stress = 1e-9;
// Rounding in the joint reactions of a self-stress whose largest multiplier is 1: wrenches of
// several rows that cancel.
constexpr double carried_rounding = 1e4 * std::numeric_limits<double>::epsilon();

// Reactions of all joints for these multipliers, six components each, then the forces on the
// wheels, three each; the kinematics have the accelerations.
Eigen::VectorXd carried(const EvalContext& context, Workspace& workspace,
                        const ConstraintRows& rows, const Eigen::VectorXd& lambda) {
  const Model& model = context.model();
  const Kinematics& kinematics = workspace->kinematics;
  std::vector<Force<double>>& on_body = workspace->on_body;
  std::fill(on_body.begin(), on_body.end(), Force<double>{});
  const auto push = [&](BodyId body, const Force<double>& F, const Vec3<double>& p) {
    const Pose<double> X_WU = kinematics.X_WB[std::size_t(model[body].tree_body)] *
                              model.numbers().X_BU[std::size_t(index(body))];
    const Force<double> at_origin = acting_at(p - X_WU.p, F);
    on_body[std::size_t(index(body))] += Force<double>{transpose_times(X_WU.R, at_origin.moment),
                                                       transpose_times(X_WU.R, at_origin.force)};
  };
  for (const Wrench& wrench : context.inputs().wrenches) {
    const Pose<double> X_WA =
        kinematics.X_WB[std::size_t(model[wrench.at.body].tree_body)] * placed(model, wrench.at);
    const Force<double> F = wrench.axes == Axes::world
                                ? wrench.F
                                : Force<double>{X_WA.R * wrench.F.moment, X_WA.R * wrench.F.force};
    push(wrench.at.body, F, X_WA.p);
  }
  for (const ConstraintRows::RowWrench& row : rows.row_wrenches()) {
    const Force<double> F = lambda[row.row] * row.F;
    push(row.child, F, row.p);
    push(row.parent, -F, row.p);
  }
  for (const ElementForce& element : workspace->element_forces) {
    push(element.child, element.F, element.p);
    push(element.parent, -element.F, element.p);
  }
  std::vector<Force<double>> forces(model.joints().size());
  kernel::reactions<double, double>(context.unloaded_input(), kinematics, on_body, forces);
  const std::vector<Force<double>> of_closures = rows.carried(lambda, workspace->element_forces);
  for (std::size_t c = 0; c < of_closures.size(); ++c)
    if (const auto named = model.closures()[c].named) {
      const Mat3<double>& T = model.numbers().closures[c].turn;
      forces[std::size_t(index(*named))] = {T * of_closures[c].moment, T * of_closures[c].force};
    }
  const std::vector<Vec3<double>> on_wheels = rows.on_wheels(lambda);
  Eigen::VectorXd all(Eigen::Index(6 * forces.size() + 3 * on_wheels.size()));
  for (std::size_t k = 0; k < on_wheels.size(); ++k)
    all.segment<3>(Eigen::Index(6 * forces.size() + 3 * k)) << on_wheels[k].x, on_wheels[k].y,
        on_wheels[k].z;
  for (std::size_t j = 0; j < forces.size(); ++j) {
    const auto& [n, f] = forces[j];
    all.segment<6>(Eigen::Index(6 * j)) << n.x, n.y, n.z, f.x, f.y, f.z;
  }
  return all;
}

// Changes of the reactions by self-stresses: one row per self-stress, columns as in carried().
//
// The wrenches of a row act on two bodies with opposite signs, so that a multiplier changes only
// the reactions of the joints between these bodies and their lowest common ancestor, of the loop
// joint that transmits it, and of its wheel. Cost: O(joints on these paths).
class StressRows {
 public:
  StressRows(const Model& model, const Kinematics& kinematics, const ConstraintRows& rows)
      : model_(model),
        kinematics_(kinematics),
        rows_(rows),
        depth_(model.named_bodies().size(), 0),
        place_(6 * model.joints().size() + 3 * model.wheels().size(), -1) {
    for (const JointId id : model.outward_joints()) {
      const auto [inboard, outboard] = sides(model[id]);
      depth_[std::size_t(index(outboard))] = depth_[std::size_t(index(inboard))] + 1;
    }
  }

  SparseRows of(const std::vector<DependentSet>& sets) {
    std::vector<std::vector<int>> pattern;
    std::vector<std::vector<double>> values;
    for (const DependentSet& set : sets) {
      entries_.clear();
      for (std::size_t k = 0; k < set.rows.size(); ++k) add_row(set.rows[k], set.weights[k]);
      for (const auto& [column, value] : entries_) place_[std::size_t(column)] = -1;
      // constraints other than joints may carry a self-stress alone: then all of it is rounding
      double largest = 0;
      for (const auto& [column, value] : entries_) largest = std::max(largest, std::abs(value));
      std::erase_if(entries_, [&](const auto& entry) {
        return std::abs(entry.second) <= carried_rounding * (1 + largest);
      });
      std::ranges::sort(entries_);
      pattern.emplace_back();
      values.emplace_back();
      for (const auto& [column, value] : entries_) {
        pattern.back().push_back(column);
        values.back().push_back(value);
      }
    }
    SparseRows stress(int(place_.size()), pattern);
    for (int k = 0; k < stress.rows(); ++k)
      std::ranges::copy(values[std::size_t(k)], stress.values(k).begin());
    return stress;
  }

 private:
  // Inboard and outboard body of a joint of the tree.
  static std::pair<BodyId, BodyId> sides(const NamedJoint& joint) {
    if (joint.is_reversed) return {joint.child, joint.parent};
    return {joint.parent, joint.child};
  }
  Pose<double> X_WU(BodyId body) const {
    return kinematics_.X_WB[std::size_t(model_[body].tree_body)] *
           model_.numbers().X_BU[std::size_t(index(body))];
  }
  void add(int column, double value) {
    int& place = place_[std::size_t(column)];
    if (place < 0) {
      place = int(entries_.size());
      entries_.emplace_back(column, 0.0);
    }
    entries_[std::size_t(place)].second += value;
  }
  void add_force(JointId joint, const Force<double>& F) {
    const double components[] = {F.moment.x, F.moment.y, F.moment.z,
                                 F.force.x,  F.force.y,  F.force.z};
    for (int k = 0; k < 6; ++k) add(6 * index(joint) + k, components[k]);
  }

  void add_row(int row, double multiplier) {
    const auto& all = rows_.row_wrenches();  // sorted by row
    for (auto at = std::ranges::lower_bound(all, row, {}, &ConstraintRows::RowWrench::row);
         at != all.end() && at->row == row; ++at) {
      const ConstraintRows::RowWrench& wrench = *at;
      const Force<double> F = multiplier * wrench.F;
      add_path(wrench, F);
      if (wrench.closure >= 0) add_closure(wrench.closure, F);
      if (const auto [first, end] = rows_.wheel_rows(); row >= first && row < end) {
        const int start =
            int(6 * model_.joints().size()) + 3 * (rows_.owner(row) - rows_.owner(first));
        add(start, F.force.x), add(start + 1, F.force.y), add(start + 2, F.force.z);
      }
    }
  }
  // The joints between the two bodies of a wrench: each carries the wrench on its outboard side.
  void add_path(const ConstraintRows::RowWrench& wrench, const Force<double>& F) {
    BodyId child = wrench.child, parent = wrench.parent;
    const auto depth = [&](BodyId body) { return depth_[std::size_t(index(body))]; };
    while (child != parent) {
      const bool is_child = depth(child) >= depth(parent);
      BodyId& body = is_child ? child : parent;
      const JointId id = *model_[body].inboard;
      const NamedJoint& joint = model_[id];
      const Pose<double> X_WM = X_WU(joint.child) * model_.numbers().X_CM[std::size_t(index(id))];
      // force of the joint's parent on its child
      const double sign = is_child != joint.is_reversed ? -1 : 1;
      add_force(id, sign * turned(transpose(X_WM.R), acting_at(wrench.p - X_WM.p, F)));
      body = sides(joint).first;
    }
  }
  void add_closure(int closure, const Force<double>& F) {
    const auto c = std::size_t(closure);
    if (const auto named = model_.closures()[c].named)
      add_force(*named, turned(model_.numbers().closures[c].turn,
                               turned(transpose(rows_.at().evaluated().closures[c].X_WM.R), F)));
  }

  const Model& model_;
  const Kinematics& kinematics_;
  const ConstraintRows& rows_;
  std::vector<int> depth_;  // per named body: joints from ground to it
  std::vector<int> place_;  // per column: index in entries_; -1: none
  std::vector<std::pair<int, double>> entries_;
};

// Whether a component is large, and all self-stresses are in joints alone: a network has them.
bool pays_network(const Model& model, const ConstraintRows& rows,
                  const std::vector<DependentSet>& sets, const SparseRows& stress) {
  std::vector<char> is_of_joint(std::size_t(rows.count()), 0);
  for (const ConstraintRows::RowWrench& row : rows.row_wrenches())
    is_of_joint[std::size_t(row.row)] =
        row.closure >= 0 && model.closures()[std::size_t(row.closure)].named ? 1 : 0;
  return std::ranges::any_of(stress.components(),
                             [](const MatrixComponent& component) {
                               return std::ssize(component.rows) > most_dense_rows;
                             }) &&
         std::ranges::all_of(sets, [&](const DependentSet& set) {
           return std::ranges::all_of(set.rows,
                                      [&](int row) { return is_of_joint[std::size_t(row)] != 0; });
         });
}

// Reactions of a component without the self-stresses in them, the least in the weighted norm.
// Self-stresses that are dependent up to rounding count as one: coefficients of 1e15 would leave
// rounding in all reactions.
Eigen::VectorXd without_stress(const SparseRows& stress, const MatrixComponent& component,
                               const Eigen::VectorXd& weight, const Eigen::VectorXd& some) {
  const auto& [sets, columns] = component;
  if (std::ssize(sets) <= most_dense_rows) {
    const Eigen::MatrixXd S = stress.block(sets, columns).transpose();
    return some -
           S * least_squares(weight.asDiagonal() * S, weight.asDiagonal() * some, least_stress);
  }
  SparseColumns S = unit_columns(stress, sets, columns);
  double longest = 0;
  for (std::size_t k = 0; k < sets.size(); ++k) {
    for (auto& [place, value] : S.columns[k]) value *= stress.norm(sets[k]) * weight[place];
    longest = std::max(longest, S.norm(int(k)));
  }
  const double zero = least_stress * longest;
  SparseQr qr;
  qr.compute(S, SparseQr::limits_of(S, zero), [&](int, double left) { return left > zero; });
  return qr.orthogonal_part(S, weight.cwiseProduct(some)).cwiseQuotient(weight);
}

}  // namespace

void check_weights(const Model& model, const StressWeights& weights) {
  const std::size_t wanted = model.joints().size(), given = weights.joints.size();
  if (given != 0 && given != wanted)
    throw std::invalid_argument(fmt::format(
        "constrained_reactions: there are {} weights, the model has {} joints", given, wanted));
  const auto is_weight = [](double x) { return x > 0 && std::isfinite(x); };
  for (std::size_t j = 0; j < given; ++j)
    if (!is_weight(weights.joints[j]))
      throw std::invalid_argument(fmt::format(
          "constrained_reactions: the weight of joint '{}' is {}: give a number above 0",
          model.joints()[j].name, weights.joints[j]));
  if (weights.length != 0 && !is_weight(weights.length))
    throw std::invalid_argument(fmt::format(
        "constrained_reactions: the length that scales moments is {} m: give a length above 0, or "
        "leave it out",
        weights.length));
}

void least_reactions(const EvalContext& context, Workspace& workspace, const ConstraintRows& rows,
                     const ConstrainedAnswer& answer, const StressWeights& weights,
                     UniqueReactions& out) {
  const Model& model = context.model();
  Eigen::VectorXd chosen = carried(context, workspace, rows, answer.lambda);
  const std::vector<DependentSet> sets = dependent_sets(rows.sparse_jacobian(), answer.basis);
  const SparseRows stress = StressRows(model, workspace->kinematics, rows).of(sets);
  out.is_unique.assign(model.joints().size(), {true, true, true, true, true, true});
  out.length = 0;
  if (stress.rows() > 0) out.length = weights.length > 0 ? weights.length : stress_length(model);

  // minimum norm, moments divided by a length; wheels carry forces only
  const auto weight_of = [&](int column) {
    const auto joint = std::size_t(column / 6);
    if (joint >= model.joints().size()) return 1.0;
    return (column % 6 < 3 ? 1 / out.length : 1.0) *
           (weights.joints.empty() ? 1.0 : std::sqrt(weights.joints[joint]));
  };
  Eigen::VectorXd weight = Eigen::VectorXd::Ones(chosen.size());
  for (int column = 0; stress.rows() > 0 && column < int(weight.size()); ++column)
    weight[column] = weight_of(column);
  const bool is_done = pays_network(model, rows, sets, stress) &&
                       ReactionNetwork(model, workspace->kinematics, rows, weight, out.length)
                           .remove_self_stress(chosen);
  for (const MatrixComponent& component : stress.components()) {
    const auto& [stresses, columns] = component;
    if (!is_done)
      chosen(columns) = without_stress(stress, component, weight(columns), chosen(columns));
    double largest = 0;
    for (const int set : stresses)
      for (const double value : stress.values(set)) largest = std::max(largest, std::abs(value));
    for (const int set : stresses)
      for (std::size_t k = 0; k < stress.columns(set).size(); ++k) {
        const int column = stress.columns(set)[k];
        if (const auto joint = std::size_t(column / 6);
            joint < out.is_unique.size() &&
            std::abs(stress.values(set)[k]) > least_stress * largest)
          out.is_unique[joint][std::size_t(column % 6)] = false;
      }
  }
  out.force.resize(model.joints().size());
  for (std::size_t j = 0; j < out.force.size(); ++j) {
    const double* x = chosen.data() + 6 * j;
    out.force[j] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
}

}  // namespace trammel
