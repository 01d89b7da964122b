// Simulations of [Gutenkunst 2012]: the double pendulums G-EX1 and G-EX2, the crane G-EX4, the free
// robot G-EX5. Published numbers have nine to ten decimals; steps have errors of 1e-11, which ten
// seconds of a pendulum amplify by some powers of ten, so the tolerance is 2e-8.
#include <array>
#include <cmath>
#include <numbers>

#include "tests/support/capability.hpp"
#include "tests/support/motion_of.hpp"
#include "trammel/write/plot/plot.hpp"
#include "trammel/write/report/overlaid_plots.hpp"

namespace trammel::motion_test {
namespace {

constexpr double published = 2e-8;

struct RunSnapshot {
  double time;
  std::vector<double> q, v;
};
void expect_moments(MotionOf& motion, const std::vector<RunSnapshot>& moments) {
  for (const RunSnapshot& moment : moments) {
    const State& state = motion.at(moment.time);
    const std::string when = "t = " + std::to_string(moment.time);
    expect_near(state.q, moment.q, published, "q at " + when);
    if (moment.v.size() > 0) expect_near(state.v, moment.v, published, "v at " + when);
  }
}

TEST(gutenkunst_motion, the_double_pendulum_of_the_listing) {
  MotionOf motion("g_ex1");
  expect_moments(motion, {{1, {0.596437164, 0.612399821}, {-0.293906372, -0.491092562}},
                          {2, {0.322391996, -0.285929302}, {-0.464224139, -0.726002385}},
                          {3, {-0.521616493, -0.051493649}, {-0.991033494, 0.844426509}},
                          {5, {-0.747672524, -0.575992179}, {0.617417736, -0.838003137}},
                          {8, {0.627357252, 0.629459210}, {0.744844572, -0.836059022}},
                          {10, {0.728964789, -0.108704639}, {-0.935852459, 0.937478050}}});
  EXPECT_NEAR(motion.energy_now(), -138.734350469, 1e-8);
  EXPECT_LT(motion.energy_change(), 1e-9);
  double lowest[2] = {}, highest[2] = {};
  for (const State& seen : motion.samples)
    for (std::size_t k = 0; k < 2; ++k) {
      lowest[k] = std::min(lowest[k], seen.q[k]);
      highest[k] = std::max(highest[k], seen.q[k]);
    }
  // five decimals are printed, and samples may miss the extremum
  EXPECT_NEAR(lowest[0], -1.09487, 1e-4);
  EXPECT_NEAR(highest[0], 1.15499, 1e-4);
  EXPECT_NEAR(lowest[1], -0.90906, 1e-4);
  EXPECT_NEAR(highest[1], 0.88174, 1e-4);
}

TEST(gutenkunst_motion, comes_nearer_to_the_motion_as_the_tolerance_shrinks) {
  shows({"G-41", "simulate"});
  const double end[] = {0.728964789, -0.108704639};
  double before = 1;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    MotionOf motion("g_ex1");
    RunOptions options;
    options.relative = tolerance;
    options.absolute = tolerance / 100;
    const State& state = motion.at(10, options);
    const double miss = std::hypot(state.q[0] - end[0], state.q[1] - end[1]);
    EXPECT_LT(miss, before / 10) << tolerance;  // at least ten times nearer for a hundredth
    before = miss;
  }
  EXPECT_LT(before, 1e-6);
}

// Lagrange's equations of a double pendulum of equal point masses on equal links, by hand: the
// second angle relative to the first link, both from the hanging position.
std::array<double, 4> lagrange(const std::array<double, 4>& x) {
  const auto [q1, q2, v1, v2] = x;
  const double L = 10, g = 9.81, c = std::cos(q2), s = std::sin(q2);
  const double M11 = L * L * (3 + 2 * c), M12 = L * L * (1 + c), M22 = L * L;
  const double b1 =
      -L * L * s * (2 * v1 * v2 + v2 * v2) + g * L * (2 * std::sin(q1) + std::sin(q1 + q2));
  const double b2 = L * L * s * v1 * v1 + g * L * std::sin(q1 + q2);
  const double det = M11 * M22 - M12 * M12;
  return {v1, v2, -(M22 * b1 - M12 * b2) / det, -(M11 * b2 - M12 * b1) / det};
}

TEST(gutenkunst_motion, lies_on_top_of_lagranges_equations) {
  shows({"G-50", "overlaid_plots", "largest_differences"});
  MotionOf motion("g_ex2");
  RunOptions options = MotionOf::precise();
  options.sample = 0.1;
  ASSERT_TRUE(motion.go(10, options).ok());
  ASSERT_EQ(motion.samples.size(), 101u);
  // the classical Runge-Kutta method with four hundred steps per sample: its error is far below
  // 1e-10
  std::array<double, 4> x{motion.samples[0].q[0], motion.samples[0].q[1], 0, 0};
  double largest = 0;
  Recording ours, by_hand;
  ours.columns =
      by_hand.columns = {{"time", "s", ""}, {"q.first", "rad", ""}, {"q.second", "rad", ""}};
  const auto record = [&](std::size_t k) {
    const State& state = motion.samples[k];
    ours.values.insert(ours.values.end(), {state.time, state.q[0], state.q[1]});
    by_hand.values.insert(by_hand.values.end(), {state.time, x[0], x[1]});
  };
  record(0);
  for (std::size_t k = 1; k < motion.samples.size(); ++k) {
    const int n = 400;
    const double h = 0.1 / n;
    for (int i = 0; i < n; ++i) {
      const auto along = [&](const std::array<double, 4>& slope, double part) {
        std::array<double, 4> y = x;
        for (std::size_t j = 0; j < 4; ++j) y[j] += part * h * slope[j];
        return y;
      };
      const auto k1 = lagrange(x), k2 = lagrange(along(k1, 0.5)), k3 = lagrange(along(k2, 0.5)),
                 k4 = lagrange(along(k3, 1));
      for (std::size_t j = 0; j < 4; ++j) x[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
    }
    for (std::size_t j = 0; j < 2; ++j)
      largest = std::max({largest, std::abs(x[j] - motion.samples[k].q[j]),
                          std::abs(x[j + 2] - motion.samples[k].v[j])});
    record(k);
  }
  EXPECT_LT(largest, 1e-7);  // dense output is of order 4

  // both in one picture, and their difference
  const NamedRecording runs[] = {{"Trammel", &ours}, {"Lagrange", &by_hand}};
  const std::vector<std::string> columns{"q.first", "q.second"};
  const std::string picture = stacked_pictures(overlaid_plots(runs, columns));
  for (const char* line : {">Trammel: q.first<", ">Lagrange: q.first<", ">Lagrange: q.second<"})
    EXPECT_NE(picture.find(line), std::string::npos) << line;
  for (const ColumnDifference& difference : largest_differences(ours, by_hand, columns)) {
    EXPECT_LT(difference.largest, 1e-7) << difference.column;
    EXPECT_GT(difference.largest, 0) << difference.column << ": two methods round differently";
  }
}

TEST(gutenkunst_motion, the_double_pendulum_let_go_horizontally) {
  MotionOf absolute("g_ex2");
  expect_moments(absolute, {{1, {1.1030706991, 0.4286170549}, {-0.8583900837, 0.6482905113}},
                            {3, {-0.4283136786, -0.5158758956}, {-1.1751890738, 0.4645496787}},
                            {5, {-1.6111074947, 0.2048745157}, {0.3760011884, -0.6174449354}},
                            {10, {1.719461115, -0.704604469}, {-0.370100701, 0.142390343}}});
  MotionOf relative("g_ex2");
  relative.state.q = {std::numbers::pi / 2, std::numbers::pi / 2};
  expect_moments(relative, {{1, {1.0760228788, 1.9450531440}, {-0.9994157980, 0.5187127484}},
                            {3, {0.2169560005, -1.5299849423}, {-0.4668450912, -1.9345708369}},
                            {5, {-1.5716698022, -1.3263798974}, {-0.1410365449, 0.3010781734}},
                            {10, {2.364588125, -1.630863618}, {0.471961913, -0.863839952}}});
}

TEST(gutenkunst_motion, the_crane_swings_and_its_center_of_mass_stays) {
  shows({"G-49", "simulate"});
  MotionOf motion("g_ex4");
  expect_moments(motion, {{0.5, {0.457766502, 0.551540803}, {2.009248860, -0.943621481}},
                          {1, {2.048104775, -0.112371472}, {3.702421855, -1.490368545}},
                          {2, {3.498780486, -0.764817609}, {-0.498567637, 0.276402858}},
                          {3.701829049172, {0, std::numbers::pi / 4}, {0, 0}},  // one period
                          {5, {2.964358748, -0.499101364}, {2.293015855, -1.044638637}},
                          {10, {2.420837561, -0.264294410}, {-3.323457710, 1.377203642}}});
  for (const State& seen : motion.samples)
    EXPECT_NEAR(seen.q[0] + 2.5 * std::sin(seen.q[1]), 1.7677669530, 1e-9);
  EXPECT_NEAR(motion.energy_now(), -34.6835876172, 1e-8);
}

TEST(gutenkunst_motion, the_free_robot_cannot_move_its_center_of_mass) {
  shows({"G-51", "simulate", "center_of_mass", "momentum"});
  MotionOf motion("g_ex5");
  expect_moments(motion,
                 {{1, {0.164504187, 0.124228698, -0.364275963, 1.089067051, -1.094863820}, {}},
                  {5, {2.198821535, -0.293031468, -3.125487103, 5.156795689, -2.211114284}, {}},
                  {10, {1.080869102, -0.263612331, -5.325638097, 9.744837867, -3.280410239}, {}}});
  for (const State& seen : motion.samples) {
    CenterOfMass center;
    Momentum momentum;
    ASSERT_TRUE(center_of_mass(motion.model, seen, motion.workspace, center).ok());
    ASSERT_TRUE(trammel::momentum(motion.model, seen, motion.workspace, momentum).ok());
    // with the matrix printed in the thesis it would drift to (5.3246, 3.6789)
    EXPECT_NEAR(center.position.y, 1.472684889, 1e-9);
    EXPECT_NEAR(center.position.z, 0.098092771, 1e-9);
    EXPECT_LT(norm(momentum.linear) + norm(momentum.angular), 1e-9);
  }
}

TEST(gutenkunst_motion, the_triple_pendulum) {
  MotionOf motion("g_ex5_triple");
  expect_moments(motion, {{1, {-0.053997757, -0.022632840, 0.197459440}, {}},
                          {3, {0.389938086, 0.354427571, -0.214810038}, {}}});
  EXPECT_NEAR(motion.energy_now(), -42.681104500, 1e-8);
}

}  // namespace
}  // namespace trammel::motion_test
