#include "trammel/read/urdf/materials.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/read/urdf/numbers.hpp"

namespace trammel::urdf {

using tinyxml2::XMLElement;

Materials::Materials(const XMLElement& robot) {
  // errors in materials are reported when they are read
  for (const XMLElement* xml = &robot; xml; xml = next_in_text(*xml)) {
    const char* name = xml->Attribute("name");
    const XMLElement* color = xml->FirstChildElement("color");
    if (std::string_view(xml->Name()) != "material" || !name || !color) continue;
    const char* rgba = color->Attribute("rgba");
    const std::vector<double> values = parse_numbers(rgba ? rgba : "", 4).values;
    Color& known = colors_.try_emplace(name, Color{0.5, 0.5, 0.5, 1}).first->second;
    if (values.size() == 4) std::ranges::copy(values, known.begin());
  }
}

std::optional<Materials::Color> Materials::color_of(const Element& material) const {
  if (const auto color = material.child("color")) {
    const std::vector<double> values = color->numbers("rgba", 4);
    if (values.empty()) return std::nullopt;
    Color rgba;
    std::ranges::transform(values, rgba.begin(), [](double x) { return std::clamp(x, 0.0, 1.0); });
    if (!std::ranges::equal(values, rgba))
      material.report().warning(
          color->place("rgba"),
          fmt::format("{} rgba has a number outside 0 to 1: cut off", color->title()),
          "red, green, blue and opacity are each from 0 to 1");
    return rgba;
  }
  const std::string name = material.text("name");
  const auto found = colors_.find(name);
  if (found != colors_.end()) return found->second;
  if (!name.empty() && !material.has_child("texture"))
    material.report().warning(
        material.place("name"),
        fmt::format("{} is named '{}', but no material of that name has a <color>",
                    material.title(), shortened(name)),
        "define it: <material name=\"...\"><color rgba=\"0.5 0.5 0.5 1\"/></material>");
  return std::nullopt;
}

}  // namespace trammel::urdf
