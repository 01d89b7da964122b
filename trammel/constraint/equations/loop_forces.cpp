#include "trammel/constraint/equations/loop_forces.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trammel/constraint/kinds/joint_wrenches.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/tree/passive_forces.hpp"
#include "trammel/model/dofs_between.hpp"

namespace trammel {

namespace {

// Springs and dampers of one loop joint: its part of closure_passive in ModelParameters, which is
// sorted by dof.
std::span<const PassiveNumbers<double>> passive_of(const Model& model, const Closure& closure) {
  const auto& all = model.numbers().closure_passive;
  const auto first = std::ranges::lower_bound(all, closure.v_start, {},
                                              [](const auto& element) { return element.v; });
  const auto last = std::ranges::lower_bound(all, closure.v_start + dof_count(closure.joint), {},
                                             [](const auto& element) { return element.v; });
  return {first, last};
}

// Index of the loop joint with this dof: loop joints are sorted by their dofs.
int closure_of_dof(const Model& model, int dof) {
  const std::span<const Closure> closures = model.closures();
  const auto found = std::ranges::partition_point(
      closures, [&](const Closure& each) { return each.v_start + dof_count(each.joint) <= dof; });
  return int(found - closures.begin());
}

}  // namespace

template <Scalar S>
BasicClosureAt<S> evaluate_near_rest(const Model& model, int c,
                                     const BasicKinematics<S>& kinematics) {
  const Closure& closure = model.closures()[std::size_t(c)];
  double near[7] = {};
  std::visit([&](const auto& joint) { joint.neutral(near); }, closure.joint);
  for (const PassiveNumbers<double>& element : passive_of(model, closure))
    if (element.stiffness != 0) near[element.q - closure.q_start] = element.rest;
  return evaluate_closure(model, c, kinematics, near);
}

ElementForce unit_effort(const Model& model, const Kinematics& kinematics, int dof) {
  const int c = closure_of_dof(model, dof);
  const Closure& closure = model.closures()[std::size_t(c)];
  const ClosureAt at = evaluate_near_rest(model, c, kinematics);
  const Force<double> F = duals(at, dof_count(closure.joint))[std::size_t(dof - closure.v_start)];
  return {closure.parent, closure.child, turned(at.X_WM.R, F), at.X_WM.p, c};
}

std::vector<EffortEntry> effort_entries_of_loop(const Model& model, const Kinematics& kinematics,
                                                int dof) {
  const ElementForce unit = unit_effort(model, kinematics, dof);
  const int child = model[unit.child].tree_body, parent = model[unit.parent].tree_body;
  const int ancestor = common_ancestor(model, child, parent);
  std::vector<EffortEntry> entries;
  const auto add = [&](int body, const Force<double>& F) {
    for (int i = body; i != ancestor; i = model.bodies()[std::size_t(i)].parent) {
      const Body& b = model.bodies()[std::size_t(i)];
      const Force<double> at_origin = acting_at(unit.p - kinematics.X_WB[std::size_t(i)].p, F);
      for (int f = b.v_start; f < b.v_end; ++f)
        entries.push_back({f, dot(kinematics.axes[std::size_t(f)], at_origin)});
    }
  };
  add(child, unit.F);
  add(parent, -unit.F);
  std::ranges::sort(entries, {}, &EffortEntry::dof);
  return entries;
}

Eigen::VectorXd effort_of_loop(const Model& model, const Kinematics& kinematics, int dof) {
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(model.nv());
  for (const auto& [f, effort] : effort_entries_of_loop(model, kinematics, dof)) tau[f] = effort;
  return tau;
}

std::vector<int> dofs_of_loop(const Model& model, int closure) {
  const Closure& loop = model.closures()[std::size_t(closure)];
  return dofs_between(model, model[loop.parent].tree_body, model[loop.child].tree_body);
}

void write_effort_of_loop(const Model& model, const Kinematics& kinematics, int dof,
                          std::span<const int> dofs, std::span<double> out) {
  std::ranges::fill(out, 0.0);
  std::size_t place = 0;  // both lists are ascending
  for (const auto& [f, effort] : effort_entries_of_loop(model, kinematics, dof)) {
    while (dofs[place] != f) ++place;
    out[place] = effort;
  }
}

template <Scalar S>
Status add_loop_forces(const char* context, const Model& model,
                       const BasicKinematics<S>& kinematics, std::span<const double> loop_tau,
                       std::vector<BasicElementForce<S>>& out) {
  for (std::size_t c = 0; c < model.closures().size(); ++c) {
    const Closure& closure = model.closures()[c];
    const int dofs = dof_count(closure.joint);
    const auto passive = passive_of(model, closure);
    std::array<S, 6> effort = {};
    if (!loop_tau.empty()) std::copy_n(loop_tau.begin() + closure.v_start, dofs, effort.begin());
    const bool is_idle =
        passive.empty() && std::ranges::all_of(effort, [](const S& e) { return e == S(0.0); });
    if (is_idle) continue;

    const BasicClosureAt<S> at = evaluate_near_rest(model, int(c), kinematics);
    for (PassiveNumbers<double> element : passive) {
      element.q -= closure.q_start, element.v -= closure.v_start;
      effort[std::size_t(element.v)] += kernel::passive_force<double, S>(element, at.q, at.v);
    }
    const std::array<Force<S>, 6> wrenches = duals(at, dofs);
    Force<S> F;
    for (int k = 0; k < dofs; ++k) {
      const auto& [moment, force] = wrenches[std::size_t(k)];
      if (dot(moment, moment) + dot(force, force) == S(0.0))
        return Status::failure(fmt::format(
            "{}: {} is at a pose where two of its motions coincide, and an effort along '{}' is "
            "not defined there: move it away",
            context, closure.name, model.closure_dof_name(closure.v_start + k)));
      F += effort[std::size_t(k)] * wrenches[std::size_t(k)];
    }
    out.push_back({closure.parent, closure.child, turned(at.X_WM.R, F), at.X_WM.p, int(c)});
  }
  return {};
}

double loop_energy(const Model& model, const Kinematics& kinematics) {
  double sum = 0;
  for (std::size_t c = 0; c < model.closures().size(); ++c) {
    const Closure& closure = model.closures()[c];
    const auto passive = passive_of(model, closure);
    if (passive.empty()) continue;
    const ClosureAt at = evaluate_near_rest(model, int(c), kinematics);
    for (const PassiveNumbers<double>& element : passive) {
      const double stretch = at.q[element.q - closure.q_start] - element.rest;
      sum += 0.5 * element.stiffness * stretch * stretch;
    }
  }
  return sum;
}

#define INSTANTIATE(S)                                                                         \
  template BasicClosureAt<S> evaluate_near_rest(const Model&, int, const BasicKinematics<S>&); \
  template Status add_loop_forces(const char*, const Model&, const BasicKinematics<S>&,        \
                                  std::span<const double>, std::vector<BasicElementForce<S>>&);
INSTANTIATE(double)
INSTANTIATE(Duals)
#undef INSTANTIATE

}  // namespace trammel
