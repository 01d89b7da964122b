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

// The place of a target of inverse kinematics; `example` is what to give instead of another object.
inline FrameRef place_of(const Call& call, const py::handle& item, const char* field,
                         const char* example) {
  if (!py::hasattr(item, field) || !py::hasattr(item, "place"))
    throw py::type_error(std::string(call.function()) + ": targets has " + described(item) +
                         ": give a list of " + example);
  const py::object place = item.attr("place");
  if (py::isinstance<py::str>(place)) return frame_ref(call.model(), place.cast<std::string>());
  if (py::isinstance<FrameRef>(place)) return place.cast<FrameRef>();
  throw py::type_error(std::string(call.function()) + ": the place of a target is " +
                       described(place) + ": give the name of a body or frame, or a FrameRef");
}

template <class Default> constexpr auto position_targets(Default value) {
  return parameter<py::iterable>(
      "targets", value, [](Call& call, const char*, const py::iterable& given) {
        std::vector<Target> targets;
        for (const py::handle item : given) {
          Target target{.place = place_of(call, item, "position", "Target(place, position)"),
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
        targets.push_back(
            {.place = place_of(call, item, "angular", "MotionTarget(place, angular, linear)"),
             .angular = optional_vec3("a target's angular", item.attr("angular")),
             .linear = optional_vec3("a target's linear", item.attr("linear"))});
      return targets;
    });

}  // namespace trammel::python
