#include "trammel/constraint/solver/constrained_dynamics.hpp"

#include "bindings.hpp"
#include "call.hpp"
#include "trammel/constraint/equations/row_units.hpp"
#include "trammel/constraint/rank/row_condition.hpp"
#include "trammel/constraint/solver/sliding_dynamics.hpp"

namespace trammel::python {

namespace {

using RowNumberOrName = std::variant<int, std::string>;
using FollowerArguments = std::vector<std::pair<RowNumberOrName, WrenchAt>>;

constexpr auto solver_parameter = parameter<std::string>(
    "solver", "automatic", [](Call& call, const char*, const std::string& name) {
      if (const auto solver = solver_named(name)) return *solver;
      throw std::invalid_argument(
          std::string(call.function()) + ": solver is '" + name +
          "', it is automatic, schur, star, cluster, null_space, kkt or sparse");
    });

int row_of(const Model& model, const RowNumberOrName& row) {
  if (const int* const number = std::get_if<int>(&row)) return *number;
  const std::vector<std::string> names = row_names(model);
  const auto found = std::find(names.begin(), names.end(), std::get<std::string>(row));
  if (found == names.end())
    throw std::invalid_argument("sliding_dynamics: no row is named '" + std::get<std::string>(row) +
                                "': row_names lists them");
  return int(found - names.begin());
}

constexpr auto followers_parameter = parameter<FollowerArguments>(
    "followers", Required(), [](Call& call, const char*, const FollowerArguments& given) {
      std::vector<Follower> followers;
      for (const auto& [row, wrench] : given)
        followers.push_back({row_of(call.model(), row), resolve(call.model(), wrench)});
      return followers;
    });

py::object to_record(const Call& call, const ConstrainedAnswer& found) {
  return record("ConstrainedMotion", call.named(Space::v, found.a), found.lambda,
                found.basis.rank(), to_string(found.solver));
}

void bind_rows(py::module_& module) {
  define(
      module, "row_names", parameters(), [](Call& call) { return row_names(call.model()); },
      "Names of the constraint rows, in the order of constraint_jacobian.");
  define(
      module, "row_units", parameters(), [](Call& call) { return row_units(call.model()); },
      "Unit of each constraint row, 'rad' or 'm': its multiplier is in N m or N.");
  define(module, "constraint_jacobian", in::of_state, returns<Eigen::MatrixXd>(constraint_jacobian),
         "Constraint Jacobian J of loop joints, rods, couplings and joints with prescribed motion: "
         "J v = 0; an array (rows, nv).");
  define(module, "row_basis", in::of_state,
         returns<RowBasis>(row_basis,
                           [](const RowBasis& basis) {
                             return record("RowBasis", basis.rows, basis.count, basis.singular);
                           }),
         "Independent constraint rows: RowBasis(rows, total, singular).");
  define(module, "remaining_digits", in::of_state, returns<double>(remaining_digits),
         "Decimal digits that remain at least in accelerations, efforts and reactions, by the "
         "condition of the independent\n"
         "constraint rows: from 0 to 15, few near a singular pose, 0 if rows are undecided.");
}

}  // namespace

void bind_constrained_dynamics(py::module_& module) {
  bind_rows(module);
  define(
      module, "constrained_dynamics", parameters(in::forward, solver_parameter, in::workspace),
      [](Call& call, ConstraintSolver solver) {
        ConstrainedAnswer found;
        call.evaluate(constrained_dynamics, found, solver, nullptr);
        return to_record(call, found);
      },
      "Forward dynamics of a mechanism with loops under tau: accelerations and Lagrange "
      "multipliers.\n\n"
      "ConstrainedMotion(a, multipliers, rank, solver): multipliers in the order of row_names. "
      "solver:\n"
      "automatic, schur, star, cluster, null_space, kkt or sparse; all give the same "
      "accelerations.");
  define(
      module, "sliding_dynamics",
      parameters(in::state, followers_parameter, in::tau, keyword_only, in::prescribed_a, in::loads,
                 in::loop_inputs, solver_parameter, in::workspace),
      [](Call& call, const std::vector<Follower>& followers, ConstraintSolver solver) {
        ConstrainedAnswer found;
        call.evaluate([&](Workspace& workspace) {
          return sliding_dynamics(call.model(), call.state(), call.inputs(), followers, workspace,
                                  found, solver);
        });
        return to_record(call, found);
      },
      "constrained_dynamics with forces proportional to constraint multipliers, as friction is: "
      "followers is a list of\n"
      "(row, Wrench per unit of its multiplier), the row by its index or its name in row_names. "
      "Raises EvaluationError\n"
      "if the solution is not unique.");
}

}  // namespace trammel::python
