// Colors by name: a material may be defined at the top of a robot or where it is used, and may be
// used before it is defined.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "trammel/read/urdf/element.hpp"

namespace trammel::urdf {

class Materials {
 public:
  using Color = std::array<double, 4>;

  explicit Materials(const tinyxml2::XMLElement& robot);

  // The color of the material itself, or else of the definition with its name.
  std::optional<Color> color_of(const Element& material) const;

 private:
  std::map<std::string, Color> colors_;
};

}  // namespace trammel::urdf
