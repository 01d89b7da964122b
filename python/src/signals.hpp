// Ctrl-C while the engine runs: Python's signal handlers are called at intervals.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>

#include "trammel/base/status.hpp"

namespace trammel::python {

// For RunOptions::each_step and BatchRunOptions::interrupt, called after every step. A few times
// per second it acquires the GIL and throws an exception of a handler: KeyboardInterrupt.
class Signals {
 public:
  Status operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return {};
    const pybind11::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    last_ = std::chrono::steady_clock::now();  // time spent waiting for the GIL does not count
    return {};
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Throws a ValueError for a limit that is not above 0.
inline double wall_limit_of(const char* function, double seconds) {
  if (seconds > 0) return std::isfinite(seconds) ? seconds : 0;
  throw std::invalid_argument(std::string(function) + ": wall_limit is " + std::to_string(seconds) +
                              ": give a time above 0 in seconds, or None for no limit");
}

}  // namespace trammel::python
