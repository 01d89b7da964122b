#include "trammel/constraint/closing.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "trammel/base/expects.hpp"
#include "trammel/constraint/gaps.hpp"
#include "trammel/constraint/instant.hpp"
#include "trammel/constraint/least_step.hpp"
#include "trammel/constraint/loop_forces.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

namespace {

// Closed is what no double can close further: a few rounding errors of the mechanism's size.
constexpr double closed = 1e-13;

// A joint that closes a loop is put so far inside its limits that rounding does not take it out.
constexpr double inside = 1e-11;

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// freedoms of joints that are neither kept nor locked
std::vector<int> all_but(const Model& model, const std::vector<JointId>& kept,
                         const std::vector<std::string>& let_go = {}) {
  std::vector<bool> is_kept(std::size_t(model.nv()), false);
  for (const JointId id : kept)
    for (int k = 0; k < model[id].nv; ++k) is_kept[std::size_t(model[id].v_start + k)] = true;
  std::vector<int> others;
  for (int f = 0; f < model.nv(); ++f)
    if (!is_kept[std::size_t(f)] &&
        (model.prescription(f) != Drive::locked ||
         is_among(let_go, fmt::format("locked joint '{}'", model.freedom_name(f)))))
      others.push_back(f);
  return others;
}

// the same numbers everywhere: a distribution of the library would be its own
double even(std::mt19937& engine, double from, double to) {
  return from + (to - from) * (double(engine()) / 4294967296.0);
}

std::string name_of(const Model& model, const At& place) {
  for (std::size_t k = 0; k < model.frames().size(); ++k) {
    const Pose<double>& X = model.numbers().X_UF[k];
    if (model.frames()[k].body == place.body && norm(X.p - place.X_UA.p) == 0)
      return "frame '" + model.frames()[k].name + "'";
  }
  return "a place on body '" + model[place.body].name + "'";
}

}  // namespace

