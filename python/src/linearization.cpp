#include <pybind11/complex.h>

#include <optional>

#include "bindings.hpp"
#include "call.hpp"
#include "trammel/analyze/equilibrium.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/analyze/linearized_dynamics.hpp"

namespace trammel::python {

namespace {

py::object to_record(const UncontrollableMode& mode) {
  using Verdict = UncontrollableMode::Verdict;
  const py::object stabilisable = mode.verdict == Verdict::stays
                                      ? py::object(py::none())
                                      : py::bool_(mode.verdict == Verdict::decays);
  return record("UncontrollableMode", mode.eigenvalue, mode.of, mode.name, stabilisable,
                to_string(mode.verdict));
}
py::object linearization_record(const Linearization& found) {
  py::list modes;
  for (const UncontrollableMode& mode : found.uncontrollable_modes) modes.append(to_record(mode));
  return record("Linearization", found.A, found.B, found.C, found.D, found.states, found.inputs,
                found.outputs, found.eigenvalues, found.modes, found.acceleration, modes);
}

// Products with the matrices of a linearization; holds the model that they refer to.
struct OwnLinearizedDynamics {
  py::object model;
  std::optional<LinearizedDynamics> products;
};

// A function of the products, with vectors as they come from Python.
template <class Function> auto of_products(Function function) {
  return [=](const OwnLinearizedDynamics& own, const Eigen::VectorXd& x) {
    return ((*own.products).*function)(x);
  };
}
template <class Function> auto of_products_alone(Function function) {
  return [=](const OwnLinearizedDynamics& own) { return ((*own.products).*function)(); };
}

void bind_linearized_dynamics(py::module_& module) {
  using L = LinearizedDynamics;
  Class<OwnLinearizedDynamics>(
      module, "LinearizedDynamics",
      "Linearization x' = A x + B u, y = C x of a large mechanism, as products with vectors: no "
      "matrix is formed. For one thread at a time.")
      .field("states", of_products_alone(&L::states), "Names of x, positions first.")
      .field("inputs", of_products_alone(&L::inputs), "Names of u.")
      .field("outputs", of_products_alone(&L::outputs), "Names of y.")
      .field("positions", of_products_alone(&L::positions), "Number of positions in x.")
      .field("acceleration", of_products_alone(&L::acceleration),
             "Largest acceleration of the state itself: 0 at an equilibrium.")
      .method("apply", of_products(&L::apply), py::arg("x"), "A x.")
      .method("apply_transposed", of_products(&L::apply_transposed), py::arg("y"), "A^T y.")
      .method("apply_inputs", of_products(&L::apply_inputs), py::arg("u"), "B u.")
      .method("apply_inputs_transposed", of_products(&L::apply_inputs_transposed), py::arg("y"),
              "B^T y.")
      .method("apply_outputs", of_products(&L::apply_outputs), py::arg("x"), "C x.")
      .method("A", of_products_alone(&L::A), "The matrix A.")
      .method("B", of_products_alone(&L::B), "The matrix B.")
      .method("C", of_products_alone(&L::C), "The matrix C.")
      .repr([](const OwnLinearizedDynamics& own) {
        return "<LinearizedDynamics of " + std::to_string(own.products->states().size()) +
               " states>";
      });
  define(
      module, "linearized_dynamics", parameters(in::state, keyword_only, in::tau, in::workspace),
      [](Call& call) {
        OwnLinearizedDynamics out{
            py::cast(&call.shared_model(), py::return_value_policy::reference), {}};
        call.evaluate(linearized_dynamics, out.products);
        return out;
      },
      "Linearization about a state as products with vectors, for large mechanisms:\n"
      "LinearizedDynamics. A product costs O(bodies).");
}

}  // namespace

void bind_linearization(py::module_& module) {
  bind_linearized_dynamics(module);
  define(
      module, "linearize",
      parameters(in::state, keyword_only, in::tau, parameter<bool>("eigenvalues", true),
                 parameter<bool>("uncontrollable_modes", true), in::workspace),
      [](Call& call, bool eigenvalues, bool uncontrollable_modes) {
        Linearization found;
        call.evaluate([&](Workspace& workspace) {
          return linearize(
              call.model(), call.state(), call.inputs(), workspace, found,
              {.eigenvalues = eigenvalues, .uncontrollable_modes = uncontrollable_modes});
        });
        return linearization_record(found);
      },
      "Motion near a state: x' = A x + B u, y = C x + D u, in positions and velocities that can "
      "be\n"
      "chosen while loops stay closed; with eigenvalues, the slowest first, modes, and the "
      "uncontrollable modes.\n"
      "Each of these may be left out: eigenvalues=False leaves out all three.");
  define(
      module, "equilibrium",
      parameters(in::state, keyword_only, in::tau, parameter<int>("steps", 100), in::workspace),
      [](Call& call, int steps) {
        State out = call.state();
        call.evaluate([&](Workspace& workspace) {
          return equilibrium(call.model(), out, call.inputs(), workspace, {.steps = steps});
        });
        return out;
      },
      "The State near the one given in which nothing accelerates, at rest.");
}

}  // namespace trammel::python
