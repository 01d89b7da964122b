// [Yesiloglu 2007, (5.20) and after]: rolling of a wheel as a column of H instead of rows with B.
// The wheel is the base of a chain: a massless leg from its center to the floor, and a joint at the
// contact; E-06 and the cart of E-07, in the matrices of the thesis, against the wheels of the
// engine.
#include "tests/reference/rolling_disk.hpp"
#include "tests/support/motion_of.hpp"
#include "trammel/constraint/forces/wheel_contacts.hpp"

namespace trammel::folded_rolling_test {
namespace {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

Matrix3d cross_matrix(const Vector3d& x) {
  Matrix3d out;
  out << 0, -x.z(), x.y(), x.z(), 0, -x.x(), -x.y(), x.x(), 0;
  return out;
}
MatrixXd Phi(const Vector3d& l) {
  MatrixXd out = MatrixXd::Identity(6, 6);
  out.bottomLeftCorner(3, 3) = -cross_matrix(l);
  return out;
}

// A link of a chain in world axes: V = J theta', V' = J theta'' + bias.
struct Link {
  Vector3d origin, w;
  MatrixXd J;
  VectorXd bias;
};
// M theta'' + C = T - G^T F and G theta'' + gamma = 0, for wheels on legs.
struct Chain {
  Chain(const Vector3d& center, const VectorXd& all_rates, bool is_folded)
      : rates(all_rates),
        folded(is_folded),
        M(MatrixXd::Zero(rates.size(), rates.size())),
        C(VectorXd::Zero(rates.size())),
        G(0, rates.size()),
        gamma(0) {
    base = {center, rates.head<3>(), MatrixXd::Identity(6, rates.size()), VectorXd::Zero(6)};
  }
  // The next link outward: a rotation about `axis` at an origin, with the rate of a column.
  Link next(const Link& before, const Vector3d& origin, const Vector3d& axis, int column) const {
    const Vector3d l = origin - before.origin, relative = axis * rates[column];
    Link out{origin, before.w + relative, Phi(l) * before.J, Phi(l) * before.bias};
    out.J.col(column).head<3>() += axis;
    out.bias.head<3>() += before.w.cross(relative);
    out.bias.tail<3>() += before.w.cross(before.w.cross(l));
    return out;
  }
  // Its center of mass is its origin; gravity as an acceleration of the base.
  void add_mass(const Link& link, double mass, const Matrix3d& about_center) {
    MatrixXd M_k = MatrixXd::Zero(6, 6);
    M_k.topLeftCorner(3, 3) = about_center;
    M_k.bottomRightCorner(3, 3) = mass * Matrix3d::Identity();
    VectorXd b = VectorXd::Zero(6);
    b.head<3>() = link.w.cross(about_center * link.w);
    b[5] += mass * 9.81;
    M += link.J.transpose() * M_k * link.J;
    C += link.J.transpose() * (M_k * link.bias + b);
  }
  // From a wheel to the floor: the joint of the leg and both of the contact are the columns from
  // `first` on. The contact moves with r theta' y, theta' being the rate of the joint of the leg.
  void stand(const Link& wheel, const Vector3d& axle, double r, int first) {
    const Vector3d up = (Vector3d::UnitZ() - axle.z() * axle).normalized(), along = up.cross(axle);
    const Link leg = next(wheel, wheel.origin, axle, first);
    Link lean = next(leg, wheel.origin - r * up, along, first + 1);
    const Vector3d travels = r * along, turning = r * rates[first] * leg.w.cross(along);
    if (folded) {
      lean.J.col(first).tail<3>() -= travels;
      if (!forgets_bias) lean.bias.tail<3>() -= turning;
    }
    const Link tip = next(lean, lean.origin, Vector3d::UnitZ(), first + 2);
    MatrixXd rows = tip.J;
    VectorXd drift = tip.bias;
    if (!folded) {
      rows.col(first).tail<3>() -= travels;  // - A^T B
      drift.tail<3>() -= turning;
    }
    MatrixXd all(G.rows() + 6, G.cols());
    all << G, rows;
    VectorXd all_drift(gamma.size() + 6);
    all_drift << gamma, drift;
    G = all, gamma = all_drift;
    // the legs are massless
    add_mass(leg, 0, Matrix3d::Zero());
    add_mass(tip, 0, Matrix3d::Zero());
  }
  // [M G^T; G 0], singular for redundant rows
  struct Answer {
    VectorXd a, F;  // F: of the tips on the floor
  };
  Answer solve(const VectorXd& T) const {
    const Eigen::Index n = M.rows(), rows = G.rows();
    MatrixXd K = MatrixXd::Zero(n + rows, n + rows);
    K.topLeftCorner(n, n) = M;
    K.topRightCorner(n, rows) = G.transpose();
    K.bottomLeftCorner(rows, n) = G;
    VectorXd right(n + rows);
    right << T - C, -gamma;
    const VectorXd x = K.completeOrthogonalDecomposition().solve(right);
    EXPECT_LT(largest_of(K * x - right), 1e-10);
    return {x.head(n), x.tail(rows)};
  }

