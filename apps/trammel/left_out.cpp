#include "left_out.hpp"

#include <fmt/format.h>

namespace trammel::cli {

std::vector<std::string> parts_left_out(const Model& model, ActingParts which) {
  std::vector<std::string> names;
  const auto add = [&](const char* kind, const auto& items) {
    for (const auto& item : items) names.push_back(fmt::format("{} '{}'", kind, item.name));
  };
  const Description& said = model.description();
  if (which != ActingParts::wrenches) {
    add("input", said.inputs);
    add("controller", said.controllers);
  }
  if (which != ActingParts::efforts) add("wrench", said.wrenches);
  return names;
}

}  // namespace trammel::cli