Closing::Closing(const Model& model, Workspace& workspace, const AssemblyOptions& options,
                 const std::vector<std::string>& let_go)
    : model_(model),
      workspace_(workspace),
      targets_(options.targets),
      rows_(model),
      steps_(options.steps) {
  rows_.follow(model, options.loops);
  for (const Target& target : targets_) target_names_.push_back(name_of(model, target.place));
  for (int k = 0; k < rows_.count(); ++k)
    holds_.push_back(rows_.is_holonomic(k) &&
                     !is_among(let_go, rows_.holder_names()[std::size_t(rows_.holder(k))]));
  free_ = all_but(model, options.keep, let_go);
  willing_ = all_but(model, options.keep_velocity.value_or(options.keep));

  kernel::kernels().kinematics({model, model.numbers()}, neutral_state(model).q, workspace.zero,
                               workspace.zero, workspace, workspace.kinematics);
  const Eigen::VectorXd weights = freedom_weights(model, workspace.kinematics);
  unit_.resize(Eigen::Index(free_.size()));
  for (std::size_t k = 0; k < free_.size(); ++k) unit_[Eigen::Index(k)] = 1 / weights[free_[k]];

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

double Closing::look(std::span<const double> q) {
  kernel::kernels().kinematics({model_, model_.numbers()}, q, workspace_.zero, workspace_.zero,
                               workspace_, workspace_.kinematics);
  rows_.evaluate(model_, workspace_.kinematics, q, workspace_.zero, workspace_.zero, {});
  const int rows = rows_.count(), columns = int(free_.size());
  int wanted = 0;
  for (const Target& target : targets_) wanted += 3 * (target.position ? 1 : 0);
  for (const Target& target : targets_) wanted += 3 * (target.rotation ? 1 : 0);
  error_.resize(rows + wanted);
  J_.resize(rows + wanted, columns);
  for (int k = 0; k < rows; ++k) {
    // for positions only rows that hold a position count
    const double metres = !holds_[std::size_t(k)] ? 0 : rows_.is_turn(k) ? size() : 1;
    error_[k] = metres * rows_.error()[k];
    for (int f = 0; f < columns; ++f)
      J_(k, f) = metres * rows_.jacobian()(k, free_[std::size_t(f)]);
  }
  add_targets(q);
  J_ = J_ * unit_.asDiagonal();
  return std::hypot(error_.norm(), look_at_loop_limits());
}

// how far they are outside, in metres
double Closing::look_at_loop_limits() {
  const auto count = Eigen::Index(loop_limits_.size());
  loop_q_.resize(count);
  J_loop_.resize(count, Eigen::Index(free_.size()));
  double sum = 0;
  for (Eigen::Index k = 0; k < count; ++k) {
    const LoopLimit& limit = loop_limits_[std::size_t(k)];
    const int freedom = model_.closures()[std::size_t(limit.closure)].v_start + limit.k;
    const Eigen::VectorXd rates = effort_of_loop(model_, workspace_.kinematics, freedom);
    for (std::size_t f = 0; f < free_.size(); ++f)
      J_loop_(k, Eigen::Index(f)) = rates[free_[f]] * unit_[Eigen::Index(f)];
    loop_q_[k] = look_at_limit(model_, limit, workspace_.kinematics);
    sum += std::pow(limit.range.outside(loop_q_[k]) * (limit.turns ? size() : 1), 2);
  }
  return std::sqrt(sum);
}

void Closing::add_targets(std::span<const double>) {
  Eigen::Index row = rows_.count();
  Eigen::MatrixXd J(6, model_.nv());
  const auto put = [&](const Vec3<double>& error, Eigen::Index from, double metres) {
    error_.segment<3>(row) = metres * Eigen::Vector3d(error.x, error.y, error.z);
    for (std::size_t f = 0; f < free_.size(); ++f)
      J_.block<3, 1>(row, Eigen::Index(f)) = metres * J.block<3, 1>(from, free_[f]);
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

Eigen::VectorXd Closing::solve(const Eigen::VectorXd& rhs, const Eigen::MatrixXd& J) const {
  if (J.size() == 0) return Eigen::VectorXd::Zero(J.cols());
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  solver.setThreshold(1e-9);
  solver.compute(J);
  return solver.solve(rhs);
}

// the step that closes what is open and, as far as that leaves it free, follows the pull
Eigen::VectorXd Closing::least_step(std::span<const double> q, const Eigen::VectorXd& pull) const {
  if (limits_.empty() && loop_limits_.empty()) {
    Eigen::VectorXd step = -solve(error_, J_);
    if (pull.size() > 0) step += pull - solve(J_ * pull, J_);
    return step;
  }
  std::vector<Bound> bounds;
  for (const Limit& limit : limits_) {
    const double at = q[std::size_t(limit.coordinate)], unit = unit_[limit.freedom];
    bounds.push_back(
        {limit.freedom, (limit.range.lower - at) / unit, (limit.range.upper - at) / unit});
  }
  const Eigen::VectorXd wish = pull.size() > 0 ? pull : Eigen::VectorXd::Zero(J_.cols());
  Eigen::MatrixXd J = J_;
  Eigen::VectorXd rhs = -error_;
  // a joint that closes a loop and would leave its limits is held there, one after the other; what
  // would rather come back is free again with the next step
  std::vector<bool> is_held(loop_limits_.size(), false);
  for (;;) {
    const Eigen::VectorXd step = bounded_step(J, rhs, wish, bounds);
    std::size_t worst = loop_limits_.size();
    double most = 1e-12;
    for (std::size_t k = 0; k < loop_limits_.size(); ++k) {
      const auto row = Eigen::Index(k);
      const double there = loop_q_[row] + J_loop_.row(row).dot(step);
      const double out = std::abs(loop_limits_[k].range.outside(there));
      if (!is_held[k] && out > most) most = out, worst = k;
    }
    if (worst == loop_limits_.size()) return step;
    is_held[worst] = true;
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

Eigen::VectorXd Closing::spread(const Eigen::VectorXd& x) const {
  Eigen::VectorXd all = Eigen::VectorXd::Zero(model_.nv());
  for (std::size_t k = 0; k < free_.size(); ++k)
    all[free_[k]] = unit_[Eigen::Index(k)] * x[Eigen::Index(k)];
  return all;
}

// halves the step until the gap shrinks
bool Closing::take(std::vector<double>& q, Eigen::VectorXd step, double& gap) {
  std::vector<double> there(q.size());
  for (int half = 0; half < 40; ++half, step *= 0.5) {
    integrate(model_, q, as_span(spread(step)), there);
    const double next = look(there);
    if (next >= gap) continue;
    q = there;
    gap = next;
    return true;
  }
  return false;
}

void Closing::push_inside(std::vector<double>& q) const {
  for (const Limit& limit : limits_) {
    double& at = q[std::size_t(limit.coordinate)];
    at = std::clamp(at, limit.range.lower, limit.range.upper);
  }
}

double Closing::close(std::vector<double>& q) {
  push_inside(q);
  double gap = look(q);
  for (int step = 0; step < steps_ && gap > closed * (1 + size()); ++step) {
    Eigen::VectorXd dq = least_step(q, {});
    const double largest = dq.size() > 0 ? dq.cwiseAbs().maxCoeff() : 0;
    if (largest > 0.5) dq *= 0.5 / largest;  // far away the tangent is no guide
    if (!take(q, dq, gap)) break;
  }
  push_inside(q);  // rounding
  return look(q);
}

void Closing::come_near(std::vector<double>& q, const std::vector<double>& guess) {
  std::vector<double> way(std::size_t(model_.nv()));
  double part = 1;
  for (int step = 0; step < steps_; ++step) {
    look(q);
    difference(model_, q, guess, way);
    Eigen::VectorXd pull(Eigen::Index(free_.size()));
    for (std::size_t k = 0; k < free_.size(); ++k)
      pull[Eigen::Index(k)] = way[std::size_t(free_[k])] / unit_[Eigen::Index(k)];
    const Eigen::VectorXd along = least_step(q, pull);
    if (along.norm() <= 1e-10 * (1 + pull.norm())) return;
    // where the way bends, a whole step overshoots
    const double far = pull.norm();
    for (;; part *= 0.5) {
      if (part < 1e-6) return;
      std::vector<double> there(q.size());
      integrate(model_, q, as_span(spread(part * along)), there);
      // the last steps gain less than rounding tells
      if (!is_closed(close(there)) || distance(there, guess) > far + 1e-13 * (1 + far)) continue;
      q = there;
      break;
    }
    part = std::min(1.0, 2 * part);
  }
}

double Closing::distance(const std::vector<double>& q, const std::vector<double>& other) const {
  std::vector<double> way(std::size_t(model_.nv()));
  difference(model_, q, other, way);
  double sum = 0;
  for (std::size_t k = 0; k < free_.size(); ++k)
    sum += std::pow(way[std::size_t(free_[k])] / unit_[Eigen::Index(k)], 2);
  return std::sqrt(sum);
}

int Closing::ways_left(const std::vector<double>& q) {
  look(q);
  if (free_.empty() || J_.rows() == 0) return int(free_.size());
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(1e-7);
  qr.compute(J_.transpose());
  return int(J_.cols() - qr.rank());
}

std::vector<double> Closing::beside(const std::vector<double>& q, unsigned seed, double far) const {
  std::mt19937 engine(seed);
  Eigen::VectorXd step(Eigen::Index(free_.size()));
  for (double& part : step) part = even(engine, -far, far);
  std::vector<double> there(q.size());
  integrate(model_, q, as_span(spread(step)), there);
  push_inside(there);
  return there;
}

std::vector<double> Closing::somewhere(std::vector<double> q, unsigned seed) const {
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

std::string Closing::widest_at(const std::vector<double>& q) {
  look(q);
  const double of_loops = rows_.count() > 0 ? error_.head(rows_.count()).norm() : 0;
  std::string words = of_loops > 1e-9 * size() ? widest_gap(model_, rows_) : "";
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    const Pose<double> X = pose(model_, workspace_.kinematics, targets_[k].place);
    const double far = targets_[k].position ? norm(X.p - *targets_[k].position) : 0;
    const double turned = targets_[k].rotation
                              ? norm(logarithm(quaternion(transpose(*targets_[k].rotation) * X.R)))
                              : 0;
    if (far + turned * size() <= 1e-9 * size()) continue;
    words += fmt::format("{}{} stays {:.3g} m and {:.3g} rad from where it is to come",
                         words.empty() ? "" : ", ", target_names_[k], far, turned);
  }
  words += limits_met(q);
  // where the rows nearly depend on each other, the last bits of the way take too many steps
  if (words.empty() && rows_.count() > 0)
    words = widest_gap(model_, rows_) + ", and comes no nearer beside a singular pose";
  return words.starts_with(", ") ? words.substr(2) : words;
}

std::string Closing::limits_met(const std::vector<double>& q) const {
  std::string words;
  const auto tell = [&](const std::string& name, double limit) {
    words += fmt::format(", {} is at its limit of {:.6g}", name, limit);
  };
  for (const Limit& limit : limits_) {
    const double at = q[std::size_t(limit.coordinate)];
    if (at > limit.range.lower && at < limit.range.upper) continue;
    tell("joint '" + model_.coordinate_name(limit.coordinate) + "'", at);
  }
  for (std::size_t k = 0; k < loop_limits_.size(); ++k) {
    const Range& range = loop_limits_[k].range;
    const double at = loop_q_[Eigen::Index(k)], near = 1e-9;
    const double limit = at >= range.upper - near ? range.upper : range.lower;
    if (std::abs(range.outside(at)) > near)
      words += fmt::format(", {} stays at {:.6g}, beyond its limit of {:.6g}",
                           name_of(model_, loop_limits_[k]), at, limit);
    else if (std::abs(at - limit) <= near)
      tell(name_of(model_, loop_limits_[k]), limit);
  }
  return words;
}

std::string Closing::flat_wheel_at(const std::vector<double>& q) {
  if (model_.wheels().empty()) return {};
  look(q);
  return rows_.flat_wheel();
}

std::string Closing::make_consistent(const std::vector<double>& q, std::vector<double>& v) {
  for (int f = 0; f < model_.nv(); ++f)
    if (model_.prescription(f) == Drive::locked) v[std::size_t(f)] = 0;
  kernel::kernels().kinematics({model_, model_.numbers()}, q, v, workspace_.zero, workspace_,
                               workspace_.kinematics);
  rows_.evaluate(model_, workspace_.kinematics, q, v, workspace_.zero, {});
  const Eigen::VectorXd weights = freedom_weights(model_, workspace_.kinematics);
  Eigen::VectorXd rate = rows_.rate();
  Eigen::MatrixXd J(rate.size(), Eigen::Index(willing_.size()));
  for (Eigen::Index k = 0; k < rate.size(); ++k) {
    const double metres = rows_.is_turn(int(k)) ? size() : 1;
    rate[k] *= metres;
    for (std::size_t f = 0; f < willing_.size(); ++f)
      J(k, Eigen::Index(f)) = metres / weights[willing_[f]] * rows_.jacobian()(k, willing_[f]);
  }
  const Eigen::VectorXd step = solve(rate, J);
  for (std::size_t k = 0; k < willing_.size(); ++k)
    v[std::size_t(willing_[k])] -= step[Eigen::Index(k)] / weights[willing_[k]];
  double fastest = 0;
  for (const double x : v) fastest = std::max(fastest, std::abs(x));
  const Eigen::VectorXd left = rate - J * step;
  if (left.size() == 0 || left.norm() <= 1e-9 * (1 + size()) * (fastest + rate.norm())) return {};
  Eigen::Index worst = 0;
  left.cwiseAbs().maxCoeff(&worst);
  return rows_.holder_names()[std::size_t(rows_.holder(int(worst)))];
}

}  // namespace trammel
