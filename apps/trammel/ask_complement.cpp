// Quantities of closed-loop models: assembly branches, null-space basis, minimal equations,
// restricted Jacobian, locked joints.
#include <fmt/format.h>

#include "quantities.hpp"
#include "trammel/constraint/complement.hpp"
#include "trammel/constraint/locked_joints.hpp"
#include "trammel/constraint/loop_motion.hpp"
#include "trammel/model/units.hpp"

namespace trammel::cli {

namespace {

OrthogonalComplement basis_of(EvalPoint& moment) {
  OrthogonalComplement found;
  expect_ok(complement(moment.model, moment.state(), moment.inputs(), moment.workspace, found,
                       {.independent = moment.independent}));
  return found;
}
std::vector<std::string> picked(const std::vector<std::string>& all, const std::vector<int>& some) {
  std::vector<std::string> out;
  for (const int k : some) out.push_back(all[std::size_t(k)]);
  return out;
}
std::vector<std::string> independent_names(const EvalPoint& moment, const OrthogonalComplement& basis) {
  return picked(freedom_names(moment.model), basis.independent);
}
std::span<const double> span_of(const Eigen::VectorXd& x) {
  return {x.data(), std::size_t(x.size())};
}

}  // namespace

Answers ask_branches(EvalPoint& moment) {
  std::vector<Branch> found;
  expect_ok(assembly_branches(moment.model, moment.state(), moment.workspace,
                              moment.situation.assembly, found));
  Answer answer{.shape = Answer::Shape::table, .columns = coordinate_names(moment.model)};
  answer.values.resize(Eigen::Index(found.size()), moment.model.nq());
  for (std::size_t k = 0; k < found.size(); ++k) {
    answer.rows.push_back(fmt::format("branch {}", k + 1));
    for (int j = 0; j < moment.model.nq(); ++j)
      answer.values(Eigen::Index(k), j) = found[k].state.q[std::size_t(j)];
    for (const std::string& unit : position_units(moment.model)) answer.units.push_back(unit);
  }
  return {answer};
}

Answers ask_complement(EvalPoint& moment) {
  const OrthogonalComplement basis = basis_of(moment);
  Answer T{.part = "T",
           .shape = Answer::Shape::table,
           .values = basis.T,
           .rows = freedom_names(moment.model),
           .columns = independent_names(moment, basis)};
  const std::vector<FreedomKind> kinds = freedom_kinds(moment.model);
  for (const FreedomKind row : kinds)
    for (const int f : basis.independent) {
      const bool turns = row == FreedomKind::turn,
                 by_turn = kinds[std::size_t(f)] == FreedomKind::turn;
      T.units.emplace_back(turns == by_turn ? "1" : turns ? "rad/m" : "m/rad");
    }
  return {T, list_answer(freedom_names(moment.model), span_of(basis.T_dot_u),
                         acceleration_units(moment.model), {}, "T_dot_u")};
}

Answers ask_minimal_equations(EvalPoint& moment) {
  const OrthogonalComplement basis = basis_of(moment);
  MinimalEquations found;
  expect_ok(minimal_equations(moment.model, moment.state(), moment.inputs(), basis,
                              moment.workspace, found));
  const std::vector<std::string> names = independent_names(moment, basis);
  const std::vector<std::string> units = picked(effort_units(moment.model), basis.independent);
  const std::vector<FreedomKind> kinds = freedom_kinds(moment.model);
  Answer inertia{.part = "inertia",
                 .shape = Answer::Shape::table,
                 .values = found.inertia,
                 .rows = names,
                 .columns = names};
  for (const int i : basis.independent)
    for (const int j : basis.independent) {
      const int turns = (kinds[std::size_t(i)] == FreedomKind::turn) +
                        (kinds[std::size_t(j)] == FreedomKind::turn);
      inertia.units.emplace_back(turns == 2 ? "kg m^2" : turns == 1 ? "kg m" : "kg");
    }
  return {inertia, list_answer(names, span_of(found.bias), units, {}, "bias"),
          list_answer(names, span_of(found.effort), units, {}, "effort")};
}

Answers ask_restricted_jacobian(EvalPoint& moment) {
  const OrthogonalComplement basis = basis_of(moment);
  RestrictedJacobian found;
  expect_ok(restricted_jacobian(moment.model, moment.state(), *moment.place, moment.axes, basis,
                                moment.workspace, found));
  const std::vector<std::string> names{"x turn", "y turn", "z turn", "x", "y", "z"};
  Answer J{.part = "J",
           .shape = Answer::Shape::table,
           .values = found.J,
           .rows = names,
           .columns = independent_names(moment, basis),
           .frame = frame_name(moment)};
  const std::vector<FreedomKind> kinds = freedom_kinds(moment.model);
  for (int row = 0; row < 6; ++row)
    for (const int f : basis.independent) {
      const bool by_turn = kinds[std::size_t(f)] == FreedomKind::turn;
      J.units.emplace_back((row < 3) == by_turn ? "1" : row < 3 ? "rad/m" : "m/rad");
    }
  const auto& [alpha, a] = found.rate;
  const double rate[] = {alpha.x, alpha.y, alpha.z, a.x, a.y, a.z};
  return {J, list_answer(names, rate, {"rad/s^2", "rad/s^2", "rad/s^2", "m/s^2", "m/s^2", "m/s^2"},
                         frame_name(moment), "rate")};
}

Answers ask_locked_joints(EvalPoint& moment) {
  LockedJoints found;
  expect_ok(locked_joints(moment.model, moment.state(), moment.inputs(), moment.workspace, found));
  const std::vector<std::string> names = picked(freedom_names(moment.model), found.freedoms);
  // loop joints come after the tree's
  const auto with_loops = [](auto list, const auto& more) {
    list.insert(list.end(), more.begin(), more.end());
    return list;
  };
  const std::vector<std::string> all =
      with_loops(names, picked(loop_freedom_names(moment.model), found.loop_freedoms));
  const std::vector<double> effort =
      with_loops(std::vector<double>(found.effort.begin(), found.effort.end()), found.loop_effort);
  const std::vector<double> is_unique = with_loops(
      std::vector<double>(found.is_unique.begin(), found.is_unique.end()), found.loop_is_unique);
  return {list_answer(all, effort,
                      with_loops(picked(effort_units(moment.model), found.freedoms),
                                 picked(loop_effort_units(moment.model), found.loop_freedoms)),
                      {}, "effort"),
          list_answer(all, is_unique, std::vector<std::string>(all.size(), "1"), {}, "unique"),
          list_answer(names, span_of(found.released),
                      picked(acceleration_units(moment.model), found.freedoms), {}, "released")};
}

}  // namespace trammel::cli
