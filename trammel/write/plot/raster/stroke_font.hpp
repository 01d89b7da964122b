// Stroke font: characters as polylines, so that a picture with text needs no font file. Hershey's
// simplex sans serif.
#pragma once

#include <string_view>
#include <vector>

#include "trammel/write/plot/raster/canvas.hpp"

namespace trammel {

struct TextStrokes {
  std::vector<Polyline> lines;  // the baseline begins at (0, 0), y down
  double width = 0;             // to the origin of the next character
};

// UTF-8 text at a font size [px]: the height of capitals is 0.72 of it. Non-ASCII characters are
// drawn as a box, except the degree, minus and multiplication signs and the middle dot.
[[nodiscard]] TextStrokes text_strokes(std::string_view text, double size);

}  // namespace trammel
