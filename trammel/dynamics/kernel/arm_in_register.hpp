// A short arm whose freedoms lie side by side in one register.
//
// In world axes motions and forces need no turning from body to body: what goes along the chain are
// sums (of angular velocities, accelerations, forces, inertias), and those are found by steps of
// doubling reach (RowSums). Only the poses go one by one. So a question costs little more than it
// would for one body alone.
#pragma once

#include <bit>
#include <cstring>

#include "trammel/dynamics/workspace.hpp"
#include "trammel/spatial/conventions.hpp"
#include "trammel/spatial/tensor.hpp"

namespace trammel::kernel {

// Whether registers are wide enough for it to pay.
inline constexpr bool has_arms_in_register = native_lanes == ShortArm::most;

// n: how many numbers a register holds
template <int n> class ArmInRegister {
 public:
  using R = Pack<n>;

  // What pushes from outside is left to the sweeps that go body by body.
  static bool fits(const Scene<double, double>& scene, const BasicWorkspace<double>& ws) {
    return ws.arm.freedoms > 0 && ws.arm.freedoms <= n && scene.loads.empty();
  }
  // Places the arm.
  ArmInRegister(const Scene<double, double>& scene, BasicWorkspace<double>& ws, In<double> q);

  int freedoms() const { return count_; }
  // The efforts a motion takes; by Newton and Euler, as in newton_euler (inverse_dynamics.hpp).
  R efforts(const R& v, const R& a) const;
  // Row j: the mass that freedom j shares with each further in and itself; beyond it, anything.
  void masses(R (&M)[n]) const;

 private:
  using Sums = RowSums<double>;
  class Square;
  void place(const Turns<double>& turns, const ShortArm& arm);
  void take_inertias();
  static R joined(const double* a, const double* b);

  const Scene<double, double>& scene_;
  int count_;
  Vec3<double> first_;    // from the world's origin to the first body's
  Mat3<R> R_WB_;          // how each body is turned
  Vec3<R> p_;             // its origin, from the first body's
  Inertia<R> inertia_;    // at its origin, in its own axes
  Vec3<R> turn_, slide_;  // the column of each freedom: its axis in the one or the other
};

// row(j), for each of the rows; then [c] is component c of all of them.
template <int n> class ArmInRegister<n>::Square {
 public:
  template <class Row>
  explicit Square(const Row& row) : Square(row, std::make_integer_sequence<int, n>{}) {
    transpose(components_);
  }
  const R& operator[](int c) const { return components_[c]; }

 private:
  template <class Row, int... j>
  Square(const Row& row, std::integer_sequence<int, j...>) : components_{row(j)...} {}
  R components_[n];
};

// Two of four numbers side by side, read by halves: a register written in halves and read whole
// would have to wait.
template <int n>
typename ArmInRegister<n>::R ArmInRegister<n>::joined(const double* a, const double* b) {
  typedef double Half [[gnu::vector_size(32)]];
  typedef double Whole [[gnu::vector_size(n * sizeof(double))]];
  Half x, y;
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  return R(std::bit_cast<typename R::Lanes>(
      Whole(__builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, n - 1))));
}

template <int n>
[[gnu::flatten]] ArmInRegister<n>::ArmInRegister(const Scene<double, double>& scene,
                                                 BasicWorkspace<double>& ws, In<double> q)
    : scene_(scene), count_(ws.arm.freedoms) {
  ws.turns.prepare(q);
  take_inertias();
  place(ws.turns, ws.arm);
}

template <int n> void ArmInRegister<n>::take_inertias() {
  const BodyNumbers<double>* bodies = scene_.numbers.bodies.data() + 1;
  static_assert(sizeof(Inertia<double>) == 10 * sizeof(double));
  const auto row = [&](int j) { return &bodies[std::min(j, count_ - 1)].inertia.mass; };
  // of the ten numbers, some are in both
  const Square first([&](int j) { return R::load(row(j)); }),
      last([&](int j) { return R::load(row(j) + 10 - n); });
  const auto number = [&](int c) {
    return select(R::is_before(count_), c < n ? first[c] : last[c - 10 + n], R(0.0));
  };
  inertia_ = {number(0),
              {number(1), number(2), number(3)},
              {number(4), number(5), number(6), number(7), number(8), number(9)}};
}

