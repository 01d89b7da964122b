// The twelve schemes for a rolling disk [Saha 1991, chapter 6] (examples/rolling_disk), against
// each other and against the engine; examples S-T11 and S-T12.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numbers>
#include <vector>

#include "examples/rolling_disk/engine.hpp"
#include "examples/rolling_disk/steady_circle.hpp"
#include "tests/reference/posed.hpp"
#include "tests/support/capability.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"

namespace rolling_disk::disk_schemes_test {
namespace {

using trammel::shows;

constexpr double pi = std::numbers::pi;
constexpr Start any_motion{0.3, 0.2, 0.4, 0.5, 3, -8};  // S-T12
constexpr Tolerance tight{1e-11, 1e-13, 1};

// The end of a run from a given start.
Seen end_of(const Scheme& scheme, const Start& start, double duration,
            const Tolerance& tolerance = tight) {
  StateVector x = scheme.start(start);
  if (duration > 0) go(scheme.rhs, x, duration, tolerance);
  return scheme.seen(x);
}
Seen end_of(Engine& engine, const Start& start, double duration,
            const Tolerance& tolerance = tight) {
  trammel::State state = engine.start(start);
  if (duration > 0) engine.go(state, duration, tolerance);
  EXPECT_EQ(engine.trouble, "");
  return engine.seen(state);
}
double tilt(const Seen& now) { return std::asin(now.axis()[2]); }
double far_from_orthonormal(const Matrix3d& Q) {
  return trammel::largest_of(Q.transpose() * Q - Matrix3d::Identity());
}

// All printed values after one second, eight digits.
void expect_printed(const Seen& end, const std::string& name) {
  const Vector3d omega(-6.36837192, -4.15738771, 0.60097046), v(0.7939933, 0.53419954, 0.29018181);
  EXPECT_LT((end.omega - omega).cwiseAbs().maxCoeff(), 2e-8) << name;
  EXPECT_LT((end.axis() - v).cwiseAbs().maxCoeff(), 2e-8) << name;
  EXPECT_LT((end.center - Vector2d(0.02107493, 0.06074958)).cwiseAbs().maxCoeff(), 2e-8) << name;
}

TEST(saha_disk_schemes, all_twelve_and_the_engine_go_the_same_way) {
  shows({"S-60", "simulate"});
  const Disk disk;
  const Scheme D1 = scheme("D1", ByEulerAngles<true>{disk});
  const Seen reference = end_of(D1, any_motion, 1);
  const double energy = end_of(D1, any_motion, 0).energy;
  const auto expect_same = [&](const Seen& end, const std::string& name) {
    expect_printed(end, name);
    // bound of the reference at this tolerance: some thousand evaluations, each with a relative
    // error of 1e-11, and errors of this motion do not grow faster than linearly
    EXPECT_LT((end.omega - reference.omega).norm() / reference.omega.norm(), 2e-9) << name;
    EXPECT_LT((end.axis() - reference.axis()).norm(), 2e-9) << name;
    EXPECT_LT((end.center - reference.center).norm(), 2e-9 * disk.r) << name;
    EXPECT_NEAR(end.energy, energy, 1e-12) << name;
    // with the printed spin, eight digits, if the scheme does not compute it
    const Matrix3d D = end.has_spin ? end.frame : fixed_frame(end.frame, -12.12951722);
    EXPECT_LT((D - reference.frame).norm(), end.has_spin ? 4e-9 : 4e-8) << name;
  };
  std::vector<int> sizes;
  for (const Scheme& one : all_schemes(disk)) {
    sizes.push_back(one.size);
    EXPECT_EQ(one.rhs(one.start(any_motion)).size(), one.size);
    expect_same(end_of(one, any_motion, 1), one.name);
  }
  // section 6.4, I2 corrected
  EXPECT_EQ(sizes, (std::vector<int>{8, 9, 10, 14, 15, 8, 9, 11, 14, 16, 9, 14}));
  for (const Engine::Joint joint : {Engine::Joint::angles, Engine::Joint::free}) {
    Engine engine(joint);
    expect_same(end_of(engine, any_motion, 1), "engine");
  }
}

// At one instant: the angular acceleration in the world.
TEST(saha_disk_schemes, accelerate_as_the_engine_does_to_rounding) {
  Engine engine(Engine::Joint::free);
  const trammel::State state = engine.start(any_motion);
  std::vector<double> a(6);
  ASSERT_TRUE(trammel::forward_dynamics(engine.model, state, {}, engine.workspace, a).ok());
  const Matrix3d F = following_frame(any_motion.theta, any_motion.phi),
                 D = fixed_frame(F, any_motion.psi);
  // components in D change as the vector does, since w x w = 0
  const Vector3d expected = D * Vector3d(a[0], a[1], a[2]);
  const Vector3d w = rates_in_F(any_motion), sigma = w + Vector3d(0, 0, 8);  // without the spin
  for (const Scheme& one : all_schemes()) {
    const StateVector rhs = one.rhs(one.start(any_motion));
    Vector3d found = rhs.head<3>();
    const bool has_angles = one.name == "F1" || one.name == "D1";
    if (has_angles) {
      const double s = std::sin(0.3), c = std::cos(0.3);
      const Vector3d second = rhs.segment<3>(3);  // theta'', phi'', psi''
      found << -second[0], second[1] * c - 3 * s * 0.5, second[2] + second[1] * s + 3 * c * 0.5;
    }
    if (has_angles || one.name[0] == 'F')
      found = F * (found + sigma.cross(w));
    else if (one.name[0] == 'D')
      found = D * found;
    EXPECT_LT((found - expected).norm(), 1e-12 * expected.norm()) << one.name;
  }
}

TEST(saha_disk_schemes, steady_circles_are_roots_of_the_quartic) {
  shows({"S-63", "simulate"});
  const Disk disk;
  // S-T11: tilts to fifteen digits, the degrees of table 6.1, energies, radii, growth squared
  const double printed[][5] = {
      {0.003798411887897, 0.217633, 0.009825412242, 0.024810079862, 155.3642},
      {0.017526349572357, 1.004186, 0.009889073737, 0.035234838495, 149.7547},
      {0.106461208839990, 6.099778, 0.010260462281, 0.038734608160, 110.1989},
      {0.409544272016795, 23.465159, 0.010527804053, 0.027486266884, -49.5234}};
  Engine engine(Engine::Joint::angles);
  for (int k = 0; k < 4; ++k) {
    const double p = cases[k].phi_rate, s = cases[k].psi_rate;
    // x = tan(theta/2): x^4 + gamma x^3 - delta x - 1 = 0, as eigenvalues of its companion
    const double inertia = 5 * p / (3 * s), weight = 4 * disk.g / (3 * p * s * disk.r);
    Eigen::Matrix4d companion = Eigen::Matrix4d::Zero();
    companion.row(0) << -(inertia - weight), 0, inertia + weight, 1;
    companion.bottomLeftCorner<3, 3>().setIdentity();
    const Eigen::Vector4cd roots = companion.eigenvalues();
    int real = 0;
    double theta = 10;
    for (const std::complex<double>& x : roots) {
      if (std::abs(x.imag()) > 1e-9) continue;
      ++real;
      if (std::abs(x.real()) < 1) theta = 2 * std::atan(x.real());  // within 90 degrees
    }
    EXPECT_EQ(real, 2);
    const Start start = steady_start(disk, p, s);
    EXPECT_NEAR(theta, start.theta, 1e-12);  // entries of the companion reach 500
    EXPECT_NEAR(start.theta, printed[k][0], 1e-15);
    EXPECT_NEAR(start.theta * 180 / pi, printed[k][1], 1e-6);  // the last digit of D is one off
    EXPECT_NEAR(end_of(all_schemes(disk)[0], start, 0).energy, printed[k][2], 1e-12);
    const Circle circle(disk, start);
    EXPECT_NEAR(circle.radius, printed[k][3], 1e-12);
    EXPECT_NEAR(growth(disk, start), printed[k][4], 1e-4);

    // steady: only the position changes. Rounding errors grow by a factor of 4 at most in this time
    const auto expect_steady = [&](const Seen& after, const std::string& name) {
      EXPECT_NEAR(tilt(after), start.theta, 1e-10) << name << cases[k].name;
      EXPECT_LT(circle.missed(after.center), 1e-8) << name << cases[k].name;
      EXPECT_GT(after.center.norm(), 0.09 * p * circle.radius);
    };
    for (const Scheme& one : all_schemes(disk)) expect_steady(end_of(one, start, 0.1), one.name);
    expect_steady(end_of(engine, start, 0.1), "engine");
  }
  // direction of lean: reversed if precession and spin agree
  EXPECT_NEAR(steady_tilt(disk, 9.6, 9.1), -steady_tilt(disk, 9.6, -9.1), 1e-15);
}

// Unstable circles are compared by the growth rate of a small perturbation, and by energy: the
// later motion depends on the perturbation, not on the scheme.
TEST(saha_disk_schemes, protocol_of_accuracy) {
  shows({"S-64", "simulate"});
  const Disk disk;
  const Start A = steady_start(disk, cases[0].phi_rate, cases[0].psi_rate);
  const Start D = steady_start(disk, cases[3].phi_rate, cases[3].psi_rate);
  Start pushed = A, nodding = D;
  pushed.theta += 1e-6;
  nodding.theta += 1e-4;
  const double period = 2 * pi / std::sqrt(-growth(disk, D));
  EXPECT_NEAR(period, 0.893, 5e-4);  // printed
  EXPECT_NEAR(std::sqrt(growth(disk, A)), 12.4645, 5e-5);

  const auto expect_all = [&](auto& way, const std::string& name) {
    // linear in the perturbation to 1 % while it is below 2e-3
    const double early = std::abs(tilt(end_of(way, pushed, 0.4)) - A.theta),
                 late = std::abs(tilt(end_of(way, pushed, 0.6)) - A.theta);
    EXPECT_NEAR(std::log(late / early) / 0.2, 12.46, 0.01 * 12.46) << name;
    // D is stable, and nutates: after one period it is back at its start, not earlier or later
    const auto gone = [&](double periods) {
      return std::abs(tilt(end_of(way, nodding, periods * period)) - nodding.theta);
    };
    EXPECT_GT(gone(0.5), 1e-4) << name;
    EXPECT_LT(gone(1), 1e-3 * gone(0.5)) << name;
    EXPECT_LT(gone(1), gone(0.99)) << name;
    EXPECT_LT(gone(1), gone(1.01)) << name;
    // energy over 2.1 s, the time in which all are still on their circles
    for (const Start& start : {A, D})
      EXPECT_NEAR(end_of(way, start, 2.1).energy, end_of(way, start, 0).energy, 1e-12) << name;
  };
  for (const Scheme& one : all_schemes(disk)) expect_all(one, one.name);
  Engine engine(Engine::Joint::free);
  expect_all(engine, "engine");

  // for 70 s on the circle of D: with angles, and in the engine, to 1e-9; attitudes without
  // correction have the accumulated error of the steps
  for (const Scheme& one : all_schemes(disk)) {
    StateVector x = one.start(D);
    const Work work = go(one.rhs, x, 70, tight);
    const double bound = one.size == 8 ? 1e-9 : tight.relative * double(work.steps);
    EXPECT_NEAR(tilt(one.seen(x)), D.theta, bound) << one.name;
  }
  EXPECT_NEAR(tilt(end_of(engine, D, 70)), D.theta, 1e-9);

  // with the tolerance of [Saha 1991] F2 loses no more energy than the F2 there, at the printed
  // time; for D, because in A both have left their circles by then, each in its own way
  const Scheme F2 = all_schemes(disk)[1];
  const double lost = std::abs(end_of(F2, D, 2.653, Tolerance{}).energy - end_of(F2, D, 0).energy);
  EXPECT_LT(lost, 7.60834e-9);
}

// Poses for drawing: of the schemes that compute the spin.
TEST(saha_disk_schemes, poses_are_rotations_and_show_the_spin) {
  shows({"S-65", "pose", "simulate"});
  const std::vector<Scheme> schemes = all_schemes();
  Engine engine(Engine::Joint::free);
  for (const double time : {0.0, 0.37, 1.0}) {
    StateVector x = schemes[0].start(any_motion);
    if (time > 0) go(schemes[0].rhs, x, time, tight);
    const Matrix3d F = schemes[0].seen(x).frame, D = F * Eigen::AngleAxisd(x[2], Vector3d::UnitZ());
    EXPECT_LT(far_from_orthonormal(D), 1e-15);
    EXPECT_NEAR(F(2, 0), 0, 1e-15);  // F follows the disk without spinning: f1 stays level
    EXPECT_GT((F - D).norm(), 0.1);
    int with_spin = 0;
    const auto expect_pose = [&](const Seen& now, double orthonormal, const std::string& name) {
      EXPECT_LT(far_from_orthonormal(now.frame), orthonormal) << name;
      EXPECT_GT(now.frame.determinant(), 0.5) << name;
      EXPECT_LT((now.frame - (now.has_spin ? D : F)).norm(), 4e-9) << name;
      with_spin += now.has_spin ? 1 : 0;
    };
    // steps keep a rotation to their tolerance: 1e-11 each, some hundred of them
    for (const Scheme& one : schemes) expect_pose(end_of(one, any_motion, time), 2e-9, one.name);
    expect_pose(end_of(engine, any_motion, time), 4e-15, "engine");  // rounding alone
    EXPECT_EQ(with_spin, 8);                                         // D1 to D5, I1, I2, the engine
  }
}

// Error of an attitude after a rotation about a fixed axis at a constant rate, which is known: Q =
// exp(angle axis x).
struct AfterTurn {
  double error, drift, orthonormal;
};
template <class Attitude> AfterTurn after_turn(double angle, const Tolerance& tolerance) {
  const Vector3d axis(0.6, 0, 0.8);
  StateVector x = Attitude::from(Matrix3d::Identity());
  go([&](const StateVector& now) -> StateVector { return Attitude::rate(now, axis); }, x, angle,
     tolerance);
  const Matrix3d Q = Attitude::matrix(x);
  return {(Q - Eigen::AngleAxisd(angle, axis).toRotationMatrix()).norm(), Attitude::drift(x),
          far_from_orthonormal(Q)};
}
template <class Attitude> void expect_rates() {
  // Q' = (sigma x) Q = Q (Q^T sigma x)
  const Matrix3d Q = following_frame(0.3, 0.2);
  const Vector3d sigma(0.3, -2, 1.1);
  const auto x = Attitude::from(Q);
  EXPECT_LT((Attitude::matrix(x) - Q).norm(), 1e-15) << Attitude::name;
  EXPECT_LT((Attitude::rate(x, sigma) - Attitude::rate_within(x, Q.transpose() * sigma)).norm(),
            2e-15)
      << Attitude::name;
  // the parameters after a short time are those of the turned matrix; second-order error
  const double moment = 1e-5;
  const Matrix3d later =
      Eigen::AngleAxisd(moment * sigma.norm(), sigma.normalized()).toRotationMatrix() * Q;
  EXPECT_LT((Attitude::from(later) - x - moment * Attitude::rate(x, sigma)).norm(), 1e-9)
      << Attitude::name;
}

TEST(saha_disk_schemes, attitudes_drift_and_have_singular_places) {
  expect_rates<EulerRodrigues>();
  expect_rates<RotationMatrix>();
  expect_rates<LinearInvariants>();

  // ten turns: invariants drift with the tolerance, and normalized parameters are a rotation for
  // any steps
  for (const double tolerance : {1e-5, 1e-8}) {
    const Tolerance steps{tolerance, tolerance / 100, 0.5};
    const double turns = 20 * pi + 1;
    const AfterTurn parameters = after_turn<EulerRodrigues>(turns, steps);
    const AfterTurn unit = after_turn<UnitEulerRodrigues>(turns, steps);
    const AfterTurn matrix = after_turn<RotationMatrix>(turns, steps);
    for (const AfterTurn& one : {parameters, unit, matrix}) {
      EXPECT_LT(one.error, 1e3 * tolerance);  // a few hundred steps
      EXPECT_GT(one.drift, 1e-3 * tolerance);
    }
    EXPECT_GT(parameters.orthonormal, 1e-3 * tolerance);
    EXPECT_LT(unit.orthonormal, 2e-15);
  }
  // linear invariants: accurate below half a turn, lost above
  const Tolerance steps{1e-8, 1e-10, 0.1};
  EXPECT_LT(after_turn<LinearInvariants>(0.9 * pi, steps).error, 1e-5);
  EXPECT_FALSE(after_turn<LinearInvariants>(1.1 * pi, steps).error < 1e-2);
  EXPECT_LT(after_turn<EulerRodrigues>(1.1 * pi, steps).error, 1e-5);
  EXPECT_LT(after_turn<RotationMatrix>(1.1 * pi, steps).error, 1e-5);

  // a disk that lies flat does not roll: near this pose rates grow without bound in every scheme,
  // and the engine reports it
  for (const Scheme& one : all_schemes()) {
    const auto rate_at = [&](double from_flat) {
      // the same angular velocity (-0.5, 1, 2) in F
      const double theta = pi / 2 - from_flat, precession = 1 / std::cos(theta);
      const Start start{theta, 0.2, 0.4, 0.5, precession, 2 - precession * std::sin(theta)};
      return one.rhs(one.start(start)).norm();
    };
    EXPECT_GT(rate_at(1e-6), 1e2 * rate_at(1e-3)) << one.name;
  }
  Engine engine(Engine::Joint::free);
  const trammel::State flat = trammel::neutral_state(engine.model);
  std::vector<double> a(6);
  EXPECT_EQ(trammel::forward_dynamics(engine.model, flat, {}, engine.workspace, a).message(),
            "forward_dynamics: wheel 'rim' lies flat on its floor and cannot roll: raise it");
}

}  // namespace
}  // namespace rolling_disk::disk_schemes_test
