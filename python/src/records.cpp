#include "records.hpp"

#include <span>
#include <stdexcept>

#include "arrays.hpp"

namespace trammel::python {

namespace {

using Vector = Array;

Vector numbers(const char* what, const py::handle& given, std::size_t size) {
  Vector array = Vector::ensure(given);
  if (!array) throw py::type_error(std::string(what) + " is no array of numbers");
  if (std::size_t(array.size()) != size)
    throw std::invalid_argument(std::string(what) + " has " + std::to_string(array.size()) +
                                " entries, it must have " + std::to_string(size));
  return array;
}

py::array_t<double> six(const Vec3<double>& a, const Vec3<double>& b) {
  py::array_t<double> array(6);
  double* const x = array.mutable_data();
  x[0] = a.x, x[1] = a.y, x[2] = a.z, x[3] = b.x, x[4] = b.y, x[5] = b.z;
  return array;
}

}  // namespace

py::array_t<double> to_array(const Vec3<double>& a) {
  py::array_t<double> array(3);
  double* const x = array.mutable_data();
  x[0] = a.x, x[1] = a.y, x[2] = a.z;
  return array;
}
py::array_t<double> to_array(const Motion<double>& V) { return six(V.angular, V.linear); }
py::array_t<double> to_array(const Force<double>& F) { return six(F.moment, F.force); }

py::object to_python(const Pose<double>& X) {
  py::array_t<double> R({3, 3});
  double* const x = R.mutable_data();  // row after row
  const Vec3<double>* const columns[] = {&X.R.x, &X.R.y, &X.R.z};
  for (int j = 0; j < 3; ++j)
    x[j] = columns[j]->x, x[3 + j] = columns[j]->y, x[6 + j] = columns[j]->z;
  return record("Pose", R, to_array(X.p));
}

std::string described(const py::handle& given) {
  return py::module_::import("trammel._calls").attr("described")(given).cast<std::string>();
}

std::string file_name(const std::string& what, const py::handle& given) {
  if (!py::isinstance<py::str>(given) && !py::hasattr(given, "__fspath__"))
    throw py::type_error(what + " is " + described(given) +
                         ": give the name of a file, a text or a pathlib.Path");
  return py::str(py::module_::import("os").attr("fspath")(given)).cast<std::string>();
}

Vec3<double> to_vec3(const char* what, const py::handle& given) {
  const Vector array = numbers(what, given, 3);
  return {array.data()[0], array.data()[1], array.data()[2]};
}
Motion<double> to_motion(const char* what, const py::handle& given) {
  const Vector array = numbers(what, given, 6);
  const double* const x = array.data();
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}
Pose<double> to_pose(const char* what, const py::handle& given) {
  if (!py::hasattr(given, "R") || !py::hasattr(given, "p"))
    throw py::type_error(std::string(what) + " is " + described(given) + ": give a Pose(R, p)");
  const Vector R = numbers((std::string(what) + ".R").c_str(), given.attr("R"), 9);
  const double* const r = R.data();
  return {{{r[0], r[3], r[6]}, {r[1], r[4], r[7]}, {r[2], r[5], r[8]}},
          to_vec3((std::string(what) + ".p").c_str(), given.attr("p"))};
}

}  // namespace trammel::python
