// Contacts of class II, whose force is not along the constrained direction: a rod that slides over
// a floor with friction, by its closed form and by the formula of [van der Merwe 1995, section
// 3.10].
#include "tests/reference/posed.hpp"
#include "tests/support/capability.hpp"
#include "trammel/constraint/solver/sliding_dynamics.hpp"

namespace trammel::sliding_test {
namespace {

// A thin rod of half length l in the x-z plane, its lower tip on the floor; q: x and z of its
// middle, and the angle about -y from the x axis.
struct SlidingRod {
  static constexpr double m = 1.5, l = 0.4, I = m * l * l / 3, g = 9.81;
  static Description described(bool touches) {
    Description description("rod");
    description.body("rod", {.mass = m, .inertia = {0.0, 0.0, 0.0, I, 0.0, I}});
    description.frame("tip", "rod", {.xyz = {-l, 0.0, 0.0}});
    description.joint(
        "flight", JointKind::compound, "ground", "rod",
        {.motions = {slide({1.0, 0.0, 0.0}), slide({0.0, 0.0, 1.0}), turn({0.0, -1.0, 0.0})}});
    if (touches)
      description.joint(
          "floor", JointKind::compound, "ground", "rod",
          {.child_at = {.xyz = {-l, 0.0, 0.0}},
           .motions = {slide({1.0, 0.0, 0.0}), slide({0.0, 1.0, 0.0}), turn({0.0, -1.0, 0.0}),
                       turn({0.0, 0.0, 1.0}), turn({1.0, 0.0, 0.0})},
           .cut = true});
    return description;
  }
  // at an angle, turning, its tip sliding with a speed
  SlidingRod(double angle, double rate, double speed)
      : held(described(true), {0.3 + l * std::cos(angle), l * std::sin(angle), angle}),
        free(described(false), held.state.q) {
    held.state.v = {speed - l * std::sin(angle) * rate, l * std::cos(angle) * rate, rate};
    free.state.v = held.state.v;
  }
  // friction opposite to the sliding velocity
  Follower friction(double mu, double speed) const {
    return {0, {frame_ref(held.model, "tip"), {{}, {speed > 0 ? -mu : mu, 0, 0}}, Axes::world}};
  }
  Posed held, free;
};

TEST(sliding, a_rod_on_a_rough_floor) {
  shows({"M-50", "sliding_dynamics"});
  const double m = SlidingRod::m, l = SlidingRod::l, I = SlidingRod::I, g = SlidingRod::g;
  for (const double angle : {0.3, 0.9, 1.4})
    for (const double speed : {1.2, -1.2})
      for (const double mu : {0.0, 0.3, 0.8}) {
        const double rate = -0.7, c = std::cos(angle), s = std::sin(angle);
        const double sign = speed > 0 ? 1 : -1;
        SlidingRod rod(angle, rate, speed);
        const Follower follower[] = {rod.friction(mu, speed)};
        ConstrainedAnswer found;
        const Status status = sliding_dynamics(rod.held.model, rod.held.state, {}, follower,
                                               rod.held.workspace, found);
        ASSERT_TRUE(status.ok()) << status.message();

        // by hand: m x'' = -mu N, m z'' = N - m g, I w' = -N l c - mu N l s, z - l sin = 0
        const double resists = 1 / m + l * l / I * c * (c + sign * mu * s);
        const double N = (g - l * s * rate * rate) / resists;
        EXPECT_NEAR(found.lambda[0], N, 1e-11 * (1 + N));
        EXPECT_NEAR(found.a[0], -sign * mu * N / m, 1e-11 * (1 + N));
        EXPECT_NEAR(found.a[1], N / m - g, 1e-11 * (1 + N));
        EXPECT_NEAR(found.a[2], -N * l * (c + sign * mu * s) / I, 1e-10 * (1 + N));

        // by the reference: [psi_c^T Linv (psi_c + psi Q)] h_c = psi_c^T x''_open, forces of the
        // tip
        const Eigen::MatrixXd Linv = rod.free.Lambda_inverse("tip", Axes::world);
        const Eigen::VectorXd a_open = rod.free.a();
        const std::vector<double> a_list = list_of(a_open);
        const Motion<double> open = acceleration(rod.free.model, rod.free.moving({.a = a_list}),
                                                 frame_ref(rod.free.model, "tip"));
        const double h_c = open.linear.z / (Linv(5, 5) + Linv(5, 3) * -sign * mu);
        EXPECT_NEAR(-h_c, N, 1e-11 * (1 + N));
      }
}

// Painleve paradox: sliding toward the side to which it leans, a rod jams: at one friction
// coefficient the system is singular, and this is reported.
TEST(sliding, a_rod_that_jams_is_reported) {
  const double m = SlidingRod::m, l = SlidingRod::l, I = SlidingRod::I;
  const double angle = 1.1, c = std::cos(angle), s = std::sin(angle), speed = -1;
  const double jams = (I / (m * l * l * c) + c) / s;
  SlidingRod rod(angle, 0, speed);
  const auto told = [&](double mu) {
    const Follower follower[] = {rod.friction(mu, speed)};
    ConstrainedAnswer found;
    return sliding_dynamics(rod.held.model, rod.held.state, {}, follower, rod.held.workspace, found)
        .message();
  };
  EXPECT_EQ(told(0.99 * jams), "");
  EXPECT_EQ(
      told(jams),
      "sliding_dynamics: the forces that follow 'loop joint 'floor': wrench 1' leave no unique "
      "answer: the equations of their magnitudes are singular (jamming); change their direction "
      "or their size");
}

}  // namespace
}  // namespace trammel::sliding_test
