#include "trammel/model/description/solids.hpp"

#include <gtest/gtest.h>

namespace trammel::solids_test {
namespace {

// textbook moments of inertia: Goldstein, Classical Mechanics, or any other
TEST(Solids, a_box_resists_by_its_edges_across_the_axis) {
  const Solid solid = box(12.0, {1.0, 2.0, 3.0}, {0.5, 0, 0});
  EXPECT_EQ(solid.mass.constant(), 12);
  EXPECT_EQ(solid.com.x.constant(), 0.5);
  EXPECT_EQ(solid.inertia.xx.constant(), 4 + 9);
  EXPECT_EQ(solid.inertia.yy.constant(), 1 + 9);
  EXPECT_EQ(solid.inertia.zz.constant(), 1 + 4);
  EXPECT_EQ(solid.inertia.xy.constant(), 0);
}

TEST(Solids, a_cylinder_is_about_z) {
  const Solid solid = solid_cylinder(12.0, 2.0, 3.0);
  EXPECT_EQ(solid.inertia.zz.constant(), 12 * 4 / 2);
  EXPECT_EQ(solid.inertia.xx.constant(), 3 * 4 + 9);
  EXPECT_EQ(solid.inertia.yy.constant(), 3 * 4 + 9);
}

TEST(Solids, a_thin_rod_lies_along_x) {
  const Solid solid = thin_rod(12.0, 2.0, {1.0, 0, 0});
  EXPECT_EQ(solid.inertia.xx.constant(), 0);
  EXPECT_EQ(solid.inertia.yy.constant(), 4);
  EXPECT_EQ(solid.inertia.zz.constant(), 4);
  EXPECT_EQ(solid.com.x.constant(), 1);
}

TEST(Solids, a_sphere_is_the_same_all_round) {
  const Solid solid = sphere(5.0, 2.0);
  EXPECT_EQ(solid.inertia.xx.constant(), 8);
  EXPECT_EQ(solid.inertia.yy.constant(), 8);
  EXPECT_EQ(solid.inertia.zz.constant(), 8);
}

TEST(Solids, a_point_mass_has_no_inertia_of_its_own) {
  const Solid solid = point_mass(5.0, {1.0, 2.0, 3.0});
  EXPECT_EQ(solid.inertia.xx.constant(), 0);
  EXPECT_EQ(solid.com.z.constant(), 3);
}

TEST(Solids, sizes_may_be_symbols) {
  Graph graph;
  const Expr l = graph.symbol("l");
  const Solid solid = thin_rod(1.0, l, {l / 2, 0, 0});
  EXPECT_FALSE(solid.inertia.zz.is_constant());
  EXPECT_TRUE(solid.inertia.xx.is_constant());
}

}  // namespace
}  // namespace trammel::solids_test
