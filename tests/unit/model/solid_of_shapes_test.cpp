#include "trammel/model/description/solid_of_shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "trammel/model/description/solids.hpp"

namespace trammel::solid_of_shapes_test {
namespace {

using std::numbers::pi;

// A solid of revolution about z, cut into thin disks: each has m r^2 / 2 along, m r^2 / 4 across.
struct Disks {
  double mass = 0, along = 0, across = 0;
};
template <class Radius> Disks sum_of_disks(double from, double to, const Radius& radius) {
  Disks sum;
  constexpr int count = 20'000;
  const double dz = (to - from) / count;
  for (int k = 0; k < count; ++k) {
    const double z = from + (k + 0.5) * dz, r2 = radius(z) * radius(z), m = pi * r2 * dz;
    sum.mass += m;
    sum.along += m * r2 / 2;
    sum.across += m * (r2 / 4 + z * z);
  }
  return sum;
}

TEST(Capsule, is_the_sum_of_its_disks) {
  const double r = 0.3, l = 0.8;
  const Disks sum = sum_of_disks(-l / 2 - r, l / 2 + r, [&](double z) {
    const double beyond = std::max(0.0, std::abs(z) - l / 2);
    return std::sqrt(r * r - beyond * beyond);
  });
  const Solid solid = capsule(sum.mass, r, l);
  // the midpoint rule has an error of about 1/count^1.5 at steep ends
  EXPECT_NEAR(solid.inertia.zz.constant(), sum.along, 1e-7 * sum.along);
  EXPECT_NEAR(solid.inertia.xx.constant(), sum.across, 1e-7 * sum.across);
  EXPECT_EQ(solid.inertia.yy.constant(), solid.inertia.xx.constant());
}

TEST(Capsule, without_length_is_a_sphere) {
  EXPECT_DOUBLE_EQ(capsule(5.0, 2.0, 0.0).inertia.xx.constant(), 8);
  EXPECT_DOUBLE_EQ(capsule(5.0, 2.0, 0.0).inertia.zz.constant(), 8);
}

Shape box_at(const Vec3<Expr>& size, const Vec3<Expr>& xyz, const Vec3<Expr>& rpy = {}) {
  Shape shape;
  shape.size = size;
  shape.at = {xyz, rpy};
  return shape;
}

TEST(SolidOfShapes, two_halves_are_the_whole) {
  const Shape halves[] = {box_at({1.0, 0.4, 0.3}, {0.5, 1.0, 0.0}),
                          box_at({1.0, 0.4, 0.3}, {1.5, 1.0, 0.0})};
  const Solid sum = solid_of_shapes(6.0, halves);
  const Solid whole = box(6.0, {2.0, 0.4, 0.3}, {1.0, 1.0, 0.0});
  EXPECT_DOUBLE_EQ(sum.com.x.constant(), 1);
  EXPECT_DOUBLE_EQ(sum.com.y.constant(), 1);
  EXPECT_DOUBLE_EQ(sum.inertia.xx.constant(), whole.inertia.xx.constant());
  EXPECT_DOUBLE_EQ(sum.inertia.yy.constant(), whole.inertia.yy.constant());
  EXPECT_DOUBLE_EQ(sum.inertia.zz.constant(), whole.inertia.zz.constant());
  EXPECT_NEAR(sum.inertia.xy.constant(), 0, 1e-15);
}

TEST(SolidOfShapes, a_quarter_turn_exchanges_axes_exactly) {
  const Shape turned[] = {box_at({1.0, 2.0, 3.0}, {}, {0.0, 0.0, pi / 2})};
  const Solid solid = solid_of_shapes(12.0, turned);
  EXPECT_EQ(solid.inertia.xx.constant(), 1 + 9);
  EXPECT_EQ(solid.inertia.yy.constant(), 4 + 9);
  EXPECT_EQ(solid.inertia.xy.constant(), 0);
}

TEST(SolidOfShapes, mass_goes_by_volume) {
  Shape ball, can;
  ball.kind = Shape::Kind::sphere;
  ball.size.x = 0.3;
  can.kind = Shape::Kind::cylinder;
  can.size = {0.3, 0.4, 0.0};  // the volume of the ball: 4/3 r^3 = r^2 l
  can.at.xyz = {1.0, 0.0, 0.0};
  const Shape both[] = {ball, can};
  EXPECT_DOUBLE_EQ(solid_of_shapes(2.0, both).com.x.constant(), 0.5);
}

TEST(SolidOfShapes, sizes_may_be_symbols) {
  Graph graph;
  const Expr l = graph.symbol("l");
  const Shape one[] = {box_at({l, l, l}, {l, 0.0, 0.0})};
  const Solid solid = solid_of_shapes(6.0, one);
  EXPECT_TRUE(is_same(solid.com.x, l));
  EXPECT_FALSE(solid.inertia.xx.is_constant());
}

}  // namespace
}  // namespace trammel::solid_of_shapes_test
