#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "trammel/write/plot/raster/gif.hpp"
#include "trammel/write/plot/raster/png.hpp"
#include "trammel/write/plot/raster/stroke_font.hpp"
#include "trammel/write/plot/raster/svg_image.hpp"

namespace trammel::raster_test {
namespace {

constexpr Color white{{255, 255, 255}}, black{{0, 0, 0}};

int red(const Image& image, int x, int y) {
  return image.rgb[3 * (std::size_t(y) * std::size_t(image.width) + std::size_t(x))];
}
// Area that is painted black, in pixels.
double painted(const Image& image) {
  double sum = 0;
  for (std::size_t k = 0; k < image.rgb.size(); k += 3) sum += 1 - image.rgb[k] / 255.0;
  return sum;
}

TEST(Raster, APixelHasTheShareThatIsCovered) {
  Canvas canvas(8, 4, white);
  canvas.fill({{1.25, 1}, {3.5, 1}, {3.5, 2.5}, {1.25, 2.5}}, black);
  EXPECT_EQ(red(canvas.image(), 0, 1), 255);
  EXPECT_EQ(red(canvas.image(), 1, 1), 64);  // three quarters
  EXPECT_EQ(red(canvas.image(), 2, 1), 0);
  EXPECT_EQ(red(canvas.image(), 3, 1), 128);
  EXPECT_EQ(red(canvas.image(), 2, 2), 128);
  EXPECT_EQ(red(canvas.image(), 4, 1), 255);
}

TEST(Raster, WhatIsPaintedIsTheArea) {
  // each of up to this many pixels on the edge is rounded by at most half a step of 255
  const Polyline shapes[] = {{{2.3, 1.1}, {37.9, 9.4}, {11.2, 28.7}},
                             {{37.9, 9.4}, {2.3, 1.1}, {11.2, 28.7}},  // reversed
                             {{5, 5}, {30.5, 5}, {30.5, 25.25}, {5, 25.25}}};
  const double areas[] = {0.5 * std::abs((37.9 - 2.3) * (28.7 - 1.1) - (11.2 - 2.3) * (9.4 - 1.1)),
                          0.5 * std::abs((37.9 - 2.3) * (28.7 - 1.1) - (11.2 - 2.3) * (9.4 - 1.1)),
                          25.5 * 20.25};
  for (std::size_t k = 0; k < 3; ++k) {
    Canvas canvas(40, 30, white);
    canvas.fill(shapes[k], black);
    EXPECT_NEAR(painted(canvas.image()), areas[k], 100 * 0.5 / 255) << k;
  }
}

TEST(Raster, WhatLeavesTheImageIsCutOff) {
  Canvas canvas(10, 10, white);
  canvas.fill({{-50, -50}, {5, -50}, {5, 50}, {-50, 50}}, black);
  EXPECT_NEAR(painted(canvas.image()), 50, 1e-9);
  canvas.stroke({{20, -5}, {20, 15}}, false, {4, {}, true}, black);
  canvas.stroke({{-5, 30}, {15, 30}}, false, {4, {}, true}, black);
  EXPECT_NEAR(painted(canvas.image()), 50, 1e-9);
}

// Each pixel of the edge is rounded by at most half a step of 255, chords of round caps and corners
// lie at most 0.02 px inside the arc: by 2/3 of that on average.
double area_bound(double edge_pixels, double arc) {
  return edge_pixels * 0.5 / 255 + arc * 0.02 * 2 / 3;
}

TEST(Raster, StrokesHaveNoSeams) {
  // a polyline of many pieces covers the same as one straight line, up to float rounding
  Polyline line;
  for (int k = 0; k <= 40; ++k) line.push_back({5 + 0.73 * k, 6 + 0.41 * k});
  Canvas many(50, 40, white), one(50, 40, white);
  many.stroke(line, false, {3, {}, true}, black);
  one.stroke({line.front(), line.back()}, false, {3, {}, true}, black);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 50; ++x)
      EXPECT_NEAR(red(many.image(), x, y), red(one.image(), x, y), 1) << x << ", " << y;
  const double length = std::hypot(0.73 * 40, 0.41 * 40);
  const double caps = std::numbers::pi * 1.5 * 1.5;
  EXPECT_NEAR(painted(one.image()), 3 * length + caps, area_bound(200, 3 * std::numbers::pi));
  EXPECT_NEAR(painted(many.image()), 3 * length + caps, area_bound(200, 3 * std::numbers::pi));
}

TEST(Raster, StrokesOfPolygonsHaveTheirArea) {
  // a closed polygon of n sides: corners are mitered, the area is perimeter times width
  for (const int n : {30, 60, 200}) {
    Polyline ring;
    for (int k = 0; k < n; ++k)
      ring.push_back({20 + 14 * std::cos(2 * std::numbers::pi * k / n),
                      20 + 14 * std::sin(2 * std::numbers::pi * k / n)});
    Canvas canvas(40, 40, white);
    canvas.stroke(ring, true, {4, {}, false}, black);
    EXPECT_NEAR(painted(canvas.image()), 4 * 2 * n * 14 * std::sin(std::numbers::pi / n),
                area_bound(250, 0))
        << n;
  }
  // a right angle: the outer side of the corner is a quarter of a disk, its inner side counts once
  for (const double down : {-20.0, 20.0}) {
    Canvas canvas(40, 60, white);
    canvas.stroke({{5, 30}, {25, 30}, {25, 30 + down}}, false, {4, {}, false}, black);
    EXPECT_NEAR(painted(canvas.image()), 2 * 4 * 20 - 4 + std::numbers::pi,
                area_bound(10, std::numbers::pi));
  }
  // there and back: the end is round, the overlap counts once
  Canvas back(40, 10, white);
  back.stroke({{5, 5}, {30, 5}, {5, 5}}, false, {4, {}, false}, black);
  EXPECT_NEAR(painted(back.image()), 4 * 25 + 2 * std::numbers::pi,
              area_bound(10, 2 * std::numbers::pi));
}

TEST(Raster, DashesLeaveGaps) {
  Canvas canvas(30, 6, white);
  canvas.stroke({{0, 3}, {30, 3}}, false, {2, {4, 6}, false}, black);
  EXPECT_NEAR(painted(canvas.image()), 3 * 4 * 2, 1e-6);
  EXPECT_EQ(red(canvas.image(), 2, 2), 0);
  EXPECT_EQ(red(canvas.image(), 6, 2), 255);
  EXPECT_EQ(red(canvas.image(), 12, 2), 0);
}

TEST(Raster, SvgIsDrawnAsItsStylesSay) {
  const std::string svg = R"svg(<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">
<style>svg { background: #ffffff; } .a { fill: #ff0000; } .a + rect { fill: #0000ff; } rect.b { fill: #00ff00; }</style>
<rect class="a" x="0" y="0" width="4" height="10"/><rect x="4" y="0" width="4" height="10"/>
<g transform="translate(8 0)"><rect class="a b" x="0" y="0" width="4" height="10"/></g>
<path d="M14 0h4V10h-4Z" fill="#010203"/></svg>)svg";
  for (const int scale : {1, 3}) {
    const Image image = rasterize_svg(svg, scale);
    ASSERT_EQ(image.width, 20 * scale);
    const auto at = [&](int x) {
      const std::size_t k =
          3 * (std::size_t(5 * scale) * std::size_t(image.width) + std::size_t(x * scale));
      return std::array<int, 3>{image.rgb[k], image.rgb[k + 1], image.rgb[k + 2]};
    };
    EXPECT_EQ(at(2), (std::array{255, 0, 0}));
    EXPECT_EQ(at(6), (std::array{0, 0, 255}));
    EXPECT_EQ(at(10), (std::array{0, 255, 0}));
    EXPECT_EQ(at(13), (std::array{255, 255, 255}));
    EXPECT_EQ(at(16), (std::array{1, 2, 3}));
  }
}

TEST(Raster, WhatIsNotKnownIsRefused) {
  const auto drawn = [](const std::string& inside) {
    return rasterize_svg("<svg width=\"9\" height=\"9\">" + inside + "</svg>");
  };
  EXPECT_THROW((void)drawn("<image href=\"a.png\"/>"), std::invalid_argument);
  EXPECT_THROW((void)drawn("<path d=\"M0 0Q1 1 2 2\"/>"), std::invalid_argument);
  EXPECT_THROW((void)drawn("<rect fill=\"url(#a)\"/>"), std::invalid_argument);
  EXPECT_THROW((void)drawn("<style>g &gt; rect { fill: none; }</style>"), std::invalid_argument);
  EXPECT_THROW((void)rasterize_svg("<svg width=\"1e9\" height=\"1e9\"/>"), std::invalid_argument);
  EXPECT_THROW((void)rasterize_svg("no picture"), std::invalid_argument);
}

TEST(Raster, TextIsAsWideAsItsLetters) {
  const TextStrokes one = text_strokes("elbow", 10), twice = text_strokes("elbowelbow", 10);
  EXPECT_NEAR(twice.width, 2 * one.width, 1e-9);
  EXPECT_NEAR(text_strokes("elbow", 20).width, 2 * one.width, 1e-9);
  double top = 0, bottom = -100;
  for (const Polyline& line : text_strokes("H", 10).lines)
    for (const PixelPoint& p : line) top = std::min(top, p.y), bottom = std::max(bottom, p.y);
  EXPECT_NEAR(bottom, 0, 1e-9);
  EXPECT_NEAR(top, -7.2, 1e-9);
  EXPECT_EQ(text_strokes("\xc3\xa9", 10).lines.size(), 1u);  // e with an accent: a box
  EXPECT_EQ(text_strokes("\xff\xc3", 10).lines.size(), 2u);  // no UTF-8
}

TEST(Raster, FramesOfAGifHaveOneSize) {
  const Image image{2, 1, {0, 0, 0, 255, 255, 255}}, other{1, 1, {0, 0, 0}};
  GifWriter gif({&image, 1});
  gif.add(image, 4);
  EXPECT_THROW(gif.add(other, 4), std::invalid_argument);
}

}  // namespace
}  // namespace trammel::raster_test
