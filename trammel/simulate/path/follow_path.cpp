#include "trammel/simulate/path/follow_path.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/constraint/assembly/inverse_kinematics.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/equations/closure_error.hpp"
#include "trammel/constraint/kinds/rollers.hpp"
#include "trammel/constraint/kinds/rolling.hpp"
#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

namespace {

Status at_time(double time, const Status& status) {
  return Status::failure(fmt::format("follow_path: at t = {:.4g} s: {}", time, status.message()));
}

// The path requires a motion that the constraints exclude: sideways, or around a corner.
Status cannot_go(double time, const Status& status) {
  return Status::failure(
      fmt::format("follow_path: at t = {:.4g} s: the vehicle cannot follow the path: its wheels or "
                  "loops do not allow the motion ({}); let it face along the path, or change it",
                  time, status.message()));
}

// Collects violations of effort limits along the path: the first one and the worst one.
class TightLimits {
 public:
  void add(double time, double lacking, const Status& status) {
    if (samples_ == 0) first_ = at_time(time, status);
    if (lacking > worst_) worst_ = lacking, worst_at_ = time;
    ++samples_;
  }
  Status status(std::size_t of_samples) const {
    if (samples_ == 0) return {};
    return Status::failure(
        fmt::format("{}; so at {} of {} samples, worst at t = {:.4g} s, where {:.4g} is lacking",
                    first_.message(), samples_, of_samples, worst_at_, worst_));
  }

 private:
  Status first_;
  int samples_ = 0;
  double worst_ = 0, worst_at_ = 0;
};

double yaw_of(const Pose<double>& X) { return std::atan2(X.R.x.y, X.R.x.x); }

class Follower {
 public:
  Follower(const Model& model, const FrameRef& place, const PlanarPath& path, Workspace& workspace)
      : model_(model), place_(place), path_(path), workspace_(workspace) {}

