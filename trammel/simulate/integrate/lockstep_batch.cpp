#include "trammel/simulate/integrate/lockstep_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trammel/constraint/solver/freeze_rank.hpp"
#include "trammel/constraint/system/manifold_dynamics.hpp"
#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

std::span<const double> column(const Eigen::MatrixXd& m, int k) {
  return {m.data() + k * m.rows(), std::size_t(m.rows())};
}
std::span<double> column(Eigen::MatrixXd& m, int k) {
  return {m.data() + k * m.rows(), std::size_t(m.rows())};
}
bool is_set(char flag) { return flag != 0; }

}  // namespace

LockstepBatch::LockstepBatch(const Model& model, const SimulationInputs& run_inputs,
                             void* lanes_workspace, int runs)
    : model_(model),
      run_inputs_(run_inputs),
      lanes_workspace_(lanes_workspace),
      workspace_(model),
      ode_(model, run_inputs, workspace_),
      nv_(model.nv()),
      is_flat_(model.quaternion_starts().empty() && !model.has_constraints()),
      acting_(model),
      y_(ode_.size(), runs),
      q_(model.nq(), runs),
      v_(nv_, runs),
      tau_(nv_, runs),
      a_(nv_, runs) {
  const Inputs inputs = run_inputs.inputs(acting_);
  // rows of wheels and curves are evaluated for one state at a time
  by_lanes_ = model.wheels().empty() && model.frame_constraints().empty() &&
              !model.has_restricted_joints() && !model.has_prescribed_joints() &&
              !model.has_force_elements() && !run_inputs.pulls() && inputs.loop_tau.empty() &&
              inputs.loop_a.empty();
  // as simulate() at its default tolerance
  const double slack = 10 * RunOptions().relative;
  if (model.has_loops())
    for (int run = 0; run < runs; ++run) watches_.emplace_back(slack);
  at_.resize(watches_.size());
}

void LockstepBatch::begin(const double* q, const double* v, int runs) {
  runs_ = runs;
  time_ = 0;
  y_.setZero(ode_.size(), runs);
  y_.topRows(ode_.nq()) = Eigen::Map<const Columns>(q, ode_.nq(), runs);
  y_.middleRows(ode_.nq(), nv_) = Eigen::Map<const Columns>(v, nv_, runs);
  for (int run = 0; run < runs && run_inputs_.nz() > 0; ++run) {
    State start;
    start.q.assign(y_.col(run).begin(), y_.col(run).begin() + ode_.nq());
    start.v.assign(y_.col(run).begin() + ode_.nq(), y_.col(run).begin() + ode_.nq() + nv_);
    run_inputs_.begin(start);
    ode_.pack(start, column(y_, run));
  }
  next_ = stage_ = y_;
  for (Columns& k : stages_) k.setZero(ode_.size(), runs);
  for (Columns* x : {&v_, &tau_, &a_}) x->setZero(nv_, runs);
  q_.resize(ode_.nq(), runs);
  is_sure_.resize(std::size_t(runs));
  is_open_.assign(std::size_t(runs), 0);
  has_y_dot_ = false;
  stopped_.assign(std::size_t(runs), "");
  is_near_.assign(std::size_t(runs), 0);
  settle({0, 0, 0, false});
}

void LockstepBatch::stop(int run, const std::string& why) {
  std::string& description = stopped_[std::size_t(run)];
  if (description.empty()) description = fmt::format("stopped at t = {:.9g} s: {}", time_, why);
}

void LockstepBatch::look_ahead(double h) {
  if (watches_.empty()) return;
  for (int run = 0; run < runs_; ++run) {
    const auto k = std::size_t(run);
    if (!stopped_[k].empty() || !watches_[k].nears_singular_pose(at_[k], h)) continue;
    is_near_[k] = 1;
    stop(run, "a singular pose is near");
  }
}

void LockstepBatch::check_step(int run, double begin) {
  if (watches_.empty()) return;
  const auto k = std::size_t(run);
  if (state_.time == begin) {  // start of the run
    watches_[k].enter(model_, state_, generic_rank(model_, workspace_), false,
                      generic_rows(model_, workspace_));
  } else {
    std::vector<double> y(std::size_t(ode_.size()));
    // only the existence of a rank change matters: linear interpolation with projection
    const auto between = [&](double part, State& out) {
      Eigen::Map<Eigen::VectorXd>(y.data(), ode_.size()) =
          y_.col(run) + part * (next_.col(run) - y_.col(run));
      return ode_.unpack(begin + part * (state_.time - begin), y, out);
    };
    std::vector<EventRecord> found;
    watches_[k].check_step({at_[k], state_, between}, found);
    if (!found.empty()) {
      is_near_[k] = 1;
      stop(run, "a singular pose was passed");
    }
  }
  at_[k] = state_;
}

