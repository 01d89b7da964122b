#include "arrays.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

namespace trammel::python {

namespace {

std::string text_of(std::span<const py::ssize_t> shape) {
  std::string text = "(";
  for (const py::ssize_t n : shape) text += std::to_string(n) + ", ";
  if (shape.size() == 1)
    text.pop_back();
  else if (shape.size() > 1)
    text.resize(text.size() - 2);
  return text + ")";
}

// Whether `out` is a writable array of doubles with this shape.
void expects_out(const char* function, const py::array& out, std::span<const py::ssize_t> shape) {
  const std::span<const py::ssize_t> has(out.shape(), std::size_t(out.ndim()));
  std::string fact;
  if (!py::isinstance<py::array_t<double>>(out))
    fact = "holds " + py::str(out.dtype()).cast<std::string>();
  else if (!std::ranges::equal(has, shape))
    fact = "has shape " + text_of(has);
  else if (!out.writeable())
    fact = "cannot be written";
  else
    return;
  throw std::invalid_argument(std::string(function) + ": out " + fact +
                              "; give a writable float64 array of shape " + text_of(shape));
}

void expects_real(const py::handle& given) {
  const py::array any = py::array::ensure(given);
  if (!any) return;  // an unknown dtype: reported where the array is made
  const char kind = any.dtype().kind();
  if (kind == 'f' || kind == 'i' || kind == 'u' || kind == 'b' || kind == 'O') return;
  throw py::type_error("an array of " + py::str(any.dtype()).cast<std::string>() +
                       " was given where real numbers are needed" +
                       (kind == 'c' ? ": give its real part (numpy.real)" : ""));
}

[[noreturn]] void refuse_returned(const std::string& function, const py::object& given,
                                  const std::string& wanted) {
  throw py::type_error(
      function + " returned " +
      (given.is_none() ? "None" : "a " + py::type::of(given).attr("__name__").cast<std::string>()) +
      ": it has to return " + wanted);
}

bool overlap(std::span<const double> a, std::span<const double> b) {
  const std::less<const double*> before;
  return before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size());
}

}  // namespace

Array Array::ensure(py::handle given) {
  if (!py::isinstance<py::array_t<double>>(given)) expects_real(given);
  return py::reinterpret_steal<Array>(Base::ensure(given).release());
}

std::vector<double> returned_numbers(const std::string& function, const py::object& given,
                                     const char* or_else) {
  const bool is_other = given.is_none() || py::isinstance<py::str>(given) ||
                        py::isinstance<py::bytes>(given) || py::isinstance<py::dict>(given);
  Array array = py::reinterpret_steal<Array>(py::handle());
  try {
    if (!is_other) array = Array::ensure(given);
  } catch (const py::type_error& error) { throw py::type_error(function + ": " + error.what()); }
  if (!array || array.ndim() != 1)
    refuse_returned(
        function, given,
        std::string("a list or an array of numbers, one per degree of freedom") + or_else);
  return {array.data(), array.data() + array.size()};
}

double returned_number(const std::string& function, const py::object& given) {
  const double number = PyFloat_AsDouble(given.ptr());
  if (number == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse_returned(function, given, "a number");
  }
  return number;
}

std::span<const double> vector_in(const char* function, const char* what, const Array& array,
                                  int wanted) {
  if (array.ndim() != 1)
    throw std::invalid_argument(std::string(function) + ": " + what + " has " +
                                std::to_string(array.ndim()) + " dimensions, a vector has one");
  // the engine takes an empty vector as not given
  if (array.size() == 0 && wanted != 0)
    throw std::invalid_argument(std::string(function) + ": " + what +
                                " has 0 entries, the model has n" + (what[0] == 'q' ? "q" : "v") +
                                " = " + std::to_string(wanted));
  return {array.data(), std::size_t(array.size())};
}

std::span<const double> vector_in(const char* function, const char* what,
                                  const OptionalArray& array, int wanted) {
  return array ? vector_in(function, what, *array, wanted) : std::span<const double>();
}

void expects_finite(const char* function, const char* what, std::span<const double> x) {
  for (std::size_t k = 0; k < x.size(); ++k)
    if (!std::isfinite(x[k]))
      throw std::invalid_argument(std::string(function) + ": " + what + "[" + std::to_string(k) +
                                  "] is " + std::to_string(x[k]) + ": give it a finite number");
}

RowsOut::RowsOut(const char* function, const OptionalOut& out, std::vector<py::ssize_t> shape,
                 std::initializer_list<std::span<const double>> read) {
  if (out) {
    expects_out(function, *out, shape);
    if (!(out->flags() & py::array::c_style))
      throw std::invalid_argument(std::string(function) +
                                  ": out does not lie row after row without gaps; give a "
                                  "contiguous array (numpy.ascontiguousarray)");
    array_ = *out;
  } else {
    array_ = py::array_t<double>(shape);
  }
  size_ = array_.size();
  target_ = static_cast<double*>(array_.mutable_data());
  for (const std::span<const double> input : read)
    if (overlap(input, span())) {
      aside_.resize(std::size_t(size_));
      target_ = aside_.data();
      break;
    }
}

py::array RowsOut::finish() {
  std::ranges::copy(aside_, static_cast<double*>(array_.mutable_data()));
  return array_;
}

MatrixOut::MatrixOut(const char* function, const OptionalOut& out, int rows, int columns)
    : map_(nullptr, 0, 0, Stride(0)) {
  const py::ssize_t size = sizeof(double);
  const std::array<py::ssize_t, 2> shape{rows, columns};
  if (out) {
    expects_out(function, *out, shape);
    array_ = *out;
  } else {
    array_ = py::array_t<double>({rows, columns}, {size, size * std::max(rows, 1)});
  }
  double* data = static_cast<double*>(array_.mutable_data());
  py::ssize_t stride = array_.strides(1) / size;
  const bool in_columns =
      array_.strides(0) == size && array_.strides(1) % size == 0 && stride >= rows;
  if (!in_columns && rows > 0 && columns > 0) {
    aside_.resize(rows, columns);
    data = aside_.data();
    stride = rows;
  }
  new (&map_) Eigen::Map<Eigen::MatrixXd, 0, Stride>(data, rows, columns, Stride(stride));
}

py::array MatrixOut::finish() {
  if (aside_.size() == 0) return array_;
  py::array_t<double> numbers(array_);
  auto into = numbers.mutable_unchecked<2>();
  for (py::ssize_t i = 0; i < into.shape(0); ++i)
    for (py::ssize_t j = 0; j < into.shape(1); ++j) into(i, j) = aside_(i, j);
  return array_;
}

}  // namespace trammel::python
