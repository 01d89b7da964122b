// A run continued from a checkpoint gives the same numbers, bit for bit.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/simulate/kinematic.hpp"

namespace trammel::checkpoint_test {
namespace {

using Bits = std::vector<std::uint64_t>;
Bits bits_of(const State& state) {
  Bits bits{std::bit_cast<std::uint64_t>(state.time)};
  for (const std::vector<double>* x : {&state.q, &state.v, &state.z})
    for (const double value : *x) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

using Follow = decltype(&simulate);

struct Seen {
  std::vector<Bits> samples;
  std::vector<Checkpoint> checkpoints;      // after every step
  std::vector<std::size_t> samples_before;  // their number before each of them
  RunStatistics statistics;
};

// With its own workspace: the continued run must not need cached data of the first.
Seen run(Follow follow, const Model& model, const RunOptions& options,
         const Checkpoint* from = nullptr) {
  Seen seen;
  Workspace workspace(model);
  SimulationInputs run_inputs(model);
  State state;
  EXPECT_TRUE(assembled_start(model, workspace, state).ok());
  Checkpoints checkpoints{.from = from,
                          .is_due = [] { return true; },
                          .keep =
                              [&](const Checkpoint& now) {
                                seen.checkpoints.push_back(now);
                                seen.samples_before.push_back(seen.samples.size());
                                return Status();
                              }};
  Workspace fresh(model);
  const Status status = follow(
      model, state, run_inputs, options, fresh,
      [&](const State& sample) {
        seen.samples.push_back(bits_of(sample));
        return Status();
      },
      seen.statistics, checkpoints);
  EXPECT_TRUE(status.ok()) << status.message();
  return seen;
}

void expect_all_go_on_the_same(Follow follow, const Model& model, const RunOptions& options) {
  const std::string& name = model.name();
  const Seen whole = run(follow, model, options);
  ASSERT_GT(whole.checkpoints.size(), 3u) << name;
  const std::size_t stride = std::max<std::size_t>(1, whole.checkpoints.size() / 7);
  for (std::size_t k = 0; k < whole.checkpoints.size(); k += stride) {
    const Seen rest = run(follow, model, options, &whole.checkpoints[k]);
    const std::size_t before = whole.samples_before[k];
    ASSERT_EQ(before + rest.samples.size(), whole.samples.size()) << name << ", checkpoint " << k;
    for (std::size_t s = 0; s < rest.samples.size(); ++s)
      ASSERT_EQ(rest.samples[s], whole.samples[before + s]) << name << ", checkpoint " << k;
    EXPECT_EQ(rest.statistics.steps, whole.statistics.steps);
    EXPECT_EQ(rest.statistics.rejected, whole.statistics.rejected);
    EXPECT_EQ(rest.statistics.evaluations, whole.statistics.evaluations);
    EXPECT_EQ(rest.statistics.shortest, whole.statistics.shortest);
    EXPECT_EQ(rest.statistics.longest, whole.statistics.longest);
    EXPECT_EQ(rest.statistics.end, whole.statistics.end);
    EXPECT_EQ(rest.statistics.impacts, whole.statistics.impacts);
    ASSERT_EQ(rest.statistics.events.size(), whole.statistics.events.size()) << name << k;
    for (std::size_t h = 0; h < whole.statistics.events.size(); ++h) {
      EXPECT_EQ(rest.statistics.events[h].time, whole.statistics.events[h].time);
      EXPECT_EQ(rest.statistics.events[h].what, whole.statistics.events[h].what);
    }
  }
}

// A tree, loops, ball joints and a free base, wheels, inputs with breakpoints, friction in a closed
// chain.
TEST(checkpoint, every_method_goes_on_bit_for_bit) {
  for (const std::string name : {"double_pendulum", "four_bar", "e_05", "me_3b", "me_2b"})
    for (const Method method : {Method::dormand_prince, Method::extrapolation, Method::rk4,
                                Method::semi_implicit_euler}) {
      RunOptions options{.duration = 0.5, .method = method, .sample = 0.013};
      if (method == Method::rk4 || method == Method::semi_implicit_euler) options.step = 0.004;
      expect_all_go_on_the_same(simulate, load_model("@" + name), options);
    }
}

// Multistep methods restart now and then, and can be continued there.
TEST(checkpoint, methods_with_a_memory_go_on_bit_for_bit) {
  for (const Method method : {Method::radau, Method::bdf}) {
    if (!method_lacks(method).empty()) continue;  // not in this build
    for (const std::string name : {"double_pendulum", "four_bar"})
      expect_all_go_on_the_same(
          simulate, load_model("@" + name),
          {.duration = 0.85, .method = method, .step = 1e-4, .sample = 0.013});
  }
}

// Stops that are hit, in contact and released, joints that lock and unlock, limits that are
// reported once.
TEST(checkpoint, past_events_are_stored) {
  Description description = load_model("@double_pendulum").description();
  description.joints[0].options.limits.lower = {-1.8};
  description.joints[0].options.limits.upper = {-1.3};
  description.joints[0].options.limits.restitution = {0.5};
  description.joints[1].options.limits.lower = {-0.05};
  description.joints[1].options.limits.upper = {0.05};  // no stops: they are exceeded
  const std::string shoulder = description.joints[0].name, elbow = description.joints[1].name;
  EventDescription lock{.name = "lock"}, free{.name = "free"}, seen{.name = "seen"};
  lock.time = 0.3, lock.lock = {elbow};
  free.time = 0.9, free.unlock = {elbow};
  seen.joint = shoulder, seen.value = -1.5;
  description.events = {lock, free, seen};
  const Model model = build_model(description);
  for (const Method method : {Method::dormand_prince, Method::rk4}) {
    RunOptions options{.duration = 2, .method = method, .sample = 0.05};
    options.step = method == Method::rk4 ? 0.002 : 0.02;
    expect_all_go_on_the_same(simulate, model, options);
    const Seen whole = run(simulate, model, options);
    EXPECT_GT(whole.statistics.impacts, 0);
    EXPECT_GT(whole.statistics.events.size(), 4u);
  }
}

// A block rests on the threshold of an event until a force takes it away: no crossing, nor after a
// checkpoint on the threshold.
TEST(checkpoint, leaving_the_threshold_of_the_start_is_no_crossing) {
  Description description("slide");
  description.gravity = {0.0, 0.0, 0.0};
  description.body("block", {.mass = 1.0});
  description.joint("rail", JointKind::prismatic, "ground", "block", {.axis = {1.0, 0.0, 0.0}});
  description.inputs.push_back({"force", "rail", "step", {{"to", {1.0}}, {"at", {0.5}}}});
  EventDescription passes{.name = "passes"};
  passes.joint = "rail", passes.value = 0.0;
  description.events = {passes};
  const Model model = build_model(description);
  const RunOptions options{.duration = 1, .step = 0.1};
  EXPECT_TRUE(run(simulate, model, options).statistics.events.empty());
  expect_all_go_on_the_same(simulate, model, options);
}

TEST(checkpoint, samples_at_every_step_go_on_too) {
  expect_all_go_on_the_same(simulate, load_model("@four_bar"), {.duration = 0.5, .sample = 0});
}

TEST(checkpoint, a_mechanism_that_is_driven_through_its_range_goes_on_too) {
  Description description("crank and slider");
  for (const char* body : {"crank", "rod", "slider"})
    description.body(body, {.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  description.joint("motor", JointKind::revolute, "ground", "crank", {.drive = Drive::motion});
  description.joint("pin", JointKind::revolute, "crank", "rod", {.at = {.xyz = {0.3, 0.0, 0.0}}});
  description.joint("rail", JointKind::prismatic, "ground", "slider", {.axis = {1.0, 0.0, 0.0}});
  description.joint("foot", JointKind::revolute, "rod", "slider",
                    {.at = {.xyz = {1.0, 0.0, 0.0}}, .cut = true});
  description.inputs.push_back({"turn", "motor", "ramp", {{"to", {7.0}}, {"over", {1.0}}}});
  expect_all_go_on_the_same(simulate_kinematic, build_model(description),
                            {.duration = 1, .sample = 0.01});
}

TEST(checkpoint, one_of_another_model_is_refused) {
  const Model model = load_model("@double_pendulum");
  const Seen whole = run(simulate, model, {.duration = 0.1});
  Checkpoint other = whole.checkpoints[0];
  other.state.z.push_back(1);
  Workspace workspace(model);
  SimulationInputs run_inputs(model);
  State state;
  RunStatistics statistics;
  const Status status =
      simulate(model, state, run_inputs, {.duration = 0.1}, workspace,
               [](const State&) { return Status(); }, statistics, {.from = &other});
  EXPECT_EQ(status.message(),
            "simulate: the checkpoint has 1 states of controllers and 4 derivatives, the run 0 and "
            "4: it belongs to another run");
}

TEST(checkpoint, what_keep_returns_stops_the_run) {
  MotionOf motion("pendulum");
  const Status status =
      simulate(motion.model, motion.state, motion.run_inputs, {.duration = 1}, motion.workspace,
               [](const State&) { return Status(); }, motion.statistics,
               {.is_due = [] { return true; },
                .keep = [](const Checkpoint&) { return Status::failure("the disk is full"); }});
  EXPECT_EQ(status.message(), "the disk is full");
  EXPECT_EQ(motion.statistics.steps, 1);
}

}  // namespace
}  // namespace trammel::checkpoint_test
