// A thin disk that rolls on a floor, in the twelve schemes of [Saha 1991, chapter 6]. Equations of
// motion
//
//   I w' = C w + gamma,   I about the contact, gamma the moment of gravity about it
//
// in the frame F that follows the disk without spinning with it, in the frame D fixed in it, or in
// the inertial one; attitudes by Euler angles, Euler-Rodrigues parameters or the rotation matrix;
// angles that appear in the equations from the attitude, or integrated separately.
//
//   F1 angles                         D1 the same, but returns D      -
//   F2 parameters  F3 and the tilt    D2, D3 and tilt and spin       I1
//   F4 matrix      F5 and the tilt    D4, D5 and tilt and spin       I2
//
// Corrections of signs in [Saha 1991] (B.6, B.11, B.14 to B.17) are included.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "examples/rolling_disk/attitude.hpp"
#include "examples/rolling_disk/steps.hpp"

namespace rolling_disk {

struct Disk {
  double m = 0.02, r = 0.05, g = 9.81;
  double unit() const { return m * r * r / 4; }                         // of inertia
  Vector3d about_center() const { return unit() * Vector3d(1, 1, 2); }  // in F and in D
};

// theta: tilt, 0 is upright; phi: precession; psi: spin. The center begins at x = y = 0.
struct Start {
  double theta = 0, phi = 0, psi = 0, theta_rate = 0, phi_rate = 0, psi_rate = 0;
};

// F = [f1 f2 v] in the world: f1 along the rolling direction, f2 from the contact to the center, v
// the disk's axis.
inline Matrix3d following_frame(double theta, double phi) {
  const double s = std::sin(theta), c = std::cos(theta), sf = std::sin(phi), cf = std::cos(phi);
  Matrix3d F;
  F << cf, -s * sf, c * sf, sf, s * cf, -c * cf, 0, c, s;
  return F;
}
// D = F P^T: with the spin.
inline Matrix3d fixed_frame(const Matrix3d& F, double psi) {
  return F * Eigen::AngleAxisd(psi, Vector3d::UnitZ()).toRotationMatrix();
}
// w in F
inline Vector3d rates_in_F(const Start& x) {
  return {-x.theta_rate, x.phi_rate * std::cos(x.theta),
          x.psi_rate + x.phi_rate * std::sin(x.theta)};
}

// Output of a scheme at one time.
struct Seen {
  Matrix3d frame;   // axes of F or D, in the world
  bool has_spin;    // it is D
  Vector3d omega;   // in the world
  Vector2d center;  // x and y
  double energy;    // kinetic and potential energy
  Vector3d axis() const { return frame.col(2); }
};
// E = m g r cos(theta) + w^T I w / 2
inline double energy_of(const Disk& disk, double height, const Vector3d& omega_in_F) {
  return disk.m * disk.g * disk.r * height +
         disk.unit() / 2 * omega_in_F.cwiseAbs2().dot(Vector3d(5, 1, 6));
}

// F1 and D1: [angles | their rates | x y]
template <bool tells_spin> struct ByEulerAngles {
  static constexpr int size = 8;
  using State = Eigen::Matrix<double, size, 1>;

  State start(const Start& x) const {
    return (State() << x.theta, x.phi, x.psi, x.theta_rate, x.phi_rate, x.psi_rate, 0, 0)
        .finished();
  }
  State rhs(const State& x) const {
    const double s = std::sin(x[0]), c = std::cos(x[0]), sf = std::sin(x[1]), cf = std::cos(x[1]);
    const double tilting = x[3], precession = x[4], spin = x[5], about = spin + precession * s;
    State out;
    out << tilting, precession, spin,
        precession * precession * s * c + 1.2 * precession * spin * c + 0.8 * disk.g / disk.r * s,
        -2 * spin * tilting / c, -5.0 / 3 * c * tilting * precession + 2 * s / c * spin * tilting,
        -disk.r * (about * cf + tilting * c * sf), -disk.r * (about * sf - tilting * c * cf);
    return out;
  }
  Seen seen(const State& x) const {
    const Matrix3d F = following_frame(x[0], x[1]);
    const Vector3d omega = rates_in_F({x[0], x[1], x[2], x[3], x[4], x[5]});
    return {tells_spin ? fixed_frame(F, x[2]) : F, tells_spin, F * omega, x.tail<2>(),
            energy_of(disk, std::cos(x[0]), omega)};
  }
  Disk disk = {};
};

// [w | attitude | x y | the angles that are integrated]: first index of each
template <class Attitude, int angles> struct Layout {
  static constexpr int attitude = 3, center = attitude + Attitude::size, angle = center + 2,
                       size = angle + angles;
  using State = Eigen::Matrix<double, size, 1>;
  static Eigen::Matrix<double, Attitude::size, 1> attitude_of(const State& x) {
    return x.template segment<Attitude::size>(attitude);
  }
};

// F2 to F5
template <class Attitude, bool integrates_tilt>
struct InFollowingFrame : Layout<Attitude, integrates_tilt ? 1 : 0> {
  using Place = Layout<Attitude, integrates_tilt ? 1 : 0>;
  using State = typename Place::State;

