#include "left_out.hpp"

#include <fmt/format.h>

namespace trammel::cli {

std::vector<std::string> parts_left_out(const Model& model, ActingParts which) {
  std::vector<std::string> names;
  const auto add = [&](const char* kind, const auto& items) {
    for (const auto& item : items) names.push_back(fmt::format("{} '{}'", kind, item.name));
  };
  const Description& description = model.description();
  if (which != ActingParts::wrenches) {
    add("input", description.inputs);
    add("controller", description.controllers);
  }
  if (which != ActingParts::efforts) add("wrench", description.wrenches);
  return names;
}

}  // namespace trammel::cli
