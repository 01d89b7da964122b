#include "trammel/dynamics/mass_matrix.hpp"

#include "bindings.hpp"
#include "factors.hpp"

namespace trammel::python {

namespace {

constexpr auto of_factors =
    parameters(parameter<FactorsOrState>("factors"), keyword_only, in::workspace);

using FactorsFunction = Status (*)(const Model&, const ArticulatedInertias&,
                                   Eigen::Ref<Eigen::MatrixXd>, Eigen::Ref<Eigen::MatrixXd>);
auto returns_factors(FactorsFunction function, const char* result) {
  return [=](Call& call, const FactorsOrState& given) {
    const int n = call.model().nv();
    const Factors factors(call, given);
    MatrixOut L = call.matrix({}, n, n), D = call.matrix({}, n, n);
    require(function(call.model(), *factors, L.matrix(), D.matrix()));
    return record(result, L.finish(), D.finish());
  };
}

}  // namespace

void bind_mass_matrix(py::module_& module) {
  Class<ArticulatedInertias>(
      module, "ArticulatedInertias",
      "Articulated-body inertias at one position: the factors of every inverse of M.")
      .repr([](const ArticulatedInertias& inertias) {
        return "<ArticulatedInertias of " + std::to_string(inertias.I_A.size() - 1) +
               " moving bodies>";
      });

  define(
      module, "mass_matrix", parameters(in::of_state, in::out),
      [](Call& call, const OptionalOut& out) {
        MatrixOut M = call.matrix(out, call.model().nv(), call.model().nv());
        call.evaluate(mass_matrix, M.matrix());
        return M.finish();
      },
      "Mass matrix M(q), nv x nv, symmetric and positive semidefinite.");
  define(module, "articulated_inertias", parameters(in::of_state, object_parameter),
         returns_object<ArticulatedInertias>(articulated_inertias, "ArticulatedInertias"),
         "Articulated-body inertias, the factors of every inverse of M; out is one of this model "
         "to write into.\n\n"
         "Raises EvaluationError naming a degree of freedom without inertia.");
  define(
      module, "mass_matrix_inverse", parameters(of_factors, in::out),
      [](Call& call, const FactorsOrState& given, const OptionalOut& out) {
        const Model& model = call.model();
        MatrixOut inverse = call.matrix(out, model.nv(), model.nv());
        const Factors factors(call, given);
        call.set_visits(model.bodies().size() * std::size_t(model.nv()));
        call.evaluate([&](Workspace& workspace) {
          return mass_matrix_inverse(model, *factors, workspace, inverse.matrix());
        });
        return inverse.finish();
      },
      "M(q)^-1, nv x nv. factors: from articulated_inertias, or a State to make them from.");
  define(module, "mass_matrix_factors", of_factors,
         returns_factors(mass_matrix_factors, "MassMatrixFactors"),
         "M = L^T D L: MassMatrixFactors(L, D), nv x nv, L unit lower triangular in the order of "
         "v, D with one block per joint.\n\n"
         "factors: from articulated_inertias, or a State.");
  define(module, "mass_matrix_inverse_factors", of_factors,
         returns_factors(mass_matrix_inverse_factors, "MassMatrixInverseFactors"),
         "M^-1 = L^-1 D^-1 L^-T: MassMatrixInverseFactors(L_inverse, D_inverse), nv x nv.\n\n"
         "factors: from articulated_inertias, or a State.");
}

}  // namespace trammel::python
