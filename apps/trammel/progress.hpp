// Progress line of a run; shown only on a terminal.
#pragma once

#include <chrono>
#include <string>

#include "terminal.hpp"

namespace trammel::cli {

class Progress {
 public:
  Progress(std::string what, double start, double duration, const Terminal& terminal);
  void go_on_from(double time) { from_ = time; }  // time before was spent by an earlier run
  void reach(double time);                        // cheap: prints at most every 100 ms
  void end();                                     // removes the line

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  double start_, duration_, from_;
  bool is_shown_;
  bool has_line_ = false;
  Clock::time_point begin_, last_;
};

}  // namespace trammel::cli