  // Velocities of all joints at these positions, with the place moving as the path does in vehicle
  // axes, so that a deviation from the path requires no slip.
  Status velocities(double time, const State& state, std::vector<double>& v) {
    const PlanarMotion to = path_.at(time);
    Vec3<double> linear{to.x_rate, to.y_rate, 0};
    if (Status status = turn_with_vehicle(to, state, linear); !status) return status;
    const MotionTarget target[] = {
        {.place = place_, .angular = Vec3<double>{0, 0, to.yaw_rate}, .linear = linear}};
    v.resize(std::size_t(model_.nv()));
    if (Status status = inverse_kinematics_velocity(model_, state, target, workspace_, v); !status)
      return status;
    rest_locked(v);
    return {};
  }
  Status accelerations(double time, const State& state, std::vector<double>& a) {
    const PlanarMotion to = path_.at(time);
    Vec3<double> linear{to.x_acceleration, to.y_acceleration, 0};
    if (Status status = turn_with_vehicle(to, state, linear); !status) return status;
    const MotionTarget target[] = {
        {.place = place_, .angular = Vec3<double>{0, 0, to.yaw_acceleration}, .linear = linear}};
    a.resize(std::size_t(model_.nv()));
    if (Status status = inverse_kinematics_acceleration(model_, state, target, {}, workspace_, a);
        !status)
      return status;
    rest_locked(a);
    return {};
  }
  // Loops drift by the integration error, but constrained functions need closed loops: projects to
  // the nearest closed position (least d^T M d).
  Status close(State& state) {
    const double rounding = 1e-12 * model_.characteristic_length();
    if (!model_.has_constraints() || closure_error(model_, state, workspace_).position <= rounding)
      return {};
    return project_position(model_, state, workspace_);
  }
  // Initial pose on the path, with height and tilt of the place unchanged.
  Status begin(State& state) {
    std::ranges::fill(state.v, 0.0);
    Positions seen(model_);
    if (Status status = positions(model_, state, workspace_, seen); !status) return status;
    const Pose<double> X = pose(model_, seen, place_);
    const PlanarMotion to = path_.at(0);
    const double turn = to.yaw - yaw_of(X), c = std::cos(turn), s = std::sin(turn);
    const auto turned = [&](const Vec3<double>& e) {
      return Vec3<double>{c * e.x - s * e.y, s * e.x + c * e.y, e.z};
    };
    const Target target[] = {
        {.place = place_,
         .position = Vec3<double>{to.x, to.y, X.p.z},
         .rotation = Mat3<double>{turned(X.R.x), turned(X.R.y), turned(X.R.z)}}};
    return inverse_kinematics(model_, state, target, workspace_);
  }
  Status rates_of_rollers(const State& state, const std::vector<double>& v, Eigen::VectorXd& out) {
    State moving = state;
    moving.v = v;
    return roller_rates(model_, moving, workspace_, out);
  }
  // Runge-Kutta method of order 4, for positions and roller angles.
  Status step(double time, double over, State& state, Eigen::VectorXd& rollers) {
    std::vector<double> k1, k2, k3, k4;
    State stage = state;
    Eigen::VectorXd turned = Eigen::VectorXd::Zero(rollers.size()), rates;
    const auto evaluate = [&](double at, double weight, std::vector<double>& v) -> Status {
      if (Status status = close(stage); !status) return status;
      if (Status status = velocities(at, stage, v); !status) return status;
      if (rollers.size() == 0) return {};
      if (Status status = rates_of_rollers(stage, v, rates); !status) return status;
      turned += weight * over / 6 * rates;
      return {};
    };
    if (Status status = evaluate(time, 1, k1); !status) return status;
    const auto go = [&](const std::vector<double>& v, double h) {
      std::vector<double> way(v.size());
      std::ranges::transform(v, way.begin(), [&](double x) { return h * x; });
      integrate(model_, state.q, way, stage.q);
    };
    go(k1, over / 2);
    if (Status status = evaluate(time + over / 2, 2, k2); !status) return status;
    go(k2, over / 2);
    if (Status status = evaluate(time + over / 2, 2, k3); !status) return status;
    go(k3, over);
    if (Status status = evaluate(time + over, 1, k4); !status) return status;
    for (std::size_t f = 0; f < k1.size(); ++f) k1[f] = (k1[f] + 2 * k2[f] + 2 * k3[f] + k4[f]) / 6;
    go(k1, over);
    if (Status status = close(stage); !status) return status;
    state.q = stage.q;
    rollers += turned;
    return {};
  }
  struct PathError {
    double x, y, yaw;
  };
  Status path_error(double time, const State& state, PathError& out) {
    Positions seen(model_);
    if (Status status = positions(model_, state, workspace_, seen); !status) return status;
    const Pose<double> X = pose(model_, seen, place_);
    const PlanarMotion to = path_.at(time);
    out = {to.x - X.p.x, to.y - X.p.y, std::remainder(to.yaw - yaw_of(X), 2 * std::numbers::pi)};
    return {};
  }

 private:
  // Locked joints have rates of rounding size in the solution; later steps need exact zeros.
  void rest_locked(std::vector<double>& rates) const {
    for (int f = 0; f < model_.nv(); ++f)
      if (model_.prescription(f) == Drive::locked) rates[std::size_t(f)] = 0;
  }
  Status turn_with_vehicle(const PlanarMotion& to, const State& state, Vec3<double>& along) {
    State still = state;
    std::ranges::fill(still.v, 0.0);
    Positions seen(model_);
    if (Status status = positions(model_, still, workspace_, seen); !status) return status;
    const double turn = yaw_of(pose(model_, seen, place_)) - to.yaw;
    const double c = std::cos(turn), s = std::sin(turn);
    along = {c * along.x - s * along.y, s * along.x + c * along.y, along.z};
    return {};
  }

  const Model& model_;
  FrameRef place_;
  const PlanarPath& path_;
  Workspace& workspace_;
};

}  // namespace

