// Symbolic dynamics; python/trammel/symbolic.py names the functions.
#include "trammel/dynamics/symbolic.hpp"

#include "bindings.hpp"
#include "call.hpp"
#include "expr_conversion.hpp"

namespace trammel::python {

namespace {

// Reads expressions; None: none.
std::vector<Expr> read(Reader& reader, const char* what, const py::object& given) {
  return given.is_none() ? std::vector<Expr>() : reader.list(what, given);
}
void expects_success(const Status& status) {
  if (!status) throw std::invalid_argument(status.message());
}

}  // namespace

void bind_symbolic(py::module_& module) {
  module.def(
      "symbolic_mass_matrix",
      [](const SharedModel& model, const py::object& q, const py::object& parameters) {
        Reader reader;
        const std::vector<Expr> at = read(reader, "q", q),
                                values = read(reader, "parameters", parameters);
        std::vector<Expr> M;
        expects_success(symbolic::mass_matrix(*model, at, values, M));
        const Writer write(reader.graph());
        const int n = model->nv();
        py::list rows;  // symmetric: rows are columns
        for (int i = 0; i < n; ++i)
          rows.append(py::list(write(std::vector<Expr>(M.begin() + i * n, M.begin() + i * n + n))));
        return rows;
      },
      py::arg("model"), py::arg("q"), py::arg("parameters") = py::none(),
      "M(q) as a list of rows of floats and Expr. parameters: values or symbols in the order of "
      "model.parameters; their nominal values if not given.");
  module.def(
      "symbolic_inverse_dynamics",
      [](const SharedModel& model, const py::object& q, const py::object& v, const py::object& a,
         const py::object& parameters) {
        Reader reader;
        const std::vector<Expr> at = read(reader, "q", q), with = read(reader, "v", v),
                                by = read(reader, "a", a),
                                values = read(reader, "parameters", parameters);
        std::vector<Expr> tau;
        expects_success(symbolic::inverse_dynamics(*model, at, with, by, values, tau));
        return py::list(Writer(reader.graph())(tau));
      },
      py::arg("model"), py::arg("q"), py::arg("v"), py::arg("a"),
      py::arg("parameters") = py::none(),
      "The actuator efforts as a list of floats and Expr. parameters: as in mass_matrix.");
  module.def(
      "symbolic_forward_dynamics",
      [](const SharedModel& model, const py::object& q, const py::object& v, const py::object& tau,
         const py::object& parameters) {
        Reader reader;
        const std::vector<Expr> at = read(reader, "q", q), with = read(reader, "v", v),
                                by = read(reader, "tau", tau),
                                values = read(reader, "parameters", parameters);
        std::vector<Expr> a;
        expects_success(symbolic::forward_dynamics(*model, at, with, by, values, a));
        return py::list(Writer(reader.graph())(a));
      },
      py::arg("model"), py::arg("q"), py::arg("v"), py::arg("tau"),
      py::arg("parameters") = py::none(),
      "The accelerations as a list of floats and Expr. parameters: as in mass_matrix.");
}

}  // namespace trammel::python
