// Observer of every step of a run: ends it after a signal, and warns if steps become so short that
// the run will not end soon.
#pragma once

#include <chrono>
#include <functional>

#include "terminal.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel::cli {

class RunWatch {
 public:
  // `before_note` is called before a note is printed, to remove a progress line.
  RunWatch(std::string command, const RunOptions& options, double start, const Terminal& terminal,
           std::function<void()> before_note = {});

  // For RunOptions::each_step. Fails after a signal (Interrupt); warns once about short steps.
  Status operator()(const StepReport& report);

 private:
  using Clock = std::chrono::steady_clock;
  void check_pace(const StepReport& report);
  void warn_slow(const StepReport& report, double step, double seconds_left) const;

  std::string command_;
  Method method_;
  double duration_, end_;
  const Terminal& terminal_;
  std::function<void()> before_note_;
  Clock::time_point begin_, window_begin_;
  StepReport window_;  // at the start of the window
  bool has_warned_ = false;
};

// Exit code of an interrupted run: 130 after Ctrl-C, 143 after SIGTERM, 124 after its limit of
// wall-clock time.
Exit exit_of_interrupted();

}  // namespace trammel::cli
