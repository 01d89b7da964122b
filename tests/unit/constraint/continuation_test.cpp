// Assembly by continuation: it stays on the branch of its start, counts turns, stops at a dead
// point and moves the other joints by the least motion in the mass metric.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/reference/posed.hpp"
#include "trammel/constraint/assembly/assembly.hpp"

namespace trammel::continuation_test {
namespace {

constexpr double pi = std::numbers::pi;
const Vec3<Expr> z{0.0, 0.0, 1.0};

// Slider-crank in the x-y plane: crank from the origin, slider along x, rod on the slider. At q = 0
// all is in line along x and closed. With the crank at theta, the rod is at phi:
//   crank sin(theta) + rod sin(phi) = 0,   slider = crank cos(theta) + rod cos(phi) - crank - rod
Description slider_crank(double crank, double rod) {
  Description description("slider-crank");
  const Solid solid{.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}};
  for (const char* name : {"crank", "slider", "rod"}) description.body(name, solid);
  description.joint("motor", JointKind::revolute, "ground", "crank", {.axis = z});
  description.joint("guide", JointKind::prismatic, "ground", "slider",
                    {.at = {.xyz = {crank + rod, 0.0, 0.0}}, .axis = {1.0, 0.0, 0.0}});
  description.joint("pin", JointKind::revolute, "slider", "rod", {.axis = z});
  description.joint("knee", JointKind::revolute, "crank", "rod",
                    {.at = {.xyz = {crank, 0.0, 0.0}},
                     .child_at = {.xyz = {-rod, 0.0, 0.0}},
                     .axis = z,
                     .cut = true});
  return description;
}
// Position with the slider on the right of the crank's end.
std::vector<double> closed_at(double crank, double rod, double theta) {
  const double phi = std::asin(-crank / rod * std::sin(theta));
  return {theta, crank * std::cos(theta) + rod * std::cos(phi) - crank - rod, phi};
}
Status lead_motor(Posed& posed, const State& start, double goal) {
  posed.state = start;
  posed.state.q[0] = goal;
  return assemble_by_continuation(posed.model, start, posed.state, posed.workspace,
                                  {.keep = {*posed.model.find_joint("motor")}});
}

// A rod that is longer than the crank swings to and fro and never turns over.
TEST(Continuation, a_full_turn_of_the_crank_takes_the_rod_back) {
  Posed posed(slider_crank(0.9, 1.0), {0.0, 0.0, 0.0});
  const State start = posed.state;
  const Status status = lead_motor(posed, start, 2 * pi);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(posed.state.q[0], 2 * pi);
  EXPECT_NEAR(posed.state.q[1], 0, 1e-9);
  EXPECT_NEAR(posed.state.q[2], 0, 1e-9);
}

// Crank and rod of nearly one length: where the crank is upright, the branch with the slider on the
// right comes near the one with the slider on the left.
TEST(Continuation, stays_on_its_branch_where_another_is_near) {
  const double crank = 0.9987, rod = 1;
  Posed posed(slider_crank(crank, rod), {0.0, 0.0, 0.0});
  for (double from = 1.0; from < 1.56; from += 0.01) {
    State start = posed.state;
    start.q = closed_at(crank, rod, from);
    const double goal = pi - from;
    const Status status = lead_motor(posed, start, goal);
    ASSERT_TRUE(status.ok()) << status.message();
    const std::vector<double> there = closed_at(crank, rod, goal);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(posed.state.q[k], there[k], 1e-9) << from;
  }
}

// A rod of half the crank's length lets the crank swing by 30 degrees about either end: the other
// end belongs to another branch, although it is closed there, too.
TEST(Continuation, ends_at_the_dead_point) {
  Posed posed(slider_crank(1.0, 0.5), {0.0, 0.0, 0.0});
  const State start = posed.state;
  const Status status = lead_motor(posed, start, pi);
  ASSERT_FALSE(status.ok());
  const std::string words(status.message());
  EXPECT_NE(words.find("meets a dead point after 16.67 % of the way"), words.npos) << words;
  EXPECT_NE(words.find("'motor' stops at 0.523599 on its way from 0 to 3.14159"), words.npos)
      << words;
}

TEST(Continuation, a_start_beyond_the_dead_point_is_refused) {
  Description description = slider_crank(1.0, 0.5);
  description.start_positions.push_back({.joint = "motor", .values = {pi}});
  const Model model = build_model(description);
  Workspace workspace(model);
  State state;
  const Status status = assembled_start(model, workspace, state);
  ASSERT_FALSE(status.ok());
  const std::string words(status.message());
  EXPECT_NE(words.find("dead point after 16.67 %"), words.npos) << words;
}

// Slides a = b + c: minimum of m_b db^2 + m_c dc^2 at db : dc = m_c : m_b.
TEST(Continuation, heavy_bodies_move_less) {
  Description description("adder");
  const double mass[] = {1, 1, 3};
  const char* const names[] = {"a", "b", "c"};
  for (std::size_t k = 0; k < 3; ++k) {
    description.body(std::string("body ") + names[k], {.mass = mass[k]});
    description.joint(names[k], JointKind::prismatic, "ground", std::string("body ") + names[k],
                      {.axis = {1.0, 0.0, 0.0}});
  }
  description.couplings.push_back({.name = "sum", .terms = {{"a", 1}, {"b", -1}, {"c", -1}}});
  Posed posed(description, {0.0, 0.0, 0.0});
  const State start = posed.state;
  posed.state.q[0] = 0.8;
  const Status status = assemble_by_continuation(posed.model, start, posed.state, posed.workspace,
                                                 {.keep = {*posed.model.find_joint("a")}});
  ASSERT_TRUE(status.ok()) << status.message();
  // the metric has a millionth of the largest mass added
  EXPECT_NEAR(posed.state.q[1], 0.6, 1e-5);
  EXPECT_NEAR(posed.state.q[2], 0.2, 1e-5);
}

}  // namespace
}  // namespace trammel::continuation_test
