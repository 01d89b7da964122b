// A point on a curve: beads on wires with closed forms, slots that equal joints, cams.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/reference/posed.hpp"
#include "tests/support/motion_of.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/read/load.hpp"

namespace trammel::point_on_curve_test {
namespace {

constexpr double g = 9.81, mass = 0.7;

Solid bead_mass() { return {.mass = mass, .com = {}, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}}; }

void keep_on(Description& description, const std::string& frame, const CurveDescription& curve,
             const std::string& point = "bead") {
  ConstraintDescription wire;
  wire.name = "wire";
  wire.kind = ConstraintDescription::Kind::curve;
  wire.frame = frame, wire.other_frame = point;
  wire.curve = curve;
  description.constraints.push_back(wire);
}

// A point mass that slides along x, y and z, on a curve fixed to ground.
Description bead_on(const CurveDescription& curve) {
  Description description("bead");
  description.body("bead", bead_mass());
  description.joint(
      "place", JointKind::compound, "ground", "bead",
      {.motions = {slide({1.0, 0.0, 0.0}), slide({0.0, 1.0, 0.0}), slide({0.0, 0.0, 1.0})}});
  keep_on(description, "ground", curve);
  return description;
}

CurveDescription formula(const std::string& x, const std::string& y, const std::string& z,
                         double from, double to, bool closed = false) {
  CurveDescription curve;
  curve.x = x, curve.y = y, curve.z = z, curve.from = from, curve.to = to, curve.closed = closed;
  return curve;
}
CurveDescription spline(const std::vector<Vec3<double>>& points, bool closed = false) {
  CurveDescription curve;
  for (const Vec3<double>& p : points) curve.points.push_back({p.x, p.y, p.z});
  curve.closed = closed;
  return curve;
}
CurveDescription circle(double r) {
  CurveDescription curve = formula("r*sin(s)", "", "-r*cos(s)", 0, 2 * std::numbers::pi, true);
  curve.with = {{"r", r}};
  return curve;
}

// Force of the curve on the point, in world axes.
Vec3<double> force_of_curve(Posed& bead) {
  ConstrainedAnswer answer;
  const Status status = constrained_dynamics(bead.model, bead.state, {}, bead.workspace, answer);
  EXPECT_TRUE(status.ok()) << status.message();
  ConstraintRows rows(bead.model);
  const Kinematics moving = bead.moving();
  const std::vector<double> zero(std::size_t(bead.model.nv()));
  rows.evaluate(bead.model, moving, bead.state.q, bead.state.v, zero, {});
  Vec3<double> force{};
  for (const ConstraintRows::RowWrench& row : rows.row_wrenches())
    force = force + answer.lambda[row.row] * row.F.force;
  return force;
}

}  // namespace

// (1 + x^2) x'' + x x'^2 + g x = 0, and the wire's force m (g + x'^2) / sqrt(1 + x^2) along its
// upward normal.
TEST(PointOnCurve, bead_on_a_parabola) {
  for (const double x : {-1.3, 0.0, 0.4, 1.8})
    for (const double speed : {0.0, -0.7, 2.5}) {
      Posed bead(bead_on(formula("s", "", "s^2/2", -3, 3)), {x, 0, x * x / 2},
                 {speed, 0, x * speed});
      const Eigen::VectorXd a = bead.a();
      const double along = -(x * speed * speed + g * x) / (1 + x * x);
      EXPECT_NEAR(a[0], along, 1e-12 * (1 + std::abs(along)));
      EXPECT_NEAR(a[1], 0, 1e-12);
      EXPECT_NEAR(a[2], speed * speed + x * along, 1e-11);
      const double size = std::sqrt(1 + x * x), normal = mass * (g + speed * speed) / size;
      const Vec3<double> force = force_of_curve(bead);
      EXPECT_NEAR(force.x, -normal * x / size, 1e-11);
      EXPECT_NEAR(force.y, 0, 1e-12);
      EXPECT_NEAR(force.z, normal / size, 1e-11);
    }
}

