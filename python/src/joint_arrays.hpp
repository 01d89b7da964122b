// Names of joints as keys: arrays that know the joints of their entries (JointArray in Python), and
// arguments that are given by the names of joints, {"elbow": 2.0}.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <pybind11/eigen.h>

#include "arrays.hpp"
#include "shared_model.hpp"

namespace trammel::python {

// Meaning of the entries of an array: coordinates or degrees of freedom of the tree, the same
// of the loop joints, or (rows of six numbers) all joints.
enum class Space { q, v, loop_q, loop_v, joints };
Space space_named(std::string_view name);

// Entries of a joint; is_single: one number, not a slice.
struct Entries {
  int start = 0, count = 0;
  bool is_single = true;
};
// The entries of a joint ("wrist"), or one of them ("wrist[2]"). Throws std::invalid_argument that
// starts with `begin`, with the nearest name, or with the reason why the joint has none here.
Entries entries_of(const std::string& begin, const Model& model, Space space,
                   const std::string& name);
// Names of all joints with entries; the first of them as text: "elbow, wrist and 3 more".
std::vector<std::string> keys_of(const Model& model, Space space);
std::string listed_joints(const Model& model, Space space);

// The same memory as a JointArray.
py::array joint_array(const SharedModel& model, Space space, const py::array& numbers);
inline py::array joint_array(const SharedModel& model, Space space, const std::vector<double>& x) {
  return joint_array(model, space, py::array_t<double>(py::ssize_t(x.size()), x.data()));
}
template <class Matrix>
py::array joint_array(const SharedModel& model, Space space, const Matrix& x) {
  if constexpr (std::is_base_of_v<py::array, Matrix>)
    return joint_array(model, space, static_cast<const py::array&>(x));
  else
    return joint_array(model, space, py::cast(x).template cast<py::array>());
}

// An argument with one number per degree of freedom: an array, or a mapping by names of joints.
struct JointNumbers {
  Array array;
  py::object by_name = py::none();
  bool is_by_name() const { return !by_name.is_none(); }
};
using OptionalNumbers = std::optional<JointNumbers>;

// The numbers of one joint of a mapping, one per degree of freedom: of the tree, or of all loops.
struct NamedNumbers {
  std::string name;
  Entries entries = {};
  bool is_of_loop = false;
  std::vector<double> numbers = {};
};
enum class Loops { none, too, alone };  // which joints may be named: those of the tree, of loops
// Throws for unknown names and wrong sizes; `begin` begins the message.
std::vector<NamedNumbers> numbers_by_name(const std::string& begin, const Model& model,
                                          const py::handle& mapping, Loops loops);

// Many states: an array (N, nv), or {"elbow": number or N numbers} of N states; zero elsewhere.
Array batch_numbers(const char* function, const char* what, const Model& model, py::ssize_t states,
                    const JointNumbers& given);

}  // namespace trammel::python

namespace pybind11::detail {

template <> struct type_caster<trammel::python::JointNumbers> {
  using Array = trammel::python::Array;
  bool load(handle given, bool convert) {
    const bool is_mapping =
        PyDict_Check(given.ptr()) != 0 ||
        (!isinstance<array>(given) && hasattr(given, "keys") && !hasattr(given, "__array__"));
    if (is_mapping) {
      value.by_name = reinterpret_borrow<object>(given);
      return true;
    }
    type_caster<Array> numbers;
    if (!numbers.load(given, convert)) return false;
    value.array = static_cast<Array&>(numbers);
    return true;
  }
  PYBIND11_TYPE_CASTER(trammel::python::JointNumbers,
                       const_name("Union[") + handle_type_name<Array::Base>::name +
                           const_name(", Dict[str, ") + handle_type_name<Array::Base>::name +
                           const_name("]]"));
};

}  // namespace pybind11::detail
