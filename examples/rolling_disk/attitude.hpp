// Attitude parameters of a frame and their time derivatives: [Saha 1991, section 6.2]. Euler angles
// need the disk's own formulas (schemes.hpp); here are the others.
//
//   matrix    the rotation Q from the frame's axes to those of the world
//   rate      time derivative of the parameters, with the angular velocity sigma in world axes;
//             `rate_within`: in the frame's own axes
#pragma once

#include <Eigen/Dense>
#include <cmath>

namespace rolling_disk {

using Eigen::Matrix3d, Eigen::Vector2d, Eigen::Vector3d, Eigen::Vector4d;

// [s; s0] = [e sin(beta/2); cos(beta/2)] of a rotation by beta about e. Q is a rotation only if
// |s|^2 + s0^2 = 1, which integration steps satisfy only to their tolerance.
struct EulerRodrigues {
  static constexpr int size = 4;
  static constexpr const char* name = "Euler-Rodrigues";
  using Four = Vector4d;

  static Four from(const Matrix3d& Q) {
    const Eigen::Quaterniond turn(Q);
    return {turn.x(), turn.y(), turn.z(), turn.w()};
  }
  static Matrix3d matrix(const Four& x) {
    const double a = x[0], b = x[1], c = x[2], d = x[3];
    const double diagonal = 2 * d * d - 1;
    Matrix3d Q;
    // clang-format off
    Q << diagonal + 2 * a * a, 2 * (a * b - c * d),  2 * (a * c + b * d),
         2 * (a * b + c * d),  diagonal + 2 * b * b, 2 * (b * c - a * d),
         2 * (a * c - b * d),  2 * (b * c + a * d),  diagonal + 2 * c * c;
    // clang-format on
    return Q;
  }
  static Four rate(const Four& x, const Vector3d& sigma) {
    const Vector3d s = x.head<3>(), turning = (x[3] * sigma + sigma.cross(s)) / 2;
    return {turning[0], turning[1], turning[2], -s.dot(sigma) / 2};
  }
  static Four rate_within(const Four& x, const Vector3d& sigma) {
    const Vector3d s = x.head<3>(), turning = (x[3] * sigma + s.cross(sigma)) / 2;
    return {turning[0], turning[1], turning[2], -s.dot(sigma) / 2};
  }
  static double drift(const Four& x) { return std::abs(x.squaredNorm() - 1); }
};

// The same, normalized before use, as is usual today.
struct UnitEulerRodrigues : EulerRodrigues {
  static constexpr const char* name = "Euler-Rodrigues, made a unit";
  static Matrix3d matrix(const Four& x) { return EulerRodrigues::matrix(x.normalized()); }
};

// All nine entries of Q, column by column.
struct RotationMatrix {
  static constexpr int size = 9;
  static constexpr const char* name = "rotation matrix";
  using Nine = Eigen::Matrix<double, 9, 1>;

  static Nine from(const Matrix3d& Q) { return Eigen::Map<const Nine>(Q.data()); }
  static Matrix3d matrix(const Nine& x) { return Eigen::Map<const Matrix3d>(x.data()); }
  static Nine rate(const Nine& x, const Vector3d& sigma) {
    Nine out;
    for (int k = 0; k < 3; ++k) out.segment<3>(3 * k) = sigma.cross(x.segment<3>(3 * k));
    return out;
  }
  static Nine rate_within(const Nine& x, const Vector3d& sigma) {
    // Q (sigma x e_k)
    const Vector3d a = x.segment<3>(0), b = x.segment<3>(3), c = x.segment<3>(6);
    Nine out;
    out << sigma[2] * b - sigma[1] * c, sigma[0] * c - sigma[2] * a, sigma[1] * a - sigma[0] * b;
    return out;
  }
  static double drift(const Nine& x) {
    const Matrix3d Q = matrix(x);
    return (Q.transpose() * Q - Matrix3d::Identity()).cwiseAbs().maxCoeff();
  }
};

// [q; q0] = [e sin(beta); cos(beta)]: the axial vector of Q, and (trace Q - 1) / 2. At half a turn
// q is zero for every e, and Q is not determined any more; [Saha 1991] advises against them.
struct LinearInvariants {
  static constexpr int size = 4;
  static constexpr const char* name = "linear invariants";
  using Four = Vector4d;

  static Four from(const Matrix3d& Q) {
    return {(Q(2, 1) - Q(1, 2)) / 2, (Q(0, 2) - Q(2, 0)) / 2, (Q(1, 0) - Q(0, 1)) / 2,
            (Q.trace() - 1) / 2};
  }
  static Matrix3d matrix(const Four& x) {
    const Vector3d q = x.head<3>();
    Matrix3d cross;
    cross << 0, -q[2], q[1], q[2], 0, -q[0], -q[1], q[0], 0;
    return x[3] * Matrix3d::Identity() + cross + q * q.transpose() / (1 + x[3]);
  }
  static Four rate(const Four& x, const Vector3d& sigma) {
    const Vector3d turning = ((1 + 2 * x[3]) * sigma - matrix(x) * sigma) / 2;
    return {turning[0], turning[1], turning[2], -x.head<3>().dot(sigma)};
  }
  static Four rate_within(const Four& x, const Vector3d& sigma) {
    return rate(x, matrix(x) * sigma);
  }
  static double drift(const Four& x) { return std::abs(x.squaredNorm() - 1); }
};

}  // namespace rolling_disk
