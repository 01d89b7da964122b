// Inertia matrices and derivatives.
#include "quantities.hpp"
#include "trammel/dynamics/belongs.hpp"
#include "trammel/dynamics/derivatives.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/model/units.hpp"

namespace trammel::cli {

namespace {

// Units of a matrix entry by the kinds (turn or slide) of its row and column.
struct PairUnits {
  const char *turn_turn, *turn_slide, *slide_turn, *slide_slide;
  const char* operator()(bool row_turns, bool column_turns) const {
    return row_turns ? (column_turns ? turn_turn : turn_slide)
                     : (column_turns ? slide_turn : slide_slide);
  }
};
constexpr PairUnits mass{"kg m^2", "kg m", "kg m", "kg"};
constexpr PairUnits inverse_mass{"1/(kg m^2)", "1/(kg m)", "1/(kg m)", "1/kg"};
constexpr PairUnits ratio{"1", "rad/m", "m/rad", "1"};  // entries of L: speed per speed
constexpr PairUnits effort_by_position{"N m/rad", "N", "N/rad", "N/m"};
constexpr PairUnits effort_by_velocity{"N m s/rad", "N s", "N s/rad", "N s/m"};
constexpr PairUnits acceleration_by_position{"1/s^2", "rad/(m s^2)", "m/(rad s^2)", "1/s^2"};
constexpr PairUnits acceleration_by_velocity{"1/s", "rad/(m s)", "m/(rad s)", "1/s"};

Answer square(const Model& model, const PairUnits& units, Eigen::MatrixXd values,
              std::string part = {}) {
  Answer answer{.part = std::move(part),
                .shape = Answer::Shape::table,
                .values = std::move(values),
                .rows = freedom_names(model),
                .columns = freedom_names(model)};
  const std::vector<FreedomKind> kinds = freedom_kinds(model);
  for (const FreedomKind row : kinds)
    for (const FreedomKind column : kinds)
      answer.units.emplace_back(units(row == FreedomKind::turn, column == FreedomKind::turn));
  return answer;
}

// Matrix at a place: rows and columns are [moment; force] or [alpha; a].
Answer at_place(const EvalPoint& moment, const PairUnits& units, Eigen::MatrixXd values) {
  const std::vector<std::string> names{"x turn", "y turn", "z turn", "x", "y", "z"};
  Answer answer{.shape = Answer::Shape::table,
                .values = std::move(values),
                .rows = names,
                .columns = names,
                .frame = frame_name(moment)};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) answer.units.emplace_back(units(i < 3, j < 3));
  return answer;
}

// `question`: the name of the quantity for the error message
ArticulatedInertias factors_of(EvalPoint& moment, const char* question) {
  expect_ok(answerable(question, moment.model, Constraints::refused, Forces::apart));
  ArticulatedInertias factors(moment.model);
  expect_ok(articulated_inertias(moment.model, moment.state(), moment.workspace, factors));
  return factors;
}

Eigen::MatrixXd matrix_room(const EvalPoint& moment) {
  return Eigen::MatrixXd::Zero(moment.model.nv(), moment.model.nv());
}

}  // namespace

Answers ask_mass_matrix(EvalPoint& moment) {
  Eigen::MatrixXd M = matrix_room(moment);
  expect_ok(mass_matrix(moment.model, moment.state(), moment.workspace, M));
  return {square(moment.model, mass, M)};
}

Answers ask_mass_matrix_inverse(EvalPoint& moment) {
  Eigen::MatrixXd inverse = matrix_room(moment);
  expect_ok(mass_matrix_inverse(moment.model, factors_of(moment, "mass_matrix_inverse"),
                                moment.workspace, inverse));
  return {square(moment.model, inverse_mass, inverse)};
}

Answers ask_mass_matrix_factors(EvalPoint& moment) {
  Eigen::MatrixXd L = matrix_room(moment), D = matrix_room(moment);
  expect_ok(mass_matrix_factors(moment.model, factors_of(moment, "mass_matrix_factors"), L, D));
  return {square(moment.model, ratio, L, "L"), square(moment.model, mass, D, "D")};
}

Answers ask_mass_matrix_inverse_factors(EvalPoint& moment) {
  Eigen::MatrixXd L = matrix_room(moment), D = matrix_room(moment);
  expect_ok(mass_matrix_inverse_factors(moment.model,
                                        factors_of(moment, "mass_matrix_inverse_factors"), L, D));
  return {square(moment.model, ratio, L, "L_inverse"),
          square(moment.model, inverse_mass, D, "D_inverse")};
}

Answers ask_operational_inertia(EvalPoint& moment) {
  Eigen::MatrixXd out(6, 6);
  expect_ok(operational_space_inertia(moment.model, moment.state(),
                                factors_of(moment, "operational_space_inertia"), *moment.place,
                                moment.axes, moment.workspace, out));
  return {at_place(moment, mass, out)};
}

Answers ask_operational_inertia_inverse(EvalPoint& moment) {
  Eigen::MatrixXd out(6, 6);
  expect_ok(operational_space_inertia_inverse(moment.model, moment.state(),
                                        factors_of(moment, "operational_space_inertia_inverse"),
                                        *moment.place, moment.axes, moment.workspace, out));
  return {at_place(moment, inverse_mass, out)};
}

Answers ask_inverse_dynamics_derivatives(EvalPoint& moment) {
  const Model& model = moment.model;
  DerivativeWorkspace workspace(model);
  Derivatives out;
  expect_ok(inverse_dynamics_derivatives(model, moment.state(), moment.inputs(), moment.workspace,
                                         workspace, out));
  return {square(model, effort_by_position, out.dq, "by_position"),
          square(model, effort_by_velocity, out.dv, "by_velocity"),
          square(model, mass, out.dx, "by_acceleration")};
}

Answers ask_forward_dynamics_derivatives(EvalPoint& moment) {
  const Model& model = moment.model;
  DerivativeWorkspace workspace(model);
  Derivatives out;
  expect_ok(forward_dynamics_derivatives(model, moment.state(), moment.inputs(), moment.workspace,
                                         workspace, out));
  return {square(model, acceleration_by_position, out.dq, "by_position"),
          square(model, acceleration_by_velocity, out.dv, "by_velocity"),
          square(model, inverse_mass, out.dx, "by_effort")};
}

}  // namespace trammel::cli
