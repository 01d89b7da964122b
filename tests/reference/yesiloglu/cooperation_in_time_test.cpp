// Simulations of [Yesiloglu 2007]: arms that grasp one payload. E-02, on a flying platform; E-03, a
// parallelogram as two arms; E-04, deficient arms that cannot move their payload.
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/constraint/forces/locked_joints.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::cooperation_in_time_test {
namespace {

int dof(const Model& model, const std::string& joint) {
  return model[*model.find_joint(joint)].v_start;
}

// Integrals over equidistant samples by Boole's rule, of order six.
class Integral {
 public:
  explicit Integral(std::size_t intervals, double step) : intervals_(intervals), step_(step) {
    EXPECT_EQ(intervals % 4, 0u);
  }
  double weight(std::size_t k) const {
    const double share = k == 0 || k == intervals_ ? 7 : k % 2 == 1 ? 32 : k % 4 == 2 ? 12 : 14;
    return 2 * step_ / 45 * share;
  }

 private:
  std::size_t intervals_;
  double step_;
};

// E-02 has no published numbers; properties: momentum, energy, and that the wrenches of both hands
// on the payload give its motion.
TEST(yesiloglu_cooperation_in_time, two_arms_on_a_platform_turn_their_payload) {
  MotionOf motion("e_02");
  for (int arm = 1; arm <= 2; ++arm)
    for (int k = 1; k <= 6; ++k)
      motion.run_inputs.add_effort(
          dof(motion.model, "arm" + std::to_string(arm) + "_joint" + std::to_string(k)),
          Signal::sine(arm == 1 ? 2 : -1.5, 0.3 + 0.1 * k, k, 0));
  // every sample is the end of a step: no dense output
  const std::size_t n = 400;
  const double step = 1.0 / n;
  std::vector<State> samples = {motion.state};
  for (std::size_t k = 1; k <= n; ++k) samples.push_back(motion.at(double(k) * step));
  const Integral over(n, step);

  // momentum of the payload about the origin of ground: 10 kg, its frame at its center of mass
  const auto payload = [&](const State& seen) {
    Kinematics moving(motion.model);
    EXPECT_TRUE(kinematics(motion.model, seen, {}, motion.workspace, moving).ok());
    const FrameRef place = frame_ref(motion.model, "object");
    const Pose<double> X = pose(motion.model, moving, place);
    const Motion<double> V = velocity(motion.model, moving, place, Axes::body);
    const Vec3<double> spin{0.2 * V.angular.x, 0.3 * V.angular.y, 0.25 * V.angular.z},
        linear = 10.0 * (X.R * V.linear);
    return Momentum{X.R * spin + cross(X.p, linear), linear};
  };
  Momentum first, now;
  ASSERT_TRUE(momentum(motion.model, samples[0], motion.workspace, first).ok());
  EXPECT_GT(norm(first.linear), 0.1);
  Vec3<double> push{}, turn{};
  double work = 0;
  SimulationInputs::Acting acting(motion.model);
  for (std::size_t k = 0; k <= n; ++k) {
    const State& seen = samples[k];
    ASSERT_TRUE(momentum(motion.model, seen, motion.workspace, now).ok());
    EXPECT_LT(norm(now.linear - first.linear) + norm(now.angular - first.angular), 1e-9);
    motion.run_inputs.evaluate(seen, acting);
    for (std::size_t f = 0; f < seen.v.size(); ++f)
      work += over.weight(k) * acting.tau[f] * seen.v[f];
    UniqueReactions carried;
    ASSERT_TRUE(constrained_reactions(motion.model, seen, motion.run_inputs.inputs(acting),
                                      motion.workspace, carried)
                    .ok());
    Kinematics moving(motion.model);
    ASSERT_TRUE(kinematics(motion.model, seen, {}, motion.workspace, moving).ok());
    for (const char* grip : {"grip1", "grip2"}) {
      const JointId id = *motion.model.find_joint(grip);
      const Pose<double> X =
          pose(motion.model, moving, {motion.model[id].child, motion.model[id].X_CM});
      const Force<double>& F = carried.force[std::size_t(index(id))];
      const Vec3<double> force = X.R * F.force;
      push = push + over.weight(k) * force;
      turn = turn + over.weight(k) * (X.R * F.moment + cross(X.p, force));
    }
  }
  // Simpson's rule would have errors of 1e-7; Boole's leaves the error of the steps
  const Momentum before = payload(samples[0]), after = payload(samples[n]);
  EXPECT_GT(norm(after.linear - before.linear), 0.1);
  EXPECT_LT(norm(after.linear - before.linear - push), 1e-8);
  EXPECT_LT(norm(after.angular - before.angular - turn), 1e-8);
  Energy early, late;
  ASSERT_TRUE(energy(motion.model, samples[0], motion.workspace, early).ok());
  ASSERT_TRUE(energy(motion.model, samples[n], motion.workspace, late).ok());
  EXPECT_GT(std::abs(work), 0.1);
  EXPECT_NEAR(late.total() - early.total(), work, 1e-8);
  EXPECT_LT(motion.largest_violation().position, 1e-12);
}

// E-03, with any torque on the left crank.
struct Parallelogram : MotionOf {
  Parallelogram(double angle, double rate, double torque) : MotionOf(undriven()) {
    for (const char* joint : {"left", "right", "left_pin"}) {
      const double sign = std::string(joint) == "left_pin" ? -1 : 1;
      state.q[std::size_t(model[*model.find_joint(joint)].q_start)] = sign * angle;
      state.v[std::size_t(dof(model, joint))] = sign * rate;
    }
    run_inputs.add_effort(dof(model, "left"), Signal::constant(torque));
  }
  static Model undriven() {
    Description description = load_model("@e_03").description();
    description.inputs.clear();
    return build_model(description);
  }
};
const double g = 9.81, degree = std::numbers::pi / 180;

// Cranks of 1 kg and 1 m, a coupler of 2 kg: (2/3 + 2) theta'' = tau - (1 + 2) g cos(theta).
double crank_acceleration(double angle, double torque) {
  return (torque - 3 * g * std::cos(angle)) / (8.0 / 3);
}
// Axial force in the middle of the cranks, by Newton-Euler: the coupler does not turn, so both push
// it up with the same force; the horizontal forces follow from the rotation of each crank.
struct InTheCranks {
  double left, right;
};
InTheCranks newton_euler(double angle, double rate, double torque) {
  const double c = std::cos(angle), s = std::sin(angle), w2 = rate * rate,
               a = crank_acceleration(angle, torque);
  const double up = c * a - s * w2 + g;  // on each end, half of the 2 kg of the coupler
  const auto along = [&](double tau) {
    const double aside = (c * up - (tau - g / 2 * c - a / 3)) / s;
    return 0.5 * (g * s - 0.75 * w2) + c * aside + s * up;  // with the outer half of the crank
  };
  return {along(torque), along(0)};
}

void expect_carried(Parallelogram& bars, double torque) {
  ASSERT_GT(bars.samples.size(), 10u);
  SimulationInputs::Acting acting(bars.model);
  for (const State& seen : bars.samples) {
    const double angle = seen.q[std::size_t(bars.model[*bars.model.find_joint("left")].q_start)],
                 rate = seen.v[std::size_t(dof(bars.model, "left"))];
    bars.run_inputs.evaluate(seen, acting);
    LockedJoints held;
    ASSERT_TRUE(
        locked_joints(bars.model, seen, bars.run_inputs.inputs(acting), bars.workspace, held).ok());
    ASSERT_EQ(held.dofs,
              (std::vector<int>{dof(bars.model, "left_middle"), dof(bars.model, "right_middle")}));
    const InTheCranks expected = newton_euler(angle, rate, torque);
    EXPECT_NEAR(held.effort[0], expected.left, 1e-9) << seen.time;
    EXPECT_NEAR(held.effort[1], expected.right, 1e-9) << seen.time;
    for (const char* slide : {"left_middle", "right_middle"})
      EXPECT_EQ(seen.q[std::size_t(bars.model[*bars.model.find_joint(slide)].q_start)], 0);
  }
}

TEST(yesiloglu_cooperation_in_time, the_parallelogram_swings_with_its_period) {
  Parallelogram bars(-30 * degree, 0, 0);
  const double period = 2.029749701;  // nine decimals: 5e-10 s
  bars.at(period / 4);                // straight down, the fastest: 8/3 w^2 / 2 = 3 g (1 - sin 30)
  EXPECT_NEAR(bars.q("left"), -90 * degree, 2e-9);
  EXPECT_NEAR(bars.v("left"), -std::sqrt(2 * 3 * g * 0.5 / (8.0 / 3)), 2e-9);
  bars.at(period / 2);
  EXPECT_NEAR(bars.q("left"), -150 * degree, 1e-9);
  bars.at(period);
  EXPECT_NEAR(bars.q("left"), -30 * degree, 1e-9);
  EXPECT_NEAR(bars.v("left"), 0, 2e-8);  // turning point, with 9.6 rad/s^2
  EXPECT_LT(bars.energy_change(), 1e-9);
  EXPECT_LT(bars.largest_violation().position, 1e-12);
  expect_carried(bars, 0);

  // small amplitudes: the period grows by 1/16 of the square of the amplitude
  const double small = 1e-3, short_period = 1.891337805;
  Parallelogram little(-90 * degree + small, 0, 0);
  little.at(short_period * (1 + small * small / 16));
  EXPECT_NEAR(little.q("left"), -90 * degree + small, 1e-10);
  EXPECT_NEAR(little.v("left"), 0, 1e-10);  // 0.011 rad/s^2 times the error of the period
}

TEST(yesiloglu_cooperation_in_time, the_driven_parallelogram_follows_its_closed_form) {
  const double torque = 5;
  Parallelogram bars(50 * degree, 1.3, torque);
  RunOptions options = MotionOf::precise();
  options.sample = 0.02;
  ASSERT_TRUE(bars.go(0.6, options).ok());
  ASSERT_EQ(bars.samples.size(), 31u);
  // the classical Runge-Kutta method, with an error far below 1e-10
  double angle = 50 * degree, rate = 1.3;
  const int n = 200;
  const double h = options.sample / n;
  for (const State& seen : bars.samples) {
    EXPECT_NEAR(seen.q[std::size_t(dof(bars.model, "left"))], angle, 1e-9) << seen.time;
    EXPECT_NEAR(seen.v[std::size_t(dof(bars.model, "right"))], rate, 1e-9) << seen.time;
    for (int k = 0; k < n; ++k) {
      const double a1 = crank_acceleration(angle, torque), w2 = rate + h / 2 * a1,
                   a2 = crank_acceleration(angle + h / 2 * rate, torque), w3 = rate + h / 2 * a2,
                   a3 = crank_acceleration(angle + h / 2 * w2, torque), w4 = rate + h * a3,
                   a4 = crank_acceleration(angle + h * w3, torque);
      angle += h / 6 * (rate + 2 * w2 + 2 * w3 + w4);
      rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
  }
  expect_carried(bars, torque);
  // printed numbers at the start
  const InTheCranks start = newton_euler(50 * degree, 1.3, torque);
  EXPECT_NEAR(start.left, 6.8508449, 6e-8);
  EXPECT_NEAR(start.right, 11.04634306, 6e-9);
}

TEST(yesiloglu_cooperation_in_time, deficient_arms_on_ground_stay_where_they_are) {
  MotionOf motion("e_04");
  const std::vector<double> start = motion.state.q;
  int k = 0;
  for (const char* joint : {"left1", "left2", "right1", "right2"})
    motion.run_inputs.add_effort(dof(motion.model, joint), Signal::sine(10, 1, ++k, 0));
  RunOptions options;
  options.sample = 0.05;
  const Status status = motion.go(2, options);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(motion.statistics.end, 2);
  for (const State& seen : motion.samples) {
    expect_near(seen.q, start, 1e-13, "q");
    expect_near(seen.v, std::vector<double>(4), 1e-13, "v");
  }
}

// The same arms on a flying platform are one rigid body, for any motor torques.
TEST(yesiloglu_cooperation_in_time, deficient_arms_in_space_tumble_as_one_body) {
  MotionOf arms("e_04_free");
  // bodies of e_04_free as placed in its file: mass, center of mass, inertia about it
  struct Part {
    double mass;
    Vec3<double> com, inertia;
  };
  const Part parts[] = {
      {20, {0, 0, 0}, {2, 3, 4}},
      {2, {-0.6, 0, 0}, {0.004, 0.06, 0.06}},
      {1, {-0.2, 0, 0}, {0.002, 0.03, 0.03}},
      {2, {0.6, 0, 0}, {0.004, 0.06, 0.06}},
      {1, {0.2, 0, 0}, {0.002, 0.03, 0.03}},
      {3, {0, 0.05, 0.1}, {0.1, 0.12, 0.08}},
  };
  double mass = 0;
  Vec3<double> com{};
  for (const Part& part : parts) mass += part.mass, com = com + part.mass * part.com;
  com = (1 / mass) * com;
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
  for (const auto& [m, p, own] : parts) {
    const Vec3<double> d = p - com;
    xx += own.x + m * (d.y * d.y + d.z * d.z), yy += own.y + m * (d.x * d.x + d.z * d.z);
    zz += own.z + m * (d.x * d.x + d.y * d.y);
    xy -= m * d.x * d.y, xz -= m * d.x * d.z, yz -= m * d.y * d.z;
  }
  Description description("one body");
  description.gravity = {0.0, 0.0, 0.0};
  description.body(
      "whole", {.mass = mass, .com = {com.x, com.y, com.z}, .inertia = {xx, xy, xz, yy, yz, zz}});
  description.joint("float", JointKind::free, "ground", "whole");
  MotionOf whole(build_model(description));

  // about y, nearly: the intermediate axis, so that it tumbles
  const double twist[] = {0.05, 2, 0.02, 0.3, -0.1, 0.2};
  std::copy_n(twist, 6, whole.state.v.begin());
  std::copy_n(twist, 6, arms.state.v.begin() + dof(arms.model, "float"));
  int k = 0;
  for (const char* joint : {"left1", "left2", "right1", "right2"})
    arms.run_inputs.add_effort(dof(arms.model, joint), Signal::sine(5, 1, ++k, 0));
  double highest = -1, lowest = 1;  // of the body's y axis in the world
  for (int moment = 1; moment <= 10; ++moment) {
    arms.at(2 * moment), whole.at(2 * moment);
    for (int i = 0; i < 7; ++i)
      EXPECT_NEAR(arms.q("float", i), whole.state.q[std::size_t(i)], 1e-7) << moment;
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(arms.v("float", i), whole.state.v[std::size_t(i)], 1e-7) << moment;
    for (const char* joint : {"left1", "left2", "right1", "right2"})
      EXPECT_NEAR(arms.q(joint), 0, 1e-12);
    highest = std::max(highest, arms.v("float", 1)), lowest = std::min(lowest, arms.v("float", 1));
  }
  EXPECT_GT(highest, 1);
  EXPECT_LT(lowest, -1);  // it has turned over
  EXPECT_LT(arms.energy_change(), 1e-8);
}

}  // namespace
}  // namespace trammel::cooperation_in_time_test
