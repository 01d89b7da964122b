// Numbers from numpy and back to it, without copies where the arrays allow.
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

// An array of doubles: taken as it is if it is one, row after row; else made of the real numbers
// that are given. Complex numbers, dates and texts, of which numpy's own conversion makes doubles,
// are a TypeError.
class Array : public py::array_t<double, py::array::c_style | py::array::forcecast> {
 public:
  using Base = py::array_t<double, py::array::c_style | py::array::forcecast>;
  using Base::Base;
  Array() = default;
  // None (false) where no array can be made of it.
  static Array ensure(py::handle given);
};
using OptionalArray = std::optional<Array>;
using OptionalOut = std::optional<py::array>;

// A vector as the engine reads it. Throws if it has not one dimension, or is empty and must not be.
std::span<const double> vector_in(const char* question, const char* what, const Array& array,
                                  int wanted);
std::span<const double> vector_in(const char* question, const char* what,
                                  const OptionalArray& array, int wanted);
// What a function of the user's returned, as numbers; `function` names it in the TypeError that
// says otherwise: "simulate: effort(time, q, v)".
std::vector<double> returned_numbers(const std::string& function, const py::object& given);
double returned_number(const std::string& function, const py::object& given);
// Throws if something is no number: for questions that would hand it on in silence.
void expects_finite(const char* question, const char* what, std::span<const double> x);

// Where a question writes numbers row after row: the caller's array, or a new one. If the caller's
// is also what the question reads, the answer goes there at the end.
class RowsOut {
 public:
  RowsOut(const char* question, const OptionalOut& out, std::vector<py::ssize_t> shape,
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

// Where a question writes a matrix: new ones lie column after column, as the engine writes. A
// caller's array that does not is filled at the end.
class MatrixOut {
 public:
  MatrixOut(const char* question, const OptionalOut& out, int rows, int columns);
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
