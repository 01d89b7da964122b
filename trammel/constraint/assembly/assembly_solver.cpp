#include "trammel/constraint/assembly/assembly_solver.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include "trammel/base/expects.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/bounded_least_squares.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/equations/violations.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

namespace {

// Residual at which Newton's method stops: a few rounding errors of the characteristic length.
constexpr double closed = 1e-13;

// Margin inside the limits of a loop joint, larger than rounding.
constexpr double inside = 1e-11;

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Dofs that are neither fixed nor locked; locks in let_go are ignored.
std::vector<int> all_but(const Model& model, const std::vector<JointId>& kept,
                         const std::vector<int>& kept_dofs,
                         const std::vector<std::string>& let_go = {}) {
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

// Uniform random number, the same on every platform, unlike std::uniform_real_distribution.
double even(std::mt19937& engine, double from, double to) {
  return from + (to - from) * (double(engine()) / 4294967296.0);
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

  kernel::kernels().kinematics({model, model.numbers()}, neutral_state(model).q, workspace.zero,
                               workspace.zero, workspace, workspace.kinematics);
  const Eigen::VectorXd weights = dof_weights(model, workspace.kinematics);
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

double AssemblySolver::evaluate(std::span<const double> q) {
  kernel::kernels().kinematics({model_, model_.numbers()}, q, workspace_.zero, workspace_.zero,
                               workspace_, workspace_.kinematics);
  rows_.evaluate(model_, workspace_.kinematics, q, workspace_.zero, workspace_.zero, {});
  const int rows = rows_.count(), nv = model_.nv();
  int wanted = 0;
  for (const Target& target : targets_) wanted += 3 * (target.position ? 1 : 0);
  for (const Target& target : targets_) wanted += 3 * (target.rotation ? 1 : 0);
  for (const LoopValues& goal : goals_)
    wanted += dof_count(model_.closures()[std::size_t(goal.closure)].joint);
  error_.resize(rows + wanted);
  J_all_.resize(rows + wanted, nv);
  for (int k = 0; k < rows; ++k) {
    // only holonomic rows constrain positions
    const double meters = !holds_[std::size_t(k)] ? 0 : rows_.is_turn(k) ? size() : 1;
    error_[k] = meters * rows_.error()[k];
    J_all_.row(k) = meters * rows_.jacobian().row(k);
  }
  add_targets(q);
  add_loop_goals();
  J_all_ = J_all_ * unit_all_.asDiagonal();
  J_.resize(rows + wanted, Eigen::Index(free_.size()));
  for (std::size_t f = 0; f < free_.size(); ++f) J_.col(Eigen::Index(f)) = J_all_.col(free_[f]);
  // couplings of tree coordinates are linear: steps along them need no limit
  is_curved_.assign(std::size_t(nv), false);
  for (int k = 0; k < rows + wanted; ++k) {
    if (k < rows && rows_.is_linear(k)) continue;
    for (int f = 0; f < nv; ++f)
      if (J_all_(k, f) != 0) is_curved_[std::size_t(f)] = true;
  }
  return std::hypot(error_.norm(), loop_limit_violation());
}

// Norm of the violations of loop joint limits, in meters.
double AssemblySolver::loop_limit_violation() {
  const auto count = Eigen::Index(loop_limits_.size());
  loop_q_.resize(count);
  J_loop_.resize(count, Eigen::Index(free_.size()));
  double sum = 0;
  for (Eigen::Index k = 0; k < count; ++k) {
    const LoopLimit& limit = loop_limits_[std::size_t(k)];
    const int dof = model_.closures()[std::size_t(limit.closure)].v_start + limit.k;
    const Eigen::VectorXd rates = effort_of_loop(model_, workspace_.kinematics, dof);
    for (std::size_t f = 0; f < free_.size(); ++f)
      J_loop_(k, Eigen::Index(f)) = rates[free_[f]] * unit_[Eigen::Index(f)];
    loop_q_[k] = loop_coordinate(model_, limit, workspace_.kinematics);
    sum += std::pow(limit.range.outside(loop_q_[k]) * (limit.turns ? size() : 1), 2);
  }
  return std::sqrt(sum);
}

void AssemblySolver::add_targets(std::span<const double>) {
  Eigen::Index row = rows_.count();
  Eigen::MatrixXd J(6, model_.nv());
  const auto put = [&](const Vec3<double>& error, Eigen::Index from, double meters) {
    error_.segment<3>(row) = meters * Eigen::Vector3d(error.x, error.y, error.z);
    J_all_.middleRows(row, 3) = meters * J.middleRows(from, 3);
    row += 3;
  };
  for (const Target& target : targets_) {
    const Pose<double> X = pose(model_, workspace_.kinematics, target.place);
    if (target.position) {
      const Status status = jacobian(model_, workspace_.kinematics, target.place, Axes::world, J);
      TRAMMEL_EXPECTS(status.ok());
      put(X.p - *target.position, 3, 1);
    }
    if (target.rotation) {
      const Status status = jacobian(model_, workspace_.kinematics, target.place, Axes::body, J);
      TRAMMEL_EXPECTS(status.ok());
      put(logarithm(quaternion(transpose(*target.rotation) * X.R)), 0, size());
    }
  }
}

// Displacement of a loop joint between two values of its coordinates, one number per dof.
Eigen::VectorXd AssemblySolver::error_between(int closure, const std::vector<double>& from,
                                              const double* to) const {
  const Joint& joint = model_.closures()[std::size_t(closure)].joint;
  Eigen::VectorXd way = Eigen::VectorXd::Zero(dof_count(joint));
  std::visit([&](const auto& j) { j.difference(from.data(), to, way.data()); }, joint);
  return way;
}

void AssemblySolver::add_loop_goals() {
  Eigen::Index row = error_.size();
  for (const LoopValues& goal : goals_)
    row -= dof_count(model_.closures()[std::size_t(goal.closure)].joint);
  for (const LoopValues& goal : goals_) {
    const Closure& closure = model_.closures()[std::size_t(goal.closure)];
    const ClosureAt at =
        evaluate_closure(model_, goal.closure, workspace_.kinematics, goal.values.data());
    const Eigen::VectorXd way = error_between(goal.closure, goal.values, at.q);
    for (Eigen::Index k = 0; k < way.size(); ++k, ++row) {
      const Vec3<double>& w = at.columns[k].angular;
      const double meters = dot(w, w) > 0.25 ? size() : 1;
      error_[row] = meters * way[k];
      J_all_.row(row) =
          meters *
          effort_of_loop(model_, workspace_.kinematics, closure.v_start + int(k)).transpose();
    }
  }
}

std::vector<std::vector<double>> AssemblySolver::loop_coordinates(const std::vector<double>& q) {
  evaluate(q);
  std::vector<std::vector<double>> all;
  for (const LoopValues& goal : goals_) {
    const ClosureAt at =
        evaluate_closure(model_, goal.closure, workspace_.kinematics, goal.values.data());
    all.emplace_back(at.q, at.q + goal.values.size());
  }
  return all;
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

double AssemblySolver::distance(const std::vector<double>& q,
                                const std::vector<double>& other) const {
  std::vector<double> way(std::size_t(model_.nv()));
  difference(model_, q, other, way);
  double sum = 0;
  for (std::size_t k = 0; k < free_.size(); ++k)
    sum += std::pow(way[std::size_t(free_[k])] / unit_[Eigen::Index(k)], 2);
  return std::sqrt(sum);
}

Eigen::MatrixXd AssemblySolver::metric(const std::vector<double>& q) {
  Eigen::MatrixXd M(model_.nv(), model_.nv());
  kernel::kernels().mass_matrix({model_, model_.numbers()}, q, workspace_, span_of(M));
  M = unit_all_.asDiagonal() * M * unit_all_.asDiagonal();
  const double largest = max_abs(M.diagonal());
  M.diagonal().array() += largest > 0 ? 1e-6 * largest : 1;
  return M;
}

double AssemblySolver::mass_distance(const std::vector<double>& q,
                                     const std::vector<double>& other) {
  std::vector<double> way(std::size_t(model_.nv()));
  difference(model_, q, other, way);
  for (const Body& body : model_.bodies())
    for (int f = body.v_start; f < body.v_end; ++f)
      if (comes_round(body.joint, f - body.v_start))
        way[std::size_t(f)] = std::remainder(way[std::size_t(f)], 2 * std::numbers::pi);
  const Eigen::VectorXd d = as_vector(way).cwiseQuotient(unit_all_);
  return std::sqrt(std::max(0.0, d.dot(metric(q) * d)));
}

int AssemblySolver::ways_left(const std::vector<double>& q) {
  evaluate(q);
  if (free_.empty() || J_.rows() == 0) return int(free_.size());
  const PivotedQr qr(J_.transpose(), 1e-7);
  return int(J_.cols() - qr.rank());
}

std::vector<double> AssemblySolver::perturbed(const std::vector<double>& q, unsigned seed,
                                              double far) const {
  std::mt19937 engine(seed);
  Eigen::VectorXd step(Eigen::Index(free_.size()));
  for (double& part : step) part = even(engine, -far, far);
  std::vector<double> there(q.size());
  integrate(model_, q, as_span(spread(step)), there);
  push_inside(there);
  return there;
}

std::vector<double> AssemblySolver::somewhere(std::vector<double> q, unsigned seed) const {
  std::mt19937 engine(seed);
  Eigen::VectorXd step(Eigen::Index(free_.size()));
  for (Eigen::Index k = 0; k < step.size(); ++k)
    step[k] = even(engine, -std::numbers::pi, std::numbers::pi);
  const std::vector<double> from = q;
  integrate(model_, from, as_span(spread(step)), q);
  for (const Limit& limit : limits_)
    if (limit.range.is_limited_below() && limit.range.is_limited_above())
      q[std::size_t(limit.coordinate)] = even(engine, limit.range.lower, limit.range.upper);
  push_inside(q);
  return q;
}

std::string AssemblySolver::widest_at(const std::vector<double>& q) {
  evaluate(q);
  const double of_loops = rows_.count() > 0 ? error_.head(rows_.count()).norm() : 0;
  std::string words = of_loops > 1e-9 * size() ? widest_gap(model_, rows_) : "";
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    const Pose<double> X = pose(model_, workspace_.kinematics, targets_[k].place);
    const double far = targets_[k].position ? norm(X.p - *targets_[k].position) : 0;
    const double turned = targets_[k].rotation
                              ? norm(logarithm(quaternion(transpose(*targets_[k].rotation) * X.R)))
                              : 0;
    if (far + turned * size() <= 1e-9 * size()) continue;
    words += fmt::format("{}{} stays {:.3g} m and {:.3g} rad from its target",
                         words.empty() ? "" : ", ", target_names_[k], far, turned);
  }
  Eigen::Index row = error_.size();
  for (const LoopValues& goal : goals_)
    row -= dof_count(model_.closures()[std::size_t(goal.closure)].joint);
  for (const LoopValues& goal : goals_) {
    const Closure& closure = model_.closures()[std::size_t(goal.closure)];
    const int dofs = dof_count(closure.joint);
    const double far = error_.segment(row, dofs).norm();
    row += dofs;
    if (far > 1e-9 * size())
      words += fmt::format("{}{} stays {:.3g} m (angles times length) from its given value",
                           words.empty() ? "" : ", ", closure.name, far);
  }
  words += limits_met(q);
  // near a singular pose Newton's method converges too slowly to reach the tolerance
  if (words.empty() && rows_.count() > 0)
    words = widest_gap(model_, rows_) + ", and converges no further near a singular pose";
  return words.starts_with(", ") ? words.substr(2) : words;
}

std::string AssemblySolver::limits_met(const std::vector<double>& q) const {
  std::string words;
  const auto report = [&](const std::string& name, double limit) {
    words += fmt::format(", {} is at its limit of {:.6g}", name, limit);
  };
  for (const Limit& limit : limits_) {
    const double at = q[std::size_t(limit.coordinate)];
    if (at > limit.range.lower && at < limit.range.upper) continue;
    report("joint '" + model_.coordinate_name(limit.coordinate) + "'", at);
  }
  for (std::size_t k = 0; k < loop_limits_.size(); ++k) {
    const Range& range = loop_limits_[k].range;
    const double at = loop_q_[Eigen::Index(k)], near = 1e-9;
    const double limit = at >= range.upper - near ? range.upper : range.lower;
    if (std::abs(range.outside(at)) > near)
      words += fmt::format(", {} stays at {:.6g}, outside its limit of {:.6g}",
                           name_of(model_, loop_limits_[k]), at, limit);
    else if (std::abs(at - limit) <= near)
      report(name_of(model_, loop_limits_[k]), limit);
  }
  return words;
}

std::string AssemblySolver::flat_wheel_at(const std::vector<double>& q) {
  if (model_.wheels().empty()) return {};
  evaluate(q);
  return rows_.flat_wheel();
}

std::string AssemblySolver::undefined_at(const std::vector<double>& q) {
  if (model_.frame_constraints().empty()) return {};
  evaluate(q);
  return rows_.undefined();
}

std::string AssemblySolver::make_consistent(const std::vector<double>& q, std::vector<double>& v) {
  for (int f = 0; f < model_.nv(); ++f)
    if (model_.prescription(f) == Drive::locked) v[std::size_t(f)] = 0;
  kernel::kernels().kinematics({model_, model_.numbers()}, q, v, workspace_.zero, workspace_,
                               workspace_.kinematics);
  rows_.evaluate(model_, workspace_.kinematics, q, v, workspace_.zero, {});
  const Eigen::VectorXd weights = dof_weights(model_, workspace_.kinematics);
  Eigen::VectorXd rate = rows_.rate();
  Eigen::MatrixXd J(rate.size(), Eigen::Index(willing_.size()));
  for (Eigen::Index k = 0; k < rate.size(); ++k) {
    const double meters = rows_.is_turn(int(k)) ? size() : 1;
    rate[k] *= meters;
    for (std::size_t f = 0; f < willing_.size(); ++f)
      J(k, Eigen::Index(f)) = meters / weights[willing_[f]] * rows_.jacobian()(k, willing_[f]);
  }
  std::vector<std::string> loop_names;
  for (const LoopValues& speed : speeds_) {
    const Closure& closure = model_.closures()[std::size_t(speed.closure)];
    for (std::size_t k = 0; k < speed.values.size(); ++k) {
      const int dof = closure.v_start + int(k);
      const Eigen::VectorXd along = effort_of_loop(model_, workspace_.kinematics, dof);
      const Eigen::Index row = rate.size();
      rate.conservativeResize(row + 1);
      J.conservativeResize(row + 1, Eigen::NoChange);
      rate[row] = along.dot(as_vector(v)) - speed.values[k];
      for (std::size_t f = 0; f < willing_.size(); ++f)
        J(row, Eigen::Index(f)) = along[willing_[f]] / weights[willing_[f]];
      loop_names.push_back(fmt::format("loop joint '{}'", model_.closure_dof_name(dof)));
    }
  }
  const Eigen::VectorXd step = solve(rate, J);
  for (std::size_t k = 0; k < willing_.size(); ++k)
    v[std::size_t(willing_[k])] -= step[Eigen::Index(k)] / weights[willing_[k]];
  double fastest = 0;
  for (const double x : v) fastest = std::max(fastest, std::abs(x));
  const Eigen::VectorXd left = rate - J * step;
  if (left.size() == 0 || left.norm() <= 1e-9 * (1 + size()) * (fastest + rate.norm())) return {};
  // kept velocities that violate the rows by no more than rounded decimals are changed
  if (left.norm() <= assembly_tolerance * size() * fastest && int(willing_.size()) < model_.nv()) {
    const std::vector<int> kept = std::exchange(willing_, all_but(model_, {}, {}));
    const bool has_others = willing_.size() > kept.size();
    std::string torn;
    if (has_others) torn = make_consistent(q, v);
    willing_ = kept;
    if (has_others && torn.empty()) return {};
  }
  Eigen::Index worst = 0;
  max_abs(left, worst);
  if (worst >= rows_.count()) return loop_names[std::size_t(worst - rows_.count())];
  return rows_.owner_names()[std::size_t(rows_.owner(int(worst)))];
}

}  // namespace trammel
