#include "trammel/constraint/assembly/assembly_solver.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/bounded_least_squares.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"

namespace trammel {

namespace {

// Residual at which Newton's method stops: a few rounding errors of the characteristic length.
constexpr double closed = 1e-13;

// Margin inside the limits of a loop joint, larger than rounding.
constexpr double inside = 1e-11;

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::string name_of(const Model& model, const FrameRef& place) {
  for (std::size_t k = 0; k < model.frames().size(); ++k) {
    const Pose<double>& X = model.numbers().X_UF[k];
    if (model.frames()[k].body == place.body && norm(X.p - place.X_UA.p) == 0)
      return "frame '" + model.frames()[k].name + "'";
  }
  return "a place on body '" + model[place.body].name + "'";
}

}  // namespace

std::vector<int> AssemblySolver::all_but(const Model& model, const std::vector<JointId>& kept,
                                         const std::vector<int>& kept_dofs,
                                         const std::vector<std::string>& let_go) {
  std::vector<bool> is_kept(std::size_t(model.nv()), false);
  for (const int f : kept_dofs) is_kept[std::size_t(f)] = true;
  for (const JointId id : kept)
    for (int k = 0; k < model[id].nv; ++k) is_kept[std::size_t(model[id].v_start + k)] = true;
  std::vector<int> others;
  for (int f = 0; f < model.nv(); ++f)
    if (!is_kept[std::size_t(f)] &&
        (model.prescription(f) != Drive::locked ||
         is_among(let_go, fmt::format("locked joint '{}'", model.dof_name(f)))))
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
  for (int k = 0; k < rows_.count(); ++k)
    holds_.push_back(rows_.is_holonomic(k) &&
                     !is_among(let_go, rows_.owner_names()[std::size_t(rows_.owner(k))]));
  free_ = all_but(model, options.keep, options.keep_dofs, let_go);
  willing_ = all_but(model, options.keep_velocity.value_or(options.keep),
                     options.keep_velocity ? options.keep_velocity_dofs : options.keep_dofs);

  kernel::kernels().kinematics({model, model.numbers()}, neutral_state(model).q, workspace->zero,
                               workspace->zero, *workspace, workspace->kinematics);
  const Eigen::VectorXd weights = dof_weights(model, workspace->kinematics);
  unit_all_ = weights.cwiseInverse();
  unit_.resize(Eigen::Index(free_.size()));
  for (std::size_t k = 0; k < free_.size(); ++k) unit_[Eigen::Index(k)] = unit_all_[free_[k]];

  if (!options.within_limits) return;
  for (const NamedJoint& joint : model.joints()) {
    if (joint.nq != joint.nv) continue;  // quaternions have none
    for (int k = 0; k < joint.nq; ++k) {
      const Range range = position_range(joint.limits, k);
      const auto at = std::ranges::find(free_, joint.v_start + k);
      if (!range.is_limited() || at == free_.end()) continue;
      limits_.push_back({int(at - free_.begin()), joint.q_start + k, range});
    }
  }
  loop_limits_ = loop_limits(model);
}

Eigen::VectorXd AssemblySolver::solve(const Eigen::VectorXd& rhs, const Eigen::MatrixXd& J) const {
  if (J.size() == 0) return Eigen::VectorXd::Zero(J.cols());
  const OrthogonalDecomposition solver(J, 1e-9);
  return solver.solve(rhs);
}

// Newton step of least norm or, with a pull, the step nearest to it that solves the linear
// equations; within the limits.
Eigen::VectorXd AssemblySolver::bounded_least_squares(std::span<const double> q,
                                                      const Eigen::VectorXd& pull) const {
  if (limits_.empty() && loop_limits_.empty()) {
    Eigen::VectorXd step = -solve(error_, J_);
    if (pull.size() > 0) step += pull - solve(J_ * pull, J_);
    return step;
  }
  std::vector<Bound> bounds;
  for (const Limit& limit : limits_) {
    const double at = q[std::size_t(limit.coordinate)], unit = unit_[limit.dof];
    bounds.push_back({limit.dof, (limit.range.lower - at) / unit, (limit.range.upper - at) / unit});
  }
  const Eigen::VectorXd wish = pull.size() > 0 ? pull : Eigen::VectorXd::Zero(J_.cols());
  Eigen::MatrixXd J = J_;
  Eigen::VectorXd rhs = -error_;
  // loop joints that would leave their limits become equations at the limit, one at a time (active
  // set); the next Newton step starts without them
  std::vector<bool> is_fixed(loop_limits_.size(), false);
  for (;;) {
    const Eigen::VectorXd step = bounded_step(J, rhs, wish, bounds);
    std::size_t worst = loop_limits_.size();
    double most = 1e-12;
    for (std::size_t k = 0; k < loop_limits_.size(); ++k) {
      const auto row = Eigen::Index(k);
      const double there = loop_q_[row] + J_loop_.row(row).dot(step);
      const double out = std::abs(loop_limits_[k].range.outside(there));
      if (!is_fixed[k] && out > most) most = out, worst = k;
    }
    if (worst == loop_limits_.size()) return step;
    is_fixed[worst] = true;
    const auto row = Eigen::Index(worst);
    const Range& range = loop_limits_[worst].range;
    const double margin = std::min(inside, (range.upper - range.lower) / 2);
    const double there = loop_q_[row] + J_loop_.row(row).dot(step);
    J.conservativeResize(J.rows() + 1, Eigen::NoChange);
    rhs.conservativeResize(rhs.size() + 1);
    J.bottomRows(1) = J_loop_.row(row);
    rhs[rhs.size() - 1] =
        (range.outside(there) > 0 ? range.upper - margin : range.lower + margin) - loop_q_[row];
  }
}

Eigen::VectorXd AssemblySolver::spread(const Eigen::VectorXd& x) const {
  Eigen::VectorXd all = Eigen::VectorXd::Zero(model_.nv());
  for (std::size_t k = 0; k < free_.size(); ++k)
    all[free_[k]] = unit_[Eigen::Index(k)] * x[Eigen::Index(k)];
  return all;
}

// Line search: halves the step until the violation decreases.
bool AssemblySolver::take(std::vector<double>& q, Eigen::VectorXd step, double& violation) {
  std::vector<double> there(q.size());
  for (int half = 0; half < 40; ++half, step *= 0.5) {
    integrate(model_, q, as_span(spread(step)), there);
    const double next = evaluate(there);
    if (next >= violation) continue;
    q = there;
    violation = next;
    return true;
  }
  return false;
}

void AssemblySolver::push_inside(std::vector<double>& q) const {
  for (const Limit& limit : limits_) {
    double& at = q[std::size_t(limit.coordinate)];
    at = std::clamp(at, limit.range.lower, limit.range.upper);
  }
}

double AssemblySolver::close(std::vector<double>& q) {
  push_inside(q);
  double violation = evaluate(q);
  for (int step = 0; step < steps_ && violation > closed * (1 + size()); ++step) {
    Eigen::VectorXd dq = bounded_least_squares(q, {});
    double largest = 0;
    for (std::size_t k = 0; k < free_.size(); ++k)
      if (is_curved_[std::size_t(free_[k])])
        largest = std::max(largest, std::abs(dq[Eigen::Index(k)]));
    if (largest > 0.5) dq *= 0.5 / largest;  // the linearization is local
    if (!take(q, dq, violation)) break;
  }
  push_inside(q);  // removes rounding
  return evaluate(q);
}

void AssemblySolver::come_near(std::vector<double>& q, const std::vector<double>& guess) {
  std::vector<double> way(std::size_t(model_.nv()));
  double part = 1;
  for (int step = 0; step < steps_; ++step) {
    evaluate(q);
    difference(model_, q, guess, way);
    Eigen::VectorXd pull(Eigen::Index(free_.size()));
    for (std::size_t k = 0; k < free_.size(); ++k)
      pull[Eigen::Index(k)] = way[std::size_t(free_[k])] / unit_[Eigen::Index(k)];
    const Eigen::VectorXd along = bounded_least_squares(q, pull);
    if (along.norm() <= 1e-10 * (1 + pull.norm())) return;
    // step halving: on a curved manifold a full step overshoots
    const double far = pull.norm();
    for (;; part *= 0.5) {
      if (part < 1e-6) return;
      std::vector<double> there(q.size());
      integrate(model_, q, as_span(spread(part * along)), there);
      // the decrease of the last steps is below rounding
      if (!is_closed(close(there)) || distance(there, guess) > far + 1e-13 * (1 + far)) continue;
      q = there;
      break;
    }
    part = std::min(1.0, 2 * part);
  }
}

}  // namespace trammel
