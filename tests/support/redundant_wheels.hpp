// Models e_09 and e_12a in degenerate wheel layouts (axles parallel or concurrent), in motions that
// preserve them: fewer rolling constraints are independent there than in any neighboring state.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random_robot.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/read/load.hpp"

namespace trammel {

struct RedundantWheels {
  static constexpr double radius = 0.15, height = 0.35;
  static constexpr double x_of[] = {-0.3, 0.3, -0.3, 0.3}, y_of[] = {0.4, 0.4, -0.4, -0.4};
  static constexpr const char* corner[] = {"front_left", "front_right", "rear_left", "rear_right"};

  RedundantWheels(const std::string& gallery, bool is_arm_free)
      : model(build_model(description(gallery, is_arm_free))),
        workspace(model),
        state(neutral_state(model)) {
    for (int k = 0; k < 4; ++k) {
      steer[k] = model[*model.find_joint(std::string(corner[k]) + "_steer")].v_start;
      drive[k] = model[*model.find_joint(std::string(corner[k]) + "_drive")].v_start;
    }
  }
  static Description description(const std::string& gallery, bool is_arm_free) {
    Description out = load_model("@" + gallery).description();
    if (is_arm_free)
      for (JointDescription& joint : out.joints)
        if (joint.options.drive == Drive::locked) joint.options.drive = Drive::none;
    return out;
  }
  // Of a revolute joint: its coordinate index is one higher, because of the quaternion of the base.
  double& angle(int dof) { return state.q[std::size_t(dof) + 1]; }
  double& rate(int dof) { return state.v[std::size_t(dof)]; }

  // The base somewhere on the floor, and the bodies outboard of the wheels in a random pose and
  // motion.
  void place(Random& random) {
    state = neutral_state(model);
    const double heading = random(-3, 3);
    const double base[] = {std::cos(heading / 2), 0,     0, std::sin(heading / 2), random(-5, 5),
                           random(-5, 5),         height};
    std::ranges::copy(base, state.q.begin());
    for (int f = 14; f < model.nv(); ++f) {
      angle(f) = random(-2, 2);
      if (model.prescription(f) == Drive::none) rate(f) = random(-2, 2);
    }
    for (const int f : drive) angle(f) = random(-3, 3);
  }
  // All wheels at one steering angle, turning at one rate, rolling with speed u along their
  // direction.
  void stand_alike(double at, double turning, double u) {
    rate(3) = -u * std::sin(at);
    rate(4) = u * std::cos(at);
    for (int k = 0; k < 4; ++k) {
      angle(steer[k]) = at;
      rate(steer[k]) = turning;
      rate(drive[k]) = -u / radius;
    }
  }
  // All axles through the point (X, Y) of the base, about which the base turns with w; the point
  // moves over the base with (U, V).
  void stand_round(double X, double Y, double w, double U, double V) {
    rate(2) = w;
    rate(3) = w * Y;
    rate(4) = -w * X;
    for (int k = 0; k < 4; ++k) {
      const double x = X - x_of[k], y = Y - y_of[k], square = x * x + y * y;
      angle(steer[k]) = std::atan2(y, x);
      rate(steer[k]) = (x * V - y * U) / square;
      rate(drive[k]) = w * std::sqrt(square) / radius;
    }
  }
  void stand_somehow(Random& random) {
    place(random);
    if (random.below(2) == 0)
      stand_alike(random(-3, 3), random(), random(-2, 2));
    else
      stand_round(random(-2, 2), random(-2, 2), random(), random(), random());
  }

  Status ask(std::span<const double> tau, std::vector<double>& a) {
    a.resize(std::size_t(model.nv()));
    return forward_dynamics(model, state, {.tau = tau}, workspace, a);
  }

  Model model;
  Workspace workspace;
  State state;
  int steer[4], drive[4];
};

}  // namespace trammel