void LockstepBatch::rhs_alone(int run, double time, const Columns& y, Columns& y_dot) {
  ode_.set_open(is_open_[std::size_t(run)] != 0);
  if (const Status status = ode_.rhs(time, column(y, run), column(y_dot, run)); !status.ok()) {
    stop(run, status.message());
    y_dot.col(run).setZero();
  }
}

void LockstepBatch::rhs(double time, const Columns& y, Columns& y_dot) {
  if (by_lanes_) return rhs_by_lanes(time, y, y_dot);
  for (int run = 0; run < runs_; ++run) rhs_alone(run, time, y, y_dot);
}

void LockstepBatch::rhs_by_lanes(double time, const Columns& y, Columns& y_dot) {
  const int nq = ode_.nq();
  const bool acts = !run_inputs_.are_idle();
  // projected state and inputs of each run
  if (is_flat_ && !acts) {
    q_ = y.topRows(nq);
    v_ = y.middleRows(nq, nv_);
  } else {
    const double at = std::min(time, ode_.horizon());
    project(at, y, Projection::stage);
    for (int run = 0; run < runs_ && acts; ++run) {
      if (!stopped_[std::size_t(run)].empty()) continue;
      load_projected(run, at, y);
      run_inputs_.evaluate(state_, acting_);
      std::ranges::copy(acting_.tau, column(tau_, run).begin());
      run_inputs_.remember(state_, acting_, column(y_dot, run).subspan(std::size_t(nq + nv_)));
    }
  }
  // a stopped run keeps its state with zero velocity, so that kernels see finite values in its lane
  for (int run = 0; run < runs_; ++run)
    if (!stopped_[std::size_t(run)].empty()) {
      q_.col(run) = y_.col(run).head(nq);
      v_.col(run).setZero();
    }
  const kernel::Batch batch{model_, model_.numbers(), runs_, q_.data(), v_.data()};
  bool are_sure = true;
  if (std::ranges::any_of(is_open_, is_set)) {
    dynamics_off_manifold_batch(batch, tau_.data(), workspace_, a_.data(), is_sure_);
  } else if (workspace_->constrained) {
    workspace_->constrained->forward_dynamics_batch(batch, tau_.data(), workspace_, a_.data(),
                                                    is_sure_);
  } else {
    are_sure = kernel::kernels()
                   .forward_dynamics_batch(batch, tau_.data(), lanes_workspace_, a_.data())
                   .weak_state == kernel::BatchPivots::none;
    std::ranges::fill(is_sure_, char(are_sure));
  }
  y_dot.middleRows(nq, nv_) = a_;
  if (nq == nv_)
    y_dot.topRows(nq) = v_;
  else
    for (int run = 0; run < runs_; ++run)
      rate(model_, column(q_, run), column(v_, run), column(y_dot, run).first(std::size_t(nq)));
  for (int run = 0; run < runs_; ++run)
    if (!is_sure_[std::size_t(run)] && stopped_[std::size_t(run)].empty())
      rhs_alone(run, time, y, y_dot);
}

// Projects the states of y to q_ and v_, side by side in SIMD lanes where the constraints allow it,
// else one by one; not open stages. Runs that cannot be projected stop.
void LockstepBatch::project(double time, const Columns& y, Projection at) {
  const auto load = [&](int run) {
    ode_.load_unprojected(time, column(y, run), state_);
    std::ranges::copy(state_.q, column(q_, run).begin());
    std::ranges::copy(state_.v, column(v_, run).begin());
  };
  for (int run = 0; run < runs_; ++run) {
    if (stopped_[std::size_t(run)].empty()) {
      load(run);
    } else {
      q_.col(run) = y_.col(run).head(ode_.nq());
      v_.col(run).setZero();
    }
  }
  const bool is_stage = at == Projection::stage;
  if (!workspace_->constrained || (is_stage && std::ranges::all_of(is_open_, is_set))) return;
  workspace_->constrained->project_to_manifold_batch(
      model_, runs_, q_.data(), v_.data(),
      is_stage ? ode_.stage_tolerance() : OdeSystem::end_tolerance, workspace_, is_sure_);
  for (int run = 0; run < runs_; ++run) {
    const auto k = std::size_t(run);
    if (!stopped_[k].empty()) continue;
    if (is_stage && is_open_[k]) load(run);
    if (is_sure_[k] || (is_stage && is_open_[k])) continue;
    const Status status = is_stage ? ode_.projected_state(time, column(y, run), state_)
                                   : ode_.unpack(time, column(y, run), state_);
    if (!status.ok()) {
      stop(run, status.message());
      continue;
    }
    std::ranges::copy(state_.q, column(q_, run).begin());
    std::ranges::copy(state_.v, column(v_, run).begin());
  }
}

