#include "trammel/read/toml/report.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace trammel {

void Report::error(TextPosition position, std::string message, std::string hint) {
  if (int(found_.size()) >= most) {
    ++unsaid_;
    return;
  }
  found_.push_back({Severity::error, place(position), std::move(message), std::move(hint)});
}

void Report::warning(TextPosition position, std::string message, std::string hint) {
  if (int(found_.size()) < most)
    found_.push_back({Severity::warning, place(position), std::move(message), std::move(hint)});
}

Report::~Report() {
  std::stable_sort(found_.begin(), found_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  for (const Diagnostic& said : found_) {
    if (said.severity == Severity::error)
      diagnostics_.error(said.place, said.message, said.hint);
    else
      diagnostics_.warning(said.place, said.message, said.hint);
  }
  if (unsaid_ > 0)
    diagnostics_.error({source_.name, 0, 0}, fmt::format("and {} more mistakes", unsaid_),
                       "mend the first ones, then look again");
  diagnostics_.append(others_);
}

}  // namespace trammel
