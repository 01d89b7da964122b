#include "trammel/model/state.hpp"

#include <gtest/gtest.h>

#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::state_test {
namespace {

// a drone (free), its arm (revolute, limited) and its gimbal (spherical)
Model drone() {
  Description description("drone");
  for (const char* name : {"hull", "arm", "camera"})
    description.body(name, box(1.0, {0.1, 0.2, 0.3}));
  description.joint("flight", JointKind::free, "ground", "hull");
  description.joint("elbow", JointKind::revolute, "hull", "arm",
                    {.limits = {.lower = {-1}, .upper = {2}, .velocity = {3}}});
  description.joint("gimbal", JointKind::spherical, "arm", "camera");
  return build_model(description);
}

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) { return error.what(); }
  return "nothing was thrown";
}

TEST(State, neutral_has_unit_quaternions_and_is_at_rest) {
  const State state = neutral_state(drone());
  EXPECT_EQ(state.q, (std::vector<double>{1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(state.v, std::vector<double>(10, 0.0));
}

TEST(State, difference_undoes_integrate) {
  const Model model = drone();
  State state = neutral_state(model);
  const std::vector<double> v{0.3, -0.2, 0.5, 1, 2, 3, 0.7, -0.4, 0.1, 0.9};
  integrate(model, state.q, v, state.q);  // away from the neutral position first
  std::vector<double> q(state.q.size()), back(v.size());
  integrate(model, state.q, v, q);
  difference(model, state.q, q, back);
  // arc tangents of numbers of order one: some units in the last place
  for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(back[k], v[k], 1e-14);
}

TEST(State, rate_is_the_derivative_of_integrate) {
  const Model model = drone();
  State state = neutral_state(model);
  const std::vector<double> v{0.3, -0.2, 0.5, 1, 2, 3, 0.7, -0.4, 0.1, 0.9};
  integrate(model, state.q, v, state.q);
  const double h = 1e-5;
  std::vector<double> step = v, q_dot(state.q.size()), ahead(state.q.size()), behind = ahead;
  for (double& x : step) x *= h;
  integrate(model, state.q, step, ahead);
  for (double& x : step) x = -x;
  integrate(model, state.q, step, behind);
  rate(model, state.q, v, q_dot);
  // central differences: h^2 of curvature and 1e-16 / h of rounding
  for (std::size_t k = 0; k < q_dot.size(); ++k)
    EXPECT_NEAR(q_dot[k], (ahead[k] - behind[k]) / (2 * h), 1e-8);
}

TEST(State, wrong_sizes_are_reported) {
  const Model model = drone();
  std::vector<double> q(12), v(10), wrong(6);
  EXPECT_EQ(message_of([&] { integrate(model, q, wrong, q); }),
            "integrate: v has 6 entries, the model has nv = 10");
  EXPECT_EQ(message_of([&] { integrate(model, wrong, v, q); }),
            "integrate: q has 6 entries, the model has nq = 12");
  EXPECT_EQ(message_of([&] { integrate(model, q, v, wrong); }),
            "integrate: out has 6 entries, the model has nq = 12");
  EXPECT_EQ(message_of([&] { difference(model, wrong, q, v); }),
            "difference: from has 6 entries, the model has nq = 12");
  EXPECT_EQ(message_of([&] { difference(model, q, wrong, v); }),
            "difference: to has 6 entries, the model has nq = 12");
  EXPECT_EQ(message_of([&] { difference(model, q, q, wrong); }),
            "difference: v has 6 entries, the model has nv = 10");
  EXPECT_EQ(message_of([&] { rate(model, wrong, v, q); }),
            "rate: q has 6 entries, the model has nq = 12");
  EXPECT_EQ(message_of([&] { rate(model, q, wrong, q); }),
            "rate: v has 6 entries, the model has nv = 10");
  EXPECT_EQ(message_of([&] { rate(model, q, v, wrong); }),
            "rate: q_dot has 6 entries, the model has nq = 12");
  EXPECT_EQ(message_of([&] { (void)check_limits(model, State{}); }),
            "check_limits: q has 0 entries, the model has nq = 12");
}

TEST(State, coordinates_outside_their_limits_are_reported_by_name) {
  const Model model = drone();
  State state = neutral_state(model);
  EXPECT_TRUE(check_limits(model, state).list().empty());

  state.q[7] = 2.5;
  state.v[6] = -4;
  const Diagnostics high = check_limits(model, state);
  ASSERT_EQ(high.list().size(), 2u);
  EXPECT_EQ(to_string(high.list()[0]), "warning: joint 'elbow' is at 2.5, above its limit of 2");
  EXPECT_EQ(to_string(high.list()[1]),
            "warning: joint 'elbow' moves at -4, faster than its limit of 3");

  state.q[7] = -1.5;
  EXPECT_EQ(to_string(check_limits(model, state).list()[0]),
            "warning: joint 'elbow' is at -1.5, below its limit of -1");
}

TEST(State, starts_where_the_description_says) {
  Description description("bird");
  const Expr height = description.parameter("height", 2.0);
  description.body("bird", box(1.0, {0.1, 0.1, 0.1}));
  description.body("wing", box(0.1, {0.1, 0.1, 0.1}));
  description.joint("flight", JointKind::free, "ground", "bird");
  description.joint("flap", JointKind::revolute, "bird", "wing");
  description.start_positions = {{"flight", {0.6, 0.8000001, 0.0, 0.0, 0.0, 0.0, height / 2.0}}};
  description.start_velocities = {{"flap", {3.0 * height}}};
  const State state = start_state(build_model(description));
  EXPECT_NEAR(state.q[0] * state.q[0] + state.q[1] * state.q[1], 1.0, 1e-15);
  EXPECT_EQ(state.q[6], 1.0);
  EXPECT_EQ(state.q[7], 0.0);
  EXPECT_EQ(state.v[6], 6.0);
}

}  // namespace
}  // namespace trammel::state_test
