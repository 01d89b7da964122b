// Stops of a joint with several coordinates: each has its own, one number applies to all.
#include "trammel/simulate/events/stops.hpp"

#include <gtest/gtest.h>

#include "trammel/constraint/equations/limits.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::stops_test {
namespace {

Model table_with(const std::vector<Expr>& lower, const std::vector<Expr>& restitution) {
  Description description("table");
  description.body("plate", {.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  description.joint("slide", JointKind::planar, "ground", "plate",
                    {.limits = {.lower = lower, .restitution = restitution}});
  return build_model(description);
}

TEST(stops, every_coordinate_has_its_own_limit_and_restitution) {
  const Model model = table_with({-0.1, -0.2, -0.3}, {0.5, 0.6, 0.7});
  const std::vector<Stop> found = find_stops(model);
  ASSERT_EQ(found.size(), 3U);
  for (int k = 0; k < 3; ++k) {
    EXPECT_DOUBLE_EQ(found[std::size_t(k)].at, -0.1 * (k + 1)) << k;
    EXPECT_DOUBLE_EQ(found[std::size_t(k)].restitution, 0.5 + 0.1 * k) << k;
    EXPECT_DOUBLE_EQ(position_range(model.joints()[0].limits, k).lower, -0.1 * (k + 1)) << k;
  }
}

TEST(stops, one_number_stands_for_all_coordinates) {
  const Model model = table_with({-0.1}, {0.5});
  const std::vector<Stop> found = find_stops(model);
  ASSERT_EQ(found.size(), 3U);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(found[std::size_t(k)].at, -0.1) << k;
    EXPECT_EQ(found[std::size_t(k)].restitution, 0.5) << k;
    EXPECT_EQ(position_range(model.joints()[0].limits, k).lower, -0.1) << k;
  }
}

}  // namespace
}  // namespace trammel::stops_test
