// The N-four-bar mechanism of the IFToMM multibody benchmarks (A02; F2 has N = 2) and its motion in
// closed form.
//
// N parallelograms in a row, links of 1 m and 1 kg: N + 1 cranks on the ground and N couplers. With
// all cranks parallel it moves as one pendulum,
//   I theta'' = m g sin(theta),   I = (N + 1) / 3 + N,   m = (N + 1) / 2 + N,
// theta from the upright, where it starts with 1 rad/s by default. It turns over and over. Where
// all links lie flat, theta = pi / 2 + k pi, 2^N branches meet.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "trammel/model/build/builder.hpp"

namespace trammel {

// `longer`: added to the length of the second coupler, so that the branches do not meet.
inline Description n_four_bar(int n, double longer = 0) {
  Description description(fmt::format("{} four-bars", n));
  description.gravity = {0.0, -9.81, 0.0};
  const auto name = [](const char* what, int k) { return fmt::format("{}{}", what, k); };
  for (int k = 0; k <= n; ++k)
    description.body(
        name("crank", k),
        {.mass = 1.0, .com = {0.0, 0.5, 0.0}, .inertia = {1.0 / 12, 0, 0, 0, 0, 1.0 / 12}});
  for (int k = 0; k < n; ++k)
    description.body(
        name("coupler", k),
        {.mass = 1.0, .com = {0.5, 0.0, 0.0}, .inertia = {0, 0, 0, 1.0 / 12, 0, 1.0 / 12}});
  for (int k = 0; k <= n; ++k)
    description.joint(name("foot", k), JointKind::revolute, "ground", name("crank", k),
                      {.at = {{double(k), 0.0, 0.0}, {}}});
  for (int k = 0; k < n; ++k)
    description.joint(name("left", k), JointKind::revolute, name("crank", k), name("coupler", k),
                      {.at = {{0.0, 1.0, 0.0}, {}}});
  for (int k = 0; k < n; ++k)
    description.joint(name("right", k), JointKind::revolute, name("coupler", k),
                      name("crank", k + 1),
                      {.at = {{1.0 + (k == 1 ? longer : 0), 0.0, 0.0}, {}},
                       .child_at = {{0.0, 1.0, 0.0}, {}},
                       .cut = true});
  description.start_velocities.push_back({"foot0", {-1.0}});
  return description;
}

// The motion of the N-four-bar with parallel cranks.
class NFourBarMotion {
 public:
  explicit NFourBarMotion(int n, double start = 1)
      : start_(start), inertia_((n + 1) / 3.0 + n), w_(9.81 * ((n + 1) / 2.0 + n) / inertia_) {}

  // theta' as a function of the angle turned, from theta'^2 / 2 + w cos(theta) = const.
  double speed(double angle) const {
    return std::sqrt(start_ * start_ + 2 * w_ * (1 - std::cos(angle)));
  }
  double largest_kinetic_energy() const { return 0.5 * inertia_ * (start_ * start_ + 4 * w_); }
  // Time to turn by an angle: integral of dtheta / theta', by Simpson's rule to 1e-13 of a turn.
  double time_to_turn(double angle) const {
    constexpr double turn = 2 * std::numbers::pi;
    const double turns = std::floor(angle / turn);
    return turns * integral(turn) + integral(angle - turns * turn);
  }
  // Times up to `end` at which all links lie flat.
  std::vector<double> flat_times(double end) const {
    std::vector<double> times;
    for (double angle = std::numbers::pi / 2;; angle += std::numbers::pi) {
      const double time = time_to_turn(angle);
      if (time >= end) return times;
      times.push_back(time);
    }
  }

 private:
  double integral(double angle) const {
    constexpr int n = 20000;
    const double h = angle / n;
    double sum = 1 / speed(0) + 1 / speed(angle);
    for (int k = 1; k < n; ++k) sum += (k % 2 == 1 ? 4 : 2) / speed(k * h);
    return sum * h / 3;
  }

  double start_, inertia_, w_;
};

}  // namespace trammel