// s'' = -g p / (R^2 + p^2) on a helix of pitch 2 pi p: a space curve, with torsion.
TEST(PointOnCurve, bead_on_a_helix) {
  const double R = 0.4, p = 0.15;
  CurveDescription helix = formula("R*cos(s)", "R*sin(s)", "p*s", -10, 10);
  helix.with = {{"R", R}, {"p", p}};
  for (const double s : {-4.0, 0.3, 2.2}) {
    const double speed = 1.7, c = std::cos(s), si = std::sin(s);
    Posed bead(bead_on(helix), {R * c, R * si, p * s}, {-R * si * speed, R * c * speed, p * speed});
    const Eigen::VectorXd a = bead.a();
    const double faster = -g * p / (R * R + p * p);
    // c' s'' + c'' s'^2
    EXPECT_NEAR(a[0], -R * si * faster - R * c * speed * speed, 1e-12);
    EXPECT_NEAR(a[1], R * c * faster - R * si * speed * speed, 1e-12);
    EXPECT_NEAR(a[2], p * faster, 1e-12);
  }
}

// A bead on a circle is a pendulum: in one acceleration to 1e-12, and in a run.
TEST(PointOnCurve, circle_equals_a_pendulum) {
  const double r = 0.8;
  Description pendulum("pendulum");
  pendulum.body("bead", bead_mass());
  // the bead does not turn: a parallel guide would be needed; a point mass has no inertia
  pendulum.bodies[0].solid.inertia = {};
  pendulum.joint("pivot", JointKind::revolute, "ground", "bead",
                 {.child_at = {.xyz = {0.0, 0.0, r}}, .axis = {0.0, -1.0, 0.0}});
  for (const double angle : {0.3, -2.0, 3.0}) {
    const double speed = 1.9;
    Posed turning(pendulum, {angle}, {speed});
    const double s = std::sin(angle), c = std::cos(angle);
    Posed bead(bead_on(circle(r)), {r * s, 0, -r * c}, {r * c * speed, 0, r * s * speed});
    const double faster = turning.a()[0];
    EXPECT_NEAR(faster, -g / r * s, 1e-12);
    const Eigen::VectorXd a = bead.a();
    EXPECT_NEAR(a[0], r * (c * faster - s * speed * speed), 1e-12);
    EXPECT_NEAR(a[2], r * (s * faster + c * speed * speed), 1e-12);
  }
  Description described = bead_on(circle(r));
  described.start_positions = {{"place", {r * std::sin(2.5), 0.0, -r * std::cos(2.5)}}};
  MotionOf bead(build_model(described));
  pendulum.start_positions = {{"pivot", {2.5}}};
  MotionOf swinging(build_model(pendulum));
  for (const double time : {0.5, 2.0}) {
    const double angle = swinging.at(time).q[0];
    const State& now = bead.at(time);
    // both runs have a relative tolerance of 1e-11 per step
    EXPECT_NEAR(now.q[0], r * std::sin(angle), 1e-8);
    EXPECT_NEAR(now.q[2], -r * std::cos(angle), 1e-8);
  }
  EXPECT_LT(bead.energy_change(), 1e-8);
  EXPECT_LT(bead.largest_violation().position, 1e-9);
}

// A pin in a straight slot of a turning arm is a prismatic joint on it; two points are the slot.
// The arm moves: Coriolis and centrifugal terms of the curve's own frame.
TEST(PointOnCurve, straight_slot_equals_a_slide) {
  const auto arm = [](bool has_slot) {
    Description description("arm");
    description.body("arm", box(2.0, {0.1, 0.2, 0.3}));
    description.joint(
        "hinge", JointKind::revolute, "ground", "arm",
        {.at = {.xyz = {0.1, 0.2, 0.3}, .rpy = {0.4, 0.2, -0.3}}, .axis = {0.0, 0.0, 1.0}});
    description.body("bead", {.mass = mass});
    description.frame("slot", "arm", {.xyz = {0.05, 0.1, 0.0}, .rpy = {0.3, -0.5, 0.2}});
    if (has_slot) {
      description.joint(
          "place", JointKind::compound, "ground", "bead",
          {.motions = {slide({1.0, 0.0, 0.0}), slide({0.0, 1.0, 0.0}), slide({0.0, 0.0, 1.0})}});
      keep_on(description, "slot", spline({{-2, 0, 0}, {3, 0, 0}}));
    } else {
      description.joint(
          "place", JointKind::prismatic, "arm", "bead",
          {.at = {.xyz = {0.05, 0.1, 0.0}, .rpy = {0.3, -0.5, 0.2}}, .axis = {1.0, 0.0, 0.0}});
    }
    return description;
  };
  Posed joined(arm(false), {0.7, 0.35}, {1.3, -0.8});
  const Pose<double> X = joined.X("bead");
  const Kinematics moving = joined.moving();
  const Vec3<double> v = velocity(joined.model, moving, frame_ref(joined.model, "bead")).linear;
  Posed slotted(arm(true), {0.7, X.p.x, X.p.y, X.p.z}, {1.3, v.x, v.y, v.z});
  const Eigen::VectorXd a = joined.a(), b = slotted.a();
  EXPECT_NEAR(b[0], a[0], 1e-12);
  const std::vector<double> a_list = list_of(a);
  const Vec3<double> A =
      acceleration(joined.model, joined.moving({.a = a_list}), frame_ref(joined.model, "bead"))
          .linear;
  EXPECT_NEAR(b[1], A.x, 1e-12);
  EXPECT_NEAR(b[2], A.y, 1e-12);
  EXPECT_NEAR(b[3], A.z, 1e-12);
  // inverse dynamics of that motion needs no effort
  const std::vector<double> b_list = list_of(b);
  EXPECT_NEAR(slotted.tau({.a = b_list}).norm(), 0, 1e-11);
}

