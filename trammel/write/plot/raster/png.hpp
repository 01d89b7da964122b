// An image as a PNG file (ISO/IEC 15948).
#pragma once

#include <string>

#include "trammel/write/plot/raster/canvas.hpp"

namespace trammel {

// Lossless: with a palette if there are at most 256 colors, else 24 bits per pixel.
[[nodiscard]] std::string write_png(const Image& image);

}  // namespace trammel
