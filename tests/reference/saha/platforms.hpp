// The vehicles of [Saha 1991] with three degrees of freedom: tables 4.1 to 4.3, masses of 4.6.2, as
// generated platforms; and the closed forms of section 3.8.
#pragma once

#include <numbers>

#include "tests/reference/posed.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/assembly/inverse_kinematics.hpp"
#include "trammel/constraint/forces/allocation.hpp"
#include "trammel/design/wheel_layout.hpp"
#include "trammel/generate/platform.hpp"
#include "trammel/simulate/path/planar_path.hpp"

namespace trammel {

inline constexpr double degree = std::numbers::pi / 180;

struct SeedPlatform {
  WheelLayout layout;
  double body_mass = 32, body_turn = 1.7067;  // about z
  static constexpr double roller_radius = 0.01;
  double wheel_mass = 2, wheel_axial = 0.01, wheel_across = 0.00515;
  Eigen::Vector3d body_inertia{1.0888, 1.0888, 1.7067};

  static SeedPlatform three_wheels() {
    SeedPlatform out;
    for (const double angle : {90, 210, 330})
      out.layout.push_back({90 * degree, angle * degree, angle * degree, 0.3, 0.1});
    return out;
  }
  // wheels at (+-0.2, +-0.3); the printed table has rounded values, 0.36 m and 56.3 degrees
  static SeedPlatform four_wheels(bool as_printed = false) {
    SeedPlatform out;
    const double d = as_printed ? 0.36 : std::hypot(0.2, 0.3);
    const double to = as_printed ? 56.3 * degree : std::atan2(0.3, 0.2);
    const double half = 180 * degree;
    out.layout = {{45 * degree, 0, to, d, 0.1},
                  {135 * degree, half, half - to, d, 0.1},
                  {45 * degree, half, half + to, d, 0.1},
                  {135 * degree, 0, -to, d, 0.1}};
    out.body_mass = 37, out.body_turn = 1.6033;
    out.body_inertia = {1.2333, 0.6167, 1.6033};
    return out;
  }
  static SeedPlatform six_wheels() {
    SeedPlatform out = three_wheels();
    for (const double angle : {30, 150, 270})
      out.layout.push_back({90 * degree, angle * degree, angle * degree, 0.3, 0.1});
    return out;
  }

  PlatformTable table() const {
    PlatformTable out;
    out.solid = {.mass = body_mass,
                 .inertia = {body_inertia[0], 0.0, 0.0, body_inertia[1], 0.0, body_turn}};
    out.height = 0.2;
    for (const WheelPlacing& wheel : layout)
      out.wheels.push_back({.kind = PlatformWheel::Kind::omni,
                            .x = wheel.distance * std::cos(wheel.bearing),
                            .y = wheel.distance * std::sin(wheel.bearing),
                            .axle = wheel.axle,
                            .radius = wheel.radius,
                            .roller_angle = wheel.roller_angle,
                            .roller_radius = roller_radius,
                            .mass = wheel_mass,
                            .axial = wheel_axial,
                            .across = wheel_across});
    return out;
  }
  Description described() const {
    Description description("platform");
    add_platform(description, table());
    return description;
  }

  // Section 3.8: w_C for the motion (rotation, x, y) in the axes of the vehicle and its rate.
  Eigen::Vector3d wrench(const Eigen::Vector3d& nu, const Eigen::Vector3d& change) const {
    double s_x = 0, s_y = 0, I_z = body_turn;
    for (const WheelPlacing& wheel : layout) {
      s_x += wheel_mass * wheel.distance * std::cos(wheel.bearing);
      s_y += wheel_mass * wheel.distance * std::sin(wheel.bearing);
      I_z += wheel_across + wheel_mass * wheel.distance * wheel.distance;
    }
    const double m = body_mass + double(layout.size()) * wheel_mass;
    const double a_x = change[1] - nu[0] * nu[2], a_y = change[2] + nu[0] * nu[1];
    const Eigen::MatrixXd L = hub_jacobian(layout);
    return Eigen::Vector3d(I_z * change[0] + s_x * a_y - s_y * a_x,
                           m * a_x - change[0] * s_y - nu[0] * nu[0] * s_x,
                           m * a_y + change[0] * s_x - nu[0] * nu[0] * s_y) +
           wheel_axial * L.transpose() * L * change;
  }
};

// A generated platform with its state: joints in the order base (x, y, yaw), then the wheels.
struct PlatformAsked : Posed {
  explicit PlatformAsked(const SeedPlatform& platform)
      : Posed(platform.described(), std::vector<double>(3 + platform.layout.size(), 0.0)) {}

  // Sets the motion of the platform, with consistent wheels; returns all accelerations.
  Eigen::VectorXd move(const PlanarMotion& to) {
    state.q[0] = to.x, state.q[1] = to.y, state.q[2] = to.yaw;
    std::ranges::fill(state.v, 0.0);
    const FrameRef platform = frame_ref(model, "platform");
    const auto target = [&](double x, double y, double yaw) {
      return std::vector<MotionTarget>{
          {.place = platform, .angular = Vec3<double>{0, 0, yaw}, .linear = Vec3<double>{x, y, 0}}};
    };
    std::vector<double> v(state.v.size()), a(v.size());
    Status status = inverse_kinematics_velocity(
        model, state, target(to.x_rate, to.y_rate, to.yaw_rate), workspace, v);
    EXPECT_TRUE(status.ok()) << status.message();
    state.v = v;
    status = inverse_kinematics_acceleration(
        model, state, target(to.x_acceleration, to.y_acceleration, to.yaw_acceleration), {},
        workspace, a);
    EXPECT_TRUE(status.ok()) << status.message();
    return vector_of(a);
  }
  // From the velocities of the vehicle in its own axes and their rates, at some position and yaw.
  Eigen::VectorXd move(const Eigen::Vector3d& nu, const Eigen::Vector3d& change, double yaw = 0.6) {
    const double c = std::cos(yaw), s = std::sin(yaw);
    const Eigen::Vector2d a(change[1] - nu[0] * nu[2], change[2] + nu[0] * nu[1]);
    return move({.x = 0.3,
                 .y = -0.2,
                 .yaw = yaw,
                 .x_rate = c * nu[1] - s * nu[2],
                 .y_rate = s * nu[1] + c * nu[2],
                 .yaw_rate = nu[0],
                 .x_acceleration = c * a[0] - s * a[1],
                 .y_acceleration = s * a[0] + c * a[1],
                 .yaw_acceleration = change[0]});
  }
  Eigen::VectorXd wheels(const Eigen::VectorXd& all) const { return all.tail(all.size() - 3); }
  Allocation allocated(const Eigen::VectorXd& a, const AllocationOptions& options = {}) {
    Allocation out;
    const std::vector<double> list = list_of(a);
    const Status status = allocate_efforts(model, state, {.a = list}, workspace, out, options);
    EXPECT_TRUE(status.ok()) << status.message();
    return out;
  }
};

// Path 3 with the numbers of S-T04, and its own yaw.
inline PlanarPath seed_path_3() {
  return two_straights_path({}, 90 * degree)
      .with_yaw(cycloidal_profile(0, std::numbers::pi / 2, 15, 30));
}

}  // namespace trammel