Status follow_path(const Model& model, State& state, const FrameRef& place, const PlanarPath& path,
                   const FollowOptions& options, Workspace& workspace, Trajectory& out) {
  out = {};
  if (!(options.sample > 0) || options.steps < 1)
    return Status::failure(
        fmt::format("follow_path: samples are {} s apart with {} steps in between; give a time "
                    "above 0 and one step or more",
                    options.sample, options.steps));
  if (path.duration() / options.sample > 1e9)
    return Status::failure(
        fmt::format("follow_path: samples every {} s are more than 1e9 on a path of {} s; give a "
                    "longer time",
                    options.sample, path.duration()));
  Follower follower(model, place, path, workspace);
  state.time = 0;
  if (Status status = follower.begin(state); !status) return at_time(0, status);
  out.rollers = roller_names(model);
  Eigen::VectorXd angles = Eigen::VectorXd::Zero(Eigen::Index(out.rollers.size())), rates;
  TightLimits tight;
  const auto samples = long(std::ceil(path.duration() / options.sample - 1e-9));
  for (long k = 0; k <= samples; ++k) {
    const double time = std::min(double(k) * options.sample, path.duration());
    std::vector<double> v, a;
    if (Status status = follower.velocities(time, state, v); !status)
      return cannot_go(time, status);
    state.v = v;
    state.time = time;
    if (Status status = follower.accelerations(time, state, a); !status)
      return cannot_go(time, status);
    out.times.push_back(time);
    out.states.push_back(state);
    out.a.emplace_back(Eigen::Map<const Eigen::VectorXd>(a.data(), model.nv()));
    if (Status status = follower.rates_of_rollers(state, v, rates); !status)
      return at_time(time, status);
    out.roller_rates.push_back(rates);
    if (Status status = roller_accelerations(model, state, {.a = a}, workspace, rates); !status)
      return at_time(time, status);
    out.roller_accelerations.push_back(rates);
    out.roller_angles.push_back(angles);
    if (options.has_efforts) {
      Allocation shared;
      const Status status =
          allocate_efforts(model, state, {.a = a}, workspace, shared, options.allocation);
      if (!status && !(shared.lacking > 0)) return at_time(time, status);
      if (!status) tight.add(time, shared.lacking, status);
      out.efforts.push_back(std::move(shared.efforts));
    }
    Follower::PathError error{};
    if (Status status = follower.path_error(time, state, error); !status) return status;
    out.position_error = std::max(out.position_error, std::hypot(error.x, error.y));
    out.yaw_error = std::max(out.yaw_error, std::abs(error.yaw));
    if (k == samples) break;
    const double next = std::min(double(k + 1) * options.sample, path.duration());
    const double over = (next - time) / options.steps;
    for (int i = 0; i < options.steps; ++i)
      if (Status status = follower.step(time + i * over, over, state, angles); !status)
        return cannot_go(time + i * over, status);
  }
  return tight.status(out.times.size());
}

std::optional<FixedAxle> fixed_axle(const Model& model, const State& state, const FrameRef& place,
                                    Workspace& workspace) {
  State still = state;
  std::ranges::fill(still.v, 0.0);
  Kinematics seen(model);
  if (!kinematics(model, still, {}, workspace, seen)) return std::nullopt;
  const Pose<double> X = pose(model, seen, place);
  for (std::size_t k = 0; k < model.wheels().size(); ++k) {
    const Wheel& wheel = model.wheels()[k];
    const bool stands_fast = std::ranges::any_of(model.joints(), [&](const NamedJoint& joint) {
      return joint.child == wheel.child && joint.parent == place.body;
    });
    if (wheel.kind != Wheel::Kind::conventional || !stands_fast) continue;
    const RollingAt at = evaluate_wheel(model, int(k), seen);
    if (at.is_flat || at.is_lost) continue;
    // direction across the wheel: its axle; along it: the rolling direction
    const Vec3<double>& axle = at.direction[wheel.touches ? 1 : 0];
    const Vec3<double> along = transpose_times(X.R, at.direction[wheel.touches ? 2 : 1]);
    Vec3<double> way = at.contact + dot(axle, X.p - at.contact) * axle - X.p;
    way.z = 0;
    double forward = std::atan2(along.y, along.x);
    if (forward > 0.5 * std::numbers::pi + 1e-9) forward -= std::numbers::pi;
    if (forward < -0.5 * std::numbers::pi + 1e-9) forward += std::numbers::pi;
    return FixedAxle{model.description().wheels[std::size_t(wheel.description)].name,
                     transpose_times(X.R, way), forward};
  }
  return std::nullopt;
}

namespace {

// Throws if the trajectory is of a model of another size.
void expect_of_model(const Model& model, const Trajectory& trajectory) {
  const State& state = trajectory.states.front();
  const DriveEfforts& efforts = trajectory.efforts.front();
  if (int(state.q.size()) == model.nq() && int(efforts.tau.size()) == model.nv() &&
      int(efforts.loop_tau.size()) == model.loop_nv())
    return;
  throw std::invalid_argument(
      fmt::format("replay_efforts: the trajectory is of another model: nq = {}, nv = {}, the model "
                  "has nq = {} and nv = {}",
                  state.q.size(), efforts.tau.size(), model.nq(), model.nv()));
}

}  // namespace

