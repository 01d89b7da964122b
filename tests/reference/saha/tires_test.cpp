// Wheels with tires, which deform and creep [Saha 1991, 7.2 (ii)]. As the slip speed of full
// friction goes to zero they become rolling wheels.
#include "tests/reference/posed.hpp"
#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::tires_test {
namespace {

constexpr double r = 0.1, half_track = 0.25, body = 10, wheel = 1, friction = 0.8, g = 9.81;
constexpr double stiffness = 1e7;  // [N/m^1.5]

// A body ahead of two driven wheels, which support it; it does not pitch. slip_speed 0: they roll.
Description cart(double slip_speed) {
  Description description("cart");
  description.body("body", box(body, {0.4, 0.5, 0.1}, {0.0, 0.08, 0.0}));
  description.joint("ride", JointKind::compound, "ground", "body",
                    {.motions = {slide({1.0, 0.0, 0.0}), slide({0.0, 1.0, 0.0}),
                                 slide({0.0, 0.0, 1.0}), turn({0.0, 0.0, 1.0})}});
  for (const auto& [name, x] : {std::pair("left", -half_track), std::pair("right", half_track)}) {
    description.body(name, {.mass = wheel,
                            .inertia = {wheel * r * r / 2, 0.0, 0.0, wheel * r * r / 4, 0.0,
                                        wheel * r * r / 4}});
    description.joint(
        name, JointKind::revolute, "body", name,
        {.at = {.xyz = {x, 0.0, 0.0}}, .axis = {1.0, 0.0, 0.0}, .drive = Drive::torque});
    description.inputs.push_back({.name = name,
                                  .joint = name,
                                  .profile = "constant",
                                  .numbers = {{"value", {x < 0 ? -0.9 : -0.6}}}});
    if (slip_speed > 0)
      description.contacts.push_back({.name = std::string(name) + " tyre",
                                      .body = name,
                                      .radius = r,
                                      .stiffness = stiffness,
                                      .dissipation = 0.5,
                                      .friction = friction,
                                      .slip_speed = slip_speed});
    else
      description.wheels.push_back(
          {.name = std::string(name) + " rim", .body = name, .axis = {1.0, 0.0, 0.0}, .radius = r});
  }
  // static depth in the floor under the weight
  const double depth =
      slip_speed > 0 ? std::pow((body + 2 * wheel) * g / 2 / stiffness, 2.0 / 3) : 0.0;
  description.start_positions = {{"ride", {0.0, 0.0, r - depth, 0.0}}};
  return description;
}
// State after 1.5 s: x, y, heading, angles of both wheels; and velocities.
Eigen::VectorXd after(double slip_speed) {
  MotionOf motion(build_model(cart(slip_speed)));
  RunOptions options = MotionOf::precise();
  options.relative = 1e-9, options.absolute = 1e-11;
  const Status status = motion.go(1.5, options);
  EXPECT_TRUE(status.ok()) << status.message();
  Eigen::VectorXd out(10);
  for (int k = 0; k < 5; ++k) {
    const auto from = std::size_t(k < 2 ? k : k + 1);  // without the height
    out[k] = motion.state.q[from], out[5 + k] = motion.state.v[from];
  }
  return out;
}

TEST(saha_tyres, tend_to_wheels_that_roll) {
  const Eigen::VectorXd rolls = after(0), creeps = after(0.04), half = after(0.02),
                        quarter = after(0.01);
  EXPECT_GT(rolls.head(2).norm(), 0.5);  // it has moved,
  EXPECT_GT(std::abs(rolls[2]), 0.3);    // and turned
  const double error = largest_of(creeps - rolls);
  EXPECT_GT(error, 1e-3);  // with tires it is another motion
  // creep is proportional to slip_speed while it is small against it: so is its effect
  EXPECT_NEAR(largest_of(half - rolls) / error, 0.5, 0.05);
  EXPECT_NEAR(largest_of(quarter - rolls) / error, 0.25, 0.03);
  // extrapolated to zero it is the motion of rolling wheels: the rest is of second order
  EXPECT_LT(largest_of(2 * quarter - half - rolls), 0.05 * largest_of(quarter - rolls));
}

}  // namespace
}  // namespace trammel::tires_test
