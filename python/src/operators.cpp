#include "trammel/dynamics/operators.hpp"

#include "bindings.hpp"
#include "call.hpp"

namespace trammel::python {

namespace {

// A function of the state with dense matrices of all bodies as its result.
template <class Result>
auto returns_dense(Status (*function)(const Model&, const State&, Workspace&, Result&)) {
  return [=](Call& call) {
    Result result;
    call.set_visits(call.model().bodies().size() * call.model().bodies().size());
    call.evaluate(function, result);
    return result;
  };
}

std::string size_of(const Eigen::MatrixXd& matrix) {
  return std::to_string(matrix.rows() / 6) + " bodies and " + std::to_string(matrix.cols()) +
         " degrees of freedom>";
}

void bind_spatial_operators(py::module_& module) {
  using O = SpatialOperators;
  Class<O>(module, "SpatialOperators",
           "The spatial operators of a tree as matrices: stacked over the n moving bodies, six "
           "rows each, angular first, at the body's joint, in the world's axes.")
      .field("H", &O::H, "6n x nv: joint motion subspaces; block diagonal.")
      .field("E_phi", &O::E_phi, "6n x 6n: the shift from each body's parent to it.")
      .field("Phi", &O::Phi, "(1 - E_phi)^-1: from every body to all bodies outboard of it.")
      .field("M", &O::M, "6n x 6n: spatial inertias of the bodies alone.")
      .field("P", &O::P, "6n x 6n: articulated inertias, P = M + E_psi^T P E_psi.")
      .field("D", &O::D, "nv x nv: H^T P H.")
      .field("G", &O::G, "6n x nv: P H D^-1, the Kalman gain of the filter.")
      .field("K", &O::K, "nv x 6n: G^T E_phi.")
      .field("E_psi", &O::E_psi, "6n x 6n: (1 - H G^T) E_phi.")
      .field("Psi", &O::Psi, "(1 - E_psi)^-1.")
      .method("mass_matrix", &O::mass_matrix, "H^T Phi^T M Phi H, nv x nv.")
      .method("mass_matrix_inverse", &O::mass_matrix_inverse,
              "(1 - K Psi H) D^-1 (1 - K Psi H)^T, nv x nv.")
      .repr([](const O& o) { return "<SpatialOperators of " + size_of(o.H); });
  define(module, "spatial_operators", in::of_state, returns_dense<O>(spatial_operators),
         "The spatial operators as dense matrices, for study.");

  Class<SpatialBias>(module, "SpatialBias",
                     "Velocity-dependent terms of the stacked equations: dV/dt = Phi (H a + "
                     "acceleration), F = Phi^T (M dV/dt + force), tau = H^T F, without gravity.")
      .field("acceleration", &SpatialBias::acceleration, "6n: velocity-dependent part of dV/dt.")
      .field("force", &SpatialBias::force, "6n: velocity-dependent part of the forces.")
      .repr([](const SpatialBias& bias) {
        return "<SpatialBias of " + std::to_string(bias.force.size() / 6) + " bodies>";
      });
  define(module, "spatial_bias", in::of_state, returns_dense<SpatialBias>(spatial_bias),
         "The velocity-dependent terms of the stacked spatial operators.");
  define(
      module, "place_operator",
      parameters(in::state, in::place, keyword_only, in::workspace, in::out),
      [](Call& call, const FrameRef& place, const OptionalOut& out) {
        MatrixOut result = call.matrix(out, 6, 6 * (int(call.model().bodies().size()) - 1));
        call.evaluate([&](Workspace& workspace) {
          return place_operator(call.model(), call.state(), place, workspace, result.matrix());
        });
        return result.finish();
      },
      "From the bodies to a place on one of them, 6 x 6n: [omega; v] of the place in the world's "
      "axes is this times V = Phi H v.");
}

void bind_transmission_form(py::module_& module) {
  using T = TransmissionForm;
  Class<T>(module, "TransmissionForm",
           "M, C and N in closed form: stacked over the n named bodies (without ground) in "
           "their own frames, six rows each, LINEAR part first.")
      .field("G", &T::G, "6n x 6n: block (j, i) takes the twist of i to j outboard of it.")
      .field("G_0", &T::G_0, "6n x 6: from ground to every body.")
      .field("S", &T::S, "6n x nv: the joint twists, in the frame of the body each moves.")
      .field("M", &T::M, "6n x 6n: generalized mass matrices.")
      .field("A_1", &T::A_1, "6n x 6n: -ad of the joint's own twist.")
      .field("A_2", &T::A_2, "6n x 6n: -ad^T of the body's twist.")
      .field("V", &T::V, "6n: twists.")
      .method("mass_matrix", &T::mass_matrix, "S^T G^T M G S, nv x nv.")
      .method("coriolis_matrix", &T::coriolis_matrix,
              "S^T G^T (M G A_1 + A_2 M) G S, nv x nv: not unique; only its product with v is.")
      .method(
          "gravity_load",
          [](const T& form, const py::object& gravity) {
            return form.gravity_load(to_vec3("gravity_load: gravity", gravity));
          },
          py::arg("gravity"), "N(q) under this gravity [m/s^2], nv.")
      .repr([](const T& form) { return "<TransmissionForm of " + size_of(form.S); });
  define(module, "transmission_form", in::of_state, returns_dense<T>(transmission_form),
         "M, C and N in closed form, for trees of joints with fixed axes.\n\n"
         "Raises EvaluationError naming a joint whose axes rotate.");
}

}  // namespace

void bind_operators(py::module_& module) {
  bind_spatial_operators(module);
  bind_transmission_form(module);
}

}  // namespace trammel::python
