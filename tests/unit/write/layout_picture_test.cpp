// Drawings of wheel layouts: the drawing shows the computed design.
#include "trammel/write/plot/layout_picture.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <regex>

#include "trammel/design/isotropy.hpp"

namespace trammel::layout_picture_test {
namespace {

// Value of an attribute of the first element of a class.
double attribute(const std::string& svg, const std::string& kind, const std::string& name) {
  std::smatch found;
  const std::regex pattern("class=\"" + kind + "\"[^>]*\\b" + name + "=\"([-0-9.]+)\"");
  if (!std::regex_search(svg, found, pattern)) return -1;
  return std::stod(found[1]);
}

std::size_t count(const std::string& svg, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1))
    ++times;
  return times;
}

LayoutPicture picture_of(const WheelLayout& wheels, double length) {
  return {.title = "ring & <wheels>",
          .names = {"a", "b", "c", "d"},
          .wheels = wheels,
          .motion_by_rates = hub_jacobian(wheels).completeOrthogonalDecomposition().pseudoInverse(),
          .length = length};
}

TEST(layout_picture, of_an_isotropic_ring_is_one_circle) {
  const WheelLayout ring = isotropic_layout({.wheels = 4});
  const std::string svg = layout_picture(picture_of(ring, characteristic_length(ring)));
  const double radius = attribute(svg, "turning", "r");
  EXPECT_GT(radius, 10);  // px
  EXPECT_NEAR(attribute(svg, "reach", "rx"), radius, 0.11);
  EXPECT_NEAR(attribute(svg, "reach", "ry"), radius, 0.11);
  EXPECT_EQ(count(svg, "class=\"tire\""), 4u);
  EXPECT_NE(svg.find("ring &amp; &lt;wheels&gt;"), std::string::npos);
  // with half the length the rotational axis is half as large, and the condition number 2 is
  // printed
  const std::string half = layout_picture(picture_of(ring, characteristic_length(ring) / 2));
  EXPECT_NEAR(attribute(half, "turning", "r"), attribute(half, "reach", "rx") / 2, 0.11);
  EXPECT_NE(half.find(">2 at 0.2121 m<"), std::string::npos);
}

TEST(layout_picture, of_a_singular_layout_says_why) {
  LayoutPicture what{
      .title = "square",
      .wheels = isotropic_layout({.wheels = 3}),
      .length = 1,
      .singular_because = "no wheel turns the platform: the axes point to its center"};
  const std::string svg = layout_picture(what);
  EXPECT_EQ(svg.find("class=\"reach\""), std::string::npos);
  EXPECT_NE(svg.find("no wheel turns the platform:"), std::string::npos);
  EXPECT_NE(svg.find("singular: the condition number is infinite"), std::string::npos);
}

}  // namespace
}  // namespace trammel::layout_picture_test
