// Names of C++ enumerators in Python: "revolute", "world". They are members of string enumerations
// (trammel/_names.py); plain strings are accepted as well.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/base/suggest.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/generate/denavit_hartenberg.hpp"
#include "trammel/model/description/joint_table.hpp"
#include "trammel/read/load.hpp"

namespace trammel::python {

namespace py = pybind11;

// The names of an enumeration, in the order of its values.
template <class Enum> struct Words;
template <> struct Words<Axes> {
  static constexpr auto name = py::detail::const_name("Axes");
  static constexpr std::array<const char*, 2> list{"body", "world"};
};
template <> struct Words<Base> {
  static constexpr auto name = py::detail::const_name("Base");
  static constexpr std::array<const char*, 2> list{"fixed", "free"};
};
template <> struct Words<Drive> {
  static constexpr auto name = py::detail::const_name("Drive");
  static constexpr std::array<const char*, 4> list{"none", "torque", "motion", "locked"};
};
template <> struct Words<DhConvention> {
  static constexpr auto name = py::detail::const_name("DhConvention");
  static constexpr std::array<const char*, 2> list{"standard", "modified"};
};
template <> struct Words<JointKind> {
  static constexpr auto name = py::detail::const_name("JointKind");
  static constexpr auto list = [] {
    std::array<const char*, joint_kinds.size()> names{};
    for (std::size_t k = 0; k < names.size(); ++k) names[k] = traits(joint_kinds[k]).name;
    return names;
  }();
};
template <> struct Words<NamedJoint::Role> {
  static constexpr auto name = py::detail::const_name("Role");
  static constexpr std::array<const char*, 3> list{"tree", "fixed", "loop"};
};
template <> struct Words<JointStep::Kind> {
  static constexpr auto name = py::detail::const_name("JointStepKind");
  static constexpr std::array<const char*, 2> list{"turn", "slide"};
};
template <> struct Words<Shape::Kind> {
  static constexpr auto name = py::detail::const_name("ShapeKind");
  static constexpr std::array<const char*, 5> list{"box", "sphere", "cylinder", "capsule", "mesh"};
};
template <> struct Words<WheelDescription::Kind> {
  static constexpr auto name = py::detail::const_name("WheelKind");
  static constexpr std::array<const char*, 5> list{"conventional", "omni", "ball", "knife_edge",
                                                   "caster"};
};
template <> struct Words<ConstraintDescription::Kind> {
  static constexpr auto name = py::detail::const_name("ConstraintKind");
  static constexpr std::array<const char*, 4> list{"point", "weld", "distance", "curve"};
};

template <class Enum>
concept Named = requires {
  Words<Enum>::list;
};

template <Named Enum> const char* word(Enum value) { return Words<Enum>::list[std::size_t(value)]; }

// The value of a name; throws with the known names.
template <Named Enum> Enum from_word(std::string_view text) {
  const auto& list = Words<Enum>::list;
  std::string known;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (text == list[k]) return Enum(k);
    known += (k == 0 ? "" : ", ") + std::string(list[k]);
  }
  const std::vector<std::string> words(list.begin(), list.end());
  const auto near = suggest(text, words);
  throw std::invalid_argument(std::string(Words<Enum>::name.text) + ": there is no '" +
                              std::string(text) + "'; " +
                              (near ? "did you mean '" + *near + "'?" : "there are " + known));
}

}  // namespace trammel::python

namespace pybind11::detail {

// since 3.0 pybind11 converts enumerations itself, unless told not to
#ifdef PYBIND11_HAS_NATIVE_ENUM
template <trammel::python::Named Enum>
struct type_caster_enum_type_enabled<Enum, void> : std::false_type {};
#endif

template <trammel::python::Named Enum> struct type_caster<Enum> {
  PYBIND11_TYPE_CASTER(Enum, trammel::python::Words<Enum>::name);

  bool load(handle source, bool) {
    if (!isinstance<str>(source)) return false;
    value = trammel::python::from_word<Enum>(source.cast<std::string>());
    return true;
  }
  static handle cast(Enum source, return_value_policy, handle) {
    return module_::import("trammel._names")
        .attr(trammel::python::Words<Enum>::name.text)(trammel::python::word(source))
        .release();
  }
};

}  // namespace pybind11::detail
