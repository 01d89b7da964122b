// Two wheels on an axle [Saha 1991]: examples S-T01 and S-T02, and the part of S-T14 about them.
#include "tests/reference/saha/vehicles.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/operator_matrices.hpp"

namespace trammel::axle_test {
namespace {

constexpr double r = Vehicle::r, l = Vehicle::l, eta = Vehicle::eta, m = Vehicle::wheel_mass;
// half a unit of the last printed digit
constexpr double digits6 = 5.1e-7, digits7 = 5.1e-8;

// Sections 3.6 and 4.1: S-T01, with the numbers computed for it.
TEST(saha_axle, drives_round_a_circle_as_computed) {
  shows({"S-35", "inverse_kinematics_velocity", "inverse_dynamics", "minimal_equations"});
  Vehicle axle("s_t01", "axle");
  Eigen::Matrix2d I;
  I << 3 + eta * eta, -eta * eta, -eta * eta, 3 + eta * eta;
  I *= m * r * r / 2;
  EXPECT_NEAR(I(0, 0), 0.0075390625, 1e-15);
  EXPECT_NEAR(I(0, 1), -0.0000390625, 1e-15);

  struct RunSnapshot {
    double time, rates[2], accelerations[2], torques[2];
  };
  // torques are I times accelerations; those of the peak have six digits
  const RunSnapshot moments[] = {
      {15, {-10.602875, -11.486448}, {}, {-0.007066, -0.007661}},
      {12.68, {}, {-0.967360, -1.047973}, {-0.007252, -0.007863}},
      {30, {-18.849556, -20.420352}, {0, 0}, {0, 0}},
  };
  for (const RunSnapshot& moment : moments) {
    const Eigen::VectorXd a = axle.lead(Circle::at(moment.time));
    const Eigen::Vector2d rates = axle.of_wheels(vector_of(axle.posed.state.v));
    const Eigen::Vector2d accelerations = axle.of_wheels(a);
    const Eigen::Vector2d torques = axle.of_wheels(axle.posed.tau({.a = list_of(a)}));
    for (int k = 0; k < 2; ++k) {
      if (moment.rates[0] != 0) { EXPECT_NEAR(rates[k], moment.rates[k], digits6); }
      if (moment.time != 15) { EXPECT_NEAR(accelerations[k], moment.accelerations[k], digits6); }
      EXPECT_NEAR(torques[k], moment.torques[k], digits6);
    }
    // C = 0: torques are proportional to accelerations at any turning rate
    EXPECT_LT(largest(torques - I * accelerations), 1e-15);
    const MinimalEquations equations = minimal_of(axle.posed, axle.basis());
    EXPECT_LT(largest(equations.inertia - I), 1e-16);
    EXPECT_LT(largest(equations.bias), 1e-15);  // and gravity has no effect
    // direct kinematics: from the wheel rates to the motion of the axle, which does not slip
    // sideways
    const Motion<double> V =
        velocity(axle.posed.model, axle.posed.moving(), axle.midpoint, Axes::body);
    EXPECT_NEAR(V.angular.z, eta * (rates[0] - rates[1]), 1e-14);
    EXPECT_NEAR(V.linear.x, 0, 1e-14);
    EXPECT_NEAR(V.linear.y, -r / 2 * (rates[0] + rates[1]), 1e-14);
    // and inverse
    EXPECT_NEAR(rates[0], (V.angular.z - 2 * V.linear.y / l) / (2 * eta), 1e-12);
    EXPECT_NEAR(rates[1], (-V.angular.z - 2 * V.linear.y / l) / (2 * eta), 1e-12);
  }
  const Vehicle::Led quarter = Circle::at(15), half = Circle::at(30), peak = Circle::at(12.68);
  EXPECT_NEAR(quarter.heading, 0.6504079, digits7);
  EXPECT_NEAR(quarter.turning, 0.1104466, digits7);
  EXPECT_NEAR(quarter.turning_rate, 0.00981748, 5.1e-9);
  EXPECT_NEAR(quarter.position.x(), 3.9791845, digits7);
  EXPECT_NEAR(quarter.position.y(), 3.0275552, digits7);
  EXPECT_NEAR(half.turning, 0.1963495, digits7);
  EXPECT_NEAR(peak.turning_rate, 0.01007666, 5.1e-9);
}

TEST(saha_axle, comes_back_to_where_the_circle_began) {
  // torques for the circle by inverse dynamics; then a forward simulation with them
  Vehicle prescribed("s_t01", "axle"), driven("s_t01", "axle");
  prescribed.lead(Circle::at(0));
  driven.posed.state = prescribed.posed.state;
  driven.run(0.25, 240, [&](double t) -> Eigen::Vector2d {
    const Eigen::VectorXd a = prescribed.lead(Circle::at(t));
    return prescribed.of_wheels(prescribed.posed.tau({.a = list_of(a)}));
  });
  // a tenth of the bound of [Saha 1991]; a step of 1/240 of the path, fourth order
  const std::vector<double>& q = driven.posed.state.q;
  EXPECT_NEAR(q[0], 5, 1e-7);
  EXPECT_NEAR(q[1], 0, 1e-7);
  EXPECT_NEAR(q[2], 2 * std::numbers::pi, 1e-7);
  EXPECT_NEAR(q[3], -603.185789, 1e-5);
  EXPECT_NEAR(q[4], -653.451272, 1e-5);
  EXPECT_NEAR(q[2], eta * (q[3] - q[4]), 1e-10);  // the holonomic relation of the angles
}

// Kane's partial velocities are the columns of T, entry by entry (S-T14): i, j, k are the axes of
// the axle; of left wheel, right wheel and axle.
TEST(saha_axle, partial_velocities_are_the_orthogonal_complement) {
  Vehicle axle("s_t01", "axle");
  axle.lead(Circle::at(15));
  const Pose<double> X = axle.posed.X("axle");
  const Eigen::Vector3d i = column(X.R.x), j = column(X.R.y), k = column(X.R.z);
  Eigen::MatrixXd T(18, 2);
  T << i + eta * k, -eta * k,           //
      -r * j, Eigen::Vector3d::Zero(),  //
      eta * k, i - eta * k,             //
      Eigen::Vector3d::Zero(), -r * j,  //
      eta * k, -eta * k,                //
      -r / 2 * j, -r / 2 * j;
  const OrthogonalComplement basis = axle.basis();
  const NaturalComplement all = natural_of(axle.posed, basis);
  Eigen::MatrixXd ours(18, 2);
  ours << all.T.bottomRows(12), all.T.topRows(6);  // the axle is the first body
  EXPECT_LT(largest(ours - T), 1e-15);
  // and by definition: derivatives of the velocities by one of the independent rates
  const std::vector<double> v = axle.posed.state.v;
  const Eigen::Vector2d u = axle.of_wheels(vector_of(v));
  for (int which = 0; which < 2; ++which) {
    axle.roll(u + Eigen::Vector2d::Unit(which));
    const Kinematics faster = axle.posed.moving();
    axle.roll(u);
    const Kinematics before = axle.posed.moving();
    for (std::size_t b = 0; b < all.bodies.size(); ++b) {
      const FrameRef center{all.bodies[b]};
      const Vector6 partial = column(velocity(axle.posed.model, faster, center)) -
                              column(velocity(axle.posed.model, before, center));
      EXPECT_LT(largest(partial - all.T.block<6, 1>(Eigen::Index(6 * b), which)), 1e-13);
    }
  }
}

// S-T02: a body with its center ahead of the axle; four formulations give one result.
TEST(saha_axle, body_ahead_of_the_axle_by_four_formulations) {
  const Description description = load_model("@s_t02").description();
  const double M = 20, I_zz = M * 2 * 0.35 * 0.35 / 12, a = 0.101, psi = 0.7;
  const Eigen::Vector2d e(1, -1), s(1, 1), rates(-4, -7), torque(0.03, -0.02);

  // the closed form
  const Eigen::Matrix2d I =
      (m * r * r + Vehicle::axial) * Eigen::Matrix2d::Identity() +
      (I_zz + M * a * a + 2 * Vehicle::across) * eta * eta * e * e.transpose() +
      M * r * r / 4 * s * s.transpose();
  const Eigen::Vector2d h =
      M * a * r * eta * eta * e.dot(rates) * Eigen::Vector2d(-rates[1], rates[0]);
  const Eigen::Vector2d expected = I.llt().solve(torque - h);

  Posed body(description, {0.2, -0.1, psi, 0.4, 0.9});
  body.state.v = list_of(wheel_basis(body).T * rates);
  const std::vector<double> tau = {0, 0, 0, torque[0], torque[1]};
  const OrthogonalComplement T = wheel_basis(body);

  // 1: the orthogonal complement (null-space basis)
  const MinimalEquations equations = minimal_of(body, T, {.tau = tau});
  EXPECT_LT(largest(equations.inertia - I), 1e-16);
  EXPECT_LT(largest(equations.bias - h), 1e-14);
  EXPECT_LT(largest(equations.effort - torque), 1e-16);

  // 2: Lagrange multipliers, with a redundant row
  for (const ConstraintSolver solver : {ConstraintSolver::schur, ConstraintSolver::kkt}) {
    ConstrainedAnswer answer;
    ASSERT_TRUE(
        constrained_dynamics(body.model, body.state, {.tau = tau}, body.workspace, answer, solver)
            .ok());
    EXPECT_LT(largest(answer.a.tail<2>() - expected), 1e-12);
  }

  // 3: Kane: partial velocities times inertia forces and active forces, body by body
  const std::vector<double> T_dot_u = list_of(T.T_dot_u);
  const Kinematics moving = body.moving({.a = T_dot_u});
  Eigen::Matrix2d by_partials = Eigen::Matrix2d::Zero();
  Eigen::Vector2d inertia_force = Eigen::Vector2d::Zero();
  for (const BodyDescription& part : description.bodies) {
    const FrameRef center = frame_ref(body.model, part.name);  // all centers of mass are origins
    const Eigen::Matrix<double, 6, 2> V = body.J(center, Axes::world) * T.T;
    const Eigen::Matrix3d R = matrix(body.X(part.name).R);
    const bool is_wheel = part.name != "platform";
    const Eigen::Vector3d moments =
        is_wheel ? Eigen::Vector3d(Vehicle::axial, Vehicle::across, Vehicle::across)
                 : Eigen::Vector3d(1, 1, I_zz);  // it turns about z only
    Matrix6 inertia = Matrix6::Identity() * (is_wheel ? m : M);
    inertia.topLeftCorner<3, 3>() = R * moments.asDiagonal() * R.transpose();
    const Vector6 rate = column(acceleration(body.model, moving, center, Axes::world)),
                  twist = column(velocity(body.model, moving, center, Axes::world));
    Vector6 gyroscopic = Vector6::Zero();
    const Eigen::Vector3d w = twist.head<3>();
    gyroscopic.head<3>() = w.cross(inertia.topLeftCorner<3, 3>() * w);
    by_partials += V.transpose() * inertia * V;
    inertia_force += V.transpose() * (inertia * rate + gyroscopic);
  }
  EXPECT_LT(largest(by_partials - I), 1e-16);
  EXPECT_LT(largest(inertia_force - h), 1e-14);

  // 4: Caplygin: the dependent theta_D = (x, y) of the middle of the axle and psi follow by U from
  // the wheel angles alone, for psi is eta (theta1 - theta2); I does not depend on them
  const double c = std::cos(psi), sine = std::sin(psi);
  const double turning = eta * e.dot(rates), speed = -r / 2 * s.dot(rates);
  const Eigen::Vector2d ahead(-sine, c), side(c, sine);
  // dL / d theta_D' without using the relation: momenta of the body at the middle of the axle
  const double all = M + 2 * m;
  const Eigen::Vector2d momentum = all * speed * ahead - M * a * turning * side;
  Eigen::Vector2d caplygin = Eigen::Vector2d::Zero();
  for (int k = 0; k < 2; ++k) {
    // row of U: -(r/2) ahead_k (1, 1); its derivative by the angles: -(r/2) (d ahead_k / d psi) eta
    const double slope = r / 2 * (k == 0 ? c : sine) * eta;
    const Eigen::Matrix2d dU = slope * s * e.transpose();
    caplygin -= (dU - dU.transpose()) * rates * momentum[k];
  }
  EXPECT_LT(largest(caplygin - h), 1e-14);
}

}  // namespace
}  // namespace trammel::axle_test
