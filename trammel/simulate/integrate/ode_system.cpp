#include "trammel/simulate/integrate/ode_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "trammel/constraint/system/manifold_dynamics.hpp"
#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Bound of all entries; its square is still finite.
constexpr double unbounded = 1e100;
// Displacement in a step [rad, characteristic lengths] up to which it is short: constraints are
// violated by about an eighth of its square at the stages of a Runge-Kutta method.
constexpr double short_step = 0.05;

void normalize(const Model& model, std::span<double> q) {
  for (const int start : model.quaternion_starts()) {
    double* const w = &q[std::size_t(start)];
    const double length = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
    for (int k = 0; k < 4; ++k) w[k] /= length;
  }
}

}  // namespace

OdeSystem::OdeSystem(const Model& model, const SimulationInputs& run_inputs, Workspace& workspace)
    : model_(model),
      run_inputs_(run_inputs),
      workspace_(workspace),
      nq_(model.nq()),
      nv_(model.nv()),
      nz_(run_inputs.nz()),
      horizon_(std::numeric_limits<double>::infinity()),
      state_(neutral_state(model)),
      acting_(model),
      q_(std::size_t(nq_)),
      other_q_(std::size_t(nq_)),
      apart_(std::size_t(nv_)),
      scale_(std::size_t(nv_), 1.0),
      has_loads_(std::ranges::any_of(model.wheels(), &Wheel::touches)) {
  state_.z.resize(std::size_t(nz_));
  Positions positions(model);
  kernel::kernels().positions({model, model.numbers()}, state_.q, *workspace, positions);
  for (std::size_t f = 0; f < scale_.size(); ++f) {
    const Vec3<double>& w = positions.axes[f].angular;
    if (dot(w, w) < 0.25) scale_[f] = model.characteristic_length();
  }
  // of a coordinate: its change when every dof moves by its scale; zero for the w of a quaternion
  trammel::rate(model, state_.q, scale_, q_);
  for (const double q_dot : q_) unit_.push_back(q_dot != 0 ? std::abs(q_dot) : 0.5);
  unit_.insert(unit_.end(), scale_.begin(), scale_.end());
  unit_.resize(std::size_t(size()), 1.0);
}

void OdeSystem::pack(const State& state, std::span<double> y) const {
  auto out = std::ranges::copy(state.q, y.begin()).out;
  out = std::ranges::copy(state.v, out).out;
  std::ranges::copy(state.z, out);
}

void OdeSystem::load(double time, std::span<const double> y, State& state) const {
  state.time = time;
  state.q.assign(y.begin(), y.begin() + nq_);
  state.v.assign(y.begin() + nq_, y.begin() + nq_ + nv_);
  state.z.assign(y.begin() + nq_ + nv_, y.end());
}

void OdeSystem::stop_locked_joints(State& state) const {
  if (!model_.has_prescribed_joints()) return;
  for (int f = 0; f < nv_; ++f)  // exactly: a locked joint does not move at all
    if (model_.prescription(f) == Drive::locked) state.v[std::size_t(f)] = 0;
}

void OdeSystem::follow(State& state) const {
  normalize(model_, state.q);
  run_inputs_.follow(state.time, state.q, state.v);
  stop_locked_joints(state);
}

Status OdeSystem::settle(State& state, double violation) {
  follow(state);
  is_interpolated_ = false;
  if (!workspace_->constrained) return {};
  if (crossing_ != nullptr) [[unlikely]] {
    is_interpolated_ = crossing_->project(state, workspace_, [this](State& node) {
      follow(node);
      return close(node, end_tolerance);
    });
    if (is_interpolated_) {
      stop_locked_joints(state);
      return {};
    }
  }
  return close(state, violation);
}

Status OdeSystem::close(State& state, double violation) {
  const Status status = workspace_->constrained->project_to_manifold(
      model_, state, workspace_, violation,
      run_inputs_.prescribed_loop_motion(state.time, acting_));
  stop_locked_joints(state);
  return status;
}

Status OdeSystem::unpack(double time, std::span<const double> y, State& state) {
  load(time, y, state);
  const Status status = settle(state, end_tolerance);
  if (status.ok()) count_revolutions(state);
  return status;
}

void OdeSystem::load_unprojected(double time, std::span<const double> y, State& state) const {
  load(time, y, state);
  follow(state);
}

Status OdeSystem::projected_state(double time, std::span<const double> y, State& state) {
  load(std::min(time, horizon_), y, state);
  return settle(state, projection_tolerance_);
}

