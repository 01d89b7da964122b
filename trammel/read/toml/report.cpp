#include "trammel/read/toml/report.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace trammel::toml {

void Report::error(TextPosition position, std::string message, std::string hint) {
  if (is_full()) {
    ++unset_;
    return;
  }
  found_.push_back({Severity::error, place(position), std::move(message), std::move(hint)});
}

void Report::warning(TextPosition position, std::string message, std::string hint) {
  if (!is_full())
    found_.push_back({Severity::warning, place(position), std::move(message), std::move(hint)});
}

Report::~Report() {
  std::stable_sort(found_.begin(), found_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  const auto tell = [&](const Diagnostic& description) {
    if (description.severity == Severity::error)
      diagnostics_.error(description.place, description.message, description.hint);
    else
      diagnostics_.warning(description.place, description.message, description.hint);
  };
  for (const Diagnostic& description : found_) tell(description);
  if (unset_ > 0)
    diagnostics_.error({source_.name, 0, 0}, fmt::format("and {} more mistakes", unset_),
                       "mend the first ones, then look again");
  for (const Diagnostic& description : others_) tell(description);
}

}  // namespace trammel::toml
