// Two systems on which every formulation of [Saha 1991, section 3.5] is tested. Each is given
// twice, as a model of the engine and as a hand-written Lagrangian with constraint rows, in the
// same state.
#pragma once

#include <numbers>

#include "tests/reference/rolling_disk.hpp"
#include "tests/reference/saha/vehicles.hpp"
#include "tests/support/analytical_mechanics.hpp"

namespace trammel {

// S-T12: rolling disk in any motion; coordinates theta, phi, psi and the center
struct DiskTwice {
  static constexpr double m = 0.02, r = 0.05, g = 9.81;

  DiskTwice()
      : engine(m, r, m * r * r / 2, m * r * r / 4,
               {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}}),
        by_hand(rolling_disk_by_hand(m, r, g)) {
    engine.put({0.2, std::numbers::pi / 2 - 0.3, 0.4}, {3, -0.5, -8});
    const std::vector<double>& center = engine.posed.state.v;
    q = numbers({0.3, 0.2, 0.4, 0, 0});
    v = numbers({0.5, 3, -8, center[0], center[1]});
    J = by_hand.values(by_hand.J, q, v);
    J_dot_v = by_hand.values(by_hand.rate(by_hand.J), q, v) * v;
  }
  // accelerations of the engine in the order of [Saha 1991]
  Eigen::VectorXd engine_acceleration() {
    const Eigen::VectorXd a = engine.solve(ConstraintSolver::null_space).a;
    return numbers({-a[4], a[3], a[5], a[0], a[1]});
  }
  // columns of the null-space basis for theta', phi', psi'
  Eigen::MatrixXd T() const {
    Eigen::MatrixXd out(5, 3);
    out << Eigen::MatrixXd::Identity(3, 3), -J.leftCols(3);
    return out;
  }

  RollingDisk engine;
  Lagrangian by_hand;
  Eigen::VectorXd q, v;
  Eigen::MatrixXd J;
  Eigen::VectorXd J_dot_v;
};

// Two wheels and a body ahead of them, in coordinates theta1, theta2, psi, x, y.
struct CartTwice {
  explicit CartTwice(const Eigen::Vector2d& rates = {-4, -7},
                     const Eigen::Vector2d& tau = {0.03, -0.02})
      : torque(tau),
        engine(without_caster(), {0.2, -0.1, 0.7, 0.4, 0.9}),
        by_hand(TwoWheeler().by_hand()) {
    put(numbers({0.4, 0.9, 0.7, 0.2 + TwoWheeler().a * std::sin(0.7),
                 -0.1 - TwoWheeler().a * std::cos(0.7)}),
        rates);
  }
  static Description without_caster() {
    Description description = FromGallery("s_t03").posed.model.description();
    std::erase_if(description.bodies, [](const auto& body) {
      return body.name == "fork" || body.name == "caster_wheel";
    });
    std::erase_if(description.joints, [](const auto& joint) {
      return joint.name == "steer" || joint.name == "caster";
    });
    std::erase_if(description.wheels, [](const auto& wheel) { return wheel.name == "caster_rim"; });
    std::erase_if(description.start_positions,
                  [](const auto& start) { return start.joint == "steer"; });
    return description;
  }
  void put(const Eigen::VectorXd& position, const Eigen::Vector2d& rates) {
    q = position;
    J = by_hand.values(by_hand.J, q, Eigen::VectorXd::Zero(5));
    v = T() * rates;
    const double a = TwoWheeler().a;
    engine.state.q = {q[3] - a * std::sin(q[2]), q[4] + a * std::cos(q[2]), q[2], q[0], q[1]};
    engine.state.v.assign(5, 0.0);
    engine.state.v = list_of(wheel_basis(engine).T * rates);
  }
  Eigen::MatrixXd T() const {
    Eigen::MatrixXd out(5, 2);
    out << Eigen::MatrixXd::Identity(2, 2), -J.leftCols(2);
    return out;
  }
  Eigen::Vector2d engine_acceleration() {
    return engine.a({.tau = std::vector<double>{0, 0, 0, torque[0], torque[1]}}).tail<2>();
  }

  Eigen::Vector2d torque;
  Posed engine;
  Lagrangian by_hand;
  Eigen::VectorXd q, v;
  Eigen::MatrixXd J;
};

}  // namespace trammel
