// The complaints about one file: in the order of its lines, and not endlessly many.
#pragma once

#include <string>

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

  // of other files: told after this one's
  void append(const Diagnostics& of_others) { others_.append(of_others); }

  Place place(TextPosition position) const {
    return {source_.name, position.line, position.column};
  }
  const Source& source() const { return source_; }

 private:
  const Source& source_;
  Diagnostics& diagnostics_;
  std::vector<Diagnostic> found_;
  Diagnostics others_;
  int unsaid_ = 0;
};

}  // namespace trammel
