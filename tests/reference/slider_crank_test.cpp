// F13, the spatial slider-crank of the IFToMM benchmark library, against published numbers and
// against a quadrature of its one degree of freedom, independent of this engine.
#include <array>
#include <cmath>

#include "tests/support/motion_of.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel::slider_crank_test {
namespace {

using Vector = Vec3<double>;

// Closed-form kinematics: all positions follow from the crank angle alone, by Pythagoras and by the
// constant angle between the two axes of the wrist.
struct ByHand {
  static constexpr double l1 = 0.08, l2 = 0.3, g = 9.81;
  Vector tip, pin;              // ends of the rod
  Vector along, across, third;  // its axes

  explicit ByHand(double angle) {
    tip = {0, 0.1 - l1 * std::sin(angle), 0.12 + l1 * std::cos(angle)};
    pin = {std::sqrt(l2 * l2 - tip.y * tip.y - tip.z * tip.z), 0, 0};
    along = (1 / l2) * (pin - tip);
    // across: perpendicular to the rod, at the same angle to x as at the start
    const Vector x{1, 0, 0};
    Vector near = x - dot(x, along) * along;
    const double size = norm(near);
    near = (1 / size) * near;
    const double c = -2 / std::sqrt(65.0) / size, s = std::sqrt(1 - c * c);
    across = c * near - s * cross(along, near);
    third = cross(along, across);
  }
  double height() const { return 0.5 * (tip.z + pin.z); }
};

// Central difference of order 8: to some 1e-13 of a smooth function of size 1 over 0.1 rad.
template <class F> auto rate(const F& f, double at) {
  const double h = 0.02;
  const auto d = [&](double k) { return f(at + k * h) - f(at - k * h); };
  return (1 / h) * ((4.0 / 5) * d(1) - (1.0 / 5) * d(2) + (4.0 / 105) * d(3) - (1.0 / 280) * d(4));
}

// Twice the kinetic energy at a crank rate of 1 rad/s.
double inertia(double angle) {
  const ByHand now(angle);
  const Vector v_pin = rate([](double a) { return ByHand(a).pin; }, angle);
  const Vector v_com = rate([](double a) { return 0.5 * (ByHand(a).tip + ByHand(a).pin); }, angle);
  const Vector d_along = rate([](double a) { return ByHand(a).along; }, angle);
  const Vector d_across = rate([](double a) { return ByHand(a).across; }, angle);
  // omega in the axes of the rod
  const double wx = dot(d_across, now.third), wy = -dot(d_along, now.third),
               wz = dot(d_along, now.across);
  return 1e-4 + 0.5 * dot(v_com, v_com) + 2 * dot(v_pin, v_pin) + 4e-4 * wx * wx + 4e-3 * wy * wy +
         4e-3 * wz * wz;
}
double speed(double angle, double energy) {
  return std::sqrt(2 * (energy - 0.5 * ByHand::g * ByHand(angle).height()) / inertia(angle));
}
// Time from the start: integral of da / speed, by Gauss quadrature with 5 points in intervals of
// about 0.05 rad.
double time_to(double angle, double energy) {
  static constexpr std::array points{-0.9061798459386640, -0.5384693101056831, 0.0,
                                     0.5384693101056831, 0.9061798459386640};
  static constexpr std::array weights{0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                      0.4786286704993665, 0.2369268850561891};
  const int parts = int(angle / 0.05) + 1;
  const double half = 0.5 * angle / parts;
  double sum = 0;
  for (int k = 0; k < parts; ++k)
    for (std::size_t i = 0; i < points.size(); ++i)
      sum += half * weights[i] / speed((2 * k + 1 + points[i]) * half, energy);
  return sum;
}

double sizes(const Vector& a) { return std::abs(a.x) + std::abs(a.y) + std::abs(a.z); }
double sizes(const Pose<double>& X) {
  const Quaternion<double> q = quaternion(X.R);
  return sizes(X.p) + std::abs(q.w) + std::abs(q.x) + std::abs(q.y) + std::abs(q.z);
}

}  // namespace

// Initial velocities of Exudyn's model, given to "about 10 digits".
TEST(slider_crank, F13_starts_as_published) {
  MotionOf motion("f13");
  Kinematics now(motion.model);
  ASSERT_TRUE(kinematics(motion.model, motion.state, {}, motion.workspace, now).ok());
  const Motion<double> rod =
      velocity(motion.model, now, frame_ref(motion.model, "rod"), Axes::world);
  EXPECT_NEAR(rod.angular.x, 1.6941176470530785, 1e-10);
  EXPECT_NEAR(rod.angular.y, -0.8470588235366621, 1e-10);
  EXPECT_NEAR(rod.angular.z, 0.705882352947701, 1e-10);
  EXPECT_LT(norm(rod.linear - Vector{0.12, -0.24, 0}), 1e-12);
  EXPECT_NEAR(motion.v("guide"), 0.24, 1e-12);
}

// Exudyn's test suite has the sum of its 14 coordinates of crank and rod at 0.2 s,
// 3.36427617809219, by the generalized-alpha method with a thousand steps: of order 2, so accurate
// to about 1e-7.
TEST(slider_crank, F13_adds_up_to_what_another_engine_publishes) {
  MotionOf motion("f13");
  motion.at(0.2);
  Positions seen(motion.model);
  ASSERT_TRUE(positions(motion.model, motion.state, motion.workspace, seen).ok());
  const double sum = sizes(pose(motion.model, seen, frame_ref(motion.model, "crank"))) +
                     sizes(pose(motion.model, seen, frame_ref(motion.model, "rod")));
  EXPECT_NEAR(sum, 3.36427617809219, 1e-7);
}

// At 5 s, after some ten turns, it agrees with the quadrature.
TEST(slider_crank, F13_keeps_the_time_of_a_quadrature) {
  MotionOf motion("f13");
  const double energy = 0.5 * inertia(0) * 36 + 0.5 * ByHand::g * ByHand(0).height();
  for (const double t : {0.2, 1.0, 5.0}) {
    motion.at(t);
    const double angle = motion.q("crank");
    // of the two square roots of the slider position it stays on this one
    EXPECT_NEAR(motion.q("guide") + 0.2, ByHand(angle).pin.x, 1e-11) << t;
    EXPECT_NEAR(motion.v("crank"), speed(angle, energy), 1e-8) << t;
    EXPECT_NEAR(time_to(angle, energy), t, 1e-8) << t;
  }
  EXPECT_GT(motion.q("crank"), 12.0);
  EXPECT_LT(motion.energy_change(), 1e-9);
}

}  // namespace trammel::slider_crank_test
