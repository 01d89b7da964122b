// Symbolic evaluation: the kernels of the engine on expressions; python/trammel/kernel.py names
// them.
#include "bindings.hpp"
#include "call.hpp"
#include "expr_conversion.hpp"
#include "trammel/dynamics/kernel/tree/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/mass_matrix.hpp"

namespace trammel::python {

namespace {

// One symbolic call: its model parameters as expressions, and its workspace.
class SymbolicCall {
 public:
  SymbolicCall(const char* function, const SharedModel& model, const py::object& parameters)
      : function_(function), model_(*model) {
    std::vector<std::string> missed = model_.constraint_names();
    for (const std::string& name : model_.force_element_names()) missed.push_back(name);
    if (!missed.empty())
      throw std::invalid_argument(
          std::string(function) + ": the model '" + model_.name() +
          "' has an element that this function does not support yet: " + missed.front());
    if (parameters.is_none())
      for (const ParameterDescription& p : model_.parameters()) values_.push_back(p.value);
    else
      values_ = vector("parameters", parameters, int(model_.parameters().size()));
  }

  std::vector<Expr> vector(const char* what, const py::handle& given, int size) {
    std::vector<Expr> numbers = read_.list(given);
    if (numbers.size() != std::size_t(size))
      throw std::invalid_argument(std::string(function_) + ": " + what + " has " +
                                  std::to_string(numbers.size()) + " entries, it must have " +
                                  std::to_string(size));
    return numbers;
  }
  std::vector<Expr> position(const py::handle& q) { return vector("q", q, model_.nq()); }
  std::vector<Expr> dofs(const char* what, const py::handle& x) {
    return vector(what, x, model_.nv());
  }

  // Calls kernel(input, workspace), once all symbols are known.
  template <class Kernel> void evaluate(const Kernel& kernel) {
    const ModelParameters<Expr> numbers = make_numbers<Expr>(model_, values_);
    BasicWorkspace<Expr> workspace(model_);
    kernel(KernelInput<Expr, Expr>{model_, numbers}, workspace);
  }
  Writer writer() const { return Writer(read_.graph()); }

 private:
  const char* function_;
  const Model& model_;
  Reader read_;
  std::vector<Expr> values_;
};

}  // namespace

void bind_symbolic(py::module_& module) {
  module.def(
      "kernel_mass_matrix",
      [](const SharedModel& model, const py::object& q, const py::object& parameters) {
        SymbolicCall symbols("kernel.mass_matrix", model, parameters);
        const std::vector<Expr> at = symbols.position(q);
        const int n = model->nv();
        std::vector<Expr> M(std::size_t(n * n));
        symbols.evaluate(
            [&](const KernelInput<Expr, Expr>& input, BasicWorkspace<Expr>& workspace) {
              kernel::mass_matrix<Expr, Expr>(input, at, workspace, {M.data(), n, n});
            });
        py::list rows;  // symmetric: rows are columns
        for (int i = 0; i < n; ++i)
          rows.append(py::list(
              symbols.writer()(std::vector<Expr>(M.begin() + i * n, M.begin() + i * n + n))));
        return rows;
      },
      py::arg("model"), py::arg("q"), py::arg("parameters") = py::none(),
      "M(q) as a list of rows of floats and Expr. parameters: values or symbols in the order of "
      "model.parameters; their nominal values if not given.");
  module.def(
      "kernel_inverse_dynamics",
      [](const SharedModel& model, const py::object& q, const py::object& v, const py::object& a,
         const py::object& parameters) {
        SymbolicCall symbols("kernel.inverse_dynamics", model, parameters);
        const auto at = symbols.position(q), with = symbols.dofs("v", v), by = symbols.dofs("a", a);
        std::vector<Expr> tau(std::size_t(model->nv()));
        symbols.evaluate(
            [&](const KernelInput<Expr, Expr>& input, BasicWorkspace<Expr>& workspace) {
              kernel::inverse_dynamics<Expr, Expr>(input, at, with, by, workspace, tau);
            });
        return py::list(symbols.writer()(tau));
      },
      py::arg("model"), py::arg("q"), py::arg("v"), py::arg("a"),
      py::arg("parameters") = py::none(),
      "The actuator efforts as a list of floats and Expr. parameters: as in mass_matrix.");
  module.def(
      "kernel_forward_dynamics",
      [](const SharedModel& model, const py::object& q, const py::object& v, const py::object& tau,
         const py::object& parameters) {
        SymbolicCall symbols("kernel.forward_dynamics", model, parameters);
        const auto at = symbols.position(q), with = symbols.dofs("v", v),
                   by = symbols.dofs("tau", tau);
        std::vector<Expr> a(std::size_t(model->nv()));
        symbols.evaluate(
            [&](const KernelInput<Expr, Expr>& input, BasicWorkspace<Expr>& workspace) {
              kernel::forward_dynamics<Expr, Expr>(input, at, with, by, workspace, a);
            });
        return py::list(symbols.writer()(a));
      },
      py::arg("model"), py::arg("q"), py::arg("v"), py::arg("tau"),
      py::arg("parameters") = py::none(),
      "The accelerations as a list of floats and Expr. parameters: as in mass_matrix.");
}

}  // namespace trammel::python
