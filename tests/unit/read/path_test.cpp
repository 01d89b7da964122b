// Planar paths from the sections of a model, from texts and from tables of points.
#include "trammel/read/toml/load_path.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <numbers>

#include "trammel/read/load.hpp"
#include "trammel/simulate/path/described_path.hpp"
#include "trammel/write/model/toml.hpp"

namespace trammel::path_test {
namespace {

constexpr double pi = std::numbers::pi;

struct SomeFile {
  explicit SomeFile(const std::string& text) : name(testing::TempDir() + "trammel_way.csv") {
    std::ofstream(name) << text;
  }
  ~SomeFile() { std::remove(name.c_str()); }
  std::string name;
};

Description model_with(const std::string& paths, Diagnostics& found, const ReadOptions& how = {}) {
  return read_description("cart.toml",
                          "trammel = 1\n[parameters]\nwide = 2\nhalf = \"wide/2\"\n[body.cart]\n"
                          "mass = 1\ninertia = [1, 1, 1]\n[joint.base]\ntype = \"planar\"\n"
                          "parent = \"ground\"\nchild = \"cart\"\n" +
                              paths,
                          how, found);
}

std::string all_of(const Diagnostics& found) {
  std::string text;
  for (const Diagnostic& each : found.list()) text += to_string(each) + "\n";
  return text;
}

TEST(path, of_a_model_knows_its_parameters) {
  const std::string text =
      "[path.round]\nplace = \"cart\"\nforward = \"90 deg\"\ncircle = { radius = \"half\", angle = "
      "\"pi*wide\", over = 20 }\n[path.aside]\nstraight = { y = \"wide\", over = 4 }\nyaw = "
      "\"30 deg\"\n";
  Diagnostics found;
  const Description description = model_with(text, found);
  EXPECT_EQ(path_names(description), (std::vector<std::string>{"round", "aside"}));
  const auto round = find_path(description, "round", found);
  ASSERT_TRUE(round.has_value()) << all_of(found);
  EXPECT_EQ(round->place, "cart");
  EXPECT_NEAR(round->forward, pi / 2, 1e-15);
  const auto& circle = std::get<CircleWay>(round->way);
  EXPECT_EQ(circle.radius, 1);
  EXPECT_NEAR(circle.angle, 2 * pi, 1e-15);
  const PlanarMotion half = planar_path(*round).at(10);
  EXPECT_NEAR(half.x, -1, 1e-15);
  EXPECT_NEAR(half.yaw, pi, 1e-15);
  const PlanarPath aside = planar_path(*find_path(description, "aside", found));
  EXPECT_NEAR(aside.at(4).y, 2, 1e-15);
  EXPECT_NEAR(aside.at(2).yaw, pi / 6, 1e-15);
  EXPECT_EQ(aside.at(2).yaw_rate, 0);

  // another value of a parameter is another path, also through a written file
  const Description wider = model_with(text, found, {.set = {{"wide", 6}}});
  EXPECT_EQ(std::get<CircleWay>(find_path(wider, "round", found)->way).radius, 3);
  Diagnostics again;
  const Description back = read_description("back.toml", write_toml(wider), {}, again);
  EXPECT_EQ(std::get<CircleWay>(find_path(back, "round", again)->way).radius, 3) << all_of(again);
  EXPECT_FALSE(found.has_errors()) << all_of(found);
}

TEST(path, unknown_name_is_reported_with_the_known_ones) {
  Diagnostics found;
  const Description description =
      model_with("[path.round]\ncircle = { radius = 1, angle = 1, over = 1 }\n", found);
  EXPECT_FALSE(find_path(description, "rond", found));
  EXPECT_FALSE(find_path(description, "something else", found));
  EXPECT_FALSE(find_path(Description("bare"), "round", found));
  const std::string text = all_of(found);
  EXPECT_NE(text.find("the model has no path 'rond'\n  hint: did you mean 'round'?"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("its paths are round"), std::string::npos) << text;
  EXPECT_NE(text.find("write one below [path.NAME], or give points in a CSV file"),
            std::string::npos)
      << text;
}

TEST(path, from_a_table_has_its_units_and_passes_its_points) {
  const SomeFile file(
      "t [ms], x [mm], y, yaw [deg]\n0, 0, 0, 0\n1000, 500, 0.5, 45\n"
      "2000, 1 m, 0, 90 deg  # the end\n");
  Diagnostics found;
  const auto points = read_path_points(file.name, found);
  ASSERT_TRUE(points.has_value()) << all_of(found);
  EXPECT_EQ(points->times, (std::vector<double>{0, 1, 2}));
  EXPECT_NEAR(points->x[1], 0.5, 1e-15);
  EXPECT_NEAR(points->x[2], 1, 1e-15);
  EXPECT_NEAR(points->yaw[2], pi / 2, 1e-15);
  const PlanarPath path = planar_path({.way = *points});
  EXPECT_NEAR(path.at(1).y, 0.5, 1e-15);
  EXPECT_EQ(path.at(0).x_rate, 0);
  EXPECT_NEAR(path.at(2).x_rate, 0, 1e-15);

  // a model stores the points, not the file
  const Description description =
      model_with("[path.way]\nspline = { file = \"" + file.name + "\" }\n", found);
  std::remove(file.name.c_str());
  const auto kept = find_path(description, "way", found);
  ASSERT_TRUE(kept.has_value()) << all_of(found);
  EXPECT_EQ(std::get<PointsWay>(kept->way).x, points->x);
}

TEST(path, in_words_of_its_own_is_read_like_a_section) {
  Diagnostics found;
  const Description description = model_with("", found);
  const auto path =
      read_path(description, "--path", "straight = { x = \"half\", over = 2 }", found);
  ASSERT_TRUE(path.has_value()) << all_of(found);
  EXPECT_EQ(std::get<StraightWay>(path->way).x, 1);
  EXPECT_FALSE(read_path(description, "--path", "straight = { x = 1, ovr = 2 }", found));
  EXPECT_NE(all_of(found).find("'straight.ovr' is not a key known here"), std::string::npos);
}

// There and back, with the heading along the path: a rolling vehicle does not turn on the spot.
TEST(path, with_a_corner_is_refused_with_the_time) {
  const PointsWay back{.times = {0, 5, 10}, .x = {0, 1, 0}, .y = {0, 0, 0}};
  try {
    static_cast<void>(planar_path({.way = back}));
    FAIL() << "the corner was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("a corner of 180 deg at t = 5"), std::string::npos)
        << error.what();
  }
  // a path with its own heading may
  EXPECT_NEAR(planar_path({.way = back, .yaw = YawTurn{0.3, 0.3}}).at(5).x, 1, 1e-15);
}

}  // namespace
}  // namespace trammel::path_test