void LockstepBatch::load_projected(int run, double time, const Columns& y) {
  ode_.load_unprojected(time, column(y, run), state_);
  std::ranges::copy(column(std::as_const(q_), run), state_.q.begin());
  std::ranges::copy(column(std::as_const(v_), run), state_.v.begin());
}

// Projects the new states onto the constraint manifold; runs that fail keep the state before the
// step.
void LockstepBatch::settle(const FixedStep& step) {
  const auto goes_on = [&](int run) { return stopped_[std::size_t(run)].empty(); };
  for (int run = 0; run < runs_; ++run)
    if (goes_on(run) && !next_.col(run).allFinite())
      stop(run, "the solution diverges: shorter steps may help");
  if (!is_flat_ && by_lanes_) project(step.end, next_, Projection::end_of_step);
  for (int run = 0; run < runs_; ++run) {
    if (goes_on(run) && (!is_flat_ || !by_lanes_)) {
      Status status;
      if (by_lanes_) {
        load_projected(run, step.end, next_);
        ode_.count_revolutions(state_);
      } else {
        status = ode_.unpack(step.end, column(next_, run), state_);
      }
      if (!status.ok()) {
        stop(run, status.message());
      } else {
        ode_.pack(state_, column(next_, run));
        check_step(run, step.time);
      }
    }
    if (!goes_on(run)) next_.col(run) = y_.col(run);
  }
  std::swap(y_, next_);
  time_ = step.end;
}

// As in simulate(): open stages, and with them the derivative at the end before its projection,
// except at breakpoints, where inputs may jump.
void LockstepBatch::step_rk4(const FixedStep& step) {
  using OpenStages = OdeSystem::OpenStages;
  ode_.set_horizon(step.horizon);
  ode_.let_stages_be(model_.has_loops()        ? OpenStages::in_short_steps
                     : model_.wheels().empty() ? OpenStages::never
                                               : OpenStages::always);
  const double h = step.end - step.time;
  look_ahead(h);
  auto& [k1, k2, k3, k4, k5] = stages_;
  if (!has_y_dot_) rhs(step.time, y_, k1);
  for (int run = 0; run < runs_; ++run)
    is_open_[std::size_t(run)] = ode_.is_open_in_step(h, column(k1, run));
  stage_ = y_ + h / 2 * k1;
  rhs(step.time + h / 2, stage_, k2);
  stage_ = y_ + h / 2 * k2;
  rhs(step.time + h / 2, stage_, k3);
  stage_ = y_ + h * k3;
  rhs(step.time + h, stage_, k4);
  next_ = y_ + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  has_y_dot_ = step.end <= step.horizon && std::ranges::any_of(is_open_, is_set);
  if (has_y_dot_) rhs(step.end, next_, k5);
  settle(step);
  if (has_y_dot_) k1.swap(k5);
}

void LockstepBatch::step_semi_implicit_euler(const FixedStep& step) {
  ode_.set_horizon(step.horizon);
  ode_.let_stages_be(OdeSystem::OpenStages::never);
  const double h = step.end - step.time;
  look_ahead(h);
  const int nq = ode_.nq();
  Columns& k = stages_[0];
  rhs(step.time, y_, k);
  next_ = y_ + h * k;
  // positions with the new velocities
  next_.topRows(nq) = y_.topRows(nq);
  for (int run = 0; run < runs_; ++run) ode_.rate(column(next_, run), column(k, run));
  next_.topRows(nq) += h * k.topRows(nq);
  settle(step);
}

}  // namespace trammel
