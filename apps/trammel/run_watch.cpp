#include "run_watch.hpp"

#include <cmath>
#include <csignal>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "numbers.hpp"

namespace trammel::cli {

namespace {

// A run is slow if its steps are this short and the rest would take this long: then the model is
// more likely wrong than large. Measured over a window, after a few seconds in which most runs end.
constexpr double short_step = 1e-5;  // of the duration
constexpr double long_wait = 600;    // [s]
constexpr std::chrono::seconds window(1), patience(3);

}  // namespace

RunWatch::RunWatch(std::string command, const RunOptions& options, double start,
                   const Terminal& terminal, std::function<void()> before_note)
    : command_(std::move(command)),
      method_(options.method),
      duration_(options.duration),
      end_(start + options.duration),
      terminal_(terminal),
      before_note_(std::move(before_note)),
      begin_(Clock::now()),
      window_begin_(begin_) {
  window_.time = start;
}

Status RunWatch::operator()(const StepReport& report) {
  if (!has_warned_) check_pace(report);
  return Interrupt::has_come() ? Status::failure("interrupted") : Status();
}

void RunWatch::check_pace(const StepReport& report) {
  const Clock::time_point now = Clock::now();
  if (now - window_begin_ < window) return;
  const double wall = std::chrono::duration<double>(now - window_begin_).count();
  const double gone = report.time - window_.time;
  const long steps = report.steps - window_.steps;
  const double step = steps > 0 ? gone / double(steps) : report.step;
  const double left = gone > 0 ? (end_ - report.time) / gone * wall : INFINITY;
  if (now - begin_ >= patience && step < short_step * duration_ && left > long_wait) {
    has_warned_ = true;
    warn_slow(report, step, left);
  }
  window_begin_ = now;
  window_ = report;
}

void RunWatch::warn_slow(const StepReport& report, double step, double seconds_left) const {
  if (before_note_) before_note_();
  const char* const advice =
      takes_fixed_steps(method_) ? "try a longer --step, or --method dormand-prince"
      : method_ == Method::radau || method_ == Method::bdf
          ? "try a larger --tolerance, and look for numbers that are far too large or small"
          : "stiff (a hard spring, damper or gain)? try --method radau";
  terminal_.note(
      fmt::format("warning: {}: steps of {:.2g} s at t = {:.6g} s: at this pace the rest takes {}; "
                  "{}. --wall-limit TIME ends a run that takes too long",
                  command_, step, report.time, duration_text(seconds_left), advice));
}

Exit exit_of_interrupted() {
  switch (Interrupt::signal()) {
    case SIGINT: return Exit::interrupted;
    case SIGTERM: return Exit::terminated;
    default: return Exit::out_of_time;
  }
}

}  // namespace trammel::cli
