#include "trammel/model/curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace trammel::curve_test {
namespace {

const std::vector<Vec3<double>> corners = {
    {0, 0, 0}, {1, 0.2, 0.1}, {1.4, 1.1, 0.5}, {0.3, 1.5, -0.2}, {-0.6, 0.8, 0.3}};

Curve curve_of(std::variant<Curve, CurveMistake> made) {
  if (const auto* mistake = std::get_if<CurveMistake>(&made)) ADD_FAILURE() << mistake->fact;
  return std::get<Curve>(std::move(made));
}

}  // namespace

// A spline passes through its points, and its curvature is continuous there.
TEST(Curve, spline_is_smooth_to_the_second_derivative) {
  for (const bool closed : {false, true}) {
    const Curve curve = curve_of(Curve::through(corners, closed));
    double s = 0;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      EXPECT_NEAR(norm(curve.at(s).c - corners[k]), 0, 1e-14);
      const double step = 1e-9;  // what the derivatives change over it is of its size
      const bool is_end = !closed && (k == 0 || k + 1 == corners.size());
      if (is_end) {
        EXPECT_NEAR(norm(curve.at(s).second), 0, 1e-12) << "a natural end has no curvature";
      } else {
        const auto before = curve.at(s - step), after = curve.at(s + step);
        EXPECT_NEAR(norm(before.first - after.first), 0, 1e-7);
        EXPECT_NEAR(norm(before.second - after.second), 0, 1e-6);
      }
      s += norm(corners[(k + 1) % corners.size()] - corners[k]);
    }
    if (closed) {
      EXPECT_NEAR(norm(curve.at(curve.end()).c - corners[0]), 0, 1e-14);
      EXPECT_NEAR(norm(curve.at(curve.end() + 0.3).c - curve.at(0.3).c), 0, 1e-14);
    }
  }
}

TEST(Curve, derivatives_agree_with_differences) {
  const Curve curves[] = {curve_of(Curve::through(corners, true)),
                          curve_of(Curve::of_formulas({.x = "cos(s)",
                                                       .y = "a*sin(s)",
                                                       .z = "s^2/9",
                                                       .names = {{"a", 0.5}},
                                                       .from = -2,
                                                       .to = 2,
                                                       .closed = false}))};
  for (const Curve& curve : curves)
    for (const double s : {-1.1, 0.4, 1.7}) {
      if (s < curve.begin()) continue;
      const double h = 1e-5;  // h^2, and rounding / h
      const auto before = curve.at(s - h), here = curve.at(s), after = curve.at(s + h);
      EXPECT_NEAR(norm((0.5 / h) * (after.c - before.c) - here.first), 0, 1e-8);
      EXPECT_NEAR(norm((0.5 / h) * (after.first - before.first) - here.second), 0, 1e-8);
    }
}

// The nearest point is at least as near as 20000 others.
TEST(Curve, nearest_point_is_nearest) {
  for (const bool closed : {false, true}) {
    const Curve curve = curve_of(Curve::through(corners, closed));
    for (int k = 0; k < 50; ++k) {
      const Vec3<double> x{2 * std::sin(1.3 * k), 2 * std::cos(0.7 * k), std::sin(2.1 * k)};
      const Curve::Nearest nearest = curve.nearest(x);
      double least = 1e9;
      for (int i = 0; i <= 20000; ++i)
        least = std::min(
            least, norm(x - curve.at(curve.begin() + (curve.end() - curve.begin()) * i / 20000).c));
      const double s = std::clamp(nearest.s, curve.begin(), curve.end());
      EXPECT_LE(norm(x - curve.at(s).c), least + 1e-12);
      const auto at = curve.at(nearest.s);
      EXPECT_NEAR(dot(x - at.c, at.first), 0, 1e-12);
      EXPECT_EQ(nearest.overshoot > 0, nearest.s < curve.begin() || nearest.s > curve.end());
    }
  }
}

// No tangent is parallel to the reference; that of a plane curve is the normal of its plane.
TEST(Curve, reference_is_across) {
  const Curve flat = curve_of(Curve::through({{0, 0, 1}, {1, 0, 0}, {0, 0, -1}, {-1, 0, 0}}, true));
  EXPECT_NEAR(std::abs(flat.reference().y), 1, 1e-12);
  const Curve space = curve_of(Curve::through(corners, true));
  for (double s = 0; s < space.end(); s += 0.01)
    EXPECT_GT(norm(cross(space.reference(), space.at(s).first)) / norm(space.at(s).first), 0.1);
}

}  // namespace trammel::curve_test
