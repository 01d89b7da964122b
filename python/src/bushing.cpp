// Bushings of a description.
#include <algorithm>

#include "bindings.hpp"
#include "description_records.hpp"
#include "expr_parameters.hpp"

namespace trammel::python {

namespace {

using Interpolation = BushingDescription::Interpolation;
using BushingTables = decltype(BushingDescription::tables);

// Six numbers, or six sequences of six, row after row.
constexpr auto bushing_matrix(const char* name) {
  return parameter<py::object>(
      name, EmptyTuple(), [](Reader& read, const char*, const py::object& given) {
        if (given.is_none() || !py::isinstance<py::sequence>(given)) return read.list(given);
        std::vector<Expr> values;
        for (const py::handle row : py::reinterpret_borrow<py::sequence>(given)) {
          const bool is_row = py::isinstance<py::sequence>(row) && !py::isinstance<py::str>(row);
          if (!is_row) return read.list(given);
          for (const Expr& value : read.list(row)) values.push_back(value);
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
        const auto word = axis.cast<std::string>();
        const auto found = std::find(axes.begin(), axes.end(), word);
        if (found == axes.end())
          throw std::invalid_argument("bushing: tables has '" + word +
                                      "', its axes are x, y, z, rx, ry, rz");
        const auto pair = py::reinterpret_borrow<py::sequence>(points);
        if (!py::isinstance<py::sequence>(points) || pair.size() != 2)
          throw std::invalid_argument("bushing: tables['" + word +
                                      "'] is a pair: displacements and forces");
        tables[std::size_t(found - axes.begin())] = {read.list(pair[0]), read.list(pair[1])};
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