  VectorXd rates;
  bool folded, forgets_bias = false;
  Link base;
  MatrixXd M;
  VectorXd C;
  MatrixXd G;
  VectorXd gamma;
};

Matrix3d axial(const Vector3d& axle, double along, double across) {
  return across * Matrix3d::Identity() + (along - across) * axle * axle.transpose();
}
Vector3d turned(const Pose<double>& X, const Vec3<double>& x) { return three(X.R * x); }

// E-06: the wheel is the base.
Chain wheel_on_leg(RollingDisk& disk, const Vector3d& angle_rates, bool is_folded,
                   bool forgets_bias = false) {
  const Kinematics moving = disk.posed.moving();
  const FrameRef place = frame_ref(disk.posed.model, "disk");
  const Pose<double> X = pose(disk.posed.model, moving, place);
  VectorXd rates(9);
  // leg: without spin; contact: opposite to lean and yaw, so that its tip is at rest
  rates << six(velocity(disk.posed.model, moving, place, Axes::world)), -angle_rates[2],
      -angle_rates[1], -angle_rates[0];
  Chain out(three(X.p), rates, is_folded);
  out.forgets_bias = forgets_bias;
  const Vector3d axle = turned(X, {1, 0, 0});
  out.add_mass(out.base, 5, axial(axle, 0.225, 0.1125));
  out.stand(out.base, axle, 0.3, 6);
  return out;
}

TEST(yesiloglu_folded_rolling, one_wheel) {
  RollingDisk disk(5, 0.3, 0.225, 0.1125, {{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}});
  const Vector3d rates(1.3, -0.7, -6);  // yaw, lean, spin
  disk.put({0.4, 0.3, 0.9}, {rates[0], rates[1], rates[2]});
  const Chain with_B = wheel_on_leg(disk, rates, false), folded = wheel_on_leg(disk, rates, true);
  EXPECT_LT(largest_of(with_B.G * with_B.rates), 1e-14);  // the tip is at rest, the wheel rolls
  EXPECT_LT(largest_of(with_B.G - folded.G), 1e-16);
  EXPECT_LT(largest_of(with_B.gamma - folded.gamma), 1e-14);
  EXPECT_EQ(largest_of(with_B.M - folded.M), 0);
  EXPECT_EQ(Eigen::FullPivLU<MatrixXd>(with_B.M).rank(), 6);  // of 9: the legs are massless

  const VectorXd none = VectorXd::Zero(9);
  const Chain::Answer one = with_B.solve(none), other = folded.solve(none);
  EXPECT_LT(largest_of(one.a - other.a), 1e-11);
  EXPECT_LT(largest_of(one.F - other.F), 1e-11);
  // the engine, without legs
  const ConstrainedAnswer answer = disk.solve(ConstraintSolver::automatic);
  const std::vector<double> a = list_of(answer.a);
  const VectorXd of_wheel = six(acceleration(disk.posed.model, disk.posed.moving({.a = a}),
                                             frame_ref(disk.posed.model, "disk"), Axes::world));
  EXPECT_LT(largest_of(other.a.head(6) - of_wheel), 1e-11 * largest_of(of_wheel));
  EXPECT_NEAR(-other.F[5], answer.lambda[0], 1e-10);
  EXPECT_NEAR(other.F.segment<2>(3).norm(), std::hypot(answer.lambda[1], answer.lambda[2]), 1e-10);
  EXPECT_LT(largest_of(other.F.head(3)), 1e-10);  // point contact: no moment
  // folded without the derivative of its column, as in the thesis, the motion would be another
  EXPECT_GT(largest_of(wheel_on_leg(disk, rates, true, true).solve(none).a - one.a), 0.1);
}

// E-07: the rod is the base, each wheel the first link of an arm.
Chain cart_on_legs(MotionOf& cart, bool is_folded) {
  Kinematics moving(cart.model);
  EXPECT_TRUE(kinematics(cart.model, cart.state, {}, cart.workspace, moving).ok());
  const FrameRef rod = frame_ref(cart.model, "rod");
  const Pose<double> X = pose(cart.model, moving, rod);
  const Vector3d axle = turned(X, {1, 0, 0});
  const VectorXd V = six(velocity(cart.model, moving, rod, Axes::world));
  VectorXd rates(14);
  rates.head(6) = V;
  for (int arm = 0; arm < 2; ++arm) {
    // pitch of the rod and rotation of the wheel do not turn the leg; the contact turns against the
    // yaw
    const double turn = cart.v(arm == 0 ? "left" : "right");
    rates.segment<4>(6 + 4 * arm) << turn, -turn - V.head<3>().dot(axle), 0, -V[2];
  }
  Chain out(three(X.p), rates, is_folded);
  Matrix3d R;
  R << axle, turned(X, {0, 1, 0}), turned(X, {0, 0, 1});
  out.add_mass(out.base, 10, R * Vector3d(0.2, 0.3, 0.3).asDiagonal() * R.transpose());
  for (int arm = 0; arm < 2; ++arm) {
    const Vector3d center = three(X.p) + (arm == 0 ? -0.3 : 0.3) * axle;
    const Link wheel = out.next(out.base, center, axle, 6 + 4 * arm);
    out.add_mass(wheel, 1, axial(axle, 0.01125, 0.005625));
    out.stand(wheel, axle, 0.15, 7 + 4 * arm);
  }
  return out;
}

TEST(yesiloglu_folded_rolling, a_cart) {
  MotionOf cart(load_model("@e_07", {.set = {{"left_torque", 0.2}, {"right_torque", 0.1}}}));
  cart.at(1.3);  // it turns, its rod pitches
  const Chain with_B = cart_on_legs(cart, false), folded = cart_on_legs(cart, true);
  EXPECT_LT(largest_of(with_B.G * with_B.rates), 1e-13);
  EXPECT_GT(std::abs(with_B.rates[2]), 0.1);
  EXPECT_LT(largest_of(with_B.G - folded.G), 1e-16);
  EXPECT_LT(largest_of(with_B.gamma - folded.gamma), 1e-14);
  EXPECT_EQ(largest_of(with_B.M - folded.M), 0);
  EXPECT_EQ(Eigen::FullPivLU<MatrixXd>(with_B.M).rank(), 8);   // of 14
  EXPECT_EQ(Eigen::FullPivLU<MatrixXd>(folded.G).rank(), 11);  // of 12: laterally constrained twice
  VectorXd T = VectorXd::Zero(14);
  T[6] = -0.2, T[10] = -0.1;  // a positive torque rolls backward
  const Chain::Answer one = with_B.solve(T), other = folded.solve(T);
  EXPECT_LT(largest_of(one.a - other.a), 1e-11);

  SimulationInputs::Acting acting(cart.model);
  cart.run_inputs.evaluate(cart.state, acting);
  const Inputs inputs = cart.run_inputs.inputs(acting);
  ConstrainedAnswer answer;
  ASSERT_TRUE(constrained_dynamics(cart.model, cart.state, inputs, cart.workspace, answer).ok());
  const std::vector<double> a = list_of(answer.a);
  Kinematics moving(cart.model);
  ASSERT_TRUE(kinematics(cart.model, cart.state, {.a = a}, cart.workspace, moving).ok());
  const VectorXd of_rod =
      six(acceleration(cart.model, moving, frame_ref(cart.model, "rod"), Axes::world));
  EXPECT_LT(largest_of(other.a.head(6) - of_rod), 1e-10);
  EXPECT_NEAR(other.a[6], answer.a[6], 1e-10);
  EXPECT_NEAR(other.a[10], answer.a[7], 1e-10);
  // floor forces, of minimum norm where they are redundant
  std::vector<WheelContact> contacts;
  ASSERT_TRUE(wheel_contacts(cart.model, cart.state, inputs, cart.workspace, contacts).ok());
  for (int arm = 0; arm < 2; ++arm) {
    Vector3d push = Vector3d::Zero();
    for (const WheelContact::RowForce& each : contacts[std::size_t(arm)].row_forces)
      push += each.force * three(each.direction);
    EXPECT_LT(largest_of(push + other.F.segment<3>(6 * arm + 3)), 1e-9) << arm;
  }
}

}  // namespace
}  // namespace trammel::folded_rolling_test
