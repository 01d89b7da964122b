#include "trammel/constraint/solver/state_checks.hpp"

#include "trammel/constraint/equations/violations.hpp"
#include "trammel/dynamics/given_accelerations.hpp"

namespace trammel {

namespace {

// Largest constraint violation that is taken for integration error, relative to the characteristic
// length, and for velocities to the fastest one. A larger one is a mistake of the caller.
constexpr double open_tolerance = 1e-6;
// Velocities of a mechanism at rest are rounding errors after projection. [m/s]
constexpr double rest_rounding = 1e-12;
Status torn(const char* context, const std::string& owner, const Gap& drift) {
  if (owner.starts_with("wheel"))
    return Status::failure(
        fmt::format("{}: the velocities make {} slip, at {:.3g} m/s: assemble the state first, "
                    "which makes them consistent",
                    context, owner, drift.length));
  return Status::failure(
      fmt::format("{}: the velocities violate {} by {:.3g} m/s and {:.3g} rad/s: assemble the "
                  "state first, which makes them consistent",
                  context, owner, drift.length, drift.angle));
}

}  // namespace

Status check_closed(const char* context, const Model& model, const State& state,
                    const ConstraintRows& rows) {
  const double length = model.characteristic_length();
  if (!rows.undefined().empty())
    return Status::failure(fmt::format("{}: {}", context, rows.undefined()));
  if (!rows.flat_wheel().empty())
    return Status::failure(fmt::format("{}: {} lies flat on its floor and cannot roll: raise it",
                                       context, rows.flat_wheel()));
  for (int row = 0; row < rows.count();)
    if (const Gap violation = next_gap(rows, rows.error(), row);
        !(violation.length <= open_tolerance * length && violation.angle <= open_tolerance))
      return Status::failure(fmt::format("{}: {}: assemble the state first, which closes the loops",
                                         context, widest_gap(model, rows)));
  double fastest = 0;
  for (const double v : state.v) fastest = std::max(fastest, std::abs(v));
  for (int row = 0; row < rows.count();) {
    const int owner = rows.owner(row);
    const Gap drift = next_gap(rows, rows.rate(), row);
    if (!(drift.length + drift.angle * length <=
          open_tolerance * (1 + length) * fastest + rest_rounding))
      return torn(context, rows.owner_names()[std::size_t(owner)], drift);
  }
  return {};
}

Status check_prescribed_given(const EvalContext& context) {
  const Model& model = context.model();
  for (int f = 0; f < model.loop_nv(); ++f)
    if (model.closure_drive(f) == Drive::motion && context.inputs().loop_a.empty())
      return Status::failure(
          fmt::format("{}: loop joint '{}' is driven by motion, but no accelerations are given: "
                      "set inputs.loop_a",
                      context.name(), model.closure_dof_name(f)));
  if (Status status = check_given_accelerations(context); !status) return status;
  return check_prescribed_only(context);
}

Status check_prescribed_only(const EvalContext& context) {
  const Model& model = context.model();
  const std::span<const double> loop_a = context.inputs().loop_a;
  for (std::size_t f = 0; f < loop_a.size(); ++f)
    if (loop_a[f] != 0 && model.closure_drive(int(f)) != Drive::motion)
      return Status::failure(
          fmt::format("{}: loop joint '{}' is not driven by motion, and its acceleration is an "
                      "answer: leave its entry of inputs.loop_a zero",
                      context.name(), model.closure_dof_name(int(f))));
  return {};
}

Status check_kept_closed(const EvalContext& context, const ConstraintRows& rows) {
  double largest = 1;
  for (const double a : context.a()) largest = std::max(largest, std::abs(a));
  const double length = context.model().characteristic_length();
  const std::vector<Gap> tears = gaps(rows, rows.acceleration());
  for (std::size_t k = 0; k < tears.size(); ++k)
    if (!(tears[k].length + tears[k].angle * length <= open_tolerance * (1 + length) * largest))
      return Status::failure(fmt::format(
          "{}: the accelerations violate {} by {:.3g} m/s^2 and {:.3g} rad/s^2: give those "
          "of a motion that keeps the loops closed",
          context.name(), rows.owner_names()[k], tears[k].length, tears[k].angle));
  return {};
}

Status refuse_accelerations(const EvalContext& context) {
  const std::span<const double> a = context.inputs().a;
  for (std::size_t f = 0; f < a.size(); ++f)
    if (a[f] != 0 && context.model().prescription(int(f)) == Drive::none)
      return Status::failure(fmt::format(
          "{}: the model has loops, and its accelerations follow from inputs.tau: leave "
          "inputs.a of joint '{}' zero",
          context.name(), context.model().dof_name(int(f))));
  return {};
}

}  // namespace trammel
