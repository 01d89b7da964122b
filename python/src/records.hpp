// Conversion between small structs of the engine and Python's named tuples (trammel/_records.py).
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>

#include "trammel/base/diagnostics.hpp"
#include "trammel/spatial/pose.hpp"

namespace trammel::python {

namespace py = pybind11;

// Makes a named tuple of the type with that name.
template <class... Fields> py::object record(const char* type, Fields&&... fields) {
  return py::module_::import("trammel._records").attr(type)(std::forward<Fields>(fields)...);
}
// The member of an enumeration of words.
inline py::object named(const char* enumeration, const char* word) {
  return py::module_::import("trammel._names").attr(enumeration)(word);
}

// A wrong argument in a message: "'x'", "5", "a Model".
std::string described(const py::handle& given);

// Output of a function that is not an array: the caller's object, or a new one.
template <class T, class Make>
py::object object_out(const char* function, const char* type, const py::object& out,
                      const Make& make) {
  if (out.is_none()) return py::cast(make());
  if (!py::isinstance<T>(out))
    throw py::type_error(std::string(function) + ": out is " + described(out) + "; give " + type +
                         " of this model");
  return out;
}

inline py::object to_python(const Place& place) {
  return record("Place", place.file, place.line, place.column);
}

py::array_t<double> to_array(const Vec3<double>& a);
py::array_t<double> to_array(const Motion<double>& V);  // [angular; linear]
py::array_t<double> to_array(const Force<double>& F);   // [moment; force]
py::object to_python(const Pose<double>& X);            // Pose(R, p)

// Numbers from Python; `what` begins the message if there are too few or too many.
Vec3<double> to_vec3(const char* what, const py::handle& given);
Motion<double> to_motion(const char* what, const py::handle& given);
Pose<double> to_pose(const char* what, const py::handle& given);

// The name of a file: a text, or an object with os.fspath; `what` begins the message otherwise.
std::string file_name(const std::string& what, const py::handle& given);

// A list of descriptions as a list of named tuples.
template <class Item, class Make> py::tuple each(const std::vector<Item>& items, const Make& make) {
  py::tuple list(items.size());
  for (std::size_t k = 0; k < items.size(); ++k) list[k] = make(items[k]);
  return list;
}

}  // namespace trammel::python
