#include "trammel/simulate/kinematic.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/assembly/start_velocities.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"
#include "trammel/simulate/checks/interruption.hpp"
#include "trammel/simulate/checks/run_checks.hpp"

namespace trammel {

namespace {

std::vector<JointId> prescribed_joints(const Model& model) {
  std::vector<JointId> joints;
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const NamedJoint& joint = model.joints()[j];
    if (joint.role == NamedJoint::Role::tree &&
        (joint.drive == Drive::motion || joint.drive == Drive::locked))
      joints.push_back(JointId(int(j)));
  }
  return joints;
}

// Events do not act on prescribed motions: reports them as ignored.
void warn_of_events(const Model& model, const RunOptions& options, double time,
                    RunStatistics& statistics) {
  const auto tell = [&](const EventDescription& event) {
    statistics.events.push_back(
        {time,
         fmt::format("event '{}' is ignored: joints follow prescribed motions; simulate dynamics",
                     event.name),
         0});
  };
  for (const EventDescription& event : model.description().events) tell(event);
  for (const EventFunction& event : options.events) tell(event.what);
}

// Sample times: regular steps, and additional times in between.
class PrescribedSamples {
 public:
  PrescribedSamples(const RunOptions& options, double start, double step)
      : start_(start),
        end_(start + options.duration),
        step_(step),
        regular_(long(std::ceil(options.duration / step - 1e-9))) {
    if (options.at.empty()) return;
    for (long k = 0; k <= regular_; ++k) all_.push_back(regular(k));
    for (const double at : options.at)
      if (start + at < end_) all_.push_back(start + at);
    std::ranges::sort(all_);
    all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
  }
  long count() const { return all_.empty() ? regular_ + 1 : long(all_.size()); }
  double time(long k) const { return all_.empty() ? regular(k) : all_[std::size_t(k)]; }

 private:
  double regular(long k) const { return k == regular_ ? end_ : start_ + double(k) * step_; }

  double start_, end_, step_;
  long regular_;             // number of steps
  std::vector<double> all_;  // empty: regular steps only
};

}  // namespace

Status simulate_kinematic(const Model& model, State& state, const SimulationInputs& run_inputs,
                          const RunOptions& options, Workspace& workspace, const Observer& observer,
                          RunStatistics& statistics, const Checkpoints& checkpoints) {
  const auto wrong = [](const std::string& what) {
    return Status::failure("simulate_kinematic: " + what);
  };
  statistics = {};
  const Checkpoint* const from = checkpoints.from;
  if (from != nullptr) state = from->state, statistics = from->statistics;
  statistics.end = state.time;
  if (Status status = check_run(options, state.time); !status) return wrong(status.message());
  if (Status status = run_inputs.check(); !status) return wrong(status.message());
  if (from == nullptr)
    if (Status status = check_start_velocities(model, state, workspace); !status)
      return wrong(status.message());
  const double start = from != nullptr ? from->start : state.time,
               step = options.sample > 0 ? options.sample : options.duration / 1000;
  if (from == nullptr) warn_of_events(model, options, start, statistics);
  const PrescribedSamples samples(options, start, step);
  AssemblyOptions keep{.keep = prescribed_joints(model), .nudges = 0};
  run_inputs.begin(state);
  SimulationInputs::Acting acting(model);
  Interruption interruption(options);
  for (long k = from != nullptr ? from->samples : 0; k < samples.count(); ++k) {
    const double time = samples.time(k);
    const auto stopped = [&](const std::string& why) {
      return wrong(fmt::format("stopped at t = {:.9g} s: {}", time, why));
    };
    State next = state;
    // initial guess: all joints continue with their velocities
    if (k > 0) {
      std::vector<double> on(state.v.size());
      for (std::size_t f = 0; f < on.size(); ++f) on[f] = (time - state.time) * state.v[f];
      integrate(model, state.q, on, next.q);
    }
    next.time = time;
    run_inputs.follow(time, next.q, next.v);
    keep.loops = run_inputs.prescribed_loop_motion(time, acting);
    if (Status status = assemble(model, next, workspace, keep); !status)
      return stopped(status.message());
    if (k == 0) {
      OrthogonalComplement left;
      if (Status status = orthogonal_complement(model, next, {}, workspace, left); !status)
        return wrong(status.message());
      if (left.T.cols() > 0)
        return wrong(fmt::format(
            "{} degree{} of freedom {} left to forces: prescribe the motion of as many more "
            "joints, or simulate the dynamics",
            left.T.cols(), left.T.cols() == 1 ? "" : "s", left.T.cols() == 1 ? "is" : "are"));
    } else {
      // a jump to another assembly mode is not a motion
      std::vector<double> gone(next.v.size());
      difference(model, state.q, next.q, gone);
      double farthest = 0, fastest = 0;
      for (std::size_t f = 0; f < gone.size(); ++f) {
        farthest = std::max(farthest, std::abs(gone[f]));
        fastest = std::max({fastest, std::abs(next.v[f]), std::abs(state.v[f])});
      }
      if (farthest > 10 * fastest * (time - state.time) + 1e-6)
        return stopped("the loops jump: a dead point is here, or samples are too far apart");
    }
    run_inputs.update_revolutions(next, acting);
    state = std::move(next);
    statistics.end = time;
    statistics.steps = k;
    if (Status status = observer({state, model, run_inputs, workspace}); !status) return status;
    const Status& goes_on = interruption.after({.time = time, .step = step, .steps = k});
    const bool is_interrupted = !goes_on.ok() && k + 1 < samples.count();
    if (checkpoints.keep && (is_interrupted || (checkpoints.is_due && checkpoints.is_due()))) {
      Checkpoint now;
      now.state = state, now.start = start, now.samples = k + 1, now.statistics = statistics;
      if (Status status = checkpoints.keep(now); !status) return status;
    }
    if (!is_interrupted) continue;
    statistics.is_interrupted = true;
    return stopped(goes_on.message());
  }
  return {};
}

}  // namespace trammel
