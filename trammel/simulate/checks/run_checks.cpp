#include "trammel/simulate/checks/run_checks.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/simulate/checks/interruption.hpp"

namespace trammel {

namespace {

// [s] For shorter durations the fractions used in step size control underflow.
constexpr double shortest_duration = 1e-30;
constexpr double most_samples = 1e9;

Status check_times(const RunOptions& options, double start) {
  const auto wrong = [](const std::string& what) { return Status::failure(what); };
  if (!std::isfinite(start)) return wrong("the state's time is not finite");
  if (!(options.duration > 0) || !std::isfinite(options.duration))
    return wrong(fmt::format("the duration is {} s: give a time above 0", options.duration));
  if (options.duration < shortest_duration)
    return wrong(fmt::format("the duration is {} s: nothing moves in that, give {} s or more",
                             options.duration, shortest_duration));
  if (!(start + 1e-6 * options.duration > start))
    return wrong(
        fmt::format("the duration is {} s, and after {} s such times are lost in rounding: give a "
                    "longer one, or start at 0",
                    options.duration, start));
  if (!(options.step >= 0) || !std::isfinite(options.step))
    return wrong(fmt::format("the step is {} s: give a time above 0", options.step));
  if (Status status = check_step("the step is", options.step, start, options.duration,
                                 double(options.most_steps));
      !status)
    return status;
  if (!(options.sample >= 0) || !std::isfinite(options.sample))
    return wrong(fmt::format("samples are {} s apart: give a time above 0", options.sample));
  if (options.sample > 0 && options.duration / options.sample > most_samples)
    return wrong(fmt::format("samples are {} s apart, more than {:g} of them: give a longer time",
                             options.sample, most_samples));
  if (!std::ranges::all_of(options.at, [](double at) { return at >= 0 && std::isfinite(at); }))
    return wrong("a sample time lies before the start of the run: give times of 0 or more");
  return {};
}

}  // namespace

Status check_step(const char* what, double step, double start, double duration, double most) {
  if (step == 0) return {};
  // the time of largest magnitude, where the spacing of doubles is largest
  const double farthest = std::max(std::abs(start), std::abs(start + duration));
  const double spacing = std::nextafter(farthest, INFINITY) - farthest;
  if (step < spacing)
    return Status::failure(
        fmt::format("{} {:g} s, which does not move time: t + step = t at t = {:g} s. The smallest "
                    "step that does is {:.2g} s; one of {:.2g} s or more (option step) ends within "
                    "{:g} steps",
                    what, step, farthest, spacing, std::max(spacing, duration / most), most));
  if (duration / step <= most) return {};
  return Status::failure(fmt::format(
      "{} {:g} s: {:g} s would take more than {:g} steps, the most that a run may have. "
      "Give a step (option step) of {:.2g} s or more",
      what, step, duration, most, duration / most));
}

Status check_run(const RunOptions& options, double start) {
  if (Status status = check_times(options, start); !status) return status;
  if (Status status = check_wall_limit(options.wall_limit); !status) return status;
  if (!(options.relative >= 1e-14) || !(options.relative <= 0.1))
    return Status::failure(
        fmt::format("the relative tolerance is {}: numbers of 16 digits can keep 1e-14 at "
                    "best, and above 0.1 nothing is kept",
                    options.relative));
  if (!(options.absolute >= 0) || !std::isfinite(options.absolute))
    return Status::failure(
        fmt::format("the absolute tolerance is {}: give 0 or more", options.absolute));
  return {};
}

}  // namespace trammel
