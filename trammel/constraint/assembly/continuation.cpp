// Assembly by continuation: choice of the leading joints, projection of rounded values, messages.
#include "trammel/constraint/assembly/continuation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trammel/constraint/assembly/assembly_solver.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/model/body_of_dof.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

namespace {

Status failure(const std::string& words) { return Status::failure("assemble: " + words); }

// Index in q of a dof's coordinate; -1 if it belongs to a quaternion.
int coordinate_of(const Model& model, int dof) {
  const Body& body = model.bodies()[std::size_t(body_of_dof(model, dof))];
  const int nq = std::visit([](const auto& joint) { return joint.nq(); }, body.joint);
  return nq == body.v_end - body.v_start ? body.q_start + dof - body.v_start : -1;
}

}  // namespace

Continuation::Continuation(const Model& model, Workspace& workspace, const AssemblyOptions& options)
    : model_(model), workspace_(workspace), options_(options) {
  for (const JointId id : options.keep)
    for (int k = 0; k < model[id].nv; ++k) given_.push_back(model[id].v_start + k);
  given_.insert(given_.end(), options.keep_dofs.begin(), options.keep_dofs.end());
  std::ranges::sort(given_);
  given_.erase(std::unique(given_.begin(), given_.end()), given_.end());
}

void Continuation::put_kept(const std::vector<double>& from, std::vector<double>& q) const {
  for (const JointId id : options_.keep)
    std::copy_n(from.begin() + model_[id].q_start, model_[id].nq, q.begin() + model_[id].q_start);
  for (const int f : options_.keep_dofs)
    if (const int k = coordinate_of(model_, f); k >= 0) q[std::size_t(k)] = from[std::size_t(k)];
}

bool Continuation::project(std::vector<double>& q) {
  AssemblyOptions freely;
  freely.loops = options_.loops;
  AssemblySolver solver(model_, workspace_, freely);
  std::vector<double> there = q;
  if (!solver.is_closed(solver.close(there))) return false;
  q = there;
  return true;
}

Status Continuation::lead(const std::vector<double>& start, std::vector<double>& q) {
  const std::vector<double> goal = q;
  part_ = 1;
  AssemblySolver solver(model_, workspace_, options_);
  if (const std::string flat = solver.flat_wheel_at(goal); !flat.empty())
    return failure(flat + " lies flat on its floor and cannot roll: raise it");
  if (int(given_.size()) == model_.nv() && options_.loop_positions.empty()) return close_rounded(q);
  const std::vector<int> leaders = solver.independent(start, given_);
  const bool all_lead = leaders.size() == given_.size();
  AssemblyOptions led = options_;
  led.keep.clear();
  led.keep_dofs = leaders;
  AssemblySolver following(model_, workspace_, led);

  std::vector<double> way(std::size_t(model_.nv()));
  difference(model_, start, goal, way);
  AssemblySolver::Way path{.lead = Eigen::VectorXd::Zero(model_.nv()),
                           .loops_begin = following.loop_coordinates(start)};
  for (const int f : leaders) path.lead[f] = way[std::size_t(f)];
  q = start;
  const double part = part_ = following.follow(path, q);
  std::vector<double> exact = q;
  put_kept(goal, exact);
  const auto arrive = [&] {
    const bool closes = solver.is_closed(solver.close(exact));
    if (closes) q = exact;
    return closes;
  };
  if (part < 1) {
    // with dependent kept joints the leaders' path is one of several: Newton's method may still
    // close
    if (!all_lead && arrive()) return {};
    const std::vector<double> reached = q;
    q = goal;
    return dead_point(start, goal, reached, part);
  }
  if (arrive()) return {};
  std::vector<double> violated = exact;
  const std::vector<double> nearest = q;
  solver.settle(violated);
  if (solver.violation(violated) <= assembly_tolerance * model_.characteristic_length() &&
      project(violated)) {
    q = violated;
    return {};
  }
  q = goal;
  return refused(goal, violated, nearest);
}