Status replay_efforts(const Model& model, const FrameRef& place, const PlanarPath& path,
                      const Trajectory& trajectory, RunOptions run, Workspace& workspace,
                      TrackingErrors& out) {
  out = {};
  if (trajectory.efforts.size() != trajectory.times.size() || trajectory.times.size() < 2)
    return Status::failure(
        "replay_efforts: the trajectory has no efforts; follow the path with has_efforts");
  expect_of_model(model, trajectory);
  // only the efforts of the trajectory act: inputs of the model would be added to them
  SimulationInputs run_inputs(model, DescribedParts::motors);
  const auto history = [&](auto&& of_sample) {
    std::vector<double> values;
    for (const DriveEfforts& efforts : trajectory.efforts) values.push_back(of_sample(efforts));
    return Signal::spline(trajectory.times, values);
  };
  const auto is_driven = [&](auto&& of_sample) {
    return std::ranges::any_of(trajectory.efforts,
                               [&](const auto& e) { return of_sample(e) != 0; });
  };
  for (int f = 0; f < model.nv(); ++f) {
    const auto effort = [f](const DriveEfforts& e) { return e.tau[f]; };
    // efforts of prescribed and locked joints are results, not inputs
    if (is_driven(effort) && !model.is_prescribed(f)) run_inputs.add_effort(f, history(effort));
  }
  for (int f = 0; f < model.loop_nv(); ++f) {
    const auto effort = [f](const DriveEfforts& e) { return e.loop_tau[f]; };
    const Drive drive = model.closure_drive(f);
    if (is_driven(effort) && drive != Drive::motion && drive != Drive::locked)
      run_inputs.add_loop_effort(f, history(effort));
  }
  // joints driven by motion follow their positions in the trajectory
  for (const NamedJoint& joint : model.joints())
    if (joint.role == NamedJoint::Role::tree && joint.nq == joint.nv)
      for (int k = 0; k < joint.nv; ++k) {
        if (model.prescription(joint.v_start + k) != Drive::motion) continue;
        std::vector<double> q;
        for (const State& at : trajectory.states) q.push_back(at.q[std::size_t(joint.q_start + k)]);
        run_inputs.prescribe(joint.v_start + k, Signal::spline(trajectory.times, q));
      }

  Follower follower(model, place, path, workspace);
  State state = trajectory.states.front();
  run.duration = path.duration();
  run.sample = trajectory.times[1] - trajectory.times[0];
  out.most_position = out.most_velocity = Eigen::VectorXd::Zero(model.nv());
  Workspace own(model);
  const Observer observer = [&](const State& now) -> Status {
    auto k = std::size_t(std::lround(now.time / run.sample));
    // the last interval may be shorter than the others
    const std::size_t last = trajectory.times.size() - 1;
    if (k >= last || std::abs(trajectory.times[k] - now.time) > 1e-9) k = last;
    if (std::abs(trajectory.times[k] - now.time) > 1e-9) return {};
    Follower::PathError error{};
    if (Status status = Follower(model, place, path, own).path_error(now.time, now, error); !status)
      return status;
    out.times.push_back(now.time);
    out.x.push_back(error.x), out.y.push_back(error.y), out.yaw.push_back(error.yaw);
    std::vector<double> way(std::size_t(model.nv()));
    difference(model, now.q, trajectory.states[k].q, way);
    out.position.emplace_back(Eigen::Map<const Eigen::VectorXd>(way.data(), model.nv()));
    Eigen::VectorXd rates(model.nv());
    for (Eigen::Index f = 0; f < rates.size(); ++f)
      rates[f] = trajectory.states[k].v[std::size_t(f)] - now.v[std::size_t(f)];
    out.velocity.push_back(rates);
    out.most_x = std::max(out.most_x, std::abs(error.x));
    out.most_y = std::max(out.most_y, std::abs(error.y));
    out.most_yaw = std::max(out.most_yaw, std::abs(error.yaw));
    out.most_position = out.most_position.cwiseMax(out.position.back().cwiseAbs());
    out.most_velocity = out.most_velocity.cwiseMax(rates.cwiseAbs());
    out.states.push_back(now);
    return {};
  };
  RunStatistics statistics;
  return simulate(model, state, run_inputs, run, workspace, observer, statistics);
}

}  // namespace trammel
