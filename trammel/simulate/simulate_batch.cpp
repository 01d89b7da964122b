#include "trammel/simulate/simulate_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "trammel/constraint/assembly/start_velocities.hpp"
#include "trammel/dynamics/belongs.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/simulate/checks/interruption.hpp"
#include "trammel/simulate/checks/run_checks.hpp"
#include "trammel/simulate/events/event_log.hpp"
#include "trammel/simulate/integrate/lockstep_batch.hpp"

namespace trammel {

namespace {

constexpr const char* context = "simulate_batch";
constexpr double most_steps = 1e8;  // as RunOptions::most_steps

// Ends all runs of a batch, on any thread. The caller's function is called by worker 0 alone, which
// is the caller's thread.
class BatchInterruption {
 public:
  explicit BatchInterruption(const BatchRunOptions& options)
      : options_(options), begin_(std::chrono::steady_clock::now()) {}

  // To be called after each step of a worker: whether the runs continue.
  bool goes_on(int worker) {
    if (is_over_) return false;
    if (is_over(options_.wall_limit, begin_)) end(wall_limit_reached(options_.wall_limit));
    if (worker == 0 && options_.interrupt)
      if (const Status status = options_.interrupt(); !status) end(status.message());
    return !is_over_;
  }
  void end(std::string why) {
    const std::lock_guard lock(mutex_);
    if (!is_over_) why_ = std::move(why);
    is_over_ = true;
  }
  std::string stopped_at(double time) {
    const std::lock_guard lock(mutex_);
    return fmt::format("was interrupted at t = {:.9g} s: {}", time, why_);
  }

