// The complaints about one file: in the order of its lines, and not endlessly many.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/base/diagnostics.hpp"
#include "trammel/read/source.hpp"
#include "trammel/read/toml/document.hpp"

namespace trammel {

class Report {
 public:
  static constexpr int most = 100;

  Report(const Source& source, Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}
  Report(const Report&) = delete;
  ~Report();  // hands them on, sorted

  void error(TextPosition position, std::string message, std::string hint = {});
  void warning(TextPosition position, std::string message, std::string hint = {});

  // Will the next one only be counted? Then its words need not be looked for.
  bool is_full() const { return int(found_.size()) >= most; }

  // of other files: told after this one's
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
  int unsaid_ = 0;
};

}  // namespace trammel
