// The twelve schemes for a rolling disk of seed 001, chapter 6 (examples/rolling_disk), beside each
// other and beside the engine; examples S-T11 and S-T12.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numbers>
#include <vector>

#include "examples/rolling_disk/engine.hpp"
#include "examples/rolling_disk/steady_circle.hpp"
#include "tests/capability.hpp"
#include "tests/oracle/asked.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"

namespace rolling_disk {
namespace {

using trammel::shows;

constexpr double pi = std::numbers::pi;
constexpr Start any_motion{0.3, 0.2, 0.4, 0.5, 3, -8};  // S-T12
constexpr Tolerance tight{1e-11, 1e-13, 1};

// A scheme's run from a start, seen at its end.
template <class Scheme>
Seen end_of(const Scheme& scheme, const Start& start, double duration,
            const Tolerance& tolerance = tight) {
  typename Scheme::State x = scheme.start(start);
  go(scheme, x, duration, tolerance);
  return scheme.seen(x);
}
Seen end_of(Engine& engine, const Start& start, double duration,
            const Tolerance& tolerance = tight) {
  trammel::State state = engine.start(start);
  engine.go(state, duration, tolerance, [](double, const auto&) { return true; });
  EXPECT_TRUE(engine.fine);
  return engine.seen(state);
}
double tilt(const Seen& now) { return std::asin(now.axis()[2]); }
double far_from_orthonormal(const Matrix3d& Q) {
  return trammel::largest_of(Q.transpose() * Q - Matrix3d::Identity());
}

// Everything that is printed after one second, eight digits.
void expect_printed(const Seen& end, const std::string& name) {
  const Vector3d omega(-6.36837192, -4.15738771, 0.60097046), v(0.7939933, 0.53419954, 0.29018181);
  EXPECT_LT((end.omega - omega).cwiseAbs().maxCoeff(), 2e-8) << name;
  EXPECT_LT((end.axis() - v).cwiseAbs().maxCoeff(), 2e-8) << name;
  EXPECT_LT((end.centre - Vector2d(0.02107493, 0.06074958)).cwiseAbs().maxCoeff(), 2e-8) << name;
}

TEST(seed_001_disk_schemes, all_twelve_and_the_engine_go_the_same_way) {
  shows("S-60", "S-62");
  const Disk disk;
  const Seen reference = end_of(ByEulerAngles<true>{disk}, any_motion, 1);
  const double energy =
      ByEulerAngles<true>{disk}.seen(ByEulerAngles<true>{disk}.start(any_motion)).energy;
  int count = 0;
  std::vector<int> sizes;
  const auto expect_same = [&](const Seen& end, const std::string& name) {
    ++count;
    expect_printed(end, name);
    // the digest's own bound at this tolerance; some thousand slopes, each wrong by 1e-11 of its
    // number, and the neighbourhood of the motion does not grow faster than linearly
    EXPECT_LT((end.omega - reference.omega).norm() / reference.omega.norm(), 2e-9) << name;
    EXPECT_LT((end.axis() - reference.axis()).norm(), 2e-9) << name;
    EXPECT_LT((end.centre - reference.centre).norm(), 2e-9 * disk.r) << name;
    EXPECT_NEAR(end.energy, energy, 1e-12) << name;
    if (end.has_spin) {
      EXPECT_LT((end.frame - reference.frame).norm(), 4e-9) << name;
    } else {
      const Matrix3d F = fixed_frame(end.frame, -12.12951722);  // the spin printed
      EXPECT_LT((F - reference.frame).norm(), 4e-8) << name;
    }
  };
  for_each_scheme(disk, [&]<class Scheme>(const char* name, const Scheme& scheme) {
    sizes.push_back(Scheme::size);
    expect_same(end_of(scheme, any_motion, 1), name);
  });
  for (const Engine::Joint joint : {Engine::Joint::angles, Engine::Joint::free}) {
    Engine engine(joint);
    expect_same(end_of(engine, any_motion, 1), "engine");
  }
  EXPECT_EQ(count, 14);
  // section 6.4, I2 corrected
  EXPECT_EQ(sizes, (std::vector<int>{8, 9, 10, 14, 15, 8, 9, 11, 14, 16, 9, 14}));
}

// Not in time, but at once: angular acceleration in the world from every scheme and the engine.
TEST(seed_001_disk_schemes, accelerate_as_the_engine_does_to_rounding) {
  const Disk disk;
  Engine engine(Engine::Joint::free);
  const trammel::State state = engine.start(any_motion);
  std::vector<double> a(6);
  ASSERT_TRUE(trammel::forward_dynamics(engine.model, state, {}, engine.workspace, a).ok());
  const Matrix3d F = following_frame(any_motion.theta, any_motion.phi),
                 D = fixed_frame(F, any_motion.psi);
  // components in D change as the vector does, since w x w = 0
  const Vector3d expected = D * Vector3d(a[0], a[1], a[2]);
  const Vector3d w = rates_in_F(any_motion);
  for_each_scheme(disk, [&]<class Scheme>(const std::string name, const Scheme& scheme) {
    const auto slope = scheme.slope(scheme.start(any_motion));
    Vector3d found = slope.template head<3>();
    if (name == "F1" || name == "D1") {
      const Vector3d second = slope.template segment<3>(3);  // theta'', phi'', psi''
      const double s = std::sin(0.3), c = std::cos(0.3);
      found = Vector3d(-second[0], second[1] * c - 3 * s * 0.5,
                       second[2] + second[1] * s + 3 * c * 0.5);
    }
    // in F: w' + sigma x w, sigma = w without the spin
    if (name[0] == 'F' || name == "D1")
      found = F * (found + (w + Vector3d(0, 0, 8)).cross(w));
    else if (name[0] == 'D')
      found = D * found;
    EXPECT_LT((found - expected).norm(), 1e-12 * expected.norm()) << name;
  });
}

TEST(seed_001_disk_schemes, steady_circles_are_roots_of_the_quartic) {
  shows("S-63");
  const Disk disk;
  // S-T11: tilts to fifteen digits, the degrees of Table 6.1, energies, radii, growth squared
  const double printed[][5] = {
      {0.003798411887897, 0.217633, 0.009825412242, 0.024810079862, 155.3642},
      {0.017526349572357, 1.004186, 0.009889073737, 0.035234838495, 149.7547},
      {0.106461208839990, 6.099778, 0.010260462281, 0.038734608160, 110.1989},
      {0.409544272016795, 23.465159, 0.010527804053, 0.027486266884, -49.5234}};
  for (int k = 0; k < 4; ++k) {
    const double p = cases[k].phi_rate, s = cases[k].psi_rate;
    // x = tan(theta/2): x^4 + gamma x^3 - delta x - 1 = 0, as eigenvalues of its companion
    const double inertia = 5 * p / (3 * s), weight = 4 * disk.g / (3 * p * s * disk.r);
    Eigen::Matrix4d companion = Eigen::Matrix4d::Zero();
    companion.row(0) << -(inertia - weight), 0, inertia + weight, 1;
    companion.bottomLeftCorner<3, 3>().setIdentity();
    int real = 0;
    double theta = 10;
    for (const std::complex<double> x : companion.eigenvalues()) {
      if (std::abs(x.imag()) > 1e-9) continue;
      ++real;
      if (std::abs(x.real()) < 1) theta = 2 * std::atan(x.real());  // within 90 degrees
    }
    EXPECT_EQ(real, 2);
    const Start start = steady_start(disk, p, s);
    // eigenvalues of a companion with entries of some hundred
    EXPECT_NEAR(theta, start.theta, 1e-13);
    EXPECT_NEAR(start.theta, printed[k][0], 1e-15);
    EXPECT_NEAR(start.theta * 180 / pi, printed[k][1], 5e-7);
    const ByEulerAngles<false> scheme{disk};
    EXPECT_NEAR(scheme.seen(scheme.start(start)).energy, printed[k][2], 1e-12);
    EXPECT_NEAR(Circle(disk, start).radius, printed[k][3], 1e-12);
    EXPECT_NEAR(growth(disk, start), printed[k][4], 1e-4);

    // and in every scheme and the engine it stays what it is: nothing changes but the place
    for_each_scheme(disk, [&]<class Scheme>(const char* name, const Scheme& any) {
      const Seen after = end_of(any, start, 0.1);
      EXPECT_NEAR(tilt(after), start.theta, 1e-11) << name << cases[k].name;
      EXPECT_LT(Circle(disk, start).missed(after.centre), 1e-9) << name << cases[k].name;
    });
    Engine engine(Engine::Joint::angles);
    const Seen after = end_of(engine, start, 0.1);
    EXPECT_NEAR(tilt(after), start.theta, 1e-11);
    EXPECT_LT(Circle(disk, start).missed(after.centre), 1e-9);
  }
  // which way it leans: against precession and spin of the same sign
  EXPECT_NEAR(steady_tilt(disk, 9.6, 9.1), -steady_tilt(disk, 9.6, -9.1), 1e-15);
}

// Unstable circles are judged by how fast a small push grows, and by energy: where the disk goes
// afterwards is the push's business, not the scheme's.
template <class Run> void expect_growth(const Run& run, const std::string& name) {
  const Disk disk;
  const Start circle = steady_start(disk, cases[0].phi_rate, cases[0].psi_rate);
  Start pushed = circle;
  pushed.theta += 1e-6;
  const double early = std::abs(tilt(run(pushed, 0.4)) - circle.theta),
               late = std::abs(tilt(run(pushed, 0.6)) - circle.theta);
  // linear in the push to 1 % while it is below 2e-3
  EXPECT_NEAR(std::log(late / early) / 0.2, std::sqrt(growth(disk, circle)), 0.01 * 12.46) << name;
}

TEST(seed_001_disk_schemes, protocol_of_accuracy) {
  shows("S-64");
  const Disk disk;
  const Start A = steady_start(disk, cases[0].phi_rate, cases[0].psi_rate);
  const Start D = steady_start(disk, cases[3].phi_rate, cases[3].psi_rate);
  Start nodding = D;
  nodding.theta += 1e-4;
  const double period = 2 * pi / std::sqrt(-growth(disk, D));
  EXPECT_NEAR(period, 0.893, 5e-4);  // printed

  const auto expect_all = [&](const auto& run, const std::string& name) {
    expect_growth(run, name);
    // D is stable: for 70 s on its circle
    EXPECT_NEAR(tilt(run(D, 70)), D.theta, 1e-9) << name;
    // and nods: half a period later on the other side of where it nods about, as far from it
    const double there = tilt(run(nodding, period / 2)), back = tilt(run(nodding, period));
    EXPECT_NEAR(back, nodding.theta, 0.01 * 2e-4) << name;
    EXPECT_GT(std::abs(there - nodding.theta), 1e-4) << name;
    // energy over 2.1 s, the time in which all are still on their circles
    for (const Start& start : {A, D})
      EXPECT_NEAR(run(start, 2.1).energy, run(start, 0.001).energy, 1e-12) << name;
  };
  for_each_scheme(disk, [&](const char* name, const auto& scheme) {
    expect_all([&](const Start& start, double time) { return end_of(scheme, start, time); }, name);
  });
  Engine engine(Engine::Joint::free);
  expect_all([&](const Start& start, double time) { return end_of(engine, start, time); },
             "engine");

  // with the seed's tolerance F2 loses no more than the seed's F2 did, at the moment it tells
  const InFollowingFrame<EulerRodrigues, false> F2{{}, disk};
  const auto lost = [&](const Start& start) {
    return std::abs(end_of(F2, start, 2.653, Tolerance{}).energy - F2.seen(F2.start(start)).energy);
  };
  EXPECT_LT(lost(A), 1.31758e-11);
  EXPECT_LT(lost(D), 7.60834e-9);
}

// Poses to draw: of those that tell the spin.
TEST(seed_001_disk_schemes, poses_are_rotations_and_show_the_spin) {
  shows("S-65");
  const Disk disk;
  Engine engine(Engine::Joint::free);
  for (const double time : {0.0, 0.37, 1.0}) {
    const ByEulerAngles<false> F1{disk};
    auto x = F1.start(any_motion);
    if (time > 0) go(F1, x, time, tight);
    const Matrix3d F = F1.seen(x).frame, D = F * Eigen::AngleAxisd(x[2], Vector3d::UnitZ());
    EXPECT_LT(far_from_orthonormal(D), 1e-15);
    // F follows the disk but does not spin with it: f1 stays level
    EXPECT_NEAR(F(2, 0), 0, 1e-15);
    if (time > 0) EXPECT_GT((F - D).norm(), 0.1);
    int with_spin = 0;
    const auto expect_pose = [&](const Seen& now, double orthonormal, const std::string& name) {
      // steps keep a rotation to their tolerance, not better; 1e-11 a step, some hundred steps
      EXPECT_LT(far_from_orthonormal(now.frame), orthonormal) << name;
      EXPECT_GT(now.frame.determinant(), 0.5) << name;
      EXPECT_LT((now.frame - (now.has_spin ? D : F)).norm(), 4e-9) << name;
      with_spin += now.has_spin ? 1 : 0;
    };
    for_each_scheme(disk, [&](const char* name, const auto& scheme) {
      expect_pose(
          time > 0 ? end_of(scheme, any_motion, time) : scheme.seen(scheme.start(any_motion)), 2e-9,
          name);
    });
    trammel::State state = engine.start(any_motion);
    if (time > 0) engine.go(state, time, tight, [](double, const auto&) { return true; });
    expect_pose(engine.seen(state), 4e-15, "engine");  // rounding alone
    EXPECT_EQ(with_spin, 8);                           // D1 to D5, I1, I2, the engine
  }
}

// A frame that turns about a fixed axis at a constant rate: the attitude is known, Q = exp(t axis
// x).
template <class Attitude_> struct Turning {
  using Attitude = Attitude_;
  static constexpr int size = Attitude::size;
  using State = typename Attitude::Numbers;
  State slope(const State& x) const { return Attitude::rate(x, axis); }
  Vector3d axis = Vector3d(0.6, 0, 0.8);
};
template <class Attitude> struct AfterTurn {
  explicit AfterTurn(double angle, const Tolerance& tolerance = {1e-8, 1e-10, 0.1}) {
    const Turning<Attitude> turning;
    typename Attitude::Numbers x = Attitude::from(Matrix3d::Identity());
    go(turning, x, angle, tolerance);
    const Matrix3d exact = Eigen::AngleAxisd(angle, turning.axis).toRotationMatrix();
    error = (Attitude::matrix(x) - exact).norm();
    drift = Attitude::drift(x);
    orthonormal = far_from_orthonormal(Attitude::matrix(x));
  }
  double error, drift, orthonormal;
};

TEST(seed_001_disk_schemes, attitudes_drift_and_have_singular_places) {
  shows("S-61");
  // rates in the world and within agree: Q' = (sigma x) Q = Q (Q^T sigma x)
  const Matrix3d Q = following_frame(0.3, 0.2);
  const Vector3d sigma(0.3, -2, 1.1);
  const auto expect_rates = [&]<class Attitude>(Attitude) {
    const auto x = Attitude::from(Q);
    EXPECT_LT((Attitude::matrix(x) - Q).norm(), 1e-15) << Attitude::name;
    EXPECT_LT((Attitude::rate(x, sigma) - Attitude::rate_within(x, Q.transpose() * sigma)).norm(),
              1e-15)
        << Attitude::name;
    // the numbers after a moment are those of the turned matrix; error of the second order
    const double moment = 1e-5;
    const Matrix3d later =
        Eigen::AngleAxisd(moment * sigma.norm(), sigma.normalized()).toRotationMatrix() * Q;
    EXPECT_LT((Attitude::from(later) - x - moment * Attitude::rate(x, sigma)).norm(), 1e-9)
        << Attitude::name;
  };
  expect_rates(EulerRodrigues());
  expect_rates(RotationMatrix());
  expect_rates(LinearInvariants());

  // ten turns: all but the linear invariants know where they are, to the tolerance; what should
  // stay drifts with it, and a unit is a rotation whatever the steps did
  const double turns = 20 * pi + 1;
  for (const double tolerance : {1e-5, 1e-8}) {
    const Tolerance steps{tolerance, tolerance / 100, 0.5};
    const AfterTurn<EulerRodrigues> parameters(turns, steps);
    const AfterTurn<UnitEulerRodrigues> unit(turns, steps);
    const AfterTurn<RotationMatrix> matrix(turns, steps);
    EXPECT_LT(parameters.error, 1e3 * tolerance);
    EXPECT_LT(matrix.error, 1e3 * tolerance);
    EXPECT_LT(unit.error, 1e3 * tolerance);
    EXPECT_GT(parameters.drift, 1e-3 * tolerance);
    EXPECT_GT(matrix.drift, 1e-3 * tolerance);
    EXPECT_GT(parameters.orthonormal, 1e-3 * tolerance);
    EXPECT_LT(unit.orthonormal, 2e-15);
  }
  // linear invariants: good before half a turn, lost beyond
  EXPECT_LT(AfterTurn<LinearInvariants>(0.9 * pi).error, 1e-5);
  const double beyond = AfterTurn<LinearInvariants>(1.1 * pi).error;
  EXPECT_TRUE(beyond > 1e-2 || std::isnan(beyond)) << beyond;
  EXPECT_LT(AfterTurn<EulerRodrigues>(1.1 * pi).error, 1e-5);

  // a disk that lies flat does not roll: rates grow without bound as it comes near in every scheme,
  // and the engine says so
  const Disk disk;
  for_each_scheme(disk, [&]<class Scheme>(const char* name, const Scheme& scheme) {
    const auto rate_at = [&](double from_flat) {
      const Start start{pi / 2 - from_flat, 0.2, 0.4, 0.5, 0.3, -8};
      return scheme.slope(scheme.start(start)).norm();
    };
    EXPECT_GT(rate_at(1e-6), 1e2 * rate_at(1e-3)) << name;
  });
  Engine engine(Engine::Joint::free);
  trammel::State flat = trammel::neutral_state(engine.model);
  std::vector<double> a(6);
  EXPECT_EQ(trammel::forward_dynamics(engine.model, flat, {}, engine.workspace, a).message(),
            "forward_dynamics: wheel 'rim' lies flat on its floor and cannot roll: raise it");
}

}  // namespace
}  // namespace rolling_disk
