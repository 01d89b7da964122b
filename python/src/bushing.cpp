// Bushings of a description.
#include <pybind11/stl.h>

#include <algorithm>

#include "bindings.hpp"
#include "numbers.hpp"
#include "records.hpp"
#include "trammel/model/description/description.hpp"

namespace trammel::python {

namespace {

// Six numbers, or six sequences of six, row after row.
std::vector<Expr> bushing_matrix(Reader& read, const py::handle& given) {
  if (given.is_none() || !py::isinstance<py::sequence>(given)) return read.list(given);
  std::vector<Expr> values;
  for (const py::handle row : py::reinterpret_borrow<py::sequence>(given)) {
    const bool is_row = py::isinstance<py::sequence>(row) && !py::isinstance<py::str>(row);
    if (!is_row) return read.list(given);
    for (const Expr& value : read.list(row)) values.push_back(value);
  }
  return values;
}
py::object bushing_rows(const Writer& write, const std::vector<Expr>& values) {
  if (values.size() != 36) return write(values);
  py::tuple rows(6);
  for (std::size_t i = 0; i < 6; ++i)
    rows[i] = write(std::vector<Expr>(values.begin() + std::ptrdiff_t(6 * i),
                                      values.begin() + std::ptrdiff_t(6 * i + 6)));
  return rows;
}

void add_bushing(Description& given, const std::string& name, const std::string& frame,
                 const std::string& other_frame, const py::object& stiffness,
                 const py::object& damping, const py::object& preload, const py::dict& tables,
                 const std::string& interpolation) {
  Reader read(given.graph);
  BushingDescription bushing;
  bushing.name = name, bushing.frame = frame, bushing.other_frame = other_frame;
  bushing.stiffness = bushing_matrix(read, stiffness);
  bushing.damping = bushing_matrix(read, damping);
  bushing.preload = read.list(preload);
  for (const auto& [axis, points] : tables) {
    const auto word = axis.cast<std::string>();
    const auto& axes = BushingDescription::axes;
    const auto found = std::find(axes.begin(), axes.end(), word);
    if (found == axes.end())
      throw std::invalid_argument("bushing: tables has '" + word +
                                  "', its axes are x, y, z, rx, ry, rz");
    const auto pair = py::reinterpret_borrow<py::sequence>(points);
    if (!py::isinstance<py::sequence>(points) || pair.size() != 2)
      throw std::invalid_argument("bushing: tables['" + word +
                                  "'] is a pair: displacements and forces");
    bushing.tables[std::size_t(found - axes.begin())] = {read.list(pair[0]), read.list(pair[1])};
  }
  if (interpolation != "cubic" && interpolation != "linear")
    throw std::invalid_argument("bushing: interpolation is '" + interpolation +
                                "', it is cubic or linear");
  bushing.interpolation = interpolation == "cubic" ? BushingDescription::Interpolation::cubic
                                                   : BushingDescription::Interpolation::linear;
  given.bushings.push_back(std::move(bushing));
}

py::tuple bushings(const Description& given) {
  const Writer write(given.graph);
  return each(given.bushings, [&](const BushingDescription& bushing) {
    py::dict tables;
    for (std::size_t axis = 0; axis < 6; ++axis)
      if (const auto& [at, force] = bushing.tables[axis]; !at.empty() || !force.empty())
        tables[BushingDescription::axes[axis]] = py::make_tuple(write(at), write(force));
    return record("BushingDescription", bushing.name, bushing.frame, bushing.other_frame,
                  bushing_rows(write, bushing.stiffness), bushing_rows(write, bushing.damping),
                  write(bushing.preload), tables,
                  bushing.interpolation == BushingDescription::Interpolation::cubic ? "cubic"
                                                                                    : "linear",
                  to_python(bushing.place));
  });
}

}  // namespace

void bind_bushing(py::class_<Description>& description) {
  description
      .def("bushing", &add_bushing, py::arg("name"), py::arg("frame"), py::arg("other_frame"),
           py::kw_only(), py::arg("stiffness") = py::tuple(), py::arg("damping") = py::tuple(),
           py::arg("preload") = py::tuple(), py::arg("tables") = py::dict(),
           py::arg("interpolation") = "cubic",
           "A spring and damper in six directions between two frames: along x, y, z of the first\n"
           "frame, then about them. stiffness [N/m, N m/rad] and damping: six numbers, the "
           "diagonal, or\n"
           "six rows of six, a symmetric matrix; preload: six [N, N m], on the second frame at\n"
           "displacement 0; tables: {axis: (displacements, forces)}, axis 'x' to 'rz'; "
           "interpolation:\n"
           "'cubic' (monotone) or 'linear'.")
      .def_property_readonly("bushings", &bushings, "Its bushings.");
}

}  // namespace trammel::python
