#include "trammel/constraint/assembly/start_velocities.hpp"

#include <algorithm>
#include <cmath>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/assembly/equation_components.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/violations.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Relative to the fastest velocity: the rounding of four-digit input is accepted.
constexpr double digits = 1e-4;
// Consistent velocities of a mechanism at rest are not exactly zero. [m/s]
constexpr double rest_rounding = 1e-12;
// Most velocities that a message lists.
constexpr int most_listed = 12;

// Dofs of the joints, ascending; all dofs if there are none.
std::vector<int> dofs_of(const Model& model, const std::vector<JointId>& joints) {
  std::vector<bool> is_listed(std::size_t(model.nv()), joints.empty());
  for (const JointId id : joints)
    for (int k = 0; k < model[id].nv; ++k) is_listed[std::size_t(model[id].v_start + k)] = true;
  std::vector<int> list;
  for (int f = 0; f < model.nv(); ++f)
    if (is_listed[std::size_t(f)]) list.push_back(f);
  return list;
}

bool only_prescribed_move(const Model& model, const State& state) {
  for (int f = 0; f < model.nv(); ++f)
    if (state.v[std::size_t(f)] != 0 && model.prescription(f) != Drive::motion) return false;
  return true;
}

// Position violation of each constraint; prescribed joints are checked elsewhere.
std::vector<Gap> position_gaps(const ConstraintRows& rows) {
  Eigen::VectorXd error = rows.error();
  for (int k = 0; k < rows.count(); ++k)
    if (!rows.is_holonomic(k) || k >= rows.prescribed_start()) error[k] = 0;
  return gaps(rows, error);
}

// Closed as exactly as assembly closes: a projection would change nothing.
bool is_assembled(const Model& model, const ConstraintRows& rows) {
  const double length = model.characteristic_length();
  return rows.are_defined() && std::ranges::all_of(position_gaps(rows), [&](const Gap& gap) {
           return gap.length + gap.angle * length <= 1e-9 * length;
         });
}

// "violate loop joint 'wrist' by 0.2 m/s and 0 rad/s", "make wheel 'left' slip at 0.2 m/s"
std::string violation_of(const Model& model, const State& state, Workspace& workspace,
                         const std::string& owner) {
  ConstraintRows rows(model);
  kernel::kernels().kinematics({model, model.numbers()}, state.q, state.v, workspace->zero,
                               *workspace, workspace->kinematics);
  rows.evaluate(model, workspace->kinematics, state.q, state.v, workspace->zero, {});
  const auto at = std::ranges::find(rows.owner_names(), owner);
  // the given velocity of a loop joint is not a row
  if (at == rows.owner_names().end()) return fmt::format("contradict the velocity of {}", owner);
  const Gap rate = gaps(rows, rows.rate())[std::size_t(at - rows.owner_names().begin())];
  if (owner.starts_with("wheel"))
    return fmt::format("make {} slip at {:.3g} m/s", owner, rate.length);
  return fmt::format("violate {} by {:.3g} m/s and {:.3g} rad/s", owner, rate.length, rate.angle);
}

}  // namespace

std::string refused_velocities(const Model& model, const State& state, const State& completed,
                               Workspace& workspace, const std::vector<JointId>& given,
                               const std::string& owner) {
  const std::string what = fmt::format(
      "the velocities that are given {}: change them ([state.velocity], --v), or give "
      "them as guesses ([state.velocity_guess])",
      violation_of(model, completed, workspace, owner));
  State nearest = state;
  if (!project_velocity(model, nearest, workspace).ok()) return what;
  const std::vector<int> dofs = dofs_of(model, given);
  double fastest = 0;
  for (const double v : state.v) fastest = std::max(fastest, std::abs(v));
  std::string list;
  for (std::size_t k = 0; k < dofs.size() && int(k) < most_listed; ++k) {
    const double v = nearest.v[std::size_t(dofs[k])];
    list += fmt::format("{}{} = {:.12g}", list.empty() ? "" : ", ", model.dof_name(dofs[k]),
                        std::abs(v) < 1e-12 * fastest ? 0.0 : v);
  }
  if (int(dofs.size()) > most_listed) list += ", ...";
  return fmt::format("{}; the nearest are {}", what, list);
}