 private:
  const BatchRunOptions& options_;
  std::chrono::steady_clock::time_point begin_;
  std::atomic<bool> is_over_ = false;
  std::mutex mutex_;
  std::string why_;
};

Status check(const BatchRunOptions& options) {
  const auto wrong = [](const std::string& what) {
    return Status::failure(fmt::format("{}: {}", context, what));
  };
  if (!(options.duration > 0) || !std::isfinite(options.duration))
    return wrong(fmt::format("the duration is {} s: give a time above 0", options.duration));
  if (!(options.step > 0) || !std::isfinite(options.step))
    return wrong(fmt::format("the step is {} s: give a time above 0", options.step));
  if (!(options.sample >= 0) || !std::isfinite(options.sample))
    return wrong(fmt::format("samples are {} s apart: give a time above 0", options.sample));
  if (options.method != Method::rk4 && options.method != Method::semi_implicit_euler)
    return wrong(
        fmt::format("the method {} chooses its steps, and runs side by side take the same: take "
                    "rk4 or semi-implicit-euler",
                    to_string(options.method)));
  for (const auto& [what, time] :
       {std::pair("the step is", options.step), std::pair("the sample time is", options.sample)})
    if (Status status = check_step(what, time, 0, options.duration, most_steps); !status)
      return wrong(status.message());
  if (Status status = check_wall_limit(options.wall_limit); !status) return wrong(status.message());
  return {};
}

Status check(const Model& model, const States& starts) {
  const auto wrong = [](std::ptrdiff_t run, const std::string& what) {
    return Status::failure(fmt::format("{}: run {} starts where {}", context, run, what));
  };
  for (std::ptrdiff_t run = 0; run < starts.q.cols(); ++run) {
    for (int k = 0; k < model.nq(); ++k)
      if (!std::isfinite(starts.q(k, run)))
        return wrong(run, fmt::format("q[{}], of joint '{}', is {}: give it a finite number", k,
                                      model.coordinate_name(k), starts.q(k, run)));
    for (int k = 0; k < model.nv(); ++k)
      if (!std::isfinite(starts.v(k, run)))
        return wrong(run, fmt::format("v[{}], of joint '{}', is {}: give it a finite number", k,
                                      model.dof_name(k), starts.v(k, run)));
    for (const int start : model.quaternion_starts())
      if (const double length = starts.q.col(run).segment<4>(start).norm();
          std::abs(length - 1) > 1e-8)
        return wrong(run, fmt::format("the quaternion of joint '{}' has length {:.9g}: it must be "
                                      "1, divide it by its length",
                                      quaternion_joint(model, start), length));
    if (const std::string fault = position_fault(model, starts.q.col(run).data()); !fault.empty())
      return wrong(run, fault);
  }
  return {};
}

Status check_velocities(const Model& model, const States& starts) {
  if (!model.has_constraints() || starts.v.isZero(0)) return {};
  Workspace workspace(model);
  State state = neutral_state(model);
  for (std::ptrdiff_t run = 0; run < starts.q.cols(); ++run) {
    state.q.assign(starts.q.col(run).begin(), starts.q.col(run).end());
    state.v.assign(starts.v.col(run).begin(), starts.v.col(run).end());
    if (Status status = check_start_velocities(model, state, workspace); !status)
      return Status::failure(fmt::format("{}: of run {} {}", context, run, status.message()));
  }
  return {};
}

// A single run by simulate(), if events and stops cut its steps, or if a singular pose is crossed.
void follow_alone(const Model& model, const SimulationInputs& run_inputs,
                  const BatchRunOptions& options, int run, State state, Workspace& workspace,
                  const StepObserver& each_step, BatchMotion& out) {
  const auto keep = [&](std::size_t k, const State& seen) {
    out.q[k].col(run) = Eigen::Map<const Eigen::VectorXd>(seen.q.data(), model.nq());
    out.v[k].col(run) = Eigen::Map<const Eigen::VectorXd>(seen.v.data(), model.nv());
  };
  std::size_t samples = 0;
  RunStatistics statistics;
  const Status status = simulate(
      model, state, run_inputs,
      {.duration = options.duration,
       .method = options.method,
       .step = options.step,
       .sample = options.sample > 0 ? options.sample : options.duration,
       .each_step = each_step},
      workspace,
      [&](const RunSnapshot& snapshot) {
        // a run ended by an event has its last sample there
        if (samples < out.times.size() &&
            snapshot.state.time > out.times[samples] - 1e-9 * options.step)
          keep(samples++, snapshot.state);
        return Status();
      },
      statistics);
  for (; samples < out.times.size(); ++samples)
    keep(samples, state);  // stays constant after its
                           // end
  std::string& stopped = out.stopped[std::size_t(run)];
  stopped.clear();
  if (!status.ok())
    stopped = status.message();
  else if (statistics.end < options.duration)
    stopped = fmt::format("was ended by an event at t = {:.9g} s", statistics.end);
  out.events[std::size_t(run)] = std::move(statistics.events);
}

// An exception in a user function or in the caller's interrupt, on any thread, ends the other runs
// and is rethrown in the caller's thread.
class Thrown {
 public:
  explicit Thrown(BatchInterruption& others) : others_(others) {}
  template <class Work> void guard(const Work& work) {
    try {
      work();
    } catch (...) {
      others_.end("another run failed");
      const std::lock_guard lock(mutex_);
      if (!first_) first_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  BatchInterruption& others_;
  std::mutex mutex_;
  std::exception_ptr first_;
};

// Multiple of the number of lanes, so that a run shares its lanes with the same runs for any number
// of workers; small enough that all stages of a step stay in the L1 cache.
int runs_in_a_piece(const Model& model) {
  const int lanes = kernel::kernels().lanes;
  return lanes * std::max(1, 256 / (model.nv() + 1) / lanes);
}

}  // namespace

Status simulate_batch(const Model& model, const States& starts, const SimulationInputs& run_inputs,
                      const BatchRunOptions& options, BatchWorkspace& workspace, BatchMotion& out) {
  expects_same_sealed(context, "the batch workspace", workspace, model);
  const int runs = int(starts.q.cols());
  expects_matrix(context, "q", starts.q, model.nq(), runs);
  expects_matrix(context, "v", starts.v, model.nv(), runs);
  out = {};
  if (Status status = check(options); !status) return status;
  if (Status status = check(model, starts); !status) return status;
  if (Status status = run_inputs.check(); !status)
    return Status::failure(fmt::format("{}: {}", context, status.message()));
  if (Status status = check_velocities(model, starts); !status) return status;

  const std::vector<FixedStep> steps =
      fixed_steps(0, options.duration, options.step, options.sample, run_inputs.breakpoints());
  out.times.push_back(0);
  for (const FixedStep& step : steps)
    if (step.is_sample) out.times.push_back(step.end);
  out.q.assign(out.times.size(), Eigen::MatrixXd(model.nq(), runs));
  out.v.assign(out.times.size(), Eigen::MatrixXd(model.nv(), runs));
  out.stopped.resize(std::size_t(runs));
  out.events.resize(std::size_t(runs));

  const int piece_runs = runs_in_a_piece(model);
  std::vector<std::unique_ptr<LockstepBatch>> lockstep_batches;
  for (int worker = 0; worker < workspace.threads(); ++worker)
    lockstep_batches.push_back(std::make_unique<LockstepBatch>(
        model, run_inputs, workspace->of_worker(worker), piece_runs));
  const Eigen::MatrixXd q = starts.q, v = starts.v;  // contiguous
  BatchInterruption interruption(options);
  const auto follow_one = [&](int run, int worker, const Eigen::MatrixXd& from_q,
                              const Eigen::MatrixXd& from_v) {
    Workspace own_workspace(model);
    State state = neutral_state(model);
    state.q.assign(from_q.col(run).begin(), from_q.col(run).end());
    state.v.assign(from_v.col(run).begin(), from_v.col(run).end());
    const auto each_step = [&, worker](const StepReport&) {
      return interruption.goes_on(worker) ? Status() : Status::failure("the batch was interrupted");
    };
    follow_alone(model, run_inputs, options, run, std::move(state), own_workspace, each_step, out);
  };
  const auto follow = [&](int piece, int worker) {
    const int first = piece * piece_runs, here = std::min(piece_runs, runs - first);
    LockstepBatch& lockstep = *lockstep_batches[std::size_t(worker)];
    lockstep.begin(&q(0, first), &v(0, first), here);
    std::size_t sample = 0;
    const auto keep = [&] {
      out.q[sample].middleCols(first, here) = lockstep.q();
      out.v[sample].middleCols(first, here) = lockstep.v();
      ++sample;
    };
    keep();
    bool goes_on = interruption.goes_on(worker);
    double reached = 0;
    for (const FixedStep& step : steps) {
      if (!goes_on) break;
      if (options.method == Method::rk4)
        lockstep.step_rk4(step);
      else
        lockstep.step_semi_implicit_euler(step);
      if (step.is_sample) keep();
      reached = step.end;
      goes_on = interruption.goes_on(worker);
    }
    const bool is_interrupted = sample < out.times.size();
    while (sample < out.times.size()) keep();  // constant after the interruption
    for (int run = 0; run < here; ++run) {
      std::string& stopped = out.stopped[std::size_t(first + run)];
      stopped = lockstep.stopped(run);
      if (is_interrupted && stopped.empty()) stopped = interruption.stopped_at(reached);
      // from the first sample, where its loops are closed
      if (lockstep.is_near_singular_pose(run))
        follow_one(first + run, worker, out.q.front(), out.v.front());
    }
  };
  Workspace event_workspace(model);
  const RunOptions usual;
  const EventLog events(model, run_inputs, event_workspace, usual, 0);
  Thrown thrown(interruption);
  if (events.are_watched() || !events.times().empty())
    workspace->workers->share(
        runs, [&](int run, int worker) { thrown.guard([&] { follow_one(run, worker, q, v); }); });
  else
    workspace->workers->share((runs + piece_runs - 1) / piece_runs, [&](int piece, int worker) {
      thrown.guard([&] { follow(piece, worker); });
    });
  thrown.rethrow();

  const auto failed =
      std::ranges::find_if(out.stopped, [](auto& description) { return !description.empty(); });
  if (failed == out.stopped.end()) return {};
  const auto how_many =
      std::ranges::count_if(out.stopped, [](auto& description) { return !description.empty(); });
  return Status::failure(fmt::format("{}: {} of {} runs did not reach the end; run {} {}", context,
                                     how_many, runs, failed - out.stopped.begin(), *failed));
}

}  // namespace trammel