// Rows along a motion: each is the time derivative of the row before it, on and near the curve.
TEST(PointOnCurve, rows_are_derivatives_of_each_other) {
  Description description("arm");
  description.body("arm", box(2.0, {0.1, 0.2, 0.3}));
  description.joint(
      "ball", JointKind::compound, "ground", "arm",
      {.motions = {turn({0.0, 0.0, 1.0}), turn({0.0, 1.0, 0.0}), slide({1.0, 0.0, 0.0})}});
  description.body("bead", bead_mass());
  description.joint(
      "place", JointKind::compound, "ground", "bead",
      {.motions = {slide({1.0, 0.0, 0.0}), slide({0.0, 1.0, 0.0}), slide({0.0, 0.0, 1.0})}});
  Posed tree(description, {0.4, -0.2, 0.1, 0, 0, 0});  // the same bodies: kinematics off the curve
  keep_on(description, "arm",
          spline({{0.5, 0, 0}, {0.1, 0.6, 0.2}, {-0.5, 0.1, 0.4}, {-0.2, -0.5, -0.1}}, true));
  const Model model = build_model(description);
  const Curve& curve = model.frame_constraints()[0].curve;
  const Eigen::VectorXd v = Eigen::VectorXd{{0.8, -0.5, 0.3, 0.9, -0.4, 0.6}};
  const Eigen::VectorXd a = Eigen::VectorXd{{-0.3, 0.7, 0.2, 1.1, 0.5, -0.9}};
  ConstraintRows rows(model);
  for (int k = 0; k < 8; ++k) {
    const double s = 0.2 + 0.7 * (k / 2), off = k % 2 == 0 ? 0 : 1e-3;
    tree.state.q = {0.4, -0.2, 0.1, 0, 0, 0};
    const Vec3<double> p = tree.X("arm") * curve.at(s).c;
    const Eigen::VectorXd q{{0.4, -0.2, 0.1, p.x + off, p.y - 2 * off, p.z + off}};
    const auto rows_at = [&](double t) {
      tree.state.q = list_of(q + t * v + t * t / 2 * a);
      tree.state.v = list_of(v + t * a);
      const std::vector<double> a_list = list_of(a);
      rows.evaluate(model, tree.moving({.a = a_list}), tree.state.q, tree.state.v, a_list, {});
    };
    const double h = 1e-5;  // error of the differences: h^2 and rounding / h
    rows_at(-h);
    const Eigen::VectorXd error_before = rows.error(), rate_before = rows.rate();
    rows_at(h);
    const Eigen::VectorXd error_after = rows.error(), rate_after = rows.rate();
    rows_at(0);
    const Eigen::VectorXd faster = (rate_after - rate_before) / (2 * h);
    EXPECT_NEAR((rows.acceleration() - faster).norm(), 0, 1e-7) << "s = " << s;
    // off the curve by 2.4 mm the normals turn with s: torsion times that distance
    const Eigen::VectorXd speed = (error_after - error_before) / (2 * h);
    EXPECT_NEAR((rows.rate() - speed).norm(), 0, off > 0 ? 5e-3 : 1e-7) << "s = " << s;
    // J v
    EXPECT_NEAR((rows.jacobian() * v - rows.rate()).norm(), 0, 1e-13);
  }
}

