// Contact point of a ball near a curved floor: the foot of the perpendicular from its center.
#include "trammel/constraint/kinds/terrain_contact.hpp"

#include <gtest/gtest.h>

#include <variant>

namespace trammel::terrain_contact_test {
namespace {

// Over the bottom of a trough of radius of curvature 1 m, a center at height d that moves sideways
// at speed v has its foot at v / (1 - d): seen from the center of curvature, both are on one ray.
// The normal turns at the same rate. This holds wherever the ball's surface is: here 0.4 m above.
TEST(TerrainContact, foot_of_a_ball_above_a_trough_moves_faster_than_its_center) {
  const Terrain trough =
      std::get<Terrain>(Terrain::of_formula("(x*cos(0.3) + y*sin(0.3))^2/2", {}));
  const double height = 0.5, v = 0.7, c = std::cos(0.3), s = std::sin(0.3);
  const Roller<double> ball{
      .center = {0.0, 0.0, height}, .velocity = {v * c, v * s, 0.0}, .radius = 0.1};
  const TerrainContact<double> found = find_contact_point(trough, ball);
  ASSERT_TRUE(found.is_found);
  EXPECT_NEAR(norm(found.foot), 0, 1e-12);
  const Vec3<double> turning{-v / (1 - height) * c, -v / (1 - height) * s, 0.0};
  EXPECT_NEAR(norm(found.normal_rate - turning), 0, 1e-12);
}

}  // namespace
}  // namespace trammel::terrain_contact_test
