#include "trammel/constraint/mobility/orthogonal_complement.hpp"

#include "bindings.hpp"
#include "call.hpp"
#include "trammel/constraint/mobility/natural_complement.hpp"
#include "trammel/constraint/system/constrained_derivatives.hpp"

namespace trammel::python {

namespace {

// Names of joints whose velocities are the coordinates of the null space.
constexpr auto independent_parameter = parameter<std::vector<std::string>>(
    "independent", EmptyTuple(),
    [](Call& call, const char*, const std::vector<std::string>& names) {
      return joints_of("orthogonal_complement: independent", call.model(), names);
    });
constexpr auto basis_parameters =
    parameters(independent_parameter, parameter<bool>("orthonormal", false));

using Joints = std::vector<JointId>;

OrthogonalComplement complement_of(Call& call, const Joints& independent, bool orthonormal) {
  OrthogonalComplement found;
  call.evaluate(orthogonal_complement, found,
                OrthogonalComplementOptions{independent, orthonormal});
  return found;
}

// Evaluates f(model, state, inputs, basis, workspace, result) in the basis of the arguments.
template <class Result, class Function>
Result evaluate_in(Call& call, const Function& f, const OrthogonalComplement& basis) {
  Result result;
  call.evaluate([&](Workspace& workspace) {
    return f(call.model(), call.state(), call.inputs(), basis, workspace, result);
  });
  return result;
}

py::list dof_names(const Model& model, const std::vector<int>& dofs) {
  py::list names;
  for (const int dof : dofs) names.append(model.dof_name(dof));
  return names;
}

void bind_natural_complement(py::module_& module) {
  define(
      module, "natural_complement",
      parameters(in::state, in::tau, keyword_only, independent_parameter, in::wrenches,
                 in::workspace),
      [](Call& call, const Joints& independent) {
        const auto found = evaluate_in<NaturalComplement>(call, natural_complement,
                                                          complement_of(call, independent, false));
        py::list bodies;
        for (const BodyId body : found.bodies) bodies.append(call.model()[body].name);
        return record("NaturalComplement", bodies, found.rows, found.A, found.T, found.t,
                      found.T_dot_u, found.M, found.gyroscopic, found.working);
      },
      "Natural orthogonal complement [Saha 1991], for study: twists of all bodies t = T u and the "
      "constraint rows of every joint, A T = 0.\n\n"
      "NaturalComplement(bodies, rows, A, T, t, T_dot_u, M, gyroscopic, working): twists are\n"
      "[omega; velocity of the center of mass] in world axes, M t' + gyroscopic = working + A^T "
      "lambda.");
}

}  // namespace

void bind_orthogonal_complement(py::module_& module) {
  define(
      module, "orthogonal_complement",
      parameters(in::state, keyword_only, basis_parameters, in::prescribed_a, in::ground,
                 in::workspace),
      [](Call& call, const Joints& independent, bool orthonormal) {
        const OrthogonalComplement found = complement_of(call, independent, orthonormal);
        return record("OrthogonalComplement", found.T, found.T_dot_u, found.u, found.prescribed,
                      dof_names(call.model(), found.independent), found.least);
      },
      "Null-space basis of the constraint Jacobian (orthogonal complement): v = T u + prescribed "
      "with J T = 0; a = T u' + T_dot_u satisfies the constraints.\n\n"
      "OrthogonalComplement(T, T_dot_u, u, prescribed, independent, least). independent: names of "
      "joints whose\n"
      "velocities are u (a well-conditioned set is chosen if none are named); or "
      "orthonormal=True.");
  define(
      module, "minimal_equations",
      parameters(in::state, in::tau, keyword_only, basis_parameters, in::prescribed_a, in::loads,
                 in::workspace),
      [](Call& call, const Joints& independent, bool orthonormal) {
        const OrthogonalComplement basis = complement_of(call, independent, orthonormal);
        const auto found = evaluate_in<MinimalEquations>(call, minimal_equations, basis);
        return record("MinimalEquations", found.inertia, found.bias, found.effort,
                      dof_names(call.model(), basis.independent));
      },
      "Equations of motion in independent velocities, without multipliers: inertia u' + bias = "
      "effort.\n"
      "MinimalEquations(inertia, bias, effort, independent).");
  define(
      module, "restricted_jacobian",
      parameters(in::state, in::place, in::axes, keyword_only, basis_parameters, in::workspace),
      [](Call& call, const FrameRef& place, Axes axes, const Joints& independent,
         bool orthonormal) {
        const OrthogonalComplement basis = complement_of(call, independent, orthonormal);
        RestrictedJacobian found;
        call.evaluate([&](Workspace& workspace) {
          return restricted_jacobian(call.model(), call.state(), place, axes, basis, workspace,
                                     found);
        });
        return record("RestrictedJacobian", found.J, to_array(found.rate));
      },
      "Jacobian of a place with respect to the independent velocities: [omega; v] = J u, and its "
      "acceleration is J u' + rate. RestrictedJacobian(J, rate).");
  define(
      module, "constrained_derivatives",
      parameters(in::state, in::tau, keyword_only, basis_parameters, in::workspace),
      [](Call& call, const Joints& independent, bool orthonormal) {
        const OrthogonalComplement basis = complement_of(call, independent, orthonormal);
        ConstrainedDerivatives found;
        call.evaluate([&](Workspace& workspace) {
          return constrained_derivatives(call.model(), call.state(), call.inputs(), basis,
                                         workspace, found);
        });
        return record("ConstrainedDerivatives", found.dq, found.dv, found.dtau, basis.T,
                      dof_names(call.model(), basis.independent));
      },
      "Derivatives of the accelerations along the motions that the constraints allow: by a motion "
      "along\n"
      "each column of T with u fixed, by each entry of u, by each effort.\n\n"
      "ConstrainedDerivatives(dq, dv, dtau, T, independent).");
  bind_natural_complement(module);
}

}  // namespace trammel::python
