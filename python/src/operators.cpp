#include "trammel/dynamics/operators.hpp"

#include <pybind11/eigen.h>

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "records.hpp"

namespace trammel::python {

namespace {

template <class Answer>
void bind_function(py::module_& module, const char* name,
                   Status (*context)(const Model&, const State&, Workspace&, Answer&),
                   const char* text) {
  module.def(
      name,
      [context](const SharedModel& model, const State& state, OwnWorkspace* workspace) {
        Answer answer;
        Rented<Workspace> room(model, workspace);
        require([&] {
          const Unlocked unlocked(model->bodies().size() * model->bodies().size());
          return context(*model, state, room, answer);
        }());
        return answer;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(), text);
}

std::string size_of(const Eigen::MatrixXd& matrix) {
  return std::to_string(matrix.rows() / 6) + " bodies and " + std::to_string(matrix.cols()) +
         " degrees of freedom>";
}

}  // namespace

void bind_operators(py::module_& module) {
  using O = SpatialOperators;
  py::class_<O>(
      module, "SpatialOperators",
      "The spatial operators of a tree as matrices: stacked over the n moving bodies, six "
      "rows each, angular first, at the body's joint, in the world's axes.")
      .def_readonly("H", &O::H, "6n x nv: joint motion subspaces; block diagonal.")
      .def_readonly("E_phi", &O::E_phi, "6n x 6n: the shift from each body's parent to it.")
      .def_readonly("Phi", &O::Phi, "(1 - E_phi)^-1: from every body to all bodies outboard of it.")
      .def_readonly("M", &O::M, "6n x 6n: spatial inertias of the bodies alone.")
      .def_readonly("P", &O::P, "6n x 6n: articulated inertias, P = M + E_psi^T P E_psi.")
      .def_readonly("D", &O::D, "nv x nv: H^T P H.")
      .def_readonly("G", &O::G, "6n x nv: P H D^-1, the Kalman gain of the filter.")
      .def_readonly("K", &O::K, "nv x 6n: G^T E_phi.")
      .def_readonly("E_psi", &O::E_psi, "6n x 6n: (1 - H G^T) E_phi.")
      .def_readonly("Psi", &O::Psi, "(1 - E_psi)^-1.")
      .def("mass_matrix", &O::mass_matrix, "H^T Phi^T M Phi H, nv x nv.")
      .def("mass_matrix_inverse", &O::mass_matrix_inverse,
           "(1 - K Psi H) D^-1 (1 - K Psi H)^T, nv x nv.")
      .def("__repr__", [](const O& o) { return "<SpatialOperators of " + size_of(o.H); });
  bind_function<O>(module, "spatial_operators", &spatial_operators,
                   "The spatial operators as dense matrices, for study.");

  py::class_<SpatialBias>(
      module, "SpatialBias",
      "Velocity-dependent terms of the stacked equations: dV/dt = Phi (H a + acceleration), F = "
      "Phi^T (M dV/dt + force), tau = H^T F, without gravity.")
      .def_readonly("acceleration", &SpatialBias::acceleration,
                    "6n: velocity-dependent part of "
                    "dV/dt.")
      .def_readonly("force", &SpatialBias::force, "6n: velocity-dependent part of the forces.")
      .def("__repr__", [](const SpatialBias& bias) {
        return "<SpatialBias of " + std::to_string(bias.force.size() / 6) + " bodies>";
      });
  bind_function<SpatialBias>(module, "spatial_bias", &spatial_bias,
                             "The velocity-dependent terms of the stacked spatial operators.");

  module.def(
      "place_operator",
      [](const SharedModel& model, const State& state, const Where& place, OwnWorkspace* workspace,
         const OptionalOut& out) {
        MatrixOut answer("place_operator", out, 6, 6 * (int(model->bodies().size()) - 1));
        Rented<Workspace> room(model, workspace);
        require(place_operator(*model, state, resolve(*model, place), room, answer.matrix()));
        return answer.finish();
      },
      py::arg("model"), py::arg("state"), py::arg("place"), py::kw_only(),
      py::arg("workspace") = py::none(), py::arg("out") = py::none(),
      "From the bodies to a place on one of them, 6 x 6n: [omega; v] of the place in the world's "
      "axes is this times V = Phi H v.");

  using T = TransmissionForm;
  py::class_<T>(module, "TransmissionForm",
                "M, C and N in closed form: stacked over the n named bodies (without ground) in "
                "their own frames, six rows each, LINEAR part first.")
      .def_readonly("G", &T::G, "6n x 6n: block (j, i) takes the twist of i to j outboard of it.")
      .def_readonly("G_0", &T::G_0, "6n x 6: from ground to every body.")
      .def_readonly("S", &T::S, "6n x nv: the joint twists, in the frame of the body each moves.")
      .def_readonly("M", &T::M, "6n x 6n: generalized mass matrices.")
      .def_readonly("A_1", &T::A_1, "6n x 6n: -ad of the joint's own twist.")
      .def_readonly("A_2", &T::A_2, "6n x 6n: -ad^T of the body's twist.")
      .def_readonly("V", &T::V, "6n: twists.")
      .def("mass_matrix", &T::mass_matrix, "S^T G^T M G S, nv x nv.")
      .def("coriolis_matrix", &T::coriolis_matrix,
           "S^T G^T (M G A_1 + A_2 M) G S, nv x nv: not unique; only its product with v is.")
      .def(
          "gravity_load",
          [](const T& form, const py::object& gravity) {
            return form.gravity_load(to_vec3("gravity_load: gravity", gravity));
          },
          py::arg("gravity"), "N(q) under this gravity [m/s^2], nv.")
      .def("__repr__", [](const T& form) { return "<TransmissionForm of " + size_of(form.S); });
  bind_function<T>(module, "transmission_form", &transmission_form,
                   "M, C and N in closed form, for trees of joints with fixed axes.\n\n"
                   "Raises EvaluationError naming a joint whose axes rotate.");
}

}  // namespace trammel::python
