// Small models for invalid calls, and all functions that one kind of mistake concerns.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>

#include "tests/support/every_function.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::wrong_input {

inline const double nan = std::numeric_limits<double>::quiet_NaN();
inline const double infinity = std::numeric_limits<double>::infinity();
inline const Solid brick = box(1.0, {0.1, 0.2, 0.3});

// ground - shoulder - upper - elbow - forearm, bending in the plane of x and z
inline Description arm() {
  Description description("arm");
  description.body("upper", brick);
  description.body("forearm", brick);
  description.joint("shoulder", JointKind::revolute, "ground", "upper", {.axis = {0.0, 1.0, 0.0}});
  description.joint("elbow", JointKind::revolute, "upper", "forearm",
                    {.at = {{0.5, 0.0, 0.0}}, .axis = {0.0, 1.0, 0.0}});
  description.frame("hand", "forearm", {{0.4, 0.0, 0.0}});
  return description;
}
inline Description arm_with(Drive elbow) {
  Description description = arm();
  description.joints[1].options.drive = elbow;
  return description;
}
inline Description drone() {
  Description description("drone");
  description.body("hull", brick);
  description.body("camera", brick);
  description.joint("flight", JointKind::free, "ground", "hull");
  description.joint("gimbal", JointKind::spherical, "hull", "camera");
  return description;
}

// The message of the exception of a call, which must be std::invalid_argument.
template <class Call> std::string thrown(const Call& call) {
  try {
    const auto answer = call();
    static_cast<void>(answer);
  } catch (const std::invalid_argument& error) { return error.what(); }
  return "nothing was thrown";
}
inline std::string thrown(const PublicFunction& question, Interview& x) {
  return thrown([&] { return question.ask(x).message(); });
}
inline std::string told(const PublicFunction& question, Interview& x) {
  return question.ask(x).message();
}

inline const PublicFunction& question(std::string_view name) {
  for (const PublicFunction& each : every_function())
    if (each.name == name) return each;
  throw std::logic_error("no such question");
}
inline bool takes_state(const PublicFunction& each) {
  return each.takes == Takes::state || each.takes == Takes::inputs;
}

// Calls all functions that this change of a valid input concerns, each with fresh input.
template <class Concerns, class Change, class Expected>
void expect_told(const Description& description, const Concerns& concerns, const Change& change,
                 const Expected& expected) {
  for (const PublicFunction& each : every_function()) {
    if (!concerns(each)) continue;
    Interview x(description);
    change(x);
    EXPECT_EQ(told(each, x), each.name + std::string(": ") + expected) << each.name;
  }
}
template <class Concerns, class Change, class Expected>
void expect_thrown(const Description& description, const Concerns& concerns, const Change& change,
                   const Expected& expected) {
  for (const PublicFunction& each : every_function()) {
    if (!concerns(each)) continue;
    Interview x(description);
    change(x);
    EXPECT_EQ(thrown(each, x), each.name + std::string(": ") + expected) << each.name;
  }
}
inline bool takes_inputs(const PublicFunction& each) { return each.takes == Takes::inputs; }
inline bool takes_states(const PublicFunction& each) { return each.takes == Takes::states; }

}  // namespace trammel::wrong_input
