// One line that tells how far a run has come, where a person sees it: on a terminal.
#pragma once

#include <chrono>
#include <string>

#include "terminal.hpp"

namespace trammel::cli {

class Progress {
 public:
  Progress(std::string what, double start, double duration, const Terminal& terminal);
  void go_on_from(double time) { from_ = time; }  // what came before took another run's time
  void reach(double time);                        // quick: looks at the clock now and then
  void end();                                     // takes the line away

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  double start_, duration_, from_;
  bool is_shown_;
  bool has_line_ = false;
  Clock::time_point begin_, last_;
};

}  // namespace trammel::cli
