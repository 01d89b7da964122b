// Closed mechanisms of the gallery whose numbers are our own, against results by hand: velocity
// ratios from geometry, accelerations and holding efforts from virtual work. At rest a mechanism
// with one coordinate q accelerates by q'' = -V' / M, with M the generalized inertia.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tests/reference/from_gallery.hpp"
#include "tests/support/operator_matrices.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"

namespace trammel::everyday_mechanisms_test {
namespace {

constexpr double g = 9.81, deg = std::numbers::pi / 180;
double square(double x) { return x * x; }

std::size_t dof(const FromGallery& mechanism, const std::string& joint) {
  const Model& model = mechanism.posed.model;
  return std::size_t(model[*model.find_joint(joint)].v_start);
}

// Efforts of the drives that hold a mechanism at rest.
std::vector<double> holding_efforts(FromGallery& mechanism) {
  Posed& posed = mechanism.posed;
  std::ranges::fill(posed.state.v, 0.0);
  const std::vector<double> zero(std::size_t(posed.model.nv()));
  std::vector<double> tau(zero.size());
  const Status status =
      inverse_dynamics(posed.model, posed.state, {.a = zero}, posed.workspace, tau);
  EXPECT_TRUE(status.ok()) << status.message();
  return tau;
}

// Sets the velocities of some joints; the loops determine the others.
void set_velocities(FromGallery& mechanism,
                    const std::vector<std::pair<std::string, double>>& velocities) {
  Posed& posed = mechanism.posed;
  AssemblyOptions options;
  options.keep_velocity.emplace();
  std::ranges::fill(posed.state.v, 0.0);
  for (const auto& [joint, v] : velocities) {
    posed.state.v[dof(mechanism, joint)] = v;
    options.keep_velocity->push_back(*posed.model.find_joint(joint));
  }
  const Status status = assemble(posed.model, posed.state, posed.workspace, options);
  ASSERT_TRUE(status.ok()) << status.message();
}

// Instantaneous center of the coupler: the apex over the trapezoid, l sqrt(3) high.
TEST(everyday_mechanisms, six_bar_accelerates_as_its_instantaneous_centers_say) {
  FromGallery six_bar("six_bar");
  EXPECT_EQ(six_bar.ways().finite, 1);
  EXPECT_EQ(six_bar.plan().redundant(), 6);
  const double l = 0.2, h = l * std::sqrt(0.75);
  const double output = (h - l / 2) / l;  // its speed, of the crank's
  const double M = 0.5 * l * l / 3 + (1.5 * square(h - 0.03) + 0.012) + 1.0 * l * l / 3 +
                   0.8 * square(h - l / 2) + 1.0 * l * l / 3 * square(output);
  // crank and rocker: their centers of mass rise and sink by l / 4; the others move horizontally
  const double a = -g * (0.5 - 1.0) * (l / 4) / M;
  const Eigen::VectorXd found = six_bar.posed.a();
  const auto expect_ratio = [&](const char* joint, double ratio) {
    EXPECT_NEAR(found[Eigen::Index(dof(six_bar, joint))], ratio * a, 1e-11 * std::abs(a)) << joint;
  };
  expect_ratio("crank_foot", 1);
  expect_ratio("crank_pin", -2);  // the coupler turns backward
  expect_ratio("rocker_foot", 1);
  expect_ratio("link_pin", 1);  // the link does not turn
  expect_ratio("output_foot", output);
}

TEST(everyday_mechanisms, delta_robot_falls_straight_as_virtual_work_says) {
  FromGallery delta("delta_robot");
  EXPECT_EQ(delta.ways().finite, 3);
  EXPECT_EQ(delta.plan().redundant(), 0);
  const double rb = 0.20, rp = 0.05, la = 0.25, lf = 0.55, q = 20 * deg;
  const double across = rb + la * std::cos(q) - rp;
  const double drop = -std::sqrt(lf * lf - across * across);  // from elbow to plate
  // velocities per unit speed of the motors, radial and vertical: elbow e, plate p
  const double ex = -la * std::sin(q), ez = -la * std::cos(q), pz = ez - across * ex / drop;
  const double rods =
      0.08 / 3 * (ex * ex + ez * ez + ez * pz + pz * pz);  // thin: m/3 (e.e + e.p + p.p)
  const double M = 0.4 * pz * pz + 3 * 0.5 * la * la / 3 + 6 * rods;
  const double slope = g * (0.4 * pz + 3 * 0.5 * ez / 2 + 6 * 0.08 * (ez + pz) / 2);
  const double a = -slope / M;
  const Eigen::VectorXd found = delta.posed.a();
  for (const char* motor : {"motor1", "motor2", "motor3"})
    EXPECT_NEAR(found[Eigen::Index(dof(delta, motor))], a, 1e-11 * std::abs(a)) << motor;
  expect_near(delta.of(found, "float"), {0, 0, 0, 0, 0, pz * a}, 1e-11 * std::abs(a), "plate");
}

TEST(everyday_mechanisms, stewart_platform_falls_straight_as_virtual_work_says) {
  FromGallery stewart("stewart_platform");
  EXPECT_EQ(stewart.ways().finite, 6);
  EXPECT_EQ(stewart.plan().redundant(), 0);
  const double z = 0.5, dx = 0.25 * std::cos(48 * deg) - 0.40 * std::cos(12 * deg),
               dy = 0.25 * std::sin(48 * deg) - 0.40 * std::sin(12 * deg);
  const double d = std::hypot(dx, dy), L = std::hypot(d, z);
  // per unit speed of the plate: the leg lengthens by z / L and tilts by d / L^2
  const double slide = z / L, tilt = d / (L * L), upper = L - 0.175;
  const double M = 10 + 6 * ((1.5 * square(0.175) + 0.015) * square(tilt) +
                             0.8 * (square(slide) + square(upper * tilt)) + 0.008 * square(tilt));
  // height of a point at distance r from the foot: r z / L
  const double lower_rise = 0.175 * d * tilt / L, upper_rise = slide * z / L + upper * d * tilt / L;
  const double a = -g * (10 + 6 * (1.5 * lower_rise + 0.8 * upper_rise)) / M;
  const Eigen::VectorXd found = stewart.posed.a();
  expect_near(stewart.of(found, "float"), {0, 0, 0, 0, 0, a}, 1e-11 * std::abs(a), "plate");
  for (int leg = 1; leg <= 6; ++leg)
    EXPECT_NEAR(stewart.of(found, fmt::format("slide{}", leg))[0], slide * a, 1e-11 * std::abs(a));
}

TEST(everyday_mechanisms, leg_with_rods_moves_in_parallelograms) {
  FromGallery leg("leg_with_rods");
  EXPECT_EQ(leg.ways().finite, 5);
  EXPECT_EQ(leg.plan().redundant(), 0);
  const std::vector<double>& v = leg.posed.state.v;
  set_velocities(leg, {{"hip_roll", 0.3},
                       {"hip_yaw", -0.2},
                       {"hip_pitch", 0.4},
                       {"knee", 1.0},
                       {"foot_motor", 0.7}});
  EXPECT_NEAR(v[dof(leg, "ankle")], -1.0, 1e-12);
  EXPECT_NEAR(v[dof(leg, "rod_top")], 1.0, 1e-12);
  EXPECT_NEAR(v[dof(leg, "rod_top") + 1], 0.0, 1e-12);
  EXPECT_NEAR(v[dof(leg, "toe")], 0.7, 1e-12);
  EXPECT_NEAR(v[dof(leg, "crank_end")], -0.7, 1e-12);
  // holding effort of the knee: what is below the ankle moves along a circle as the ankle does
  const double shank = 0.5, level = shank * std::cos((-30 - 80) * deg);
  const double knee = g * level * (1.1 * 0.4 + 0.16 / 2 + 0.9 + 0.06 + 0.1 + 0.2);
  const std::vector<double> tau = holding_efforts(leg);
  EXPECT_NEAR(tau[dof(leg, "knee")], knee, 1e-11 * std::abs(knee));
  // of the foot's motor: rod and foot turn with the crank, the rod's center of mass as its end does
  const double reach = 0.055 * std::cos((-30 + 50) * deg), foot = 0.02 * std::sin((-30 + 50) * deg);
  EXPECT_NEAR(tau[dof(leg, "foot_motor")], g * (0.06 * reach / 2 + 0.1 * reach + 0.2 * foot),
              1e-12);
}

// Boom pivot, foot and eye of the cylinder: a triangle with sides a, b and the cylinder.
TEST(everyday_mechanisms, excavator_holds_its_boom_as_virtual_work_says) {
  FromGallery excavator("excavator");
  EXPECT_EQ(excavator.ways().finite, 4);
  EXPECT_EQ(excavator.plan().redundant(), 12);
  Posed& posed = excavator.posed;
  const double ax = 0.55, az = -0.55, bx = 2.3, bz = 0.4, boom = 35 * deg;
  const double a = std::hypot(ax, az), b = std::hypot(bx, bz);
  const double between = boom + std::atan2(bz, bx) - std::atan2(az, ax);
  const double length = std::sqrt(a * a + b * b - 2 * a * b * std::cos(between));
  const double turn =
      length / (a * b * std::sin(between));  // of the boom, per speed of the cylinder
  EXPECT_NEAR(posed.state.q[dof(excavator, "boom_cylinder")], length, 1e-12);
  set_velocities(
      excavator,
      {{"swing", 0}, {"boom_cylinder", 1}, {"stick_cylinder", 0}, {"bucket_cylinder", 0}});
  EXPECT_NEAR(posed.state.v[dof(excavator, "boom_pin")], turn, 1e-12);
  EXPECT_NEAR(posed.state.v[dof(excavator, "stick_pin")], 0, 1e-12);
  EXPECT_NEAR(posed.state.v[dof(excavator, "bucket_pin")], 0, 1e-12);

  // all bodies outboard of the boom pin turn about it; barrel and rod turn about the cylinder's
  // foot
  double moment = 0;
  for (const NamedBody& body : posed.model.named_bodies()) {
    if (body.name == "ground" || body.name == "house" || body.name.starts_with("boom_")) continue;
    const Inertia<double>& I = posed.model.inertia(*posed.model.find_body(body.name));
    const Pose<double> X = posed.X(body.name);
    moment += g * (I.mass * X.p + X.R * I.first_moment).x;
  }
  const double x = b * std::cos(boom + std::atan2(bz, bx)) - ax,
               z = b * std::sin(boom + std::atan2(bz, bx)) - az;
  const double c = x / length, s = z / length;
  const double tilt = turn * ((x + ax) * c + (z + az) * s) / length;  // of the cylinder
  const double cylinder = 180 * 0.75 * c * tilt + 110 * (s + (length - 0.7) * c * tilt);
  const double expected = moment * turn + g * cylinder;
  const std::vector<double> tau = holding_efforts(excavator);
  EXPECT_NEAR(tau[dof(excavator, "boom_cylinder")], expected, 1e-11 * expected);
  EXPECT_NEAR(tau[dof(excavator, "swing")], 0, 1e-11 * expected);
}

// Virtual work: at the angle t of the links the midpoints of the two pairs are at (L/2) sin t and
// (3L/2) sin t, the table at 2 L sin t; barrel and rod lie along the cylinder, of length l.
TEST(everyday_mechanisms, cylinder_of_the_scissor_lift_holds_by_virtual_work) {
  for (const double degrees : {8.0, 30.0, 60.0}) {
    const double t = degrees * deg, load = 250;
    FromGallery lift("scissor_lift", {.set = {{"angle", t}, {"load", load}}});
    EXPECT_EQ(lift.ways().finite, 1);
    const double c = std::cos(t), s = std::sin(t), eye = 0.7, foot = 0.85;
    const double x = (1 - eye) * c - foot, z = eye * s, l = std::hypot(x, z);
    const double dl = (-x * (1 - eye) * s + z * eye * c) / l;  // by t, as all that follows
    const double dtilt = (eye * c * l - z * dl) / (l * l);     // of z / l
    const double work = g * (2 * 8 * 0.5 * c + 2 * 8 * 1.5 * c + (20 + load) * 2 * c +
                             4 * 0.2 * dtilt + 2 * (eye * c - 0.225 * dtilt));
    const std::vector<double> tau = holding_efforts(lift);
    EXPECT_NEAR(tau[dof(lift, "cylinder")], work / dl, 1e-11 * work / dl) << degrees;
    EXPECT_NEAR(lift.posed.X("table").p.z, 2 * s, 1e-12) << degrees;
  }
}

// Both wheels turn at w: r w forward. Opposite: r (2 w) / track of yaw.
TEST(everyday_mechanisms, differential_drive_goes_as_its_wheels_say) {
  FromGallery robot("diff_drive");
  EXPECT_EQ(robot.ways().instantaneous, 2);
  const std::size_t x = dof(robot, "base");
  set_velocities(robot, {{"left", 5}, {"right", 5}});
  EXPECT_NEAR(robot.posed.state.v[x], 0.08 * 5, 1e-12);
  EXPECT_NEAR(robot.posed.state.v[x + 2], 0, 1e-12);
  set_velocities(robot, {{"left", -5}, {"right", 5}});
  EXPECT_NEAR(robot.posed.state.v[x], 0, 1e-12);
  EXPECT_NEAR(robot.posed.state.v[x + 2], 0.08 * 10 / 0.36, 1e-12);
}

}  // namespace
}  // namespace trammel::everyday_mechanisms_test
