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
                .rows = dof_names(model),
                .columns = dof_names(model)};
  const std::vector<DofKind> kinds = dof_kinds(model);
  for (const DofKind row : kinds)
    for (const DofKind column : kinds)
      answer.units.emplace_back(units(row == DofKind::turn, column == DofKind::turn));
  return answer;
}

// Matrix at a place: rows and columns are [moment; force] or [alpha; a].
Answer at_place(const EvalRequest& request, const PairUnits& units, Eigen::MatrixXd values) {
  const std::vector<std::string> names{"x turn", "y turn", "z turn", "x", "y", "z"};
  Answer answer{.shape = Answer::Shape::table,
                .values = std::move(values),
                .rows = names,
                .columns = names,
                .frame = frame_name(request)};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) answer.units.emplace_back(units(i < 3, j < 3));
  return answer;
}

// `quantity`: the name of the quantity for the error message
ArticulatedInertias factors_of(EvalRequest& request, const char* quantity) {
  expect_ok(answerable(quantity, request.model, Constraints::refused, Forces::apart));
  ArticulatedInertias factors(request.model);
  expect_ok(articulated_inertias(request.model, request.state(), request.workspace, factors));
  return factors;
}

Eigen::MatrixXd square_matrix(const EvalRequest& request) {
  return Eigen::MatrixXd::Zero(request.model.nv(), request.model.nv());
}

}  // namespace

Answers eval_mass_matrix(EvalRequest& request) {
  Eigen::MatrixXd M = square_matrix(request);
  expect_ok(mass_matrix(request.model, request.state(), request.workspace, M));
  return {square(request.model, mass, M)};
}

Answers eval_mass_matrix_inverse(EvalRequest& request) {
  Eigen::MatrixXd inverse = square_matrix(request);
  expect_ok(mass_matrix_inverse(request.model, factors_of(request, "mass_matrix_inverse"),
                                request.workspace, inverse));
  return {square(request.model, inverse_mass, inverse)};
}

Answers eval_mass_matrix_factors(EvalRequest& request) {
  Eigen::MatrixXd L = square_matrix(request), D = square_matrix(request);
  expect_ok(mass_matrix_factors(request.model, factors_of(request, "mass_matrix_factors"), L, D));
  return {square(request.model, ratio, L, "L"), square(request.model, mass, D, "D")};
}

Answers eval_mass_matrix_inverse_factors(EvalRequest& request) {
  Eigen::MatrixXd L = square_matrix(request), D = square_matrix(request);
  expect_ok(mass_matrix_inverse_factors(request.model,
                                        factors_of(request, "mass_matrix_inverse_factors"), L, D));
  return {square(request.model, ratio, L, "L_inverse"),
          square(request.model, inverse_mass, D, "D_inverse")};
}

Answers eval_operational_inertia(EvalRequest& request) {
  Eigen::MatrixXd out(6, 6);
  expect_ok(operational_space_inertia(request.model, request.state(),
                                      factors_of(request, "operational_space_inertia"),
                                      *request.place, request.axes, request.workspace, out));
  return {at_place(request, mass, out)};
}

Answers eval_operational_inertia_inverse(EvalRequest& request) {
  Eigen::MatrixXd out(6, 6);
  expect_ok(operational_space_inertia_inverse(
      request.model, request.state(), factors_of(request, "operational_space_inertia_inverse"),
      *request.place, request.axes, request.workspace, out));
  return {at_place(request, inverse_mass, out)};
}

Answers eval_inverse_dynamics_derivatives(EvalRequest& request) {
  const Model& model = request.model;
  DerivativeWorkspace workspace(model);
  Derivatives out;
  expect_ok(inverse_dynamics_derivatives(model, request.state(), request.inputs(),
                                         request.workspace, workspace, out));
  return {square(model, effort_by_position, out.dq, "by_position"),
          square(model, effort_by_velocity, out.dv, "by_velocity"),
          square(model, mass, out.dx, "by_acceleration")};
}

Answers eval_forward_dynamics_derivatives(EvalRequest& request) {
  const Model& model = request.model;
  DerivativeWorkspace workspace(model);
  Derivatives out;
  expect_ok(forward_dynamics_derivatives(model, request.state(), request.inputs(),
                                         request.workspace, workspace, out));
  return {square(model, acceleration_by_position, out.dq, "by_position"),
          square(model, acceleration_by_velocity, out.dv, "by_velocity"),
          square(model, inverse_mass, out.dx, "by_effort")};
}

}  // namespace trammel::cli
