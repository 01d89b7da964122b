// Conversion between numpy arrays and the engine's spans and matrices, without copies if possible.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trammel::python {

namespace py = pybind11;

// An array of doubles: used in place if it is one in row-major order; else converted from real
// numbers. Complex numbers, dates and strings, which numpy would convert, raise TypeError.
class Array : public py::array_t<double, py::array::c_style | py::array::forcecast> {
 public:
  using Base = py::array_t<double, py::array::c_style | py::array::forcecast>;
  using Base::Base;
  Array() = default;
  // None (false) if it cannot be converted to an array.
  static Array ensure(py::handle given);
};
using OptionalArray = std::optional<Array>;
using OptionalOut = std::optional<py::array>;

// A vector as a span. Throws unless it has one dimension, or if it is empty and must not be.
std::span<const double> vector_in(const char* function, const char* what, const Array& array,
                                  int wanted);
std::span<const double> vector_in(const char* function, const char* what,
                                  const OptionalArray& array, int wanted);
// Return value of a user's function as numbers; `function` names it in the TypeError: "simulate:
// effort(time, q, v)".
// `or_else`: what else it may return.
std::vector<double> returned_numbers(const std::string& function, const py::object& given,
                                     const char* or_else = "");
double returned_number(const std::string& function, const py::object& given);
// Throws if an entry is not finite: for functions that do not check this themselves.
void expects_finite(const char* function, const char* what, std::span<const double> x);

// Row-major output of a function: the caller's array, or a new one. If the caller's array is also
// an input of the function, the result is copied into it at the end.
class RowsOut {
 public:
  RowsOut(const char* function, const OptionalOut& out, std::vector<py::ssize_t> shape,
          std::initializer_list<std::span<const double>> read = {});
  std::span<double> span() { return {target_, std::size_t(size_)}; }
  double* data() { return target_; }
  py::array finish();

 private:
  py::array array_;
  std::vector<double> aside_;
  double* target_;
  py::ssize_t size_;
};

// Matrix output of a function: a new one is column-major, as in the engine. A caller's row-major
// array is filled at the end.
class MatrixOut {
 public:
  MatrixOut(const char* function, const OptionalOut& out, int rows, int columns);
  Eigen::Ref<Eigen::MatrixXd> matrix() { return map_; }
  py::array finish();

 private:
  using Stride = Eigen::OuterStride<>;
  py::array array_;
  Eigen::MatrixXd aside_;
  Eigen::Map<Eigen::MatrixXd, 0, Stride> map_;
};

}  // namespace trammel::python

namespace pybind11::detail {

template <> struct type_caster<trammel::python::Array> {
  using Array = trammel::python::Array;
  bool load(handle given, bool convert) {
    if (!convert && !Array::Base::check_(given)) return false;
    value = Array::ensure(given);
    return static_cast<bool>(value);
  }
  static handle cast(const handle& array, return_value_policy, handle) { return array.inc_ref(); }
  PYBIND11_TYPE_CASTER(Array, handle_type_name<Array::Base>::name);
};

}  // namespace pybind11::detail
