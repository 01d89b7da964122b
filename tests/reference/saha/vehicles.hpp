// The vehicles of [Saha 1991, sections 3.6 and 3.7], from the gallery: two wheels on an axle
// (S-T01), and a platform with a caster (S-T03); modeled by the orthogonal complement, with the
// rates of the two driven wheels as independent ones.
#pragma once

#include <numbers>

#include "tests/reference/from_gallery.hpp"
#include "trammel/constraint/assembly/inverse_kinematics.hpp"
#include "trammel/constraint/mobility/natural_complement.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"

namespace trammel {

// T with the rates of the two driven wheels as u.
inline OrthogonalComplement wheel_basis(Posed& posed) {
  OrthogonalComplement out;
  const Status status = orthogonal_complement(
      posed.model, posed.state, {}, posed.workspace, out,
      {.independent = {*posed.model.find_joint("left"), *posed.model.find_joint("right")}});
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}
inline NaturalComplement natural_of(Posed& posed, const OrthogonalComplement& basis,
                                    const Inputs& inputs = {}) {
  NaturalComplement out;
  const Status status =
      natural_complement(posed.model, posed.state, inputs, basis, posed.workspace, out);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}
inline MinimalEquations minimal_of(Posed& posed, const OrthogonalComplement& basis,
                                   const Inputs& inputs = {}) {
  MinimalEquations out;
  const Status status =
      minimal_equations(posed.model, posed.state, inputs, basis, posed.workspace, out);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}

struct Vehicle : FromGallery {
  static constexpr double r = 0.05, l = 0.4, eta = r / l, wheel_mass = 2;
  static constexpr double axial = wheel_mass * r * r / 2, across = wheel_mass * r * r / 4;

  // `place`: the middle of the axle, which follows a path.
  Vehicle(const std::string& name, const std::string& place)
      : FromGallery(name), midpoint(frame_ref(posed.model, place)) {}

  int dof(const std::string& joint) const {
    const NamedJoint& found = posed.model[*posed.model.find_joint(joint)];
    return found.v_start + found.nv - 1;  // of the planar joint, its rotation
  }
  OrthogonalComplement basis() { return wheel_basis(posed); }
  std::vector<double> torques(const Eigen::Vector2d& of_wheels) const {
    std::vector<double> tau(std::size_t(posed.model.nv()));
    tau[std::size_t(dof("left"))] = of_wheels[0];
    tau[std::size_t(dof("right"))] = of_wheels[1];
    return tau;
  }
  // Sets all joint rates from these rates of the driven wheels.
  void roll(const Eigen::Vector2d& rates) {
    std::ranges::fill(posed.state.v, 0.0);
    posed.state.v = list_of(basis().T * rates);
  }
  Eigen::Vector2d of_wheels(const Eigen::VectorXd& all) const {
    return {all[dof("left")], all[dof("right")]};
  }

  // Prescribed motion of the middle of the axle: position, heading, and the rates of both.
  struct Led {
    Eigen::Vector2d position, velocity, acceleration;
    double heading = 0, turning = 0, turning_rate = 0;
  };
  // Puts it there; all joint rates follow from the motion. Returns the accelerations.
  Eigen::VectorXd lead(const Led& to) {
    const Eigen::Vector2d ahead(-std::sin(to.heading), std::cos(to.heading));
    const Eigen::Vector2d C = to.position - midpoint.X_UA.p.y * ahead;
    posed.state.q[0] = C.x(), posed.state.q[1] = C.y(), posed.state.q[2] = to.heading;
    const MotionTarget going[] = {{.place = midpoint,
                                   .angular = Vec3<double>{0, 0, to.turning},
                                   .linear = Vec3<double>{to.velocity.x(), to.velocity.y(), 0}}};
    std::ranges::fill(posed.state.v, 0.0);
    std::vector<double> v(posed.state.v.size()), a(v.size());
    Status status =
        inverse_kinematics_velocity(posed.model, posed.state, going, posed.workspace, v);
    EXPECT_TRUE(status.ok()) << status.message();
    posed.state.v = v;
    const MotionTarget changing[] = {
        {.place = midpoint,
         .angular = Vec3<double>{0, 0, to.turning_rate},
         .linear = Vec3<double>{to.acceleration.x(), to.acceleration.y(), 0}}};
    status =
        inverse_kinematics_acceleration(posed.model, posed.state, changing, {}, posed.workspace, a);
    EXPECT_TRUE(status.ok()) << status.message();
    return vector_of(a);
  }

