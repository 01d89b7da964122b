// Paths of the vehicle with a caster [Saha 1991, section 3.7]: examples S-T03, a circle, and S-T04,
// two straights and a curve.
#include "tests/reference/saha/vehicles.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/operator_matrices.hpp"

namespace trammel::vehicle_paths_test {
namespace {

constexpr double l = Vehicle::l, eta = Vehicle::eta;
constexpr double a = CasterVehicle::a, b = CasterVehicle::b, d = CasterVehicle::d;
// half a unit of the last printed digit
constexpr double digits4 = 5.1e-5, digits6 = 5.1e-7, digits7 = 5.1e-8, digits8 = 5.1e-9;

// S-T03: the circle, the angle of the caster integrated along it.
TEST(saha_vehicle_paths, drives_round_a_circle_as_computed) {
  shows({"S-21", "orthogonal_complement", "minimal_equations"},
        {"S-37", "inverse_kinematics_velocity"});
  // the closed form gives the printed numbers, and so does the engine
  CasterVehicle vehicle;
  struct Printed {
    double steer, rates[2], I[3], h[2];
  };
  for (const Printed& printed :
       {Printed{0.3, {-4, -7}, {0.033887, 0.001719, 0.034956}, {0.013902, -0.008771}},
        Printed{-1.1, {5, 2}, {0.035760, 0.000263, 0.034229}, {-0.065383, 0.120527}}}) {
    vehicle.steer() = printed.steer;
    const Eigen::Vector2d rates(printed.rates[0], printed.rates[1]);
    vehicle.roll(rates);
    const OrthogonalComplement basis = vehicle.basis();
    const MinimalEquations equations = minimal_of(vehicle.posed, basis);
    const ClosedForm form(printed.steer, rates);
    EXPECT_LT(largest(equations.inertia - form.I), 1e-15);
    EXPECT_LT(largest(equations.bias - form.h), 1e-13);
    EXPECT_NEAR(form.I(0, 0), printed.I[0], digits6);
    EXPECT_NEAR(form.I(0, 1), printed.I[1], digits6);
    EXPECT_NEAR(form.I(1, 1), printed.I[2], digits6);
    EXPECT_NEAR(form.h[0], printed.h[0], digits6);
    EXPECT_NEAR(form.h[1], printed.h[1], digits6);
    Eigen::Matrix<double, 3, 2> U;
    U << basis.T.row(6), basis.T.row(5), basis.T.row(2);
    EXPECT_LT(largest(U - form.U), 1e-13);
  }

  // all joint angles by integrating the rates that follow from the circle; stiff: the caster
  // settles with v / d, up to 39 per second
  const auto rates_at = [&](double t, const Eigen::VectorXd& angles) -> Eigen::VectorXd {
    vehicle.steer() = angles[2];
    vehicle.lead(Circle::at(t));
    return vector_of(vehicle.posed.state.v).tail(4);
  };
  // printed torques, at the times of their extremes and two more
  const std::vector<std::pair<double, std::vector<std::pair<int, double>>>> printed = {
      {9.25, {{0, -0.029166}}},  {10.00, {{0, -0.028966}, {1, -0.040961}}},
      {22.22, {{1, -0.059214}}}, {30.00, {{0, 0.050620}, {1, -0.046726}}},
      {36.70, {{0, 0.060610}}},  {50.46, {{1, 0.032135}}}};
  const double steady = std::atan((a + b) / 5) - std::asin(d / std::hypot(5, a + b));
  EXPECT_NEAR(steady, 0.0555351, digits7);
  Eigen::VectorXd angles = Eigen::VectorXd::Zero(4);  // left, right, steer, caster
  double fastest = 0, fastest_at = 0;
  const double step = 0.02;
  std::size_t next = 0;
  for (int i = 0; i < 3000; ++i) {
    const double t = i * step;
    const Eigen::VectorXd k1 = rates_at(t, angles);
    if (std::abs(k1[2]) > fastest) fastest = std::abs(k1[2]), fastest_at = t;
    if (next < printed.size() && t + step > printed[next].first) {
      // a part of a step further
      const double rest = printed[next].first - t;
      const Eigen::VectorXd there = angles + rest * k1;  // settled long before: k1[2] is nearly 0
      vehicle.steer() = there[2];
      EXPECT_NEAR(there[2], steady, 1e-6);
      const Eigen::Vector2d torques =
          vehicle.torques_for(vehicle.lead(Circle::at(printed[next].first)));
      for (const auto& [wheel, torque] : printed[next].second)
        EXPECT_NEAR(torques[wheel], torque, digits6) << "at " << printed[next].first << " s";
      ++next;
    }
    const Eigen::VectorXd k2 = rates_at(t + step / 2, angles + step / 2 * k1),
                          k3 = rates_at(t + step / 2, angles + step / 2 * k2),
                          k4 = rates_at(t + step, angles + step * k3);
    angles += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  EXPECT_EQ(next, printed.size());
  EXPECT_NEAR(fastest, 0.02434, digits4 / 10);
  EXPECT_NEAR(fastest_at, 2.28, step / 2 + 1e-9);
  EXPECT_NEAR(angles[0], -603.185789, digits6);
  EXPECT_NEAR(angles[1], -653.451272, digits6);
  EXPECT_NEAR(angles[2], 0.055535, digits6);
  EXPECT_NEAR(angles[3], -629.462816, 2e-6);  // the transient of the caster is stiff for the step

  // it settles in forward motion, and stays at the steady angle
  vehicle.steer() = steady;
  vehicle.lead(Circle::at(20));
  EXPECT_NEAR(vehicle.posed.state.v[5], 0, 1e-13);  // rounding: its wheels turn at 10 rad/s
  for (const double off : {-0.1, 0.1}) {
    vehicle.steer() = steady + off;
    vehicle.lead(Circle::at(20));
    EXPECT_LT(vehicle.posed.state.v[5] * off, 0);
  }
}

TEST(saha_vehicle_paths, rolls_on_without_torques_as_computed) {
  CasterVehicle vehicle;  // at the start of its file
  const double energy = vehicle.posed.energies().kinetic;
  EXPECT_NEAR(energy, 1.17566318, digits8);
  vehicle.run(5e-3, 1000, [](double) { return Eigen::Vector2d(0, 0); });
  const std::vector<double>&q = vehicle.posed.state.q, &v = vehicle.posed.state.v;
  EXPECT_NEAR(q[3], -26.012926, digits6);
  EXPECT_NEAR(q[4], -30.613405, digits6);
  EXPECT_NEAR(v[3], -5.637560, digits6);
  EXPECT_NEAR(v[4], -5.751718, digits6);
  EXPECT_NEAR(q[6], -28.687161, digits6);
  EXPECT_NEAR(q[5], 0.0148008, digits7);
  EXPECT_NEAR(q[2], 0.5750599, digits7);
  const Vec3<double> middle = vehicle.posed.X("midpoint").p;
  EXPECT_NEAR(middle.x, -0.5762985, digits7);
  EXPECT_NEAR(middle.y, 1.2749049, digits7);
  EXPECT_NEAR(vehicle.posed.energies().kinetic, energy, 1e-9);  // fourth order in the step
}

TEST(saha_vehicle_paths, comes_back_to_where_the_circle_began) {
  // torques from the closed form along the circle, the caster at its steady angle throughout
  CasterVehicle vehicle;
  const double steady = std::atan((a + b) / 5) - std::asin(d / std::hypot(5, a + b));
  vehicle.steer() = steady;
  vehicle.lead(Circle::at(0));
  vehicle.posed.state.q[3] = vehicle.posed.state.q[4] = vehicle.posed.state.q[6] = 0;
  vehicle.run(0.04, 1500, [&](double t) -> Eigen::Vector2d {
    const Vehicle::Led to = Circle::at(t);
    const double speed = 5 * to.turning, pull = 5 * to.turning_rate;
    const Eigen::Vector2d e(1, -1), s(1, 1);
    const Eigen::Vector2d rates = (to.turning * e - 2 * speed / l * s) / (2 * eta),
                          second = (to.turning_rate * e - 2 * pull / l * s) / (2 * eta);
    const ClosedForm form(steady, rates);
    return form.I * second + form.h;
  });
  const Vec3<double> middle = vehicle.posed.X("midpoint").p;
  EXPECT_NEAR(middle.x, 5, 1e-5);  // the bound of [Saha 1991] is 1e-4
  EXPECT_NEAR(middle.y, 0, 1e-5);
  EXPECT_NEAR(vehicle.posed.state.q[2], 2 * std::numbers::pi, 1e-5);
}

// S-T04: two straights and a smooth curve between them; heading along the path.
Vehicle::Led straight_and_curve(double t) {
  const double t1 = 15, t2 = 45, x1 = 2.32, x2 = -2.32, y0 = -2.75, y1 = -1.85, y2 = 1.75,
               v1 = 0.12;
  const double pi = std::numbers::pi;
  if (t > t2) {  // the last straight is the first, backward in time
    Vehicle::Led first = straight_and_curve(60 - t);
    first.position = Eigen::Vector2d(x2, y2 + y1 - first.position.y());
    first.acceleration = -first.acceleration;
    return first;
  }
  Vehicle::Led out{};
  if (t <= t1) {
    out.position = {x1, y0 + v1 / 2 * (t - t1 / pi * std::sin(pi * t / t1))};
    out.velocity = {0, v1 / 2 * (1 - std::cos(pi * t / t1))};
    out.acceleration = {0, pi * v1 / (2 * t1) * std::sin(pi * t / t1)};
    return out;
  }
  const double y = y1 + (t - t1) * v1, s = (y - y1) / (y2 - y1), s_dot = v1 / (y2 - y1);
  const double q = s * s * s * s * (35 + s * (-84 + s * (70 - 20 * s))),
               slope = 140 * std::pow(s * (1 - s), 3),
               bend = 420 * s * s * (1 - s) * (1 - s) * (1 - 2 * s),
               third = 840 * s * (1 - s) * (1 - 5 * s + 5 * s * s), X = x2 - x1;
  out.position = {x1 + X * q, y};
  out.velocity = {X * slope * s_dot, v1};
  out.acceleration = {X * bend * s_dot * s_dot, 0};
  const double jerk = X * third * s_dot * s_dot * s_dot, speed2 = out.velocity.squaredNorm();
  const auto& [vx, vy] = std::pair{out.velocity.x(), out.velocity.y()};
  out.heading = std::atan2(-vx, vy);
  // psi' = (vx ay - vy ax) / v^2, and its rate; ay = 0
  out.turning = -vy * out.acceleration.x() / speed2;
  out.turning_rate = -vy * jerk / speed2 - 2 * out.turning * vx * out.acceleration.x() / speed2;
  return out;
}

TEST(saha_vehicle_paths, drives_two_straights_and_a_curve_as_computed) {
  shows({"S-36", "inverse_kinematics_velocity"});
  CasterVehicle vehicle;
  const auto rates_at = [&](double t, const Eigen::VectorXd& angles) -> Eigen::VectorXd {
    vehicle.steer() = angles[2];
    vehicle.lead(straight_and_curve(t));
    return vector_of(vehicle.posed.state.v).tail(4);
  };
  Eigen::VectorXd angles = Eigen::VectorXd::Zero(4);
  double most_steer = 0, least_steer = 0, most_steering = 0, most_turning = 0;
  const double step = 0.025;
  for (int i = 0; i < 2400; ++i) {
    const double t = i * step;
    if (i == 400 || i == 800 || i == 1000) {  // 10, 20 and 25 s
      vehicle.steer() = angles[2];
      const Eigen::Vector2d torques = vehicle.torques_for(vehicle.lead(straight_and_curve(t)));
      const Eigen::VectorXd v = vector_of(vehicle.posed.state.v);
      const double expected[][4] = {{-1.8, -1.8, -0.007890, -0.007890},
                                    {-1.913379, -3.418118, 0.000494, -0.014431},
                                    {-5.082642, -5.565503, -0.020748, -0.024934}};
      const double* now = expected[i == 400 ? 0 : i == 800 ? 1 : 2];
      for (int k = 0; k < 2; ++k) {
        EXPECT_NEAR(v[3 + k], now[k], digits6) << t;
        EXPECT_NEAR(torques[k], now[2 + k], digits6) << t;
      }
      if (i == 800) { EXPECT_NEAR(angles[2], 0.372218, digits6); }
    }
    const Eigen::VectorXd k1 = rates_at(t, angles);
    most_steer = std::max(most_steer, angles[2]);
    least_steer = std::min(least_steer, angles[2]);
    most_steering = std::max(most_steering, std::abs(k1[2]));
    most_turning = std::max(most_turning, std::abs(vehicle.posed.state.v[2]));
    const Eigen::VectorXd k2 = rates_at(t + step / 2, angles + step / 2 * k1),
                          k3 = rates_at(t + step / 2, angles + step / 2 * k2),
                          k4 = rates_at(t + step, angles + step * k3);
    angles += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  // extremes, sampled at every 0.025 s
  EXPECT_NEAR(most_steer, 0.3723, digits4);
  EXPECT_NEAR(least_steer, -0.3724, digits4);
  EXPECT_NEAR(most_steering, 0.1204, digits4);
  EXPECT_NEAR(most_turning, 0.188834, 1e-6);
  EXPECT_NEAR(angles[0], -163.911820, 2e-6);
  EXPECT_NEAR(angles[1], -163.911820, 2e-6);
  EXPECT_NEAR(angles[3], -165.829928, 2e-6);
  EXPECT_NEAR(angles[2], 0, 1e-6);

  const Vehicle::Led at20 = straight_and_curve(20), at30 = straight_and_curve(30);
  EXPECT_NEAR(at20.position.x(), 2.2381847, digits7);
  EXPECT_NEAR(at20.velocity.x(), -0.0580133, digits7);
  EXPECT_NEAR(at20.acceleration.x(), -0.0278464, digits7);
  EXPECT_NEAR(at20.heading, 0.4503152, digits7);
  EXPECT_NEAR(at20.turning, 0.1880925, digits7);
  EXPECT_NEAR(at20.turning_rate, 0.0071730, digits7);
  EXPECT_NEAR(at20.velocity.norm(), 0.1332874, digits7);
  EXPECT_NEAR(at30.heading, 1.229959, digits6);
  EXPECT_NEAR(at30.velocity.norm(), 0.358984, digits6);
}

}  // namespace
}  // namespace trammel::vehicle_paths_test
