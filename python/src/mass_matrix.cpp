#include "trammel/dynamics/mass_matrix.hpp"

#include "bindings.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "records.hpp"
#include "stages.hpp"

namespace trammel::python {

namespace {

// Given factors, or a state to compute them from.
using StageOrState = std::variant<const ArticulatedInertias*, const State*>;

const ArticulatedInertias* stage_in(const StageOrState& given) {
  const auto* const stage = std::get_if<const ArticulatedInertias*>(&given);
  return stage ? *stage : nullptr;
}
const State& state_in(const StageOrState& given) {
  static const State nothing;  // ignored if factors are given
  const auto* const state = std::get_if<const State*>(&given);
  return state ? **state : nothing;
}

using FactorsFunction = Status (*)(const Model&, const ArticulatedInertias&,
                                   Eigen::Ref<Eigen::MatrixXd>, Eigen::Ref<Eigen::MatrixXd>);

void bind_factors(py::module_& module, const char* name, FactorsFunction context,
                  const char* result, const char* text) {
  module.def(
      name,
      [name = std::string(name), context, result](
          const SharedModel& model, const StageOrState& factors, OwnWorkspace* workspace) {
        const int n = model->nv();
        MatrixOut L(name.c_str(), std::nullopt, n, n), D(name.c_str(), std::nullopt, n, n);
        Rented<Workspace> room(model, workspace);
        const Factors stage(name.c_str(), model, state_in(factors), stage_in(factors), room);
        require(context(*model, stage, L.matrix(), D.matrix()));
        return record(result, L.finish(), D.finish());
      },
      py::arg("model"), py::arg("factors"), py::kw_only(), py::arg("workspace") = py::none(), text);
}

}  // namespace

void bind_mass_matrix(py::module_& module) {
  py::class_<ArticulatedInertias>(module, "ArticulatedInertias",
                                  "Articulated-body inertias at one position: the factors of "
                                  "every inverse of M.")
      .def("__repr__", [](const ArticulatedInertias& stage) {
        return "<ArticulatedInertias of " + std::to_string(stage.I_A.size() - 1) +
               " moving bodies>";
      });

  module.def(
      "mass_matrix",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace,
         const OptionalOut& out) {
        MatrixOut M("mass_matrix", out, model->nv(), model->nv());
        ask(model, workspace,
            [&](Workspace& room) { return mass_matrix(*model, state, room, M.matrix()); });
        return M.finish();
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      py::arg("out") = py::none(),
      "Mass matrix M(q), nv x nv, symmetric and positive semidefinite.");
  module.def(
      "articulated_inertias",
      [](const SharedModel& model, const State& state, OwnWorkspace* workspace,
         const py::object& out) {
        const py::object answer =
            object_out<ArticulatedInertias>("articulated_inertias", "ArticulatedInertias", out,
                                            [&] { return ArticulatedInertias(*model); });
        ArticulatedInertias& stage = answer.cast<ArticulatedInertias&>();
        ask(model, workspace,
            [&](Workspace& room) { return articulated_inertias(*model, state, room, stage); });
        return answer;
      },
      py::arg("model"), py::arg("state"), py::kw_only(), py::arg("workspace") = py::none(),
      py::arg("out") = py::none(),
      "Articulated-body inertias, the factors of every inverse of M; out is one of this model to "
      "write into.\n\n"
      "Raises EvaluationError naming a degree of freedom without inertia.");
  module.def(
      "mass_matrix_inverse",
      [](const SharedModel& model, const StageOrState& factors, OwnWorkspace* workspace,
         const OptionalOut& out) {
        MatrixOut inverse("mass_matrix_inverse", out, model->nv(), model->nv());
        Rented<Workspace> room(model, workspace);
        const Factors stage("mass_matrix_inverse", model, state_in(factors), stage_in(factors),
                            room);
        require([&] {
          const Unlocked unlocked(model->bodies().size() * std::size_t(model->nv()));
          return mass_matrix_inverse(*model, stage, room, inverse.matrix());
        }());
        return inverse.finish();
      },
      py::arg("model"), py::arg("factors"), py::kw_only(), py::arg("workspace") = py::none(),
      py::arg("out") = py::none(),
      "M(q)^-1, nv x nv. factors: from articulated_inertias, or a State to make them from.");
  bind_factors(
      module, "mass_matrix_factors", &mass_matrix_factors, "MassMatrixFactors",
      "M = L^T D L: MassMatrixFactors(L, D), nv x nv, L unit lower triangular in the order of v, "
      "D with one block per joint.\n\n"
      "factors: from articulated_inertias, or a State.");
  bind_factors(module, "mass_matrix_inverse_factors", &mass_matrix_inverse_factors,
               "MassMatrixInverseFactors",
               "M^-1 = L^-1 D^-1 L^-T: MassMatrixInverseFactors(L_inverse, D_inverse), nv x nv.\n\n"
               "factors: from articulated_inertias, or a State.");
}

}  // namespace trammel::python
