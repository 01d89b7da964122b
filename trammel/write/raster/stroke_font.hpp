// Letters as polylines, so that a picture with text needs no font file: Hershey's simplex sans
// serif.
#pragma once

#include <string_view>
#include <vector>

#include "trammel/write/raster/canvas.hpp"

namespace trammel {

struct TextStrokes {
  std::vector<Polyline> lines;  // the baseline begins at (0, 0), y down
  double width = 0;             // up to where the next letter would begin
};

// UTF-8 text at a font size [px]: capitals are 0.72 of it high. Letters beyond ASCII are drawn as a
// box, but for the degree, the minus and the multiplication sign and the middle dot.
[[nodiscard]] TextStrokes text_strokes(std::string_view text, double size);

}  // namespace trammel
