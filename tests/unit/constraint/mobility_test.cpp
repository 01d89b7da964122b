// Instantaneous and finite mobility at singular poses, by geometry.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/reference/posed.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/mobility/blocking_constraints.hpp"
#include "trammel/constraint/mobility/mobility.hpp"

namespace trammel::mobility_test {
namespace {

using enum Mobility::Verdict;

const Vec3<Expr> y{0.0, 1.0, 0.0};

// Bars in the x-z plane on ground or on a floating base, all in line at the neutral q.
class Bars {
 public:
  explicit Bars(bool floats = false) : description_("bars"), base_(floats ? "base" : "ground") {
    if (!floats) return;
    description_.body("base", {.mass = 3.0, .inertia = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
    description_.joint("float", JointKind::free, "ground", "base", {});
  }
  // Two bars of 0.5 m between pins that are 1 m apart: stretched, they have an instantaneous degree
  // of freedom and no finite one, because their length is the distance of the pins.
  Bars& stretched() {
    bar("left", 0.5);
    bar("right", 0.5);
    turn("first", base_, "left", 0);
    turn("middle", "left", "right", 0.5);
    close(base_, "right", 1, 0.5);
    return *this;
  }
  // A parallelogram folded flat: it continues as a parallelogram or as a crossed one, each with one
  // degree of freedom, and both branches meet here.
  Bars& flat_parallelogram() {
    bar("crank", 0.2);
    bar("coupler", 0.5);
    bar("rocker", 0.2);
    turn("motor", base_, "crank", 0);
    turn("knee", "crank", "coupler", 0.2);
    turn("foot", base_, "rocker", 0.5);
    close("coupler", "rocker", 0.5, 0.2);
    return *this;
  }
  Bars& pendulum(const char* name = "pendulum") {
    bar(name, 0.3);
    turn(name + std::string(" pin"), base_, name, -1);
    return *this;
  }

  Mobility ways() const {
    const Model model = build_model(description_);
    Workspace workspace(model);
    Mobility found;
    const Status status = mobility(model, neutral_state(model), workspace, found);
    EXPECT_TRUE(status.ok()) << status.message();
    return found;
  }

 private:
  void bar(const std::string& name, double length) {
    const double across = length * length * length / 12;
    description_.body(name, {.mass = length,
                             .com = {length / 2, 0.0, 0.0},
                             .inertia = {0.0, 0.0, 0.0, across, 0.0, across}});
  }
  void turn(const std::string& name, const std::string& parent, const std::string& child,
            double at) {
    description_.joint(name, JointKind::revolute, parent, child,
                       {.at = {.xyz = {at, 0.0, 0.0}}, .axis = y});
  }
  void close(const std::string& parent, const std::string& child, double at, double on_child) {
    description_.joint("last", JointKind::revolute, parent, child,
                       {.at = {.xyz = {at, 0.0, 0.0}},
                        .child_at = {.xyz = {on_child, 0.0, 0.0}},
                        .axis = y,
                        .cut = true});
  }

  Description description_;
  std::string base_;
};

void expect_ways(const Mobility& found, int instantaneous, int finite, Mobility::Verdict verdict) {
  EXPECT_EQ(found.instantaneous, instantaneous);
  EXPECT_EQ(found.finite, finite);
  EXPECT_EQ(found.verdict, verdict) << to_string(found.verdict);
}

TEST(mobility, two_stretched_bars_have_an_infinitesimal_mobility_only) {
  expect_ways(Bars().stretched().ways(), 1, 0, shaky);
}

// A part outside the loop adds its own degrees of freedom and does not change the verdict.
TEST(mobility, dofs_outside_a_shaky_loop_count_alone) {
  expect_ways(Bars().stretched().pendulum().ways(), 2, 1, shaky);
  expect_ways(Bars().stretched().pendulum().pendulum("another").ways(), 3, 2, shaky);
  expect_ways(Bars(true).stretched().ways(), 7, 6, shaky);
}

TEST(mobility, a_flat_parallelogram_is_where_branches_meet) {
  expect_ways(Bars().flat_parallelogram().ways(), 2, 1, bifurcation);
}

TEST(mobility, dofs_near_a_bifurcation_count_once) {
  expect_ways(Bars().flat_parallelogram().pendulum().ways(), 3, 2, bifurcation);
  expect_ways(Bars(true).flat_parallelogram().ways(), 8, 7, bifurcation);
  expect_ways(Bars(true).flat_parallelogram().pendulum().ways(), 9, 8, bifurcation);
}

// Two sliders at right angles with a rod between them, constrained twice: same mobility at any
// size.
TEST(mobility, is_the_same_at_every_size) {
  for (const double length : {1e-4, 1e-3, 1.0, 1e3}) {
    Description description("ellipse");
    const Solid block{.mass = 1.0, .inertia = {1e-6, 0.0, 0.0, 1e-6, 0.0, 1e-6}};
    for (const char* name : {"along", "across"}) description.body(name, block);
    description.joint("x", JointKind::prismatic, "ground", "along", {.axis = {1.0, 0.0, 0.0}});
    description.joint("y", JointKind::prismatic, "ground", "across", {.axis = y});
    for (const char* name : {"rod", "twin"})
      description.constraints.push_back({.name = name,
                                         .kind = ConstraintDescription::Kind::distance,
                                         .frame = "along",
                                         .other_frame = "across",
                                         .distance = length});
    Posed posed(description, {0.6 * length, 0.8 * length});
    Mobility found;
    ASSERT_TRUE(mobility(posed.model, posed.state, posed.workspace, found).ok());
    expect_ways(found, 1, 1, regular);
  }
}

// A plate on a plane with knife edges, each in its own direction: two normals meet in a point about
// which it turns; a third one that misses it leaves mobility 0.
TEST(mobility, what_leaves_no_way_to_move_is_named) {
  const auto plate = [](std::initializer_list<std::array<double, 3>> edges) {
    Description description("plate");
    description.body("plate", {.mass = 1.0, .inertia = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
    description.joint("base", JointKind::planar, "ground", "plate", {});
    int k = 0;
    for (const auto& [px, py, turned] : edges)
      description.wheels.push_back({.name = "edge" + std::to_string(++k),
                                    .body = "plate",
                                    .axis = {std::cos(turned), std::sin(turned), 0.0},
                                    .kind = WheelDescription::Kind::knife_edge,
                                    .at = {.xyz = {px, py, 0.0}},
                                    .touches = false});
    return description;
  };
  const auto held = [](const Description& description) {
    const Model model = build_model(description);
    Workspace workspace(model);
    std::vector<std::string> names;
    const Status status = blocking_constraints(model, neutral_state(model), workspace, names);
    EXPECT_TRUE(status.ok()) << status.message();
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(held(plate({{0, 1, 0}, {1, 0, 1}})), Names{});
  EXPECT_EQ(held(plate({{0, 1, 0}, {1, 0, 1}, {-1, 0, 0.5}})),
            (Names{"wheel 'edge1'", "wheel 'edge2'", "wheel 'edge3'"}));
  // two on one line are redundant: removing one of them changes nothing
  EXPECT_EQ(held(plate({{0, 1, 0}, {1, 0, 1}, {-1, 0, 0.5}, {-1, 0, 0.5}})),
            (Names{"wheel 'edge1'", "wheel 'edge2'"}));
}

}  // namespace
}  // namespace trammel::mobility_test
