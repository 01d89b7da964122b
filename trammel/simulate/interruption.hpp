// Ends a run from outside: a limit of wall-clock time, or the caller's word after a step. For the
// drivers of runs only.
#pragma once

#include <chrono>

#include "trammel/simulate/simulate.hpp"

namespace trammel {

class Interruption {
 public:
  explicit Interruption(const RunOptions& options)  // the clock starts
      : options_(options), begin_(std::chrono::steady_clock::now()) {}

  // After a trial step. Once it fails it stays so.
  [[nodiscard]] const Status& after(const StepReport& report);
  const Status& status() const { return status_; }

 private:
  const RunOptions& options_;
  std::chrono::steady_clock::time_point begin_;
  Status status_;
};

// Also for batches, which have options of their own. Empty limits never end anything.
[[nodiscard]] bool is_over(double wall_limit, std::chrono::steady_clock::time_point begin);
[[nodiscard]] Status check_wall_limit(double wall_limit);
[[nodiscard]] std::string wall_limit_reached(double wall_limit);

}  // namespace trammel
