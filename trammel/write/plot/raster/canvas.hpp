// Raster image with anti-aliased polygons and strokes: the target of SVG rasterization.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace trammel {

// Rows from the top, three bytes (red, green, blue) per pixel.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

struct Color {
  std::array<std::uint8_t, 3> rgb{};
  double opacity = 1;
};

struct PixelPoint {
  double x = 0, y = 0;  // [px], y down; the first pixel reaches from 0 to 1
};
using Polyline = std::vector<PixelPoint>;

struct StrokeStyle {
  double width = 1;              // [px]
  std::vector<double> dashes{};  // lengths on, off, on, ... [px]; empty: a continuous line
  bool has_round_caps = false;   // else butt caps; joins are round
};

// Coverage of each pixel is the exact area of a polygon within it (signed-area accumulation along
// scan lines). A polyline is the sum of pieces that share their edges, so that no seam is left
// between them; several polylines are combined by their maximum. Cost: the pixels of each
// polyline's bounding box.
class Canvas {
 public:
  Canvas(int width, int height, const Color& background);

  // Interior of a closed polygon that does not cross itself.
  void fill(const Polyline& polygon, const Color& color);
  void stroke(const Polyline& line, bool is_closed, const StrokeStyle& style, const Color& color);
  // Several polylines as one shape: overlaps are painted once.
  void stroke(std::span<const Polyline> lines, const StrokeStyle& style, const Color& color);

  const Image& image() const { return image_; }

 private:
  void add_piece(Polyline polygon);
  void add_edge(PixelPoint from, PixelPoint to);
  // Sector of a disk about `center`: from center + `from`, turned by `angle`.
  void add_sector(PixelPoint center, PixelPoint from, double angle);
  void add_line(const Polyline& line, bool is_closed, const StrokeStyle& style);
  void close_shape();              // the pieces added so far become coverage
  void paint(const Color& color);  // paints the shape added so far, then clears it

  struct Box {
    int left, top, right, bottom;  // of pixels, the last two excluded
    bool is_empty() const { return left >= right || top >= bottom; }
  };
  Box clipped(std::span<const PixelPoint> polygon) const;

  static void enclose(Box& box, const Box& other);
  Box nothing() const { return {image_.width, image_.height, 0, 0}; }

  Image image_;
  std::vector<float> area_, coverage_;  // of the pieces of one polyline; of the whole shape
  Box pieces_, shape_;
};

}  // namespace trammel