Status check_start_position(const Model& model, const State& state, Workspace& workspace) {
  if (!model.has_constraints() || !as_vector(state.q).allFinite()) return {};
  ConstraintRows rows(model);
  kernel::kernels().kinematics({model, model.numbers()}, state.q, workspace->zero, workspace->zero,
                               *workspace, workspace->kinematics);
  rows.evaluate_without_jacobian(model, workspace->kinematics, state.q, workspace->zero,
                                 workspace->zero, {});
  if (!rows.are_defined()) return {};
  const std::vector<Gap> all = position_gaps(rows);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].length > assembly_tolerance * model.characteristic_length() ||
        all[k].angle > assembly_tolerance)
      return Status::failure(fmt::format(
          "the start violates {} by {:.3g} m and {:.3g} rad: assemble the state first (assemble, "
          "assemble_by_continuation)",
          rows.owner_names()[k], all[k].length, all[k].angle));
  return {};
}

Status check_start_velocities(const Model& model, const State& state, Workspace& workspace) {
  if (!model.has_constraints() || !as_vector(state.v).allFinite() || as_vector(state.v).isZero(0))
    return {};
  // only prescribed joints move: the other velocities follow from them
  if (only_prescribed_move(model, state)) return {};
  State closed = state;
  ConstraintRows rows(model);
  const auto evaluate = [&] {
    kernel::kernels().kinematics({model, model.numbers()}, closed.q, closed.v, workspace->zero,
                                 *workspace, workspace->kinematics);
    rows.evaluate_without_jacobian(model, workspace->kinematics, closed.q, closed.v,
                                   workspace->zero, {});
  };
  evaluate();
  if (!is_assembled(model, rows)) {
    if (!project_position(model, closed, workspace).ok()) return {};  // reported elsewhere
    evaluate();
  }
  if (!rows.are_defined()) return {};
  const double length = model.characteristic_length();
  const double fastest =
      length * max_abs(dof_weights(model, workspace->kinematics).cwiseProduct(as_vector(closed.v)));
  // locked joints are checked elsewhere
  Eigen::VectorXd rate = rows.rate();
  rate.tail(rows.count() - rows.prescribed_start()).setZero();
  const std::vector<Gap> drifts = gaps(rows, rate);
  for (std::size_t k = 0; k < drifts.size(); ++k)
    if (drifts[k].length + drifts[k].angle * length > digits * fastest + rest_rounding)
      return Status::failure(
          refused_velocities(model, closed, closed, workspace, {}, rows.owner_names()[k]));
  return {};
}

void follow_accelerations(const Model& model, const State& state, const std::vector<int>& keep,
                          std::span<const double> loop_a, Workspace& workspace,
                          std::vector<double>& a) {
  if (!model.has_constraints()) return;
  ConstraintRows rows(model);
  kernel::kernels().kinematics({model, model.numbers()}, state.q, state.v, a, *workspace,
                               workspace->kinematics);
  rows.evaluate(model, workspace->kinematics, state.q, state.v, a, a, loop_a);
  std::vector<bool> is_kept(std::size_t(model.nv()), false);
  for (const int f : keep) is_kept[std::size_t(f)] = true;
  std::vector<int> others;
  for (int f = 0; f < model.nv(); ++f)
    if (!is_kept[std::size_t(f)] && model.prescription(f) == Drive::none) others.push_back(f);
  const Eigen::VectorXd unit = dof_weights(model, workspace->kinematics).cwiseInverse();
  SparseRows J = rows.sparse_jacobian();
  Eigen::VectorXd missed = rows.acceleration();
  for (int row = 0; row < rows.count(); ++row) {
    const double meters = rows.is_turn(row) ? model.characteristic_length() : 1;
    missed[row] *= meters;
    for (std::size_t i = 0; i < J.columns(row).size(); ++i)
      J.values(row)[i] *= meters * unit[J.columns(row)[i]];
  }
  const Eigen::VectorXd step =
      minimum_norm_solution(J, equation_components(model, pattern_of(J), others), missed);
  if (!step.allFinite()) return;
  for (const int f : others) a[std::size_t(f)] -= step[f] * unit[f];
}

}  // namespace trammel