  State start(const Start& x) const {
    State out;
    out.setZero();
    out.template head<3>() = rates_in_F(x);
    out.template segment<Attitude::size>(Place::attitude) =
        Attitude::from(following_frame(x.theta, x.phi));
    if constexpr (integrates_tilt) out[Place::angle] = x.theta;
    return out;
  }
  State rhs(const State& x) const {
    const Vector3d w = x.template head<3>();
    const Matrix3d F = Attitude::matrix(Place::attitude_of(x));
    double tangent = F(2, 2) / F(2, 1);  // k.v / k.f2
    if constexpr (integrates_tilt) tangent = std::tan(x[Place::angle]);
    const double spin = w[2] - tangent * w[1];
    const Vector3d sigma(w[0], w[1], w[2] - spin);

    // C = -sigma x I_C - m r^2 (sigma . f2) (f2 x), gamma = m r f2 x g
    const double mr2 = disk.m * disk.r * disk.r;
    const Vector3d f2 = Vector3d::UnitY(), down = -disk.g * F.row(2).transpose();
    const Vector3d moment = -sigma.cross(disk.about_center().cwiseProduct(w)) -
                            mr2 * sigma[1] * f2.cross(w) + disk.m * disk.r * f2.cross(down);
    State out;
    out.template head<3>() = moment.cwiseQuotient(disk.unit() * Vector3d(5, 1, 6));
    out.template segment<Attitude::size>(Place::attitude) =
        Attitude::rate_within(Place::attitude_of(x), sigma);
    out.template segment<2>(Place::center) = (F * (disk.r * w.cross(f2))).template head<2>();
    if constexpr (integrates_tilt) out[Place::angle] = -w[0];
    return out;
  }
  Seen seen(const State& x) const {
    const Vector3d w = x.template head<3>();
    const Matrix3d F = Attitude::matrix(Place::attitude_of(x));
    return {F, false, F * w, x.template segment<2>(Place::center), energy_of(disk, F(2, 1), w)};
  }
  Disk disk = {};
};

// I w' = moment, with I = I_C + m r^2 (1 - f2 f2^T) in the axes of I_C
inline Vector3d turned_by(const Disk& disk, const Matrix3d& I_C, const Vector3d& f2,
                          const Vector3d& moment) {
  const Matrix3d I = I_C + disk.m * disk.r * disk.r * (Matrix3d::Identity() - f2 * f2.transpose());
  return I.inverse() * moment;  // condition number 6
}

// D2 to D5
template <class Attitude, bool integrates_angles>
struct InFixedFrame : Layout<Attitude, integrates_angles ? 2 : 0> {
  using Place = Layout<Attitude, integrates_angles ? 2 : 0>;
  using State = typename Place::State;

  State start(const Start& x) const {
    State out;
    out.setZero();
    const Matrix3d F = following_frame(x.theta, x.phi), D = fixed_frame(F, x.psi);
    out.template head<3>() = D.transpose() * (F * rates_in_F(x));
    out.template segment<Attitude::size>(Place::attitude) = Attitude::from(D);
    if constexpr (integrates_angles) out.template tail<2>() << x.theta, x.psi;
    return out;
  }
  State rhs(const State& x) const {
    const Vector3d w = x.template head<3>(), v = Vector3d::UnitZ();
    const Matrix3d D = Attitude::matrix(Place::attitude_of(x));
    const auto [sine, cosine, tangent] = angles_of(x, D);
    const Vector3d f1(cosine, -sine, 0), f2(sine, cosine, 0);
    const double spin = (v - tangent * f2).dot(w);

    // C = -w x I_C - m r^2 (spin (v x f2) f2^T + (w . f2) (f2 x)), gamma = m r f2 x g
    const double mr2 = disk.m * disk.r * disk.r;
    const Vector3d down = -disk.g * D.row(2).transpose();
    const Vector3d moment = -w.cross(disk.about_center().cwiseProduct(w)) -
                            mr2 * f2.dot(w) * (spin * v.cross(f2) + f2.cross(w)) +
                            disk.m * disk.r * f2.cross(down);
    State out;
    out.template head<3>() = turned_by(disk, disk.about_center().asDiagonal(), f2, moment);
    out.template segment<Attitude::size>(Place::attitude) =
        Attitude::rate_within(Place::attitude_of(x), w);
    out.template segment<2>(Place::center) = (D * (disk.r * w.cross(f2))).template head<2>();
    if constexpr (integrates_angles) out.template tail<2>() << -f1.dot(w), spin;
    return out;
  }
  Seen seen(const State& x) const {
    const Vector3d w = x.template head<3>();
    const Matrix3d D = Attitude::matrix(Place::attitude_of(x));
    const Angles spun = angles_of(x, D);
    const Vector3d f1(spun.cosine, -spun.sine, 0), f2(spun.sine, spun.cosine, 0);
    return {D, true, D * w, x.template segment<2>(Place::center),
            energy_of(disk, std::hypot(D(0, 2), D(1, 2)), {f1.dot(w), f2.dot(w), w[2]})};
  }
  Disk disk = {};

