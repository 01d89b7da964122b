// Colours by name: a material may be defined at the top of a robot or where it is used, and may be
// named before it is defined.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "trammel/read/urdf/element.hpp"

namespace trammel {

class Materials {
 public:
  using Color = std::array<double, 4>;

  explicit Materials(const tinyxml2::XMLElement& robot);

  // What it says itself, or else what is said elsewhere under its name.
  std::optional<Color> color_of(const Element& material) const;

 private:
  std::map<std::string, Color> colors_;
};

}  // namespace trammel
