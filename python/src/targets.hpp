// Targets of inverse kinematics and assembly, from the named tuples of Python: Target(place,
// position, rotation) and MotionTarget(place, angular, linear).
#pragma once

#include <optional>
#include <vector>

#include "call.hpp"
#include "trammel/constraint/assembly/inverse_kinematics.hpp"

namespace trammel::python {

inline std::optional<Vec3<double>> optional_vec3(const char* what, const py::handle& given) {
  if (given.is_none()) return std::nullopt;
  return to_vec3(what, given);
}

template <class Default> constexpr auto position_targets(Default value) {
  return parameter<py::iterable>(
      "targets", value, [](Call& call, const char*, const py::iterable& given) {
        std::vector<Target> targets;
        for (const py::handle item : given) {
          Target target{.place = resolve(call.model(), item.attr("place").cast<Where>()),
                        .position = optional_vec3("a target's position", item.attr("position"))};
          if (const py::object R = item.attr("rotation"); !R.is_none())
            target.rotation =
                to_pose("a target's rotation", record("Pose", R, py::make_tuple(0.0, 0.0, 0.0))).R;
          targets.push_back(target);
        }
        return targets;
      });
}

inline constexpr auto motion_targets = parameter<py::iterable>(
    "targets", Required(), [](Call& call, const char*, const py::iterable& given) {
      std::vector<MotionTarget> targets;
      for (const py::handle item : given)
        targets.push_back({.place = resolve(call.model(), item.attr("place").cast<Where>()),
                           .angular = optional_vec3("a target's angular", item.attr("angular")),
                           .linear = optional_vec3("a target's linear", item.attr("linear"))});
      return targets;
    });

}  // namespace trammel::python