Status OdeSystem::rhs(double time, std::span<const double> y, std::span<double> y_dot) {
  ++evaluations_;
  // a diverged y is the reason of any other failure
  const auto because = [&](const Status& status) {
    const Status bounded = expect_bounded(y);
    return bounded ? status : bounded;
  };
  const std::span<double> a = y_dot.subspan(std::size_t(nq_), std::size_t(nv_));
  if (!is_open() || !rhs_where_it_is(time, y, a)) {
    if (Status status = projected_state(time, y, state_); !status) return because(status);
    run_inputs_.evaluate(state_, acting_);
    if (Status status = is_interpolated_ ? interpolate_accelerations(a) : accelerations(state_, a);
        !status)
      return because(status);
  }
  if (has_loads_) note_loads();
  trammel::rate(model_, state_.q, state_.v, y_dot.first(std::size_t(nq_)));
  const std::span<double> z_dot = y_dot.subspan(std::size_t(nq_ + nv_));
  if (model_.nz() > 0) {
    kernel::kernels().kinematics({model_, model_.numbers()}, state_.q, state_.v, workspace_->zero,
                                 *workspace_, workspace_->kinematics);
    element_state_rates<double>(model_, workspace_->kinematics, state_.z, z_dot);
  }
  run_inputs_.remember(state_, acting_, z_dot);
  return {};
}

bool OdeSystem::is_open_in_step(double h, std::span<const double> y_dot) const {
  if (open_stages_ != OpenStages::in_short_steps) return open_stages_ == OpenStages::always;
  double farthest = 0;  // at constant velocity, and by the acceleration
  for (int k = 0; k < nq_; ++k)
    farthest = std::max(farthest, std::abs(h * y_dot[std::size_t(k)]) / unit(k));
  for (int f = 0; f < nv_; ++f)
    farthest =
        std::max(farthest, std::abs(0.5 * h * h * y_dot[std::size_t(nq_ + f)]) / unit(nq_ + f));
  return farthest <= short_step;
}

void OdeSystem::note_loads() {
  wheel_multipliers_of_last_dynamics(workspace_, multipliers_);
  multipliers_.are_known &= !is_interpolated_;
  load_range_.add(multipliers_);
}

bool OdeSystem::wheel_loads(std::vector<WheelLoad>& out) {
  return has_loads_ && wheel_loads_of_last_dynamics(model_, workspace_, multipliers_, out);
}

std::optional<double> OdeSystem::leave_crossing(double time, std::span<const double> y,
                                                std::span<double> node) {
  if (crossing_ == nullptr || !projected_state(time, y, state_).ok() || !is_interpolated_)
    return {};
  const State& nearest = crossing_->nodes()[SingularCrossing::count / 2 - 1];
  pack(nearest, node);
  return nearest.time;
}

Status OdeSystem::accelerations(const State& state, std::span<double> a) {
  const Inputs inputs = run_inputs_.inputs(acting_);
  return workspace_->constrained ? dynamics_on_manifold(model_, state, inputs, workspace_, a)
                                 : forward_dynamics(model_, state, inputs, workspace_, a);
}

Status OdeSystem::interpolate_accelerations(std::span<double> a) {
  node_a_.resize(a.size());
  first_node_a_.resize(a.size());
  const std::span<const State> nodes = crossing_->nodes();
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const State& node = nodes[k];
    // inputs are those of the state, so they are smooth along the nodes whatever they depend on;
    // only with prescribed motions each node has its own time
    if (node.time != state_.time) run_inputs_.evaluate(node, acting_);
    if (Status status = accelerations(node, node_a_); !status) return status;
    if (k == 0) {
      first_node_a_ = node_a_;
      std::ranges::copy(node_a_, a.begin());
    }
    for (std::size_t f = 0; f < a.size(); ++f)
      a[f] += crossing_->weights(f)[k] * (node_a_[f] - first_node_a_[f]);
  }
  run_inputs_.evaluate(state_, acting_);
  return {};
}

bool OdeSystem::rhs_where_it_is(double time, std::span<const double> y, std::span<double> a) {
  load(std::min(time, horizon_), y, state_);
  follow(state_);
  is_interpolated_ = false;
  run_inputs_.evaluate(state_, acting_);
  return dynamics_off_manifold(model_, state_, run_inputs_.inputs(acting_), workspace_, a);
}

void OdeSystem::rate(std::span<const double> y, std::span<double> q_dot) {
  std::copy_n(y.begin(), nq_, q_.begin());
  normalize(model_, q_);
  trammel::rate(model_, q_, y.subspan(std::size_t(nq_), std::size_t(nv_)),
                q_dot.first(std::size_t(nq_)));
}

