#include "trammel/write/plot/stick_figure.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/svg_lines.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::stick_figure_test {
namespace {

int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

Kinematics seen_at(const Model& model, std::vector<double> q) {
  Workspace workspace(model);
  Kinematics seen(model);
  State state = neutral_state(model);
  state.q = std::move(q);
  EXPECT_TRUE(kinematics(model, state, {}, workspace, seen).ok());
  return seen;
}

Model tilted() {
  Description description("tilted");
  description.body("base", thin_rod(1.0, 1.0));
  description.body("rod", thin_rod(1.0, 1.0));
  description.joint("yaw", JointKind::revolute, "ground", "base");
  description.joint("tilt", JointKind::revolute, "base", "rod",
                    {.at = {{0, 0, 1}}, .axis = {0, 1, 0}});
  description.frame("tip", "rod", {{1, 0, 0}});
  return build_model(description);
}

TEST(StickFigure, AnAxisPointsTheSameWayHoweverItsJointTurns) {
  const Model model = tilted();
  // view along -x: y to the right, z up; after a quarter turn, the axis of tilt is -x
  const StickFigureOptions front{.azimuth = 0, .elevation = 0};
  for (const double angle : {0.0, 0.4, 1.2}) {
    const auto axes = svg_lines(stick_figure(model, seen_at(model, {0, angle}), front), "axis");
    ASSERT_EQ(axes.size(), 2u);
    EXPECT_NEAR(axes[0].x1, axes[0].x2, 0.11) << "yaw: upright";  // written to a tenth of a pixel
    EXPECT_NEAR(axes[1].y1, axes[1].y2, 0.11) << "tilt: level";
    EXPECT_GT(std::abs(axes[1].x2 - axes[1].x1), 20);
  }
  const auto turned =
      svg_lines(stick_figure(model, seen_at(model, {std::acos(-1) / 2, 0.4}), front), "axis");
  ASSERT_EQ(turned.size(), 2u);
  EXPECT_NEAR(turned[1].x1, turned[1].x2, 0.11) << "seen along itself";
}

// Two bars on ground whose ends meet.
Model triangle() {
  Description description("triangle");
  description.body("left", thin_rod(1.0, 1.0));
  description.body("right", thin_rod(1.0, 1.0));
  description.joint("a", JointKind::revolute, "ground", "left", {.axis = {0, 1, 0}});
  description.joint("b", JointKind::revolute, "ground", "right",
                    {.at = {{1, 0, 0}}, .axis = {0, 1, 0}});
  description.joint("top", JointKind::revolute, "left", "right",
                    {.at = {{1, 0, 0}}, .child_at = {{1, 0, 0}}, .axis = {0, 1, 0}, .cut = true});
  return build_model(description);
}

TEST(StickFigure, SticksReachTheJointsThatCloseLoops) {
  const Model model = triangle();
  const double up = -std::acos(-1) / 3;
  const auto sticks =
      svg_lines(stick_figure(model, seen_at(model, {up, 2 * up}), {.elevation = 0}), "body");
  ASSERT_EQ(sticks.size(), 2u);
  EXPECT_NEAR(sticks[0].x2, sticks[1].x2, 0.11);
  EXPECT_NEAR(sticks[0].y2, sticks[1].y2, 0.11);
}

TEST(StickFigure, TheLastBodyReachesItsCenterOfMass) {
  Description description("pendulum");
  description.body("bob", {.mass = 1.0, .com = {0, 0, -2}});
  description.body("wheel", {.mass = 1.0, .inertia = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
  description.joint("pivot", JointKind::revolute, "ground", "bob", {.axis = {0, 1, 0}});
  description.joint("axle", JointKind::revolute, "ground", "wheel", {.at = {{1, 0, 0}}});
  const Model model = build_model(description);
  const double front = -std::acos(-1) / 2;
  const auto sticks = svg_lines(
      stick_figure(model, seen_at(model, {0.5, 0}), {.azimuth = front, .elevation = 0}), "body");
  ASSERT_EQ(sticks.size(), 1u);  // the wheel turns about its own center of mass
  Drawn drawn;
  drawn.add(0, 0, sticks[0].x1, sticks[0].y1);
  drawn.add(-2 * std::sin(0.5), -2 * std::cos(0.5), sticks[0].x2, sticks[0].y2);
  EXPECT_LT(drawn.worst(), 0.11);
}

TEST(StickFigure, SnapshotsShareOneCamera) {
  const Model model = tilted();
  std::vector<Snapshot> snapshots;
  for (const double q : {-0.2, -0.6, -1.0})
    snapshots.push_back({seen_at(model, {q, q - 1}), "at <" + std::to_string(q)});
  const std::string svg = stick_figures(model, snapshots, 2, {.width = 300, .height = 200});
  EXPECT_NE(svg.find("viewBox=\"0 0 600 400\""), std::string::npos);
  EXPECT_EQ(count(svg, "<g transform"), 3);
  EXPECT_EQ(count(svg, "</g>"), 3);
  EXPECT_NE(svg.find(">at &lt;-0.6"), std::string::npos);
  const auto posts = svg_lines(svg, "post");  // ground is fixed: the same in each picture
  ASSERT_EQ(posts.size() % 3, 0u);
  const std::size_t each = posts.size() / 3;
  for (std::size_t k = each; k < posts.size(); ++k) {
    EXPECT_EQ(posts[k].x1, posts[k % each].x1);
    EXPECT_EQ(posts[k].y2, posts[k % each].y2);
  }
  EXPECT_NE(stick_figures(model, {}).find("</svg>"), std::string::npos);
}

// A vehicle: a box with a shape, and a pendulum on it without one.
Model cart() {
  Description description("cart");
  description.body("box", {1.0, {}, {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
  Shape shape;
  shape.size = {2.0, 1.0, 1.0};
  description.bodies.back().shapes = {shape};
  description.body("pendulum", {.mass = 1.0, .com = {0, 0, -1}});
  description.joint("base", JointKind::planar, "ground", "box");
  description.joint("pivot", JointKind::revolute, "box", "pendulum", {.axis = {0, 1, 0}});
  return build_model(description);
}

TEST(StickFigure, ShapesAreDrawnWithTheirFaces) {
  const Model model = cart();
  const double front = -std::acos(-1) / 2;
  const std::string level =
      stick_figure(model, seen_at(model, {0, 0, 0, 0}), {.azimuth = front, .elevation = 0});
  EXPECT_EQ(count(level, "class=\"solid\""), 2) << "the silhouette, and the face at the front";
  const std::string above = stick_figure(model, seen_at(model, {0, 0, 0, 0}));
  EXPECT_EQ(count(above, "class=\"solid\""), 4) << "the silhouette and three faces";
  EXPECT_EQ(svg_lines(above, "body").size(), 1u) << "the pendulum has no shape";
  EXPECT_EQ(svg_lines(above, "slide").size(), 1u) << "nothing leads from the origin to a vehicle";
}

TEST(StickFigure, TheCameraFollowsAVehicle) {
  const Model model = cart();
  const auto middles = [&](double way) {
    std::vector<Snapshot> snapshots;
    for (const double x : {0.0, way}) snapshots.push_back({seen_at(model, {x, 0, 0, 0}), ""});
    std::vector<double> found;
    for (const SvgLine& line :
         svg_lines(stick_figures(model, snapshots, 2, {.width = 300, .height = 200}), "body"))
      found.push_back(line.x1);
    return found;
  };
  const std::vector<double> near = middles(0.1), far = middles(40);
  ASSERT_EQ(near.size(), 2u);
  ASSERT_EQ(far.size(), 2u);
  EXPECT_GT(std::abs(near[1] - near[0]), 0.5) << "one camera: it moves";
  // each in the middle, up to the cells of the floor
  EXPECT_NEAR(far[0], far[1], 20);
}

}  // namespace
}  // namespace trammel::stick_figure_test