template <int n> void ArmInRegister<n>::place(const Turns<double>& turns, const ShortArm& arm) {
  // each in its parent first: only what waits for the one before is done one after the other
  Pose<double> X_PB[n];
  R slides(0.0);
  for (int k = 0; k < count_; ++k) {
    const Pose<double>& X_PF = scene_.numbers.bodies[std::size_t(k + 1)].X_PF;
    const auto q = turns.at(k, static_cast<const double*>(nullptr));
    if (arm.slides[k]) {
      X_PB[k] = X_PF * ShiftZ<double>{q[0]};
      slides = select(R::is_lane(k), R(1.0), slides);
    } else {
      const auto [sine, cosine] = q.turn(0);
      X_PB[k] = X_PF * TurnZ<double>{sine, cosine};
    }
  }
  alignas(32) double frames[n][16];  // of each body: x, y, z, origin, four numbers each
  auto axes = WorldFrame<double>::load(Mat3<double>::identity());
  auto origin = WorldVector<double>::load({});
  for (int k = 0; k < count_; ++k) {
    const auto r = axes * X_PB[k].p;
    if (k == 0)
      r.store(first_);
    else
      origin = origin + r;
    axes = axes * X_PB[k].R;
    axes.x.store_four(frames[k]);
    axes.y.store_four(frames[k] + 4);
    axes.z.store_four(frames[k] + 8);
    origin.store_four(frames[k] + 12);
  }
  const auto row = [&](int j) { return frames[std::min(j, count_ - 1)]; };
  const Square xy([&](int j) { return joined(row(j), row(j) + 4); }),
      zp([&](int j) { return joined(row(j) + 8, row(j) + 12); });
  R_WB_ = {{xy[0], xy[1], xy[2]}, {xy[4], xy[5], xy[6]}, {zp[0], zp[1], zp[2]}};
  p_ = {zp[4], zp[5], zp[6]};
  slide_ = slides * R_WB_.z;
  turn_ = R_WB_.z - slide_;
}

template <int n>
[[gnu::flatten]] typename ArmInRegister<n>::R ArmInRegister<n>::efforts(const R& v,
                                                                        const R& a) const {
  const Motion<double> A_0 = scene_.ground_acceleration();
  const Vec3<double> w_0 = scene_.ground.V.angular, alpha_0 = A_0.angular,
                     a_0 = true_acceleration(A_0, scene_.ground.V).linear;

  // outward: how each body turns and accelerates, and the force that takes, in its own axes
  const Vec3<R> U = v * turn_, slip = v * slide_, r = p_ - Sums::before(-first_, p_);
  const Vec3<R> w = Vec3<R>(w_0) + Sums::outward(U), w_P = Sums::before(w_0, w);
  const Vec3<R> alpha = Vec3<R>(alpha_0) + Sums::outward(cross(w_P, U) + a * turn_),
                alpha_P = Sums::before(alpha_0, alpha);
  const Vec3<R> acceleration =
      Vec3<R>(a_0) +
      Sums::outward(cross(alpha_P, r) + cross(w_P, cross(w_P, r) + slip + slip) + a * slide_);
  const Mat3<R> Omega =
      angular_acceleration_tensor(transpose_times(R_WB_, w), transpose_times(R_WB_, alpha));
  const Vec3<R> a_B = transpose_times(R_WB_, acceleration);
  const auto& [m, h, J] = inertia_;
  Force<R> F =
      turned(R_WB_, Force<R>{torque(euler_tensor(J), Omega) + cross(h, a_B), m * a_B + Omega * h});

  // inward: each joint carries its own body and all that hangs from it
  Sums::inward(p_, F,
               [](const Vec3<R>& from, const Force<R>& beyond) { return acting_at(from, beyond); });
  return dot(turn_, F.moment) + dot(slide_, F.force);
}

template <int n> [[gnu::flatten]] void ArmInRegister<n>::masses(R (&M)[n]) const {
  // a freedom moves all that hangs from it; the force that takes is felt by those further in
  Inertia<R> moved = turned(R_WB_, inertia_);
  Sums::inward(p_, moved, [](const Vec3<R>& r, const Inertia<R>& I) { return shifted(r, I); });
  const Force<R> F = moved * Motion<R>{turn_, slide_};
  alignas(64) double felt[9][n];
  int c = 0;
  for (const R& x :
       {F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z, p_.x, p_.y, p_.z})
    x.store(felt[c++]);
  for (int j = 0; j < n; ++j) {
    const auto of = [&](int first) {
      return Vec3<R>(Vec3<double>(felt[first][j], felt[first + 1][j], felt[first + 2][j]));
    };
    const Vec3<R> f = of(3);
    M[j] = dot(turn_, of(0) + cross(of(6) - p_, f)) + dot(slide_, f);
  }
}

}  // namespace trammel::kernel
