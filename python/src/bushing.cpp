// Bushings of a description.
#include <algorithm>

#include "bindings.hpp"
#include "description_records.hpp"
#include "expr_parameters.hpp"

namespace trammel::python {

namespace {

using Interpolation = BushingDescription::Interpolation;
using BushingTables = decltype(BushingDescription::tables);

bool is_list(const py::handle& given) {
  return py::hasattr(given, "__len__") && py::hasattr(given, "__iter__") &&
         !py::isinstance<py::str>(given);
}

// Six numbers, or six sequences of six, row after row.
constexpr auto bushing_matrix(const char* name) {
  return parameter<py::object>(name, EmptyTuple(),
                               [](Reader& read, const char* what, const py::object& given) {
                                 if (!is_list(given)) return read.list(what, given);
                                 std::vector<Expr> values;
                                 for (const py::handle row : given) {
                                   if (!is_list(row)) return read.list(what, given);
                                   for (const Expr& value : read.list(what, row))
                                     values.push_back(value);
                                 }
                                 return values;
                               });
}

// {axis: (displacements, forces)}.
constexpr auto bushing_tables = parameter<py::dict>(
    "tables", EmptyDict(), [](Reader& read, const char*, const py::dict& given) {
      const auto& axes = BushingDescription::axes;
      BushingTables tables;
      for (const auto& [axis, points] : given) {
        const auto word = py::str(axis).cast<std::string>();
        const auto found = std::find(axes.begin(), axes.end(), word);
        if (found == axes.end())
          throw std::invalid_argument("bushing: tables has '" + word +
                                      "', its axes are x, y, z, rx, ry, rz");
        const std::string what = "tables['" + word + "']";
        if (!is_list(points) || py::len(points) != 2)
          throw std::invalid_argument("bushing: " + what + " is a pair: displacements and forces");
        const auto pair = py::reinterpret_borrow<py::sequence>(points);
        tables[std::size_t(found - axes.begin())] = {read.list(what, pair[0]),
                                                     read.list(what, pair[1])};
      }
      return tables;
    });

}  // namespace

void describe_bushing(Class<Description>& description) {
  using expr::list, expr::text;
  describe(
      description, "bushing",
      parameters(text("name"), text("frame"), text("other_frame"), keyword_only,
                 bushing_matrix("stiffness"), bushing_matrix("damping"),
                 list("preload", EmptyTuple()), bushing_tables, text("interpolation", "cubic")),
      [](Description& self, const std::string& name, const std::string& frame,
         const std::string& other_frame, const std::vector<Expr>& stiffness,
         const std::vector<Expr>& damping, const std::vector<Expr>& preload,
         const BushingTables& tables, const std::string& interpolation) {
        BushingDescription bushing;
        bushing.name = name, bushing.frame = frame, bushing.other_frame = other_frame;
        bushing.stiffness = stiffness, bushing.damping = damping, bushing.preload = preload;
        bushing.tables = tables;
        bushing.interpolation = choice<Interpolation>(
            "bushing: interpolation", interpolation,
            {{"cubic", Interpolation::cubic}, {"linear", Interpolation::linear}});
        self.bushings.push_back(std::move(bushing));
      },
      "A spring and damper in six directions between two frames: along x, y, z of the first\n"
      "frame, then about them. stiffness [N/m, N m/rad] and damping: six numbers, the "
      "diagonal, or\n"
      "six rows of six, a symmetric matrix; preload: six [N, N m], on the second frame at\n"
      "displacement 0; tables: {axis: (displacements, forces)}, axis 'x' to 'rz'; "
      "interpolation:\n"
      "'cubic' (monotone) or 'linear'.");
  description.field("bushings", records_of(&Description::bushings), "Its bushings.");
}

}  // namespace trammel::python
