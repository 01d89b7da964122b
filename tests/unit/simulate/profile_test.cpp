// Functions of time with three derivatives: each is the derivative of the one before it.
#include "trammel/simulate/inputs/profile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace trammel::profile_test {
namespace {

// By differences of fourth order: h^4 of fifth derivatives, and rounding over h. The tolerance is
// for profiles of a few meters and seconds.
void expect_consistent(const Profile& profile, double time, const char* name) {
  const double h = 1e-3;
  const auto slope = [&](double Jet::*part) {
    return (8 * (profile(time + h).*part - profile(time - h).*part) -
            (profile(time + 2 * h).*part - profile(time - 2 * h).*part)) /
           (12 * h);
  };
  const Jet now = profile(time);
  EXPECT_NEAR(slope(&Jet::value), now.rate, 1e-8) << name << " " << time;
  EXPECT_NEAR(slope(&Jet::rate), now.acceleration, 1e-8) << name << " " << time;
  EXPECT_NEAR(slope(&Jet::acceleration), now.jerk, 1e-8) << name << " " << time;
}

TEST(profile, derivatives_belong_to_their_values) {
  const std::vector<double> times = {0, 1, 1.7, 3, 4}, values = {0.2, 1, 0.4, -0.5, 0.1};
  const Profile sine = [](double x) -> Jet {
    return {std::sin(x), std::cos(x), -std::sin(x), -std::cos(x)};
  };
  const Profile quintic = quintic_profile(-1, 2, 0, 4);
  const std::pair<const char*, Profile> all[] = {
      {"quintic", quintic},
      {"cycloidal", cycloidal_profile(-1, 2, 0, 4)},
      {"cruise", cruise_profile({0.3, 0.8, 1, 1.5, 1.5})},
      {"spline", spline_profile(times, values)},
      {"along", along(sine, quintic)},
  };
  // inside of every piece: none of these times is within 2 h of a knot
  for (const auto& [name, profile] : all)
    for (const double time : {0.3, 0.8, 1.4, 2.1, 2.8, 3.3, 3.9})
      expect_consistent(profile, time, name);
}

// (t^2)^3 = t^6, by hand.
TEST(profile, a_chain_has_the_derivatives_of_a_power) {
  const Profile cube = [](double s) -> Jet { return {s * s * s, 3 * s * s, 6 * s, 6}; };
  const Profile square = [](double t) -> Jet { return {t * t, 2 * t, 2, 0}; };
  const double t = 1.3;
  const Jet sixth = along(cube, square)(t);
  EXPECT_NEAR(sixth.value, std::pow(t, 6), 1e-13);
  EXPECT_NEAR(sixth.rate, 6 * std::pow(t, 5), 1e-13);
  EXPECT_NEAR(sixth.acceleration, 30 * std::pow(t, 4), 1e-12);
  EXPECT_NEAR(sixth.jerk, 120 * std::pow(t, 3), 1e-12);
}

// A cubic spline is the cubic if that fulfills its conditions: at rest at both ends, 3 t^2 - 2 t^3.
TEST(profile, a_spline_through_points_of_a_cubic_has_its_rates) {
  const std::vector<double> times = {0, 0.25, 0.4, 0.7, 1};
  std::vector<double> values;
  for (const double t : times) values.push_back(t * t * (3 - 2 * t));
  const Profile spline = spline_profile(times, values);
  for (std::size_t k = 1; k + 1 < times.size(); ++k) {
    const double t = times[k];
    EXPECT_NEAR(spline(t).rate, 6 * t * (1 - t), 1e-14) << t;
    EXPECT_NEAR(spline(t).acceleration, 6 - 12 * t, 1e-13) << t;
  }
}

}  // namespace
}  // namespace trammel::profile_test
