// Interpolation across a singular pose, on branches given in closed form: a point in the plane on
// the branch y = f(x) passes x = 0 with 1 m/s along x.
#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/simulate/events/rank_watch.hpp"
#include "trammel/simulate/events/singular_crossing.hpp"
#include "trammel/simulate/integrate/ode_system.hpp"

namespace trammel::crossing_nodes_test {
namespace {

struct Point {
  Point() : model(build_model(description())), workspace(model) {}
  static Description description() {
    Description description("point");
    description.body("carriage", {.mass = 1.0});
    description.body("point", {.mass = 1.0});
    description.joint("x", JointKind::prismatic, "ground", "carriage", {.axis = {1.0, 0.0, 0.0}});
    description.joint("y", JointKind::prismatic, "carriage", "point", {.axis = {0.0, 1.0, 0.0}});
    return description;
  }
  SingularCrossing crossing(bool moves_in_time = false) const {
    return {model,
            {Eigen::Vector2d::Ones(), Eigen::Vector2d::Ones(), {1, 1}, {0, 0}, {0, 0}},
            moves_in_time,
            [](std::span<const double> q, std::span<const int>) {
              return std::vector<double>{std::abs(q[0])};
            }};
  }
  static State at(double x, double y, double y_rate) {
    State state;
    state.time = 5;
    state.q = {x, y};
    state.v = {1, y_rate};
    return state;
  }
  Model model;
  Workspace workspace;
};
constexpr double x = -0.004;  // within the smallest radius

// y = 0.01 sin(12 x + 1): with nodes 0.05 to 0.15 m away the polynomials of degree 9 and 11 differ
// by 2e-8, and velocities are wrong by 5e-10. The error falls by 2^12 with half the radius.
TEST(CrossingNodes, come_nearer_until_the_polynomials_agree) {
  Point point;
  SingularCrossing crossing = point.crossing();
  const auto f = [](double s) { return 0.01 * std::sin(12 * s + 1); };
  const auto f_rate = [](double s) { return 0.12 * std::cos(12 * s + 1); };
  State state = Point::at(x, f(x) + 1e-6, f_rate(x));
  ASSERT_TRUE(crossing.project(state, point.workspace, [&](State& node) {
    node.q[1] = f(node.q[0]);
    node.v = {1, f_rate(node.q[0])};
    return Status();
  }));
  EXPECT_NEAR(state.q[0], x, 1e-14);
  EXPECT_NEAR(state.q[1], f(x), 1e-13);
  EXPECT_NEAR(state.v[1], f_rate(x), 1e-12);
}

// Rounding c moves a node at a distance s from the pose by c / s and its velocity by c / s^2, here
// with alternating signs. No radius gives polynomials that agree to 1e-11; the largest is the best,
// with an error of the velocity of 1e-10, the smallest the worst, with 2e-8.
TEST(CrossingNodes, stay_where_the_polynomials_agree_best) {
  constexpr double c = 3e-13;
  Point point;
  SingularCrossing crossing = point.crossing();
  State state = Point::at(x, 0, 0);
  int calls = 0;
  ASSERT_TRUE(crossing.project(state, point.workspace, [&](State& node) {
    const double s = std::abs(node.q[0]), side = calls++ % 2 == 0 ? 1 : -1;
    node.q[1] = side * c / s;
    node.v = {1, side * c / (s * s)};
    return Status();
  }));
  EXPECT_NEAR(state.q[1], 0, 3e-11);
  EXPECT_NEAR(state.v[1], 0, 5e-10);
  EXPECT_NEAR(crossing.nodes().back().q[0], 3 * SingularCrossing::radius, 1e-12);
}

// All nodes on the branch y = x, the motion along y = 0: no crossing, and the state stays.
TEST(CrossingNodes, on_another_branch_are_refused) {
  Point point;
  SingularCrossing crossing = point.crossing();
  State state = Point::at(x, 0, 0);
  const State before = state;
  EXPECT_FALSE(crossing.project(state, point.workspace, [](State& node) {
    node.q[1] = node.q[0];
    node.v = {1, 1};
    return Status();
  }));
  EXPECT_EQ(state.q, before.q);
  EXPECT_EQ(state.v, before.v);
}

// With prescribed motions a node x_k is reached at the time t + (x_k - x) / v.
TEST(CrossingNodes, have_the_time_at_which_the_motion_is_there) {
  Point point;
  for (const bool moves_in_time : {false, true}) {
    SingularCrossing crossing = point.crossing(moves_in_time);
    State state = Point::at(x, 0, 0);
    state.v[0] = 2;
    ASSERT_TRUE(crossing.project(state, point.workspace, [](State&) { return Status(); }));
    for (const State& node : crossing.nodes())
      EXPECT_NEAR(node.time, 5 + (moves_in_time ? (node.q[0] - x) / 2 : 0), 1e-14);
  }
}

// In the plane x, y: links of 1 m, the coupler longer by c; all lie on the x axis at angle 0. With
// crank angle u and rocker angle u + w the loop closes where (1 + c)^2 = 1 + 4 sin^2(w/2) + 2 cos(u
// + w) - 2 cos(u): near the flat pose -2 u w = 2 c to lowest order. The branches w = 0 and u = 0
// meet only for c = 0.
TEST(CrossingNodes, of_branches_that_do_not_meet_leave_the_loop_closed) {
  for (const double longer : {0.0, 2e-10}) {
    Description description("rhombus");
    for (const char* name : {"crank", "coupler", "rocker"})
      description.body(name,
                       {.mass = 1.0, .com = {0.5, 0.0, 0.0}, .inertia = {0, 0, 0, 0.1, 0, 0.1}});
    description.joint("motor", JointKind::revolute, "ground", "crank");
    description.joint("knee", JointKind::revolute, "crank", "coupler",
                      {.at = {{1.0, 0.0, 0.0}, {}}});
    description.joint("foot", JointKind::revolute, "ground", "rocker",
                      {.at = {{1.0, 0.0, 0.0}, {}}});
    description.joint(
        "wrist", JointKind::revolute, "coupler", "rocker",
        {.at = {{1.0 + longer, 0.0, 0.0}, {}}, .child_at = {{1.0, 0.0, 0.0}, {}}, .cut = true});
    MotionOf motion(build_model(description));
    const Model& model = motion.model;
    const auto set = [&](const char* joint, double q, double v) {
      motion.state.q[std::size_t(model[*model.find_joint(joint)].q_start)] = q;
      motion.state.v[std::size_t(model[*model.find_joint(joint)].v_start)] = v;
    };
    set("motor", -0.01, 1), set("knee", 0.01, -1), set("foot", -0.01, 1);
    RankWatch watch(1e-7);
    watch.enter(model, motion.state, 0, false);
    SingularCrossing crossing(model, watch.loop_dofs(motion.state.q), false,
                              [&](std::span<const double> q, std::span<const int> of) {
                                return watch.distances_from_branches(q, of);
                              });
    OdeSystem ode(model, motion.run_inputs, motion.workspace);
    ode.set_crossing(&crossing);
    std::vector<double> y(std::size_t(ode.size()));
    ode.pack(motion.state, y);
    const Status status = ode.unpack(0, y, motion.state);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_LT(closure_error(model, motion.state, motion.workspace).position, 1e-12) << longer;
    // interpolated, and only where the branches meet
    const bool is_crossed = ode.leave_crossing(0, y, y).has_value();
    EXPECT_EQ(is_crossed, longer == 0);
  }
}

}  // namespace
}  // namespace trammel::crossing_nodes_test
