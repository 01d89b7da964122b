// Ends a run from outside: limit of wall-clock time, or a failure of the caller's function after a
// step. Internal to the functions that execute runs.
#pragma once

#include <chrono>

#include "trammel/simulate/simulate.hpp"

namespace trammel {

class Interruption {
 public:
  explicit Interruption(const RunOptions& options)  // starts the clock
      : options_(options), begin_(std::chrono::steady_clock::now()) {}

  // To be called after a trial step. Once it fails, it stays so.
  [[nodiscard]] const Status& after(const StepReport& report);
  const Status& status() const { return status_; }

 private:
  const RunOptions& options_;
  std::chrono::steady_clock::time_point begin_;
  Status status_;
};

// For batches as well, which have their own options. A limit of 0 never ends a run.
[[nodiscard]] bool is_over(double wall_limit, std::chrono::steady_clock::time_point begin);
[[nodiscard]] Status check_wall_limit(double wall_limit);
[[nodiscard]] std::string wall_limit_reached(double wall_limit);

}  // namespace trammel
