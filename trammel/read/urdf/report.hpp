// Collects the messages about one file until the end, so that they can be sorted by their position,
// and limits their number.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/base/diagnostics.hpp"

namespace trammel::urdf {

class Report {
 public:
  static constexpr std::size_t most = 1000;  // messages

  void error(const Place& place, std::string message, std::string hint = {}) {
    ++errors_;
    add({Severity::error, place, std::move(message), std::move(hint)});
  }
  void warning(const Place& place, std::string message, std::string hint = {}) {
    add({Severity::warning, place, std::move(message), std::move(hint)});
  }
  std::size_t errors() const { return errors_; }

  // Passes on all messages, in the order of the file.
  void pass_on(const Place& file, Diagnostics& diagnostics);

 private:
  void add(Diagnostic diagnostic) {
    if (kept_.size() < most)
      kept_.push_back(std::move(diagnostic));
    else
      ++left_out_;
  }
  std::vector<Diagnostic> kept_;
  std::size_t errors_ = 0, left_out_ = 0;
};

}  // namespace trammel::urdf