 private:
  struct Angles {
    double sine, cosine;  // of the spin
    double tangent;       // of the tilt
  };
  static Angles angles_of(const State& x, const Matrix3d& D) {
    if constexpr (integrates_angles) {
      const double psi = x[Place::angle + 1];
      return {std::sin(psi), std::cos(psi), std::tan(x[Place::angle])};
    } else {
      // k x v is along f1, which is (cos, -sin, 0) of the spin in D
      const Vector3d level(-D(1, 2), D(0, 2), 0);
      const double length = level.norm();
      return {-D.col(1).dot(level) / length, D.col(0).dot(level) / length, D(2, 2) / length};
    }
  }
};

// I1 and I2
template <class Attitude> struct InInertialFrame : Layout<Attitude, 0> {
  using Place = Layout<Attitude, 0>;
  using State = typename Place::State;

  State start(const Start& x) const {
    State out;
    out.setZero();
    const Matrix3d F = following_frame(x.theta, x.phi);
    out.template head<3>() = F * rates_in_F(x);
    out.template segment<Attitude::size>(Place::attitude) = Attitude::from(fixed_frame(F, x.psi));
    return out;
  }
  State rhs(const State& x) const {
    const Vector3d w = x.template head<3>(), k = Vector3d::UnitZ();
    const Vector3d v = Attitude::matrix(Place::attitude_of(x)).col(2), v_rate = w.cross(v);
    // f2 = (k - s v) / sqrt(1 - s^2), s = k.v, and its rate
    const double s = v[2], cosine = std::sqrt(1 - s * s), s_rate = v_rate[2];
    const Vector3d f2 = (k - s * v) / cosine;
    const Vector3d f2_rate =
        (s * s_rate / (cosine * cosine)) * f2 - (s_rate * v + s * v_rate) / cosine;

    // C = -w x I_C + m r^2 f2' f2^T, gamma = m r f2 x g
    const Matrix3d I_C = disk.unit() * (Matrix3d::Identity() + v * v.transpose());
    const Vector3d moment = -w.cross(I_C * w) + disk.m * disk.r * disk.r * f2.dot(w) * f2_rate -
                            disk.m * disk.r * disk.g * f2.cross(k);
    State out;
    out.template head<3>() = turned_by(disk, I_C, f2, moment);
    out.template segment<Attitude::size>(Place::attitude) =
        Attitude::rate(Place::attitude_of(x), w);
    out.template segment<2>(Place::center) = (disk.r * w.cross(f2)).template head<2>();
    return out;
  }
  Seen seen(const State& x) const {
    const Vector3d w = x.template head<3>();
    const Matrix3d D = Attitude::matrix(Place::attitude_of(x));
    const Vector3d v = D.col(2);
    const double cosine = std::sqrt(1 - v[2] * v[2]);
    const Vector3d f2 = (Vector3d::UnitZ() - v[2] * v) / cosine;
    return {D, true, w, x.template segment<2>(Place::center),
            energy_of(disk, cosine, {f2.cross(v).dot(w), f2.dot(w), v.dot(w)})};
  }
  Disk disk = {};
};

// One of the twelve, independent of the meaning of its variables.
struct Scheme {
  std::string name;
  int size;  // number of first-order equations
  std::function<StateVector(const Start&)> start;
  Rhs rhs;
  std::function<Seen(const StateVector&)> seen;
};
template <class Equations> Scheme scheme(const char* name, const Equations& equations) {
  using State = typename Equations::State;
  return {name, Equations::size,
          [equations](const Start& x) -> StateVector { return equations.start(x); },
          [equations](const StateVector& x) -> StateVector { return equations.rhs(State(x)); },
          [equations](const StateVector& x) { return equations.seen(State(x)); }};
}
inline std::vector<Scheme> all_schemes(const Disk& disk = {}) {
  using Parameters = EulerRodrigues;
  using Matrix = RotationMatrix;
  return {scheme("F1", ByEulerAngles<false>{disk}),
          scheme("F2", InFollowingFrame<Parameters, false>{{}, disk}),
          scheme("F3", InFollowingFrame<Parameters, true>{{}, disk}),
          scheme("F4", InFollowingFrame<Matrix, false>{{}, disk}),
          scheme("F5", InFollowingFrame<Matrix, true>{{}, disk}),
          scheme("D1", ByEulerAngles<true>{disk}),
          scheme("D2", InFixedFrame<Parameters, false>{{}, disk}),
          scheme("D3", InFixedFrame<Parameters, true>{{}, disk}),
          scheme("D4", InFixedFrame<Matrix, false>{{}, disk}),
          scheme("D5", InFixedFrame<Matrix, true>{{}, disk}),
          scheme("I1", InInertialFrame<Parameters>{{}, disk}),
          scheme("I2", InInertialFrame<Matrix>{{}, disk})};
}

}  // namespace rolling_disk