bool Continuation::find_base(const std::vector<double>& goal, std::vector<double>& q) {
  AssemblyOptions base = options_;
  base.loop_positions.clear();
  const std::vector<double> neutral = q;
  AssemblySolver solver(model_, workspace_, base);
  // no dof is free to follow, or the goal is closed already
  if (int(given_.size()) == model_.nv() || solver.is_closed(solver.violation(goal))) {
    q = goal;
    return true;
  }
  if (solver.is_closed(solver.close(q))) return true;
  base.keep.clear();
  base.keep_dofs.clear();
  q = neutral;
  AssemblySolver freely(model_, workspace_, base);
  return freely.is_closed(freely.close(q));
}

Status Continuation::close_rounded(std::vector<double>& q) {
  AssemblySolver solver(model_, workspace_, options_);
  const std::vector<double> given = q;
  const double violation = solver.violation(q);
  if (solver.is_closed(violation)) return {};
  std::vector<double> nearest = q;
  const bool closes = project(nearest);
  if (violation <= assembly_tolerance * model_.characteristic_length() && closes) {
    q = nearest;
    return {};
  }
  std::string list;
  for (int k = 0; closes && k < model_.nq() && k < 12; ++k)
    if (std::abs(nearest[std::size_t(k)] - q[std::size_t(k)]) > 1e-9)
      list +=
          fmt::format("{}{} = {:.9g}", list.empty() ? "; the nearest closed position has " : ", ",
                      model_.coordinate_name(k), nearest[std::size_t(k)]);
  return failure(fmt::format(
      "the position that is given violates its loops: {}{}. Give fewer joints, so that the others "
      "follow, or give them as a guess (--guess, --assemble)",
      solver.widest_at(given), list));
}

Status Continuation::dead_point(const std::vector<double>& start, const std::vector<double>& goal,
                                const std::vector<double>& q, double part) const {
  std::string list;
  for (const int f : given_) {
    const int k = coordinate_of(model_, f);
    if (k < 0) continue;
    const auto at = std::size_t(k);
    list += fmt::format("{}joint '{}' stops at {:.6g} on its way from {:.6g} to {:.6g}",
                        list.empty() ? "" : ", ", model_.coordinate_name(k), q[at], start[at],
                        goal[at]);
  }
  for (const LoopValues& given : options_.loop_positions)
    list += fmt::format("{}{} does not reach its given value", list.empty() ? "" : ", ",
                        model_.closures()[std::size_t(given.closure)].name);
  return failure(fmt::format(
      "the branch of the start does not lead there: it meets a dead point after {:.4g} % of the "
      "way ({}). Give a value before it, or choose another branch: `eval MODEL branches` lists "
      "them, --branch N takes one",
      100 * part, list.empty() ? "orientations" : list));
}

std::string Continuation::differences(const std::vector<double>& goal,
                                      const std::vector<double>& nearest) const {
  std::string list;
  for (const int f : given_) {
    const int k = coordinate_of(model_, f);
    if (k < 0) continue;
    const double there = nearest[std::size_t(k)], given = goal[std::size_t(k)];
    if (std::abs(there - given) <= 1e-9 * (1 + std::abs(given))) continue;
    list += fmt::format("{}{} = {:.9g} instead of {:.9g}", list.empty() ? "" : ", ",
                        model_.coordinate_name(k), there, given);
  }
  return list;
}

bool Continuation::close_nearly(std::vector<double>& q, std::string& possible) {
  const std::vector<double> goal = q;
  AssemblySolver solver(model_, workspace_, options_);
  std::vector<double> nearest = q;
  solver.settle(nearest);
  const double violation = solver.violation(nearest);
  if (!project(nearest)) return false;
  if (violation <= assembly_tolerance * model_.characteristic_length()) {
    q = nearest;
    return true;
  }
  possible = differences(goal, nearest);
  return false;
}

Status Continuation::refused(const std::vector<double>& goal, const std::vector<double>& violated,
                             const std::vector<double>& nearest) {
  AssemblySolver solver(model_, workspace_, options_);
  const std::string list = differences(goal, nearest);
  return failure(fmt::format(
      "the joints that are given contradict each other: {}{}. Change one of them "
      "([state.position], --q), or give it as a guess (--guess)",
      solver.widest_at(violated), list.empty() ? "" : "; possible with the others: " + list));
}

}  // namespace trammel
