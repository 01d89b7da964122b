#include "trammel/base/diagnostics.hpp"

#include <utility>

namespace trammel {

const Place& ItemPlace::of(std::string_view key) const {
  while (true) {
    for (const auto& [name, place] : keys)
      if (name == key) return place;
    const std::size_t dot = key.rfind('.');
    if (dot == std::string_view::npos) return *this;
    key = key.substr(0, dot);
  }
}

std::string to_string(const Diagnostic& diagnostic) {
  std::string text;
  const Place& place = diagnostic.place;
  if (!place.file.empty()) text += place.file + ":";
  if (place.line > 0) text += std::to_string(place.line) + ":";
  if (place.line > 0 && place.column > 0) text += std::to_string(place.column) + ":";
  if (!text.empty()) text += " ";
  text += diagnostic.severity == Severity::error ? "error: " : "warning: ";
  text += diagnostic.message;
  if (!diagnostic.hint.empty()) text += "\n  hint: " + diagnostic.hint;
  return text;
}

void Diagnostics::error(const Place& place, std::string message, std::string hint) {
  list_.push_back({Severity::error, place, std::move(message), std::move(hint)});
  ++errors_;
}

void Diagnostics::warning(const Place& place, std::string message, std::string hint) {
  list_.push_back({Severity::warning, place, std::move(message), std::move(hint)});
}

void Diagnostics::append(const Diagnostics& others) {
  list_.insert(list_.end(), others.list_.begin(), others.list_.end());
  errors_ += others.errors_;
}

namespace {
std::string all_of(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (!text.empty()) text += "\n";
    text += to_string(diagnostic);
  }
  return text;
}
}  // namespace

ModelError::ModelError(Diagnostics diagnostics)
    : std::runtime_error(all_of(diagnostics)), diagnostics_(std::move(diagnostics)) {}

}  // namespace trammel
