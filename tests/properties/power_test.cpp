// Power balance: in every sample of every model of the gallery the rate of energy is the power of
// the drives minus the losses; integrated over time, the stored power is the change of energy.
#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/read/gallery.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel::power_test {
namespace {

struct Recorded {
  Recorded(MotionOf& motion, double duration, double sample, const std::string& quantity)
      : recorder(motion.model, motion.run_inputs, {quantity, "energy"}) {
    RunOptions options = MotionOf::precise();
    options.duration = duration;
    options.sample = sample;
    const Status status = simulate(
        motion.model, motion.state, motion.run_inputs, options, motion.workspace,
        [&](const State& seen) {
          motion.samples.push_back(seen);
          return recorder.observe(seen, motion.workspace);
        },
        motion.statistics);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  std::vector<double> operator[](const char* column) const {
    return recorder.recording().column(column);
  }
  Recorder recorder;
};

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

class EveryPoweredModel : public testing::TestWithParam<std::string> {};
std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const GalleryModel& model : gallery()) list.emplace_back(model.name);
  return list;
}
INSTANTIATE_TEST_SUITE_P(gallery, EveryPoweredModel, testing::ValuesIn(names()),
                         [](const auto& tested) { return tested.param; });

TEST_P(EveryPoweredModel, accounts_for_every_watt) {
  Description description = load_model("@" + GetParam()).description();
  for (JointDescription& joint :
       description.joints)  // joints without prescribed motion are released
    if (joint.options.drive == Drive::motion &&
        std::ranges::none_of(description.inputs, [&](const InputDescription& input) {
          return input.joint == joint.name;
        }))
      joint.options.drive = Drive::none;
  MotionOf motion(build_model(description));
  const Recorded seen(motion, 0.1, 0.01, "power");
  const double scale = 1 + largest(seen["power.stored"]) + largest(seen["power.drives"]) +
                       largest(seen["power.losses"]) + largest(seen["energy.kinetic"]) +
                       largest(seen["energy.elastic"]);
  // fourth-order differences measure springs in loops to 1e-10; the rest is rounding, multiplied by
  // the condition of the inertia
  EXPECT_LT(largest(seen["power.residual"]), 1e-9 * scale);
  for (const double lost : seen["power.losses"]) EXPECT_LT(lost, 1e-9 * scale);
}

// Closed forms: a rod of 1 kg, 0.8 m with a damper, a motor and a force at its tip.
TEST(power, of_a_pendulum_is_what_its_formulas_say) {
  Description description = load_model("@pendulum").description();
  description.joints[0].options.damping = {0.3};
  description.joints[0].options.stiffness = {2.0};
  MotionOf motion(build_model(description));
  motion.run_inputs.add_effort(0, Signal::sine(2, 1.5, 0.3, 0.5));
  motion.run_inputs.add_wrench({frame_ref(motion.model, "tip"), {{}, {0, 0, 0.7}}});
  const Recorded seen(motion, 1, 0.05, "power");
  const std::vector<double> stored = seen["power.stored"], run_inputs = seen["power.drives"],
                            losses = seen["power.losses"];
  const double inertia = 0.8 * 0.8 / 3;
  for (std::size_t k = 0; k < motion.samples.size(); ++k) {
    const State& state = motion.samples[k];
    const double q = state.q[0], v = state.v[0];
    const double effort = 0.5 + 2 * std::sin(2 * std::numbers::pi * 1.5 * state.time + 0.3);
    const double tip = -0.8 * std::cos(q) * v;  // it sinks as the angle grows
    EXPECT_NEAR(run_inputs[k], effort * v + 0.7 * tip, 1e-11);
    EXPECT_NEAR(losses[k], -0.3 * v * v, 1e-11);
    const double a =
        (effort - 0.3 * v - 2 * q + 9.81 * 0.4 * std::cos(q) - 0.7 * 0.8 * std::cos(q)) / inertia;
    EXPECT_NEAR(stored[k], inertia * v * a + 2 * q * v - 9.81 * 0.4 * std::cos(q) * v, 1e-10);
  }
}

// The integral of the stored power is the change of energy: Simpson's rule on fine samples.
TEST(power, adds_up_to_the_change_of_energy) {
  for (const char* name : {"me_3b", "me_2b", "four_bar", "e_05"}) {
    MotionOf motion(name);
    const double step = 1e-3;
    const Recorded seen(motion, 0.4, step, "power");
    const std::vector<double> stored = seen["power.stored"], total = seen["energy.total"];
    ASSERT_EQ(stored.size() % 2, 1u);
    double sum = 0;
    for (std::size_t k = 0; k + 2 < stored.size(); k += 2)
      sum += step / 3 * (stored[k] + 4 * stored[k + 1] + stored[k + 2]);
    // the error of the rule is step^4 times fourth derivatives, that of the run 1e-11 per step
    EXPECT_NEAR(sum, total.back() - total.front(), 1e-8 * (1 + largest(stored))) << name;
  }
}