double OdeSystem::distance(std::span<const double> y, std::span<const double> other,
                           Tolerance tolerance) {
  std::copy_n(y.begin(), nq_, q_.begin());
  std::copy_n(other.begin(), nq_, other_q_.begin());
  normalize(model_, q_);
  normalize(model_, other_q_);
  difference(model_, q_, other_q_, apart_);
  double farthest = 0;
  const auto add_error = [&](int k, double miss, double allowed) {
    const double x = std::abs(miss) / allowed;
    if (!(x <= farthest) && !std::isnan(farthest)) {  // NaN counts as the largest
      farthest = x;
      farthest_ = k;
    }
  };
  const auto& [relative, absolute] = tolerance;
  for (int f = 0; f < nv_; ++f)
    add_error(f, apart_[std::size_t(f)], (relative + absolute) * scale_[std::size_t(f)]);
  for (int k = nq_; k < size(); ++k) {
    const double a = y[std::size_t(k)], b = other[std::size_t(k)];
    const double unit = k < nq_ + nv_ ? scale_[std::size_t(k - nq_)] : 1.0;
    add_error(k - nq_ + nv_, a - b,
              absolute * unit + relative * std::max(std::abs(a), std::abs(b)));
  }
  return farthest;
}

double OdeSystem::distance_on_manifold(double time, std::span<const double> y,
                                       std::span<const double> other, Tolerance tolerance) {
  if (!workspace_->constrained || model_.has_prescribed_joints())
    return distance(y, other, tolerance);
  if (!projected_state(time, y, state_).ok()) return std::numeric_limits<double>::infinity();
  std::copy_n(y.begin(), nq_, q_.begin());
  std::copy_n(other.begin(), nq_, other_q_.begin());
  normalize(model_, q_);
  normalize(model_, other_q_);
  difference(model_, q_, other_q_, apart_);
  const auto nv = std::size_t(nv_);
  // differences are tangent vectors like velocities and are projected in the same way
  const auto project = [&](const State& at, std::span<const double> x, std::vector<double>& out) {
    State there = at;
    there.v.assign(x.begin(), x.end());
    const bool ok =
        workspace_->constrained->project_to_manifold(model_, there, workspace_, end_tolerance, {})
            .ok();
    out = std::move(there.v);
    return ok;
  };
  const bool is_interpolated = is_interpolated_;
  std::vector<double> of_node;
  const auto on_manifold = [&](std::span<const double> x, std::vector<double>& out) {
    if (!is_interpolated) return project(state_, x, out);
    std::vector<double> first;
    for (std::size_t k = 0; k < SingularCrossing::count; ++k) {
      if (!project(crossing_->nodes()[k], x, of_node)) return false;
      if (k == 0) first = out = of_node;
      for (std::size_t f = 0; f < nv; ++f)
        out[f] += crossing_->weights(f)[k] * (of_node[f] - first[f]);
    }
    return true;
  };
  std::vector<double> dv(nv), moved, changed;
  for (std::size_t f = 0; f < nv; ++f)
    dv[f] = other[std::size_t(nq_) + f] - y[std::size_t(nq_) + f];
  if (!on_manifold(apart_, moved) || !on_manifold(dv, changed))
    return std::numeric_limits<double>::infinity();
  // as in distance(), from y to y plus the projected difference
  std::vector<double> left(other.begin(), other.end());
  std::vector<double> q(q_);
  integrate(model_, q, moved, {left.data(), std::size_t(nq_)});
  for (std::size_t f = 0; f < nv; ++f)
    left[std::size_t(nq_) + f] = y[std::size_t(nq_) + f] + changed[f];
  return distance(y, left, tolerance);
}

double OdeSystem::allowed(int k, double value, Tolerance tolerance) const {
  const auto& [relative, absolute] = tolerance;
  if (k < nq_) return (relative + absolute) * unit(k);
  return absolute * unit(k) + relative * std::abs(value);
}

std::string OdeSystem::name_of(int k) const {
  if (k < nv_) return fmt::format("the position of joint '{}'", model_.dof_name(k));
  if (k < 2 * nv_) return fmt::format("the velocity of joint '{}'", model_.dof_name(k - nv_));
  return fmt::format("z[{}] of a {}", k - 2 * nv_,
                     k - 2 * nv_ < model_.nz() ? "force element" : "controller or loop joint");
}

Status OdeSystem::expect_bounded(std::span<const double> y) const {
  const auto is_bounded = [](double x) { return std::abs(x) < unbounded; };
  if (std::ranges::all_of(y, is_bounded)) return {};
  const auto blown_up = [](const std::string& what, double x) {
    return Status::failure(fmt::format(
        "the solution diverges: {} is {:.3g}; check what drives it (the sign of a gain, a damping "
        "below 0), or take shorter steps",
        what, x));
  };
  for (int f = 0; f < nv_; ++f)  // velocities diverge first
    if (const double v = y[std::size_t(nq_ + f)]; !is_bounded(v))
      return blown_up(name_of(nv_ + f), v);
  for (int k = nq_ + nv_; k < size(); ++k)
    if (const double z = y[std::size_t(k)]; !is_bounded(z))
      return blown_up(name_of(k - nq_ + nv_), z);
  const auto q = std::ranges::find_if_not(y, is_bounded);
  return blown_up(fmt::format("the position '{}'", model_.coordinate_name(int(q - y.begin()))), *q);
}

}  // namespace trammel
