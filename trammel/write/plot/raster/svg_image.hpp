// Rasterization of the SVG pictures of this module.
#pragma once

#include <string_view>

#include "trammel/write/plot/raster/canvas.hpp"

namespace trammel {

// The picture with `scale` pixels for each px of the document.
//
// Supported are the elements and style rules that trammel/write uses: svg, g, line, rect, circle,
// ellipse, polyline, polygon, path (M L H V C Z, absolute and relative) and text, styled by
// attributes, classes and element names. Throws std::invalid_argument for any other element, path
// command or selector, so that nothing is silently left out of a picture.
[[nodiscard]] Image rasterize_svg(std::string_view svg, double scale = 1);

}  // namespace trammel