// Recorded efforts times speeds are the power of the drives, for every kind of drive: a crank with
// prescribed motion in a loop, an arm with prescribed motion and an external wrench, torques in
// loops.
TEST(power, of_the_drives_is_that_of_the_recorded_efforts) {
  for (const char* name : {"crank_rocker", "four_bar", "me_3_led", "geared_arm"}) {
    MotionOf motion(name);
    if (motion.model.loop_nv() > 0) motion.run_inputs.add_loop_effort(0, Signal::constant(0.5));
    Recorder recorder(motion.model, motion.run_inputs,
                      {"power.drives", "efforts", "velocities", "loops"});
    RunOptions options = motion.precise();
    options.duration = 0.5;
    options.sample = 0.05;
    const Status status = simulate(
        motion.model, motion.state, motion.run_inputs, options, motion.workspace,
        [&](const RunSnapshot& seen) { return recorder.observe(seen); }, motion.statistics);
    ASSERT_TRUE(status.ok()) << name << ": " << status.message();
    const Recording& seen = recorder.recording();
    double largest = 0;
    for (std::size_t k = 0; k < seen.samples(); ++k) {
      double sum = 0;
      for (const Column& column : seen.columns) {
        if (!column.name.starts_with("tau.")) continue;
        const std::string joint = column.name.substr(4);
        const bool is_loop = std::ranges::any_of(
            seen.columns, [&](const Column& c) { return c.name == "loop.v." + joint; });
        sum += seen.column(column.name)[k] * seen.column((is_loop ? "loop.v." : "v.") + joint)[k];
      }
      largest = std::max(largest, std::abs(sum));
      EXPECT_NEAR(sum, seen.column("power.drives")[k], 1e-11 * (1 + largest)) << name;
    }
    EXPECT_GT(largest, 1e-3) << name;
  }
}

// The power of a prescribed motion is its effort times its speed, also through loops.
TEST(power, of_a_prescribed_motion_is_effort_times_speed) {
  Description description("cart");
  description.body("cart", {.mass = 2.0});
  description.joint("rail", JointKind::prismatic, "ground", "cart",
                    {.axis = {1.0, 0.0, 0.0}, .drive = Drive::motion, .damping = {3.0}});
  MotionOf motion(build_model(description));
  const Signal plan = Signal::rest_to_rest(0, 0.5, 0, 1);
  motion.run_inputs.prescribe(0, plan);
  const Recorded seen(motion, 1, 0.1, "power");
  for (std::size_t k = 0; k < motion.samples.size(); ++k) {
    const Signal::Value now = plan.at(motion.samples[k].time);
    EXPECT_NEAR(seen["power.drives"][k], (2 * now.acceleration + 3 * now.rate) * now.rate, 1e-12);
    EXPECT_NEAR(seen["power.losses"][k], -3 * now.rate * now.rate, 1e-12);
  }
}

// Same for a loop joint: the power of its effort is the stored power.
TEST(power, of_a_prescribed_loop_joint_is_all_that_is_stored) {
  Description description = load_model("@four_bar").description();
  for (JointDescription& joint : description.joints) {
    joint.options.drive = joint.name == "wrist" ? Drive::motion : Drive::none;
    joint.options.cut = joint.name == "wrist";
  }
  MotionOf motion(build_model(description));
  LoopMotion start;
  ASSERT_TRUE(loop_motion(motion.model, motion.state, motion.workspace, start).ok());
  motion.run_inputs.prescribe_loop(0, Signal::rest_to_rest(start.q[0], start.q[0] + 0.2, 0, 0.5));
  const Recorded seen(motion, 0.5, 0.05, "power");
  EXPECT_GT(largest(seen["power.drives"]), 0.1);
  EXPECT_LT(largest(seen["power.residual"]), 1e-9);
  EXPECT_LT(largest(seen["power.losses"]), 1e-9);
}

// A spring without a damper loses nothing; without drives no energy is stored or lost at all, also
// if no coordinate of the tree measures the spring because it is in the loop joint.
TEST(power, of_a_spring_in_a_loop_joint_is_stored_not_lost) {
  Description description = load_model("@four_bar").description();
  for (JointDescription& joint : description.joints)
    if (joint.name == "wrist") joint.options.stiffness = {3.0};
  MotionOf motion(build_model(description));
  const Recorded seen(motion, 0.5, 0.05, "power");
  const std::vector<double> kinetic = seen["energy.kinetic"], elastic = seen["energy.elastic"];
  EXPECT_GT(largest(kinetic), 0.1);  // it moves, and the spring with it
  EXPECT_GT(std::abs(elastic.back() - elastic.front()), 1e-3);
  // fourth-order differences measure springs in loops to 1e-10 W
  EXPECT_LT(largest(seen["power.stored"]), 1e-9);
  EXPECT_LT(largest(seen["power.losses"]), 1e-9);
}

