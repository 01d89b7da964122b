#include "trammel/constraint/mobility/orthogonal_complement.hpp"

#include <pybind11/eigen.h>

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "joint_names.hpp"
#include "records.hpp"
#include "trammel/constraint/mobility/natural_complement.hpp"
#include "trammel/constraint/system/constrained_derivatives.hpp"

namespace trammel::python {

namespace {

// The basis that the arguments select.
OrthogonalComplement complement_of(const SharedModel& model, const State& state,
                                   const Inputs& inputs, Workspace& room,
                                   const std::vector<std::string>& independent, bool orthonormal) {
  const OrthogonalComplementOptions options{
      .independent = joints_of("orthogonal_complement: independent", *model, independent),
      .orthonormal = orthonormal};
  OrthogonalComplement out;
  require([&] {
    const Unlocked unlocked(model);
    return orthogonal_complement(*model, state, inputs, room, out, options);
  }());
  return out;
}
py::list dof_names(const Model& model, const std::vector<int>& dofs) {
  py::list names;
  for (const int dof : dofs) names.append(model.dof_name(dof));
  return names;
}

}  // namespace

void bind_complement(py::module_& module) {
  module.def(
      "orthogonal_complement",
      [](const SharedModel& model, const State& state, const std::vector<std::string>& independent,
         bool orthonormal, const OptionalArray& a, const std::optional<Support>& ground,
         OwnWorkspace* workspace) {
        const CallInputs call("orthogonal_complement", *model, {.a = a, .ground = ground});
        Rented<Workspace> room(model, workspace);
        const OrthogonalComplement found =
            complement_of(model, state, call.inputs(), room, independent, orthonormal);
        return record("OrthogonalComplement", found.T, found.T_dot_u, found.u, found.prescribed,
                      dof_names(*model, found.independent), found.least);
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("independent") = py::tuple(),
      py::arg("orthonormal") = false, py::arg("a") = py::none(), py::arg("ground") = py::none(),
      py::arg("workspace") = py::none(),
      "Null-space basis of the constraint Jacobian (orthogonal complement): v = T u with J T = 0; "
      "a = T u' + T_dot_u satisfies the constraints.\n\n"
      "Complement(T, T_dot_u, u, planned, independent, least). independent: names of joints whose\n"
      "velocities are u (a well-conditioned set is chosen if none are named); or "
      "orthonormal=True.");
  module.def(
      "minimal_equations",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const std::vector<std::string>& independent, bool orthonormal, const OptionalArray& a,
         const std::vector<WrenchAt>& wrenches, const std::optional<Support>& ground,
         OwnWorkspace* workspace) {
        const CallInputs call("minimal_equations", *model,
                              {.tau = tau, .a = a, .wrenches = wrenches, .ground = ground});
        Rented<Workspace> room(model, workspace);
        const OrthogonalComplement basis =
            complement_of(model, state, call.inputs(), room, independent, orthonormal);
        MinimalEquations found;
        require([&] {
          const Unlocked unlocked(model);
          return minimal_equations(*model, state, call.inputs(), basis, room, found);
        }());
        return record("MinimalEquations", found.inertia, found.bias, found.effort,
                      dof_names(*model, basis.independent));
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("independent") = py::tuple(), py::arg("orthonormal") = false,
      py::arg("a") = py::none(), py::arg("wrenches") = py::tuple(), py::arg("ground") = py::none(),
      py::arg("workspace") = py::none(),
      "Equations of motion in independent velocities, without multipliers: inertia u' + bias = "
      "effort.\n"
      "MinimalEquations(inertia, bias, effort, independent).");
  module.def(
      "restricted_jacobian",
      [](const SharedModel& model, const State& state, const Where& place, Axes axes,
         const std::vector<std::string>& independent, bool orthonormal, OwnWorkspace* workspace) {
        Rented<Workspace> room(model, workspace);
        const OrthogonalComplement basis =
            complement_of(model, state, {}, room, independent, orthonormal);
        RestrictedJacobian found;
        require(
            restricted_jacobian(*model, state, resolve(*model, place), axes, basis, room, found));
        return record("RestrictedJacobian", found.J, to_array(found.rate));
      },
      py::arg("model"), py::arg("state"), py::arg("place"), py::arg("axes") = "world",
      py::kw_only(), py::arg("independent") = py::tuple(), py::arg("orthonormal") = false,
      py::arg("workspace") = py::none(),
      "Jacobian of a place with respect to the independent velocities: [omega; v] = J u, and its "
      "acceleration is J u' + rate. RestrictedJacobian(J, rate).");
  module.def(
      "constrained_derivatives",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const std::vector<std::string>& independent, bool orthonormal, OwnWorkspace* workspace) {
        const CallInputs call("constrained_derivatives", *model, {.tau = tau});
        Rented<Workspace> room(model, workspace);
        const OrthogonalComplement basis =
            complement_of(model, state, call.inputs(), room, independent, orthonormal);
        ConstrainedDerivatives found;
        require([&] {
          const Unlocked unlocked(model);
          return constrained_derivatives(*model, state, call.inputs(), basis, room, found);
        }());
        return record("ConstrainedDerivatives", found.dq, found.dv, found.dtau, basis.T,
                      dof_names(*model, basis.independent));
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("independent") = py::tuple(), py::arg("orthonormal") = false,
      py::arg("workspace") = py::none(),
      "Derivatives of the accelerations along the motions that the constraints allow: by a motion "
      "along\n"
      "each column of T with u fixed, by each entry of u, by each effort.\n\n"
      "ConstrainedDerivatives(dq, dv, dtau, T, independent).");
  module.def(
      "natural_complement",
      [](const SharedModel& model, const State& state, const OptionalArray& tau,
         const std::vector<std::string>& independent, const std::vector<WrenchAt>& wrenches,
         OwnWorkspace* workspace) {
        const CallInputs call("natural_complement", *model, {.tau = tau, .wrenches = wrenches});
        Rented<Workspace> room(model, workspace);
        const OrthogonalComplement basis =
            complement_of(model, state, call.inputs(), room, independent, false);
        NaturalComplement found;
        require([&] {
          const Unlocked unlocked(model);
          return natural_complement(*model, state, call.inputs(), basis, room, found);
        }());
        py::list bodies;
        for (const BodyId body : found.bodies) bodies.append((*model)[body].name);
        return record("NaturalComplement", bodies, found.rows, found.A, found.T, found.t,
                      found.T_dot_u, found.M, found.gyroscopic, found.working);
      },
      py::arg("model"), py::arg("state"), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("independent") = py::tuple(), py::arg("wrenches") = py::tuple(),
      py::arg("workspace") = py::none(),
      "Natural orthogonal complement [Saha 1991], for study: twists of all bodies t = T u and the "
      "constraint rows of every joint, A T = 0.\n\n"
      "NaturalComplement(bodies, rows, A, T, t, T_dot_u, M, gyroscopic, working): twists are\n"
      "[omega; velocity of the center of mass] in world axes, M t' + gyroscopic = working + A^T "
      "lambda.");
}

}  // namespace trammel::python