// Dual numbers: a bead at the lowest point of the parabola swings with the frequency sqrt(g).
TEST(PointOnCurve, linearization) {
  Posed bead(bead_on(formula("s", "", "s^2/2", -3, 3)), {0, 0, 0});
  Linearization found;
  const Status status = linearize(bead.model, bead.state, {}, bead.workspace, found);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(found.eigenvalues.size(), 2);
  EXPECT_NEAR(std::abs(found.eigenvalues[0].imag()), std::sqrt(g), 1e-12);
  EXPECT_NEAR(found.eigenvalues[0].real(), 0, 1e-12);
}

// The gallery's cam: lift, speed and acceleration in closed form; its second row is redundant.
TEST(PointOnCurve, cam_with_follower) {
  const double e = 0.02, r = 0.05, w = 2 * std::numbers::pi;
  MotionOf cam("cam_follower");
  EXPECT_NEAR(cam.q("guide"), e + r, 1e-12);
  Mobility found;
  ASSERT_TRUE(mobility(cam.model, cam.state, cam.workspace, found).ok());
  EXPECT_EQ(found.rank, 2);  // the motor's row, and one of the curve
  EXPECT_EQ(found.instantaneous, 0);
  for (const double time : {0.1, 0.37, 0.8}) {
    const double q = w * time, s = std::sin(q), c = std::cos(q);
    const double u = std::sqrt(r * r - e * e * s * s);
    State state = cam.state;
    state.q = {q, e * c + u};
    state.v = {w, -w * e * s * (1 + e * c / u)};
    if (cam.model[*cam.model.find_joint("motor")].q_start == 1)
      std::swap(state.q[0], state.q[1]), std::swap(state.v[0], state.v[1]);
    std::vector<double> a(2);
    const Status status = forward_dynamics(cam.model, state, {}, cam.workspace, a);
    ASSERT_TRUE(status.ok()) << status.message();
    const double faster =
        -w * w * e *
        (c + e * (c * c - s * s) / u + std::pow(e, 3) * s * s * c * c / std::pow(u, 3));
    EXPECT_NEAR(a[std::size_t(cam.model[*cam.model.find_joint("guide")].v_start)], faster, 1e-12);
    // assembly finds the lift from a rough guess
    State guess = state;
    guess.q[std::size_t(cam.model[*cam.model.find_joint("guide")].q_start)] += 0.015;
    const JointId motor = *cam.model.find_joint("motor");
    ASSERT_TRUE(assemble(cam.model, guess, cam.workspace, {.keep = {motor}}).ok());
    EXPECT_NEAR(guess.q[0], state.q[0], 1e-12);
    EXPECT_NEAR(guess.q[1], state.q[1], 1e-12);
  }
}

// The spline through 40 points of a circle is one to the order of its interpolation error.
TEST(PointOnCurve, spline_through_points_of_a_circle) {
  const double r = 0.5;
  std::vector<Vec3<double>> points;
  for (int k = 0; k < 40; ++k) {
    const double angle = 2 * std::numbers::pi * k / 40;
    points.push_back({r * std::sin(angle), 0, -r * std::cos(angle)});
  }
  Posed bead(bead_on(spline(points, true)), {0, 0, 0});
  const Curve& curve = bead.model.frame_constraints()[0].curve;
  const Curve::Point<double> at = curve.at(0.313);
  bead.state.q = {at.c.x, at.c.y, at.c.z};
  const Eigen::VectorXd a = bead.a();
  const double angle = std::atan2(at.c.x, -at.c.z), faster = -g / r * std::sin(angle);
  // h^4 / 384 of the fourth derivative, h = 2 pi r / 40, divided by h^2 for the curvature: 2e-4
  EXPECT_NEAR(a[0], r * std::cos(angle) * faster, 1e-4);
  EXPECT_NEAR(a[2], r * std::sin(angle) * faster, 1e-4);
}

