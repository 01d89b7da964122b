// What is watched after every step of a run: whether someone wants it to end, and whether it has
// come down to steps so short that it will not end soon.
#pragma once

#include <chrono>
#include <functional>

#include "terminal.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel::cli {

class RunWatch {
 public:
  // `before_note` is called before a note is printed: to take a progress line away.
  RunWatch(std::string command, const RunOptions& options, double start, const Terminal& terminal,
           std::function<void()> before_note = {});

  // For RunOptions::each_step. Fails once a signal has come (Interrupt); tells once that steps are
  // short.
  Status operator()(const StepReport& report);

 private:
  using Clock = std::chrono::steady_clock;
  void look_at_pace(const StepReport& report);
  void tell_slow(const StepReport& report, double step, double seconds_left) const;

  std::string command_;
  Method method_;
  double duration_, end_;
  const Terminal& terminal_;
  std::function<void()> before_note_;
  Clock::time_point begin_, window_begin_;
  StepReport window_;  // where it was then
  bool has_told_ = false;
};

// How a run that was interrupted ends the program: 130 after Ctrl-C, 143 after SIGTERM, 124 after
// its limit of wall-clock time.
Exit exit_of_interrupted();

}  // namespace trammel::cli
