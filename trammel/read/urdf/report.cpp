#include "trammel/read/urdf/report.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace trammel::urdf {

void Report::pass_on(const Place& file, Diagnostics& diagnostics) {
  std::ranges::stable_sort(kept_, {}, [](const Diagnostic& diagnostic) {
    return std::tuple(diagnostic.place.line, diagnostic.place.column);
  });
  for (const auto& [severity, place, message, hint] : kept_)
    severity == Severity::error ? diagnostics.error(place, message, hint)
                                : diagnostics.warning(place, message, hint);
  if (left_out_ == 0) return;
  const std::string fact = fmt::format("{} more messages are left out", left_out_);
  // an error among them must not be lost
  if (errors_ > 0)
    diagnostics.error(file, fact, "mend those above first");
  else
    diagnostics.warning(file, fact, "is this the right file?");
}

}  // namespace trammel::urdf
