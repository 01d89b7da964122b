// Wheels and balls on uneven floors (terrains).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/forces/wheel_contacts.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::terrain_test {

namespace {

constexpr double g = 9.81;

Solid disk(double m, double r) {
  return {m, {}, {m * r * r / 4, 0.0, 0.0, m * r * r / 2, 0.0, m * r * r / 4}};
}

// A free ball or disk on a terrain.
Description on_terrain(const TerrainDescription& terrain, WheelDescription::Kind kind,
                       const Solid& solid, double r) {
  Description description("terrain");
  description.terrains.push_back(terrain);
  description.body("thing", solid);
  description.joint("free", JointKind::free, "ground", "thing");
  description.wheels.push_back(
      {.name = "rim", .body = "thing", .on = terrain.name, .radius = r, .kind = kind});
  return description;
}

Terrain formula(const std::string& height) {
  return std::get<Terrain>(Terrain::of_formula(height, {}));
}

// Gradient and curvature of a height function, against its differences.
void expect_slopes(const Terrain& terrain, double x, double y) {
  const double h = 1e-4;
  const auto now = terrain.at(x, y);
  const auto right = terrain.at(x + h, y), left = terrain.at(x - h, y);
  const auto front = terrain.at(x, y + h), back = terrain.at(x, y - h);
  const double tolerance = 1e-6;  // h^2 times third derivatives of order 10
  EXPECT_NEAR(now.x, (right.z - left.z) / (2 * h), tolerance);
  EXPECT_NEAR(now.y, (front.z - back.z) / (2 * h), tolerance);
  EXPECT_NEAR(now.xx, (right.x - left.x) / (2 * h), tolerance);
  EXPECT_NEAR(now.xy, (front.x - back.x) / (2 * h), tolerance);
  EXPECT_NEAR(now.yy, (front.y - back.y) / (2 * h), tolerance);
}

}  // namespace

TEST(Terrain, gradient_and_curvature_are_those_of_the_height) {
  for (const auto& [x, y] : {std::pair(0.3, -0.7), std::pair(1.9, 0.2)})
    expect_slopes(formula("0.2*sin(2*x)*cos(y) + 0.1*x*y"), x, y);
  std::vector<std::vector<double>> heights;
  for (int i = 0; i < 9; ++i) {
    heights.emplace_back();
    for (int j = 0; j < 7; ++j) heights.back().push_back(0.2 * std::sin(1.3 * i + 0.7 * j * j));
  }
  const Terrain grid = Terrain::of_grid({-1, 0.5}, {2, 0.25}, heights);
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 7; ++j)
      EXPECT_NEAR(grid.at(-1 + 0.5 * i, 2 + 0.25 * j).z, heights[std::size_t(i)][std::size_t(j)],
                  1e-15);
  // inside, outside each edge, and outside a corner
  for (const auto& [x, y] : {std::pair(0.13, 2.6), std::pair(-1.7, 2.6), std::pair(3.9, 2.9),
                             std::pair(0.2, 1.1), std::pair(0.2, 4.4), std::pair(-2.0, 5.0)})
    expect_slopes(grid, x, y);
  // height, gradient and curvature are continuous where pieces meet, also at the edges
  for (const double x : {-1.0, 0.0, 0.5, 3.0}) {
    const double e = 1e-12;
    const auto left = grid.at(x - e, 2.6), right = grid.at(x + e, 2.6);
    EXPECT_NEAR(left.z, right.z, 1e-10);
    EXPECT_NEAR(left.x, right.x, 1e-9);
    EXPECT_NEAR(left.xx, right.xx, 1e-8);
  }
}

// The error of the spline falls with the fourth power of the spacing.
TEST(Terrain, a_finer_grid_is_nearer_to_what_it_was_taken_from) {
  const auto error = [](int n) {
    const double spacing = 2 * std::numbers::pi / n;
    std::vector<std::vector<double>> heights;
    for (int i = 0; i <= n; ++i) {  // sin sin: no curvature at the edges, as the spline has it
      heights.emplace_back();
      for (int j = 0; j <= n; ++j)
        heights.back().push_back(std::sin(spacing * i) * std::sin(spacing * j));
    }
    const Terrain grid = Terrain::of_grid({0, spacing}, {0, spacing}, heights);
    double worst = 0;
    for (int k = 0; k < 200; ++k) {
      const double x = 0.031 * k, y = 6.2 - 0.029 * k;
      worst = std::max(worst, std::abs(grid.at(x, y).z - std::sin(x) * std::sin(y)));
    }
    return worst;
  };
  EXPECT_GT(error(16) / error(32), 12);
  EXPECT_LT(error(16) / error(32), 20);
}

