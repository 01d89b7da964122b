#include "trammel/model/state.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "trammel/model/build/parameters.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/model/traversal.hpp"

namespace trammel {

namespace {

void expect_size(std::string_view call, std::string_view name, std::size_t size,
                 std::string_view expected_name, int expected) {
  if (size != std::size_t(expected))
    throw std::invalid_argument(fmt::format("{}: {} has {} entries, the model has {} = {}", call,
                                            name, size, expected_name, expected));
}

// The k-th limit, where one entry may be for all; none if the list is empty.
std::optional<double> limit_of(const std::vector<double>& limits, int k) {
  if (limits.empty()) return std::nullopt;
  return limits.size() == 1 ? limits[0] : limits[std::size_t(k)];
}

}  // namespace

State neutral_state(const Model& model) {
  State state;
  state.q.resize(std::size_t(model.nq()));
  state.v.resize(std::size_t(model.nv()));
  outward<double>(model, [&](int, const Body& body, const auto& joint) {
    joint.neutral(state.q.data() + body.q_start);
  });
  state.z.resize(std::size_t(model.nz()));
  each_force_element_kind(model.numbers(), [&](auto kind, const auto& list) {
    if constexpr (requires { list[0].initial_z(std::span<double>()); })
      for (std::size_t k = 0; k < list.size(); ++k)
        list[k].initial_z(std::span(state.z).subspan(
            std::size_t(model.force_elements(kind)[k].z_start), std::size_t(list[k].nz())));
  });
  return state;
}

State start_state(const Model& model) {
  State state = neutral_state(model);
  const Description& description = model.description();
  const Values<double> value = evaluate_at_nominal(description);
  const auto put = [&](const StartDescription& start, std::vector<double>& into, int first) {
    for (std::size_t k = 0; k < start.values.size(); ++k)
      into[std::size_t(first) + k] = value(start.values[k]);
  };
  const auto moves = [&](const StartDescription& start) -> const NamedJoint* {
    const std::optional<JointId> joint = model.find_joint(start.joint);
    return joint && model[*joint].role == NamedJoint::Role::tree ? &model[*joint] : nullptr;
  };
  for (const auto* starts : {&description.start_positions, &description.position_guesses})
    for (const StartDescription& start : *starts)
      if (const NamedJoint* joint = moves(start)) put(start, state.q, joint->q_start);
  for (const auto* starts : {&description.start_velocities, &description.velocity_guesses})
    for (const StartDescription& start : *starts)
      if (const NamedJoint* joint = moves(start)) put(start, state.v, joint->v_start);
  for (const int first : model.quaternion_starts()) {  // normalized: files give few digits
    double* const w = state.q.data() + first;
    const double length = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
    for (int k = 0; k < 4; ++k) w[k] /= length;
  }
  return state;
}

void integrate(const Model& model, std::span<const double> q, std::span<const double> v,
               std::span<double> out) {
  expect_size("integrate", "q", q.size(), "nq", model.nq());
  expect_size("integrate", "v", v.size(), "nv", model.nv());
  expect_size("integrate", "out", out.size(), "nq", model.nq());
  outward<double>(model, [&](int, const Body& body, const auto& joint) {
    joint.integrate(q.data() + body.q_start, v.data() + body.v_start, out.data() + body.q_start);
  });
}

void difference(const Model& model, std::span<const double> from, std::span<const double> to,
                std::span<double> v) {
  expect_size("difference", "from", from.size(), "nq", model.nq());
  expect_size("difference", "to", to.size(), "nq", model.nq());
  expect_size("difference", "v", v.size(), "nv", model.nv());
  outward<double>(model, [&](int, const Body& body, const auto& joint) {
    joint.difference(from.data() + body.q_start, to.data() + body.q_start, v.data() + body.v_start);
  });
}

void rate(const Model& model, std::span<const double> q, std::span<const double> v,
          std::span<double> q_dot) {
  expect_size("rate", "q", q.size(), "nq", model.nq());
  expect_size("rate", "v", v.size(), "nv", model.nv());
  expect_size("rate", "q_dot", q_dot.size(), "nq", model.nq());
  outward<double>(model, [&](int, const Body& body, const auto& joint) {
    joint.rate(q.data() + body.q_start, v.data() + body.v_start, q_dot.data() + body.q_start);
  });
}

Diagnostics check_limits(const Model& model, const State& state) {
  expect_size("check_limits", "q", state.q.size(), "nq", model.nq());
  expect_size("check_limits", "v", state.v.size(), "nv", model.nv());
  Diagnostics diagnostics;
  for (const NamedJoint& joint : model.joints()) {
    const auto warn = [&](const std::string& message) {
      diagnostics.warning(joint.place, "joint " + message);
    };
    for (int k = 0; k < joint.nq; ++k) {
      const double q = state.q[std::size_t(joint.q_start + k)];
      const auto lower = limit_of(joint.limits.lower, k), upper = limit_of(joint.limits.upper, k);
      const std::string name = model.coordinate_name(joint.q_start + k);
      if (lower && q < *lower)
        warn(fmt::format("'{}' is at {}, below its limit of {}", name, q, *lower));
      if (upper && q > *upper)
        warn(fmt::format("'{}' is at {}, above its limit of {}", name, q, *upper));
    }
    for (int k = 0; k < joint.nv; ++k) {
      const double v = state.v[std::size_t(joint.v_start + k)];
      const auto fastest = limit_of(joint.limits.velocity, k);
      if (fastest && std::abs(v) > *fastest)
        warn(fmt::format("'{}' moves at {}, faster than its limit of {}",
                         model.dof_name(joint.v_start + k), v, *fastest));
    }
  }
  return diagnostics;
}

}  // namespace trammel
