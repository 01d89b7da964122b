// Planar spatial algebra V = [w; v_x; v_y] [Yesiloglu 2007, section 3.19], on the arms of E-05;
// against 24 maximal coordinates, and against the engine with its six-vectors.
#include <numbers>

#include "tests/reference/from_gallery.hpp"
#include "tests/support/motion_of.hpp"

namespace trammel::planar_algebra_test {
namespace {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector2d, Eigen::Vector3d, Eigen::VectorXd;

constexpr double degree = std::numbers::pi / 180, length = 0.5;
constexpr double soft = 5, loss = 0.5;

// A state of E-05: platform (angle, x, y), then both arms; angles count from the drawn pose.
struct RunSnapshot {
  VectorXd q = VectorXd::Zero(9), v = VectorXd::Zero(9);
  Vector2d torque = {0, 0};  // of arm 1 joint 2, of arm 2 joint 3

  static constexpr double drawn[2][3] = {{120, 60, 90}, {60, 120, 90}};  // [deg]
  static Vector2d base(int arm) { return {arm == 0 ? -0.3 : 0.3, 0}; }
  static Vector2d turned(double angle, const Vector2d& x) { return Eigen::Rotation2Dd(angle) * x; }
  double angle(int arm, int link) const {
    return q[0] + drawn[arm][link] * degree + q.segment(3 + 3 * arm, link + 1).sum();
  }
  double turning(int arm, int link) const { return v[0] + v.segment(3 + 3 * arm, link + 1).sum(); }
  double load_angle() const { return angle(0, 2) - 90 * degree; }
  VectorXd efforts() const {
    VectorXd out = VectorXd::Zero(9);
    out[3 + 1] = torque[0];
    out[6 + 2] = torque[1];
    for (const int sprung : {3 + 0, 6 + 1}) out[sprung] -= soft * q[sprung] + loss * v[sprung];
    return out;
  }
};

// phi: velocity at a point from that at another, l away
Matrix3d phi(const Vector2d& l) {
  Matrix3d out = Matrix3d::Identity();
  out(1, 0) = -l.y(), out(2, 0) = l.x();
  return out;
}
Vector3d towards_center(double w, const Vector2d& l) { return {0, -w * w * l.x(), -w * w * l.y()}; }
Matrix3d inertia(double mass, double about_origin, const Vector2d& c) {
  Matrix3d M;
  M << about_origin, -mass * c.y(), mass * c.x(), -mass * c.y(), mass, 0, mass * c.x(), 0, mass;
  return M;
}

// M theta'' + C = T - J^T F, J theta'' + J' theta' = A V_c' + a_c, A^T F = M_c V_c'.
struct PlanarAlgebra {
  explicit PlanarAlgebra(const RunSnapshot& now) {
    M = MatrixXd::Zero(9, 9);
    M.topLeftCorner(3, 3) = inertia(20, 2, {0, 0});
    VectorXd C = VectorXd::Zero(9);
    VectorXd right = VectorXd::Zero(6);
    const double w_load = now.turning(0, 2);
    for (int arm = 0; arm < 2; ++arm) {
      // outward: V_k = phi V_(k-1) + H theta_k', and the velocity terms of its rate
      MatrixXd J_link = MatrixXd::Identity(3, 9);
      Vector3d bias = Vector3d::Zero();
      Vector2d l = RunSnapshot::turned(now.q[0], RunSnapshot::base(arm));
      double w = now.v[0];
      for (int k = 0; k < 3; ++k) {
        J_link = phi(l) * J_link;
        J_link(0, 3 + 3 * arm + k) += 1;
        bias = phi(l) * bias + towards_center(w, l);
        w = now.turning(arm, k);
        l = RunSnapshot::turned(now.angle(arm, k), {length, 0});
        const Vector2d c = l / 2;
        const Matrix3d M_k = inertia(1, length * length / 3, c);
        M += J_link.transpose() * M_k * J_link;
        C += J_link.transpose() * (M_k * bias + 1.0 * towards_center(w, c));
      }
      J.middleRows(3 * arm, 3) = phi(l) * J_link;
      const Vector2d hold = RunSnapshot::turned(now.load_angle(), RunSnapshot::base(arm));
      A.middleRows(3 * arm, 3) = phi(hold);
      right.segment(3 * arm, 3) =
          phi(l) * bias + towards_center(w, l) - towards_center(w_load, hold);
    }
    const Matrix3d M_c = inertia(2, 0.1, {0, 0});
    const VectorXd T = now.efforts() - C;
    const Eigen::LDLT<MatrixXd> factors(M);
    Omega = J * factors.solve(J.transpose()) + A * M_c.inverse() * A.transpose();
    F = Omega.ldlt().solve(J * factors.solve(T) + right);
    a = factors.solve(T - J.transpose() * F);
  }
  MatrixXd M, J = MatrixXd::Zero(6, 9), A = MatrixXd::Zero(6, 3), Omega;
  VectorXd F, a;  // on the load: moment, force, of each arm
};

// Eight bodies with three coordinates each, at their centers; pins and welds as rows.
struct MaximalCoordinates {
  explicit MaximalCoordinates(const RunSnapshot& now) {
    // platform, links of both arms, load: vector to the middle from the inboard end, in the world
    MatrixXd K = MatrixXd::Zero(24 + 18, 24 + 18);
    VectorXd right = VectorXd::Zero(24 + 18);
    const VectorXd efforts = now.efforts();
    const auto mass = [&](int body, double m, double I) {
      K.diagonal().segment<3>(3 * body) << I, m, m;
    };
    mass(0, 20, 2);
    mass(7, 2, 0.1);
    int row = 24;
    // pin: points of two bodies coincide; r and s from their centers
    const auto pin = [&](int one, const Vector2d& r, double w_one, int other, const Vector2d& s,
                         double w_other) {
      for (int k = 0; k < 2; ++k) {
        K(row, 3 * one + 1 + k) = -1;
        K(row, 3 * one) = k == 0 ? r.y() : -r.x();
        K(row, 3 * other + 1 + k) = 1;
        K(row, 3 * other) = k == 0 ? -s.y() : s.x();
        right[row] = w_other * w_other * s[k] - w_one * w_one * r[k];
        ++row;
      }
    };
    for (int arm = 0; arm < 2; ++arm) {
      int before = 0;
      Vector2d from = RunSnapshot::turned(now.q[0], RunSnapshot::base(arm));
      double w = now.v[0];
      for (int k = 0; k < 3; ++k) {
        const int body = 1 + 3 * arm + k;
        mass(body, 1, length * length / 12);
        const Vector2d half = RunSnapshot::turned(now.angle(arm, k), {length / 2, 0});
        pin(before, from, w, body, -half, now.turning(arm, k));
        right[3 * body] += efforts[3 + 3 * arm + k];
        right[3 * before] -= efforts[3 + 3 * arm + k];
        before = body, from = half, w = now.turning(arm, k);
      }
      pin(before, from, w, 7, RunSnapshot::turned(now.load_angle(), RunSnapshot::base(arm)),
          now.turning(0, 2));
      K(row, 3 * before) = -1;  // welded: turns with it
      K(row, 21) = 1;
      ++row;
    }
    K.topRightCorner(24, 18) = -K.bottomLeftCorner(18, 24).transpose();
    const VectorXd x = K.fullPivLu().solve(right);
    a = VectorXd(9);
    a.head(3) = x.head(3);
    for (int arm = 0; arm < 2; ++arm)
      for (int k = 0; k < 3; ++k) {
        const int body = 1 + 3 * arm + k;
        a[3 + 3 * arm + k] = x[3 * body] - (k == 0 ? x[0] : x[3 * (body - 1)]);
      }
  }
  VectorXd a;
};

double condition(const MatrixXd& A) {
  const VectorXd values = A.jacobiSvd().singularValues();
  return values[0] / values[values.size() - 1];
}
// platform x, y, angle, then the arms: from the order of the engine to that of [Yesiloglu 2007]
VectorXd as_the_seed_counts(const VectorXd& x) {
  VectorXd out = x;
  out[0] = x[2], out[1] = x[0], out[2] = x[1];
  return out;
}

TEST(yesiloglu_planar_algebra, finds_what_maximal_coordinates_and_the_engine_find) {
  // at rest, a torque of one on both drives: all printed numbers
  RunSnapshot drawn;
  drawn.torque = {1, 1};
  const PlanarAlgebra start(drawn);
  const double printed[] = {0.24579617, -0.06432853, -0.25471698, -2.77977252, 3.27276208,
                            0.74197286, 1.97494446,  -6.23667188, 5.49668984};
  const double forces[] = {-0.55387939, -1.21747158, 2.49107803, 1.6362247, 1.1627366, -0.6231535};
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(start.a[k], printed[k], 1e-8);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(start.F[k], forces[k], 1e-7);
  EXPECT_NEAR(condition(start.J), 8.0978611, 1e-7);
  EXPECT_NEAR(condition(start.Omega), 84.241875, 1e-6);
  EXPECT_NEAR(condition(start.M), 1235.13, 1e-2);

  // in motion, with deflected springs: to rounding times the condition
  MotionOf motion("e_05");
  for (const double time : {0.0, 2.0, 4.5, 12.0}) {
    motion.at(time);
    SimulationInputs::Acting acting(motion.model);
    motion.run_inputs.evaluate(motion.state, acting);
    ConstrainedAnswer answer;
    ASSERT_TRUE(constrained_dynamics(motion.model, motion.state, motion.run_inputs.inputs(acting),
                                     motion.workspace, answer)
                    .ok());
    RunSnapshot now;
    now.q = as_the_seed_counts(vector_of(motion.state.q));
    now.v = as_the_seed_counts(vector_of(motion.state.v));
    now.torque = Vector2d::Constant(time < 5 ? 0.02 * time : 0);
    const VectorXd planar = PlanarAlgebra(now).a, maximal = MaximalCoordinates(now).a,
                   engine = as_the_seed_counts(answer.a);
    const double scale = std::max(0.1, largest_of(engine));
    EXPECT_LT(largest_of(planar - maximal), 2e-12 * scale) << time;  // bound of the reference
    // its loops are closed to 1e-14
    EXPECT_LT(largest_of(planar - engine), 2e-11 * scale) << time;
    EXPECT_TRUE(time == 0 || largest_of(now.v) > 1e-3);
  }
}

}  // namespace
}  // namespace trammel::planar_algebra_test