TEST(PointOnCurve, end_of_an_open_slot_is_refused_by_name) {
  Description description = bead_on(formula("s", "", "s^2/2", -1, 1));
  description.start_positions = {{"place", {0.9, 0.0, 0.405}}};
  description.start_velocities = {{"place", {2.0, 0.0, 1.8}}};
  MotionOf bead(build_model(description));
  const Status status = bead.go(1);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("constraint 'wire' has its point beyond an end of its curve"),
            std::string::npos)
      << status.message();
  EXPECT_LT(bead.state.q[0], 1 + 1e-6);
  EXPECT_GT(bead.state.q[0], 0.99);

  // on the tangent at the end, which is no part of the curve
  Posed beyond(bead_on(formula("s", "", "s^2/2", -1, 1)), {1.1, 0, 0.6});
  std::vector<double> a(3);
  const Status refused = forward_dynamics(beyond.model, beyond.state, {}, beyond.workspace, a);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.message().find("beyond an end"), std::string::npos) << refused.message();
  // the last point itself is one of the curve
  beyond.state.q = {1, 0, 0.5};
  EXPECT_TRUE(forward_dynamics(beyond.model, beyond.state, {}, beyond.workspace, a).ok());
}

// A state far from the curve is no state of the mechanism; assembly goes to the nearest point.
TEST(PointOnCurve, point_far_from_its_curve) {
  Posed bead(bead_on(circle(0.5)), {3, 1, 2});
  std::vector<double> a(3);
  const Status status = forward_dynamics(bead.model, bead.state, {}, bead.workspace, a);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("constraint 'wire'"), std::string::npos) << status.message();
  ASSERT_TRUE(assemble(bead.model, bead.state, bead.workspace).ok());
  EXPECT_NEAR(std::hypot(bead.state.q[0], bead.state.q[2]), 0.5, 1e-12);
  EXPECT_NEAR(bead.state.q[1], 0, 1e-12);
  // the center is as near to every point: named, not answered
  bead.state.q = {0, 0, 0};
  const Status central = forward_dynamics(bead.model, bead.state, {}, bead.workspace, a);
  ASSERT_FALSE(central.ok());
  EXPECT_NE(central.message().find("center of curvature"), std::string::npos) << central.message();
}

// Batches answer as single calls do.
TEST(PointOnCurve, batches) {
  const Model model = build_model(bead_on(formula("s", "", "s^2/2", -3, 3)));
  Eigen::MatrixXd q(3, 5), v(3, 5), tau = Eigen::MatrixXd::Zero(3, 5), a(3, 5);
  for (int k = 0; k < 5; ++k) {
    const double x = -1 + 0.45 * k, speed = 0.3 * k;
    q.col(k) << x, 0, x * x / 2;
    v.col(k) << speed, 0, x * speed;
  }
  BatchWorkspace workspace(model);
  const Status status = forward_dynamics_batch(model, {q, v}, tau, workspace, a);
  ASSERT_TRUE(status.ok()) << status.message();
  for (int k = 0; k < 5; ++k) {
    const double x = q(0, k), speed = v(0, k);
    EXPECT_NEAR(a(0, k), -(x * speed * speed + g * x) / (1 + x * x), 1e-12);
  }
}

TEST(PointOnCurve, degenerate_curves_are_refused_by_name) {
  const auto refusal = [](const CurveDescription& curve) -> std::string {
    try {
      const Model model = build_model(bead_on(curve));
    } catch (const ModelError& error) { return error.what(); }
    return "built";
  };
  const auto expect = [&](const CurveDescription& curve, const std::string& words) {
    const std::string message = refusal(curve);
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  expect(spline({{0, 0, 0}, {1, 0, 0}}), "built");
  expect(spline({{0, 0, 0}}), "constraint 'wire': its curve has 1 point");
  expect(spline({{0, 0, 0}, {1, 0, 0}}, true), "has 2 points");
  expect(spline({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 1}}), "points 2 and 3 at one place");
  expect(spline({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}}, true), "points 4 and 1 at one place");
  expect(spline({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}), "crosses itself at");
  expect(spline({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}}), "crosses itself at");
  expect(formula("s^2", "s^3", "", -1, 1), "has no tangent near s = ");
  expect(formula("sin(2*s)", "sin(s)", "", 0, 2 * std::numbers::pi, true), "crosses itself at");
  expect(formula("1", "", "", 0, 1), "is a single point");
  expect(formula("s", "", "", 1, 0), "begins at s = 1 and ends at 0");
  expect(formula("cos(s)", "sin(s)", "", 0, 3, true), "its position at s = 3 is not that at 0");
  expect(formula("s", "abs(s)*s", "", -1, 1, true), "is closed, but");
  expect(formula("log(s)", "s", "", -1, 1), "is not finite");
  expect(formula("s+q", "", "", 0, 1), "x = \"s+q\"");
}

}  // namespace trammel::point_on_curve_test
