#include "trammel/base/diagnostics.hpp"

#include <utility>

#include "trammel/base/utf8.hpp"

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

std::string shortened(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string(text);
  // never inside a UTF-8 character, whose continuation bytes begin with the bits 10
  const auto is_inside = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  std::size_t front = longest * 2 / 3, back = text.size() - longest / 3;
  while (front > 0 && is_inside(front)) --front;
  while (back < text.size() && is_inside(back)) ++back;
  return std::string(text.substr(0, front)) + "..." + std::string(text.substr(back));
}

void Diagnostics::error(const Place& place, std::string_view message, std::string_view hint) {
  add(Severity::error, place, message, hint);
  ++errors_;
}

void Diagnostics::warning(const Place& place, std::string_view message, std::string_view hint) {
  add(Severity::warning, place, message, hint);
}

void Diagnostics::add(Severity severity, const Place& place, std::string_view message,
                      std::string_view hint) {
  constexpr std::size_t longest = 600;
  // the message may quote bytes of a file that is not text, as of a mesh
  list_.push_back(
      {severity, place, as_utf8(shortened(message, longest)), as_utf8(shortened(hint, longest))});
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