// A plane given as a terrain equals an inclined floor.
TEST(Terrain, a_slope_is_a_slope) {
  const double r = 0.2, m = 2, tilt = 0.3;
  for (const auto kind : {WheelDescription::Kind::ball, WheelDescription::Kind::conventional,
                          WheelDescription::Kind::knife_edge, WheelDescription::Kind::omni}) {
    Description description = on_terrain(
        {.name = "hill", .height = "-t*x", .with = {{"t", std::tan(tilt)}}}, kind, disk(m, r), r);
    description.wheels[0].roller_angle = 0.6;
    Description flat = description;
    flat.frame("slope", "ground", {.rpy = {0.0, tilt, 0.0}});
    flat.wheels[0].on = "slope";
    MotionOf on_hill(build_model(description)), on_slope(build_model(flat));
    State start = on_slope.state;
    start.q = {0.9, 0.1, 0.2, 0.3, 0.4, -0.2, 0.1};
    double length = 0;
    for (int k = 0; k < 4; ++k) length += start.q[std::size_t(k)] * start.q[std::size_t(k)];
    for (int k = 0; k < 4; ++k) start.q[std::size_t(k)] /= std::sqrt(length);
    start.v = {0.5, -1.0, 0.7, 0.3, 0.2, -0.4};
    ASSERT_TRUE(assemble(on_slope.model, start, on_slope.workspace).ok());
    std::vector<double> a(6), b(6);
    Status status = forward_dynamics(on_slope.model, start, {}, on_slope.workspace, a);
    ASSERT_TRUE(status.ok()) << status.message();
    status = forward_dynamics(on_hill.model, start, {}, on_hill.workspace, b);
    ASSERT_TRUE(status.ok()) << status.message();
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(a[k], b[k], 1e-10) << int(kind);
  }
}

// In a round bowl of radius R a ball of radius r swings as 7/5 (R - r) angle'' = -g sin(angle),
// with the normal force m (g cos(angle) + (R - r) angle'^2): the curvature enters.
TEST(Terrain, a_ball_swings_in_a_bowl) {
  const double R = 1.5, r = 0.2, m = 0.7, angle = 0.4, rate = 0.8;
  Description description =
      on_terrain({.name = "bowl", .height = "R - sqrt(R^2 - x^2 - y^2)", .with = {{"R", R}}},
                 WheelDescription::Kind::ball, sphere(m, r), r);
  const double l = R - r, s = std::sin(angle), c = std::cos(angle);
  description.start_positions = {{"free", {1.0, 0.0, 0.0, 0.0, l * s, 0.0, R - l * c}}};
  // it rolls without slip: w r = l angle', about y
  description.start_velocities = {
      {"free", {0.0, l * rate / r, 0.0, l * rate * c, 0.0, l * rate * s}}};
  MotionOf run(build_model(description));
  std::vector<double> a(6);
  const Status status = forward_dynamics(run.model, run.state, {}, run.workspace, a);
  ASSERT_TRUE(status.ok()) << status.message();
  const double swing = -g * s / (1.4 * l);
  EXPECT_NEAR(a[1], l * swing / r, 1e-11);
  std::vector<WheelContact> contacts;
  ASSERT_TRUE(wheel_contacts(run.model, run.state, {}, run.workspace, contacts).ok());
  EXPECT_NEAR(contacts[0].up(), m * (g * c + l * rate * rate), 1e-11);
  EXPECT_NEAR(contacts[0].point.x, R * s, 1e-13);
  EXPECT_NEAR(contacts[0].point.z, R - R * c, 1e-13);

  // the highest point of the swing, by the energy: 7/10 m l^2 rate^2 = m g l (cos - cos(top))
  double top = 0;
  const double expected = std::acos(c - 0.7 * l * rate * rate / g);
  ASSERT_TRUE(run.go(2.0).ok());
  for (const State& seen : run.samples) top = std::max(top, std::asin(seen.q[4] / l));
  EXPECT_LE(top, expected + 1e-8);
  EXPECT_GT(top, expected - 1e-3);  // the samples are this near to the turning point
}

// A disk over hills: energy is constant and the rim does not slip, for every kind of height
// function.
TEST(Terrain, a_disk_keeps_its_energy_over_hills) {
  const double r = 0.1, m = 1;
  TerrainDescription waves{.name = "hills", .height = "0.05*sin(2*x)*cos(3*y)"};
  TerrainDescription grid{.name = "hills", .from = {-3.0, -3.0}, .spacing = {0.5, 0.5}};
  for (int i = 0; i < 14; ++i) {
    grid.heights.emplace_back();
    for (int j = 0; j < 14; ++j)
      grid.heights.back().push_back(0.05 * std::sin(0.9 * i) * std::cos(1.1 * j));
  }
  for (const TerrainDescription& terrain : {waves, grid}) {
    Description description =
        on_terrain(terrain, WheelDescription::Kind::conventional, disk(m, r), r);
    MotionOf run(build_model(description));
    run.state.q = {1, 0, 0, 0, 0.1, 0.2, r};
    run.state.v = {0.1, 15, 0.5, 0, 0, 0};
    run.samples.clear();
    const Status closed = assemble(run.model, run.state, run.workspace);
    ASSERT_TRUE(closed.ok()) << closed.message();
    const Status status = run.go(2.0);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_GT(std::hypot(run.state.q[4], run.state.q[5]), 0.5);  // it has moved
    EXPECT_LT(run.energy_change(), 1e-7);  // in J; the error of a step is 1e-8 J
    EXPECT_LT(run.largest_violation().position, 1e-10);
  }
}

// A ball does not fit into a rut that is narrower than it.
TEST(Terrain, curvature_above_that_of_the_ball_is_reported) {
  Description description = on_terrain({.name = "rut", .height = "5*x^2"},
                                       WheelDescription::Kind::ball, sphere(1.0, 0.5), 0.5);
  description.start_positions = {{"free", {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5}}};
  MotionOf run(build_model(description));
  std::vector<double> a(6);
  const Status status = forward_dynamics(run.model, run.state, {}, run.workspace, a);
  EXPECT_NE(status.message().find("wheel 'rim' has no contact point"), std::string::npos)
      << status.message();
}

}  // namespace trammel::terrain_test