  // Simulation in all coordinates and the two independent rates, by the minimal equations and the
  // classical Runge-Kutta method. `torque`: of the wheels, as a function of time.
  template <class Torque> void run(double step, int steps, const Torque& torque, double start = 0) {
    using Vector = Eigen::VectorXd;
    const auto slope = [&](double time, const Vector& x) -> Vector {
      posed.state.q = list_of(x.head(x.size() - 2));
      roll(x.tail<2>());
      const std::vector<double> tau = torques(torque(time));
      const OrthogonalComplement T = basis();
      const MinimalEquations equations = minimal_of(posed, T, {.tau = tau});
      Vector out(x.size());
      out << vector_of(posed.state.v),
          equations.inertia.llt().solve(equations.effort - equations.bias);
      return out;
    };
    Vector x(posed.model.nq() + 2);
    x << vector_of(posed.state.q), of_wheels(vector_of(posed.state.v));
    for (int i = 0; i < steps; ++i) {
      const double t = start + i * step;
      const Vector k1 = slope(t, x), k2 = slope(t + step / 2, x + step / 2 * k1),
                   k3 = slope(t + step / 2, x + step / 2 * k2), k4 = slope(t + step, x + step * k3);
      x += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    posed.state.q = list_of(x.head(x.size() - 2));
    roll(x.tail<2>());
  }

  FrameRef midpoint;
};

struct CasterVehicle : Vehicle {
  static constexpr double a = 0.101, b = 0.202, d = 0.025;

  CasterVehicle() : Vehicle("s_t03", "midpoint") {}
  double& steer() { return posed.state.q[5]; }
  Eigen::Vector2d torques_for(const Eigen::VectorXd& acceleration) {
    return of_wheels(posed.tau({.a = list_of(acceleration)}));
  }
};

// Section 3.7, the compact closed form: I theta'' + h = tau.
struct ClosedForm {
  static constexpr double r = Vehicle::r, l = Vehicle::l, eta = Vehicle::eta;
  static constexpr double m_w = Vehicle::wheel_mass, I_a = Vehicle::axial, I_t = Vehicle::across;
  static constexpr double a = CasterVehicle::a, b = CasterVehicle::b, d = CasterVehicle::d;
  static constexpr double m = 20, I_zz = m * 2 * 0.35 * 0.35 / 12;

  ClosedForm(double steer, const Eigen::Vector2d& rates) {
    const double s4 = std::sin(steer), c4 = std::cos(steer), f = a + b;
    const Eigen::Vector2d e(1, -1), s(1, 1);
    const Eigen::Vector2d u3 = c4 / 2 * s - f * s4 / l * e,
                          u4 = r * s4 / (2 * d) * s + eta * (f * c4 / d - 1) * e, w4 = u4 + eta * e;
    U << u3.transpose(), u4.transpose(), eta * e.transpose();
    const double steering = u4.dot(rates);
    const Eigen::Vector2d u3_dot = steering * (-s4 / 2 * s - f * c4 / l * e),
                          w4_dot = steering * (r * c4 / (2 * d) * s - eta * f * s4 / d * e);
    I = (m_w * r * r + I_a) * (Eigen::Matrix2d::Identity() + u3 * u3.transpose()) +
        (2 * I_t + I_zz + m * a * a) * eta * eta * e * e.transpose() +
        m * r * r / 4 * s * s.transpose() + I_t * w4 * w4.transpose();
    h = (m_w * r * r + I_a) * u3 * u3_dot.dot(rates) + I_t * w4 * w4_dot.dot(rates) +
        m * a * r * eta * eta * e.dot(rates) * Eigen::Vector2d(-rates[1], rates[0]);
  }
  Eigen::Matrix2d I;
  Eigen::Vector2d h;
  Eigen::Matrix<double, 3, 2> U;  // rates of the caster wheel, its fork, and the heading
};

// The circle of the examples of [Saha 1991], its angle a quintic in time, from rest to rest.
struct Circle {
  static constexpr double radius = 5, duration = 60;
  static Vehicle::Led at(double t) {
    const double pi = std::numbers::pi, T = duration, s = t / T;
    const double angle = pi * s * s * s * (20 - 30 * s + 12 * s * s);
    const double rate = 60 * pi / T * s * s * (1 - s) * (1 - s);
    const double second = 120 * pi / (T * T) * s * (1 - s) * (1 - 2 * s);
    const Eigen::Vector2d out(std::cos(angle), std::sin(angle)), along(-out.y(), out.x());
    return {.position = radius * out,
            .velocity = radius * rate * along,
            .acceleration = radius * (second * along - rate * rate * out),
            .heading = angle,
            .turning = rate,
            .turning_rate = second};
  }
};

}  // namespace trammel
