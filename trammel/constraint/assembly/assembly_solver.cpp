#include "trammel/constraint/assembly/assembly_solver.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "trammel/base/block_least_squares.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/bounded_least_squares.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"

namespace trammel {

namespace {

// Residual at which Newton's method stops: a few rounding errors of the characteristic length.
constexpr double closed = 1e-13;

// Margin inside the limits of a loop joint, larger than rounding.
constexpr double inside = 1e-11;

std::string name_of(const Model& model, const FrameRef& place) {
  for (std::size_t k = 0; k < model.frames().size(); ++k) {
    const Pose<double>& X = model.numbers().X_UF[k];
    if (model.frames()[k].body == place.body && norm(X.p - place.X_UA.p) == 0)
      return "frame '" + model.frames()[k].name + "'";
  }
  return "a place on body '" + model[place.body].name + "'";
}

// Coordinates of a tree body's joint in q: the first, and one past the last.
std::pair<int, int> coordinates_of(const Model& model, int body) {
  const std::span<const Body> bodies = model.bodies();
  const std::size_t next = std::size_t(body) + 1;
  return {bodies[std::size_t(body)].q_start,
          next < bodies.size() ? bodies[next].q_start : model.nq()};
}

}  // namespace

std::vector<int> AssemblySolver::all_but(const Model& model, const std::vector<JointId>& kept,
                                         const std::vector<int>& kept_dofs,
                                         const std::vector<std::string>& let_go) {
  std::vector<bool> is_kept(std::size_t(model.nv()), false);
  for (const int f : kept_dofs) is_kept[std::size_t(f)] = true;
  for (const JointId id : kept)
    for (int k = 0; k < model[id].nv; ++k) is_kept[std::size_t(model[id].v_start + k)] = true;
  const std::set<std::string> ignored(let_go.begin(), let_go.end());
  std::vector<int> others;
  for (int f = 0; f < model.nv(); ++f)
    if (!is_kept[std::size_t(f)] &&
        (model.prescription(f) != Drive::locked ||
         ignored.contains(fmt::format("locked joint '{}'", model.dof_name(f)))))
      others.push_back(f);
  return others;
}

AssemblySolver::AssemblySolver(const Model& model, Workspace& workspace,
                               const AssemblyOptions& options,
                               const std::vector<std::string>& let_go)
    : model_(model),
      workspace_(workspace),
      targets_(options.targets),
      rows_(model),
      steps_(options.steps),
      goals_(options.loop_positions),
      speeds_(options.loop_velocities) {
  rows_.follow(model, options.loops);
  for (const Target& target : targets_) target_names_.push_back(name_of(model, target.place));
  const std::set<std::string> ignored(let_go.begin(), let_go.end());
  for (int k = 0; k < rows_.count(); ++k)
    holds_.push_back(rows_.is_holonomic(k) &&
                     !ignored.contains(rows_.owner_names()[std::size_t(rows_.owner(k))]));
  free_ = all_but(model, options.keep, options.keep_dofs, let_go);
  willing_ = all_but(model, options.keep_velocity.value_or(options.keep),
                     options.keep_velocity ? options.keep_velocity_dofs : options.keep_dofs);

  kernel::kernels().kinematics({model, model.numbers()}, neutral_state(model).q, workspace->zero,
                               workspace->zero, *workspace, workspace->kinematics);
  const Eigen::VectorXd weights = dof_weights(model, workspace->kinematics);
  unit_ = weights.cwiseInverse();
  if (options.within_limits) find_limits();
  connect();
}

void AssemblySolver::find_limits() {
  for (const NamedJoint& joint : model_.joints()) {
    if (joint.nq != joint.nv) continue;  // quaternions have none
    for (int k = 0; k < joint.nq; ++k) {
      const Range range = position_range(joint.limits, k);
      if (range.is_limited() && std::ranges::binary_search(free_, joint.v_start + k))
        limits_.push_back({joint.v_start + k, joint.q_start + k, range});
    }
  }
  loop_limits_ = loop_limits(model_);
}

// Newton step of least norm or, with a pull, the step nearest to it that solves the linear
// equations; within the limits. One entry per dof of the component.
Eigen::VectorXd AssemblySolver::step_of(const Component& component, std::span<const double> q,
                                        const Eigen::VectorXd& pull) const {
  const auto& [rows, dofs, bodies] = component.equations;
  Eigen::VectorXd rhs = -error_(rows);
  const auto n = Eigen::Index(dofs.size());
  const Eigen::VectorXd wish =
      pull.size() > 0 ? Eigen::VectorXd(pull(dofs)) : Eigen::VectorXd::Zero(n);
  if (component.limits.empty() && component.loop_limits.empty()) {
    if (rows.empty()) return wish;
    const BlockLeastSquares solver(J_, rows, dofs, 1e-9);
    if (pull.size() == 0) return solver.solve(rhs);
    Eigen::VectorXd all = Eigen::VectorXd::Zero(J_.cols());
    all(dofs) = wish;
    for (std::size_t k = 0; k < rows.size(); ++k) rhs[Eigen::Index(k)] -= J_.dot(rows[k], all);
    return wish + solver.solve(rhs);
  }
  Eigen::MatrixXd J = J_.block(rows, dofs);
  std::vector<Bound> bounds;
  for (const int k : component.limits) {
    const Limit& limit = limits_[std::size_t(k)];
    const double at = q[std::size_t(limit.coordinate)], unit = unit_[limit.dof];
    const auto column = std::ranges::lower_bound(dofs, limit.dof) - dofs.begin();
    bounds.push_back(
        {int(column), (limit.range.lower - at) / unit, (limit.range.upper - at) / unit});
  }
  const Eigen::MatrixXd J_loop = J_loop_.block(component.loop_limits, dofs);
  // loop joints that would leave their limits become equations at the limit, one at a time (active
  // set); the next Newton step starts without them
  const std::size_t count = component.loop_limits.size();
  std::vector<bool> is_fixed(count, false);
  for (;;) {
    const Eigen::VectorXd step = bounded_step(J, rhs, wish, bounds);
    const auto there = [&](std::size_t k) {
      return loop_q_[component.loop_limits[k]] + J_loop.row(Eigen::Index(k)).dot(step);
    };
    const auto range = [&](std::size_t k) -> const Range& {
      return loop_limits_[std::size_t(component.loop_limits[k])].range;
    };
    std::size_t worst = count;
    double most = 1e-12;
    for (std::size_t k = 0; k < count; ++k) {
      const double out = std::abs(range(k).outside(there(k)));
      if (!is_fixed[k] && out > most) most = out, worst = k;
    }
    if (worst == count) return step;
    is_fixed[worst] = true;
    const Range& limit = range(worst);
    const double margin = std::min(inside, (limit.upper - limit.lower) / 2);
    J.conservativeResize(J.rows() + 1, Eigen::NoChange);
    rhs.conservativeResize(rhs.size() + 1);
    J.bottomRows(1) = J_loop.row(Eigen::Index(worst));
    rhs[rhs.size() - 1] =
        (limit.outside(there(worst)) > 0 ? limit.upper - margin : limit.lower + margin) -
        loop_q_[component.loop_limits[worst]];
  }
}

Eigen::VectorXd AssemblySolver::bounded_least_squares(std::span<const double> q,
                                                      const Eigen::VectorXd& pull) const {
  Eigen::VectorXd step = Eigen::VectorXd::Zero(model_.nv());
  for (const Component& component : components_)
    step(component.equations.dofs) = step_of(component, q, pull);
  return step;
}

std::vector<double> AssemblySolver::moved(const std::vector<double>& q,
                                          const Eigen::VectorXd& step) const {
  std::vector<double> there(q.size());
  integrate(model_, q, as_span(unit_.cwiseProduct(step)), there);
  return there;
}

void AssemblySolver::copy_joints(const Component& component, const std::vector<double>& from,
                                 std::vector<double>& to) const {
  for (const int body : component.equations.bodies) {
    const auto [first, last] = coordinates_of(model_, body);
    std::copy(from.begin() + first, from.begin() + last, to.begin() + first);
  }
}

bool AssemblySolver::have_moved(const Component& component, const std::vector<double>& from,
                                const std::vector<double>& to) const {
  return std::ranges::any_of(component.equations.bodies, [&](int body) {
    const auto [first, last] = coordinates_of(model_, body);
    return !std::equal(from.begin() + first, from.begin() + last, to.begin() + first);
  });
}

// Line search: each component halves its step until its violation decreases. `open` keeps those
// that a step has improved; the equations are evaluated at the new q.
void AssemblySolver::take(std::vector<double>& q, Eigen::VectorXd step,
                          std::vector<std::size_t>& open, std::vector<double>& violations) {
  const std::vector<double> from = q;
  std::vector<double> trial;
  std::vector<std::size_t> searching = std::exchange(open, {});
  for (int half = 0; half < 40 && !searching.empty(); ++half) {
    const std::vector<double> there = moved(from, step);
    // a step below rounding leaves the position as it is, and so do its halves
    std::erase_if(searching,
                  [&](std::size_t c) { return !have_moved(components_[c], from, there); });
    trial = q;
    for (const std::size_t c : searching) copy_joints(components_[c], there, trial);
    evaluate(trial);
    std::erase_if(searching, [&](std::size_t c) {
      const double next = violation_of(components_[c]);
      if (next < violations[c]) {
        copy_joints(components_[c], there, q);
        violations[c] = next;
        open.push_back(c);
        return true;
      }
      for (const int f : components_[c].equations.dofs) step[f] *= 0.5;
      return false;
    });
  }
  if (trial != q) evaluate(q);
}

void AssemblySolver::push_inside(std::vector<double>& q) const {
  for (const Limit& limit : limits_) {
    double& at = q[std::size_t(limit.coordinate)];
    at = std::clamp(at, limit.range.lower, limit.range.upper);
  }
}

double AssemblySolver::close(std::vector<double>& q) {
  push_inside(q);
  evaluate(q);
  std::vector<double> violations;
  for (const Component& component : components_) violations.push_back(violation_of(component));
  const auto is_open = [&](std::size_t c) { return violations[c] > closed * (1 + size()); };
  std::vector<std::size_t> open;
  for (std::size_t c = 0; c < components_.size(); ++c)
    if (is_open(c)) open.push_back(c);
  for (int step = 0; step < steps_ && !open.empty(); ++step) {
    Eigen::VectorXd dq = Eigen::VectorXd::Zero(model_.nv());
    internal::each_of(workspace_->threads.get(), open.size(), [&](std::size_t which) {
      const std::size_t c = open[which];
      const std::vector<int>& dofs = components_[c].equations.dofs;
      Eigen::VectorXd x = step_of(components_[c], q, {});
      double largest = 0;
      for (std::size_t k = 0; k < dofs.size(); ++k)
        if (is_curved_[std::size_t(dofs[k])])
          largest = std::max(largest, std::abs(x[Eigen::Index(k)]));
      if (largest > 0.5) x *= 0.5 / largest;  // the linearization is local
      dq(dofs) = x;
    });
    take(q, dq, open, violations);
    std::erase_if(open, [&](std::size_t c) { return !is_open(c); });
  }
  push_inside(q);  // removes rounding
  return evaluate(q);
}

void AssemblySolver::copy_closed_components(const std::vector<double>& from,
                                            std::vector<double>& to) {
  evaluate(from);
  for (const Component& component : components_)
    if (is_closed(violation_of(component))) copy_joints(component, from, to);
}

double AssemblySolver::take_better_components(std::vector<double>& q,
                                              const std::vector<double>& other) {
  evaluate(other);
  std::vector<double> violations;
  for (const Component& component : components_) violations.push_back(violation_of(component));
  evaluate(q);
  for (std::size_t c = 0; c < components_.size(); ++c)
    if (violations[c] < violation_of(components_[c])) copy_joints(components_[c], other, q);
  return evaluate(q);
}

void AssemblySolver::come_near(std::vector<double>& q, const std::vector<double>& guess) {
  std::vector<double> way(std::size_t(model_.nv()));
  double part = 1;
  for (int step = 0; step < steps_; ++step) {
    evaluate(q);
    difference(model_, q, guess, way);
    Eigen::VectorXd pull = Eigen::VectorXd::Zero(model_.nv());
    for (const int f : free_) pull[f] = way[std::size_t(f)] / unit_[f];
    const Eigen::VectorXd along = bounded_least_squares(q, pull);
    if (along.norm() <= 1e-10 * (1 + pull.norm())) return;
    // step halving: on a curved manifold a full step overshoots
    const double far = pull.norm();
    for (;; part *= 0.5) {
      if (part < 1e-6) return;
      std::vector<double> there = moved(q, part * along);
      // the decrease of the last steps is below rounding
      if (!is_closed(close(there)) || distance(there, guess) > far + 1e-13 * (1 + far)) continue;
      q = there;
      break;
    }
    part = std::min(1.0, 2 * part);
  }
}

}  // namespace trammel
