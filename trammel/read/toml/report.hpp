// Messages about one file: sorted by line, and limited in number.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/base/diagnostics.hpp"
#include "trammel/read/source.hpp"
#include "trammel/read/toml/document.hpp"

namespace trammel::toml {

class Report {
 public:
  static constexpr int most = 100;

  Report(const Source& source, Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}
  Report(const Report&) = delete;
  ~Report();  // passes them on, sorted

  void error(TextPosition position, std::string message, std::string hint = {});
  void warning(TextPosition position, std::string message, std::string hint = {});

  // The next message will only be counted, so its text need not be composed.
  bool is_full() const { return int(found_.size()) >= most; }

  // messages of other files: passed on after those of this file
  void append(Diagnostic of_other) { others_.push_back(std::move(of_other)); }

  Place place(TextPosition position) const {
    return {source_.name, position.line, position.column};
  }
  const Source& source() const { return source_; }

 private:
  const Source& source_;
  Diagnostics& diagnostics_;
  std::vector<Diagnostic> found_;
  std::vector<Diagnostic> others_;
  int unset_ = 0;
};

}  // namespace trammel::toml