// A ball on an elastic floor without dissipation: m a = k d^(3/2) - m g, so the floor returns all
// the energy it takes, in compression and in restitution.
TEST(power, of_a_floor_without_dissipation_is_stored_not_lost) {
  Description description("ball");
  description.body("ball", {.mass = 2.0});
  description.joint("z", JointKind::prismatic, "ground", "ball", {.axis = {0.0, 0.0, 1.0}});
  description.frame("floor", "ground", {});
  ContactDescription foot;
  foot.name = "foot";
  foot.body = "ball";
  foot.on = "floor";
  foot.radius = 0.05;
  foot.stiffness = 1e5;
  description.contacts.push_back(foot);
  const Model model = build_model(description);
  Workspace workspace(model);
  SimulationInputs run_inputs(model);
  for (const double speed : {0.3, -0.3}) {
    Recorder recorder(model, run_inputs, {"power"});
    const Status status =
        recorder.observe(State{0, {0.04}, {speed}, {}, {}}, workspace);  // 1 cm deep
    ASSERT_TRUE(status.ok()) << status.message();
    const Recording& seen = recorder.recording();
    // of k d^(3/2) |v| = 30 W
    EXPECT_NEAR(seen.column("power.stored")[0], 0, 1e-8) << speed;
    EXPECT_NEAR(seen.column("power.losses")[0], 0, 1e-8) << speed;
  }
}

// Two uncoupled carts of 1 kg and 9 kg.
TEST(condition, of_two_carts_is_the_ratio_of_their_masses) {
  Description description("carts");
  description.body("light", {.mass = 1.0});
  description.body("heavy", {.mass = 9.0});
  for (const char* name : {"light", "heavy"})
    description.joint(std::string("rail of ") + name, JointKind::prismatic, "ground", name,
                      {.axis = {1.0, 0.0, 0.0}});
  MotionOf motion(build_model(description));
  const Recorded seen(motion, 0.1, 0.1, "condition");
  EXPECT_NEAR(seen["condition.inertia"][0], 9, 1e-13);
  EXPECT_EQ(seen["condition.rows"][0], 1);
}

// The condition number does not change if the mechanism is scaled by a thousand.
TEST(condition, does_not_depend_on_the_unit_of_length) {
  double found[2];
  for (int k = 0; k < 2; ++k) {
    const double size = k == 0 ? 1 : 1000;
    Description description("cart");
    description.gravity = {0.0, 0.0, 0.0};
    description.body("cart", {.mass = 2.0});
    const Expr turning = 0.1 * size * size;
    description.body("rod", {.mass = 1.0,
                             .com = {0.0, 0.0, -0.5 * size},
                             .inertia = {turning, 0.0, 0.0, turning, 0.0, 0.0}});
    description.joint("rail", JointKind::prismatic, "ground", "cart", {.axis = {1.0, 0.0, 0.0}});
    description.joint("pivot", JointKind::revolute, "cart", "rod",
                      {.at = {.xyz = {0.0, 0.0, 0.2 * size}}, .axis = {0.0, 1.0, 0.0}});
    MotionOf motion(build_model(description));
    const double length = motion.model.characteristic_length();
    const Recorded seen(motion, 0.1, 0.1, "condition");
    found[k] = seen["condition.inertia"][0];
    // by hand: [[3 l^2, m h l], [m h l, I + m h^2]], the signs do not matter
    const double a = 3 * length * length, b = -0.5 * size * length, d = (0.1 + 0.25) * size * size;
    const double mean = (a + d) / 2, off = std::hypot((a - d) / 2, b);
    EXPECT_NEAR(found[k], (mean + off) / (mean - off), 1e-11 * found[k]);
  }
  EXPECT_NEAR(found[0], found[1], 1e-11 * found[0]);
}

// A parallelogram near its flat pose, at which the mobility increases.
TEST(condition, of_rows_grows_toward_a_singular_pose) {
  Description description("parallelogram");
  for (const char* body : {"left", "top", "right"})
    description.body(body, {.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  description.joint("a", JointKind::revolute, "ground", "left");
  description.joint("b", JointKind::revolute, "left", "top", {.at = {.xyz = {0.5, 0.0, 0.0}}});
  description.joint("d", JointKind::revolute, "ground", "right", {.at = {.xyz = {1.0, 0.0, 0.0}}});
  description.joint(
      "c", JointKind::revolute, "top", "right",
      {.at = {.xyz = {1.0, 0.0, 0.0}}, .child_at = {.xyz = {0.5, 0.0, 0.0}}, .cut = true});
  const Model model = build_model(description);
  Workspace workspace(model);
  SimulationInputs run_inputs(model);
  double before = 0;
  for (const double angle : {1.0, 0.1, 0.01, 0.001}) {
    Recorder recorder(model, run_inputs, {"condition"});
    const State state{0, {angle, -angle, angle}, {0, 0, 0}, {}, {}};
    const Status status = recorder.observe(state, workspace);
    ASSERT_TRUE(status.ok()) << status.message();
    const double rows = recorder.recording().at(0, 1);
    if (angle < 0.05) {  // proportional to 1 / angle
      EXPECT_NEAR(rows / before, 10, 0.5) << angle;
    }
    before = rows;
    EXPECT_EQ(recorder.recording().at(0, 2), 1);  // mobility 1
  }
}

}  // namespace
}  // namespace trammel::power_test
