// Quantities of closed-loop models: assembly branches, null-space basis, minimal equations,
// restricted Jacobian, locked joints.
#include <fmt/format.h>

#include "quantities.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/constraint/forces/locked_joints.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"
#include "trammel/model/units.hpp"

namespace trammel::cli {

namespace {

OrthogonalComplement basis_of(EvalRequest& request) {
  OrthogonalComplement found;
  expect_ok(orthogonal_complement(request.model, request.state(), request.inputs(),
                                  request.workspace, found, {.independent = request.independent}));
  return found;
}
std::vector<std::string> picked(const std::vector<std::string>& all, const std::vector<int>& some) {
  std::vector<std::string> out;
  for (const int k : some) out.push_back(all[std::size_t(k)]);
  return out;
}
std::vector<std::string> independent_names(const EvalRequest& request,
                                           const OrthogonalComplement& basis) {
  return picked(dof_names(request.model), basis.independent);
}
std::span<const double> span_of(const Eigen::VectorXd& x) {
  return {x.data(), std::size_t(x.size())};
}

}  // namespace

Answers eval_branches(EvalRequest& request) {
  std::vector<Branch> found;
  expect_ok(assembly_branches(request.model, request.state(), request.workspace,
                              request.state_and_inputs.assembly, found));
  Answer answer{.shape = Answer::Shape::table, .columns = coordinate_names(request.model)};
  answer.values.resize(Eigen::Index(found.size()), request.model.nq());
  for (std::size_t k = 0; k < found.size(); ++k) {
    answer.rows.push_back(fmt::format("branch {}", k + 1));
    for (int j = 0; j < request.model.nq(); ++j)
      answer.values(Eigen::Index(k), j) = found[k].state.q[std::size_t(j)];
    for (const std::string& unit : position_units(request.model)) answer.units.push_back(unit);
  }
  return {answer};
}

Answers eval_complement(EvalRequest& request) {
  const OrthogonalComplement basis = basis_of(request);
  Answer T{.part = "T",
           .shape = Answer::Shape::table,
           .values = basis.T,
           .rows = dof_names(request.model),
           .columns = independent_names(request, basis)};
  const std::vector<DofKind> kinds = dof_kinds(request.model);
  for (const DofKind row : kinds)
    for (const int f : basis.independent) {
      const bool turns = row == DofKind::turn, by_turn = kinds[std::size_t(f)] == DofKind::turn;
      T.units.emplace_back(turns == by_turn ? "1" : turns ? "rad/m" : "m/rad");
    }
  return {T, list_answer(dof_names(request.model), span_of(basis.T_dot_u),
                         acceleration_units(request.model), {}, "T_dot_u")};
}

Answers eval_minimal_equations(EvalRequest& request) {
  const OrthogonalComplement basis = basis_of(request);
  MinimalEquations found;
  expect_ok(minimal_equations(request.model, request.state(), request.inputs(), basis,
                              request.workspace, found));
  const std::vector<std::string> names = independent_names(request, basis);
  const std::vector<std::string> units = picked(effort_units(request.model), basis.independent);
  const std::vector<DofKind> kinds = dof_kinds(request.model);
  Answer inertia{.part = "inertia",
                 .shape = Answer::Shape::table,
                 .values = found.inertia,
                 .rows = names,
                 .columns = names};
  for (const int i : basis.independent)
    for (const int j : basis.independent) {
      const int turns =
          (kinds[std::size_t(i)] == DofKind::turn) + (kinds[std::size_t(j)] == DofKind::turn);
      inertia.units.emplace_back(turns == 2 ? "kg m^2" : turns == 1 ? "kg m" : "kg");
    }
  return {inertia, list_answer(names, span_of(found.bias), units, {}, "bias"),
          list_answer(names, span_of(found.effort), units, {}, "effort")};
}

Answers eval_restricted_jacobian(EvalRequest& request) {
  const OrthogonalComplement basis = basis_of(request);
  RestrictedJacobian found;
  expect_ok(restricted_jacobian(request.model, request.state(), *request.place, request.axes, basis,
                                request.workspace, found));
  const std::vector<std::string> names{"x turn", "y turn", "z turn", "x", "y", "z"};
  Answer J{.part = "J",
           .shape = Answer::Shape::table,
           .values = found.J,
           .rows = names,
           .columns = independent_names(request, basis),
           .frame = frame_name(request)};
  const std::vector<DofKind> kinds = dof_kinds(request.model);
  for (int row = 0; row < 6; ++row)
    for (const int f : basis.independent) {
      const bool by_turn = kinds[std::size_t(f)] == DofKind::turn;
      J.units.emplace_back((row < 3) == by_turn ? "1" : row < 3 ? "rad/m" : "m/rad");
    }
  const auto& [alpha, a] = found.rate;
  const double rate[] = {alpha.x, alpha.y, alpha.z, a.x, a.y, a.z};
  return {J, list_answer(names, rate, {"rad/s^2", "rad/s^2", "rad/s^2", "m/s^2", "m/s^2", "m/s^2"},
                         frame_name(request), "rate")};
}

Answers eval_locked_joints(EvalRequest& request) {
  LockedJoints found;
  expect_ok(
      locked_joints(request.model, request.state(), request.inputs(), request.workspace, found));
  const std::vector<std::string> names = picked(dof_names(request.model), found.dofs);
  // loop joints come after the tree's
  const auto with_loops = [](auto list, const auto& more) {
    list.insert(list.end(), more.begin(), more.end());
    return list;
  };
  const std::vector<std::string> all =
      with_loops(names, picked(loop_dof_names(request.model), found.loop_dofs));
  const std::vector<double> effort =
      with_loops(std::vector<double>(found.effort.begin(), found.effort.end()), found.loop_effort);
  const std::vector<double> is_unique = with_loops(
      std::vector<double>(found.is_unique.begin(), found.is_unique.end()), found.loop_is_unique);
  return {list_answer(all, effort,
                      with_loops(picked(effort_units(request.model), found.dofs),
                                 picked(loop_effort_units(request.model), found.loop_dofs)),
                      {}, "effort"),
          list_answer(all, is_unique, std::vector<std::string>(all.size(), "1"), {}, "unique"),
          list_answer(names, span_of(found.released),
                      picked(acceleration_units(request.model), found.dofs), {}, "released")};
}

}  // namespace trammel::cli
