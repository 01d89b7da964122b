// Vehicles with dampers and dry friction in their bearings [Saha 1991, 7.2 (i)], against closed
// forms of their decaying motion.
#include "tests/reference/saha/vehicles.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/motion_of.hpp"

namespace trammel::losses_test {
namespace {

using Eigen::Vector2d;

// A vehicle of the gallery with given wheel rates and friction in its bearings.
struct Bearing {
  const char* joint;
  double damping = 0, friction = 0, speed = 0.1;
};
Model with_bearings(const std::string& name, const Vector2d& rates,
                    const std::vector<Bearing>& bearings) {
  Description description = load_model("@" + name).description();
  for (StartDescription& start : description.start_velocities)
    start.values = {start.joint == "left" ? rates[0] : rates[1]};
  for (const Bearing& bearing : bearings)
    for (JointDescription& joint : description.joints)
      if (joint.name == bearing.joint) {
        if (bearing.damping > 0) joint.options.damping = {bearing.damping};
        if (bearing.friction > 0)
          joint.options.friction = {bearing.friction},
          joint.options.friction_speed = {bearing.speed};
      }
  return build_model(description);
}
double kinetic_energy(MotionOf& run, const State& state) {
  Energy now;
  EXPECT_TRUE(energy(run.model, state, run.workspace, now).ok());
  return now.kinetic;
}
// Energy decreases from sample to sample; heights do not change.
void expect_falling_energy(MotionOf& run) {
  for (std::size_t k = 1; k < run.samples.size(); ++k)
    if (run.samples[k].time > run.samples[k - 1].time) {
      EXPECT_LT(kinetic_energy(run, run.samples[k]), kinetic_energy(run, run.samples[k - 1]))
          << run.samples[k].time;
    }
}
RunOptions sampled(double every) {
  RunOptions options = MotionOf::precise();
  options.sample = every;
  return options;
}

// S-T01: I theta'' = -c theta'; sum and difference of the rates decay each at its own rate.
TEST(saha_losses, dampers_slow_the_axle_as_its_closed_form_says) {
  shows({"S-66", "simulate", "energy"});
  const double c = 1e-3, duration = 5;
  const Vector2d start(-4, -7);
  MotionOf run(with_bearings("s_t01", start, {{"left", c}, {"right", c}}));
  ASSERT_TRUE(run.go(duration, sampled(0.1)).ok());
  const double m = Vehicle::wheel_mass, r = Vehicle::r, eta = Vehicle::eta;
  const double of_sum = 1.5 * m * r * r, of_difference = of_sum + m * r * r * eta * eta;
  const double sum = start.sum() * std::exp(-c / of_sum * duration),
               fades = std::exp(-c / of_difference * duration),
               difference = (start[0] - start[1]) * fades;
  EXPECT_NEAR(run.v("left"), (sum + difference) / 2, 1e-9);
  EXPECT_NEAR(run.v("right"), (sum - difference) / 2, 1e-9);
  EXPECT_NEAR(run.q("base", 2), eta * (start[0] - start[1]) * of_difference / c * (1 - fades),
              1e-9);
  expect_falling_energy(run);
  EXPECT_NEAR(kinetic_energy(run, run.state),
              (of_sum * sum * sum + of_difference * difference * difference) / 4, 1e-10);
}

// Dry friction f w / sqrt(w^2 + s^2), straight on: I times the integral of sqrt(w^2 + s^2) / w
// falls by f t. For s -> 0 it stops after 105 s and 18.375 m.
TEST(saha_losses, dry_friction_stops_the_axle) {
  shows({"S-66", "simulate", "energy"});
  const double f = 5e-4, s = 1e-3, r = Vehicle::r;
  MotionOf run(with_bearings("s_t01", {-7, -7}, {{"left", 0, f, s}, {"right", 0, f, s}}));
  const double I = 1.5 * Vehicle::wheel_mass * r * r;
  const auto integral = [&](double w) { return std::hypot(w, s) - s * std::asinh(s / w); };
  for (const double time : {20.0, 60.0, 100.0}) {
    ASSERT_TRUE(run.go(time - run.state.time, sampled(1)).ok());
    for (const char* wheel : {"left", "right"}) {
      const double w = -run.v(wheel);
      EXPECT_NEAR(integral(7) - integral(w), f / I * time, 1e-8) << time;
    }
    // lost energy: friction times the angle of the wheels, up to a fraction s / w
    const double way = run.q("base", 1);
    EXPECT_NEAR(kinetic_energy(run, run.state), I * 49 - 2 * f * way / r, 1e-6) << time;
  }
  expect_falling_energy(run);
  ASSERT_TRUE(run.go(20, sampled(1)).ok());
  EXPECT_NEAR(run.v("left"), 0, 1e-3);
  EXPECT_NEAR(run.q("base", 1), 18.375, 1e-4);
}

// S-T03 with its caster: I theta'' + h = -T^T C T theta' of section 3.7, with small steps.
TEST(saha_losses, dampers_slow_the_vehicle_with_a_caster) {
  shows({"S-66", "simulate", "energy"});
  const double wheels = 1e-3, fork = 2e-4;
  const Vector2d start(-4, -7);
  MotionOf run(with_bearings(
      "s_t03", start, {{"left", wheels}, {"right", wheels}, {"caster", wheels}, {"steer", fork}}));
  ASSERT_TRUE(run.go(5, sampled(0.1)).ok());
  expect_falling_energy(run);

  // angles and rates of both wheels, the fork, the heading, the lost energy
  using State7 = Eigen::Matrix<double, 7, 1>;
  const auto rates_of = [&](const State7& x) {
    const Vector2d rates = x.segment<2>(2);
    const ClosedForm form(x[4], rates);
    const Eigen::RowVector2d caster = form.U.row(0), steer = form.U.row(1);
    const Eigen::Matrix2d C = wheels * (Eigen::Matrix2d::Identity() + caster.transpose() * caster) +
                              fork * steer.transpose() * steer;
    State7 out;
    out << rates, form.I.llt().solve(-form.h - C * rates), steer.dot(rates),
        form.U.row(2).dot(rates), rates.dot(C * rates);
    return out;
  };
  State7 x;
  x << 0, 0, start, 0.3, 0, 0;
  const double step = 1e-3;  // its fourth power is far below the tolerance
  for (int k = 0; k < 5000; ++k) {
    const State7 a = rates_of(x), b = rates_of(x + step / 2 * a), c = rates_of(x + step / 2 * b),
                 d = rates_of(x + step * c);
    x += step / 6 * (a + 2 * b + 2 * c + d);
  }
  EXPECT_NEAR(run.q("left"), x[0], 1e-8);
  EXPECT_NEAR(run.q("right"), x[1], 1e-8);
  EXPECT_NEAR(run.v("left"), x[2], 1e-8);
  EXPECT_NEAR(run.v("right"), x[3], 1e-8);
  EXPECT_NEAR(run.q("steer"), x[4], 1e-8);
  EXPECT_NEAR(run.q("base", 2), x[5], 1e-8);
  EXPECT_NEAR(kinetic_energy(run, run.samples.front()) - kinetic_energy(run, run.state), x[6],
              1e-9);
  EXPECT_GT(x[6], 0.3);
}

}  // namespace
}  // namespace trammel::losses_test
