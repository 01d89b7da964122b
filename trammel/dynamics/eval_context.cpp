#include "trammel/dynamics/eval_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "trammel/dynamics/belongs.hpp"
#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/finite.hpp"
#include "trammel/dynamics/gather_loads.hpp"
#include "trammel/dynamics/locked_rounding.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/build/physical_inertia.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/spatial/conventions.hpp"

namespace trammel {

namespace {

std::ptrdiff_t first_not_finite(std::span<const double> x) {
  for (std::size_t k = 0; k < x.size(); ++k)
    if (!std::isfinite(x[k])) return std::ptrdiff_t(k);
  return -1;
}

bool is_finite(const Vec3<double>& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}
bool is_finite(const Pose<double>& X) {
  return is_finite(X.R.x) && is_finite(X.R.y) && is_finite(X.R.z) && is_finite(X.p);
}

// A quaternion whose length differs from 1 by more is an error of the caller, not rounding.
constexpr double quaternion_tolerance = 1e-8;
double square_length(const double* q) {
  return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}
bool is_unit(const double* q) { return std::abs(square_length(q) - 1) <= 2 * quaternion_tolerance; }

}  // namespace

EvalContext::EvalContext(const char* name, const Model& model, const State& state,
                         const Inputs& inputs, Workspace& workspace, Constraints constraints,
                         Forces forces)
    : name_(name),
      model_(model),
      state_(state),
      inputs_(inputs),
      workspace_(workspace),
      constraints_(constraints),
      forces_(forces) {
  check_sizes();
  if (!is_plain()) [[unlikely]]
    status_ = first_mistake();
  workspace_->external_forces.clear();
  workspace_->element_forces.clear();
  const bool elements_act =
      forces_ == Forces::acting && (model_.has_force_elements() || !inputs_.loop_tau.empty());
  if ((elements_act || !inputs_.wrenches.empty()) && ok()) [[unlikely]]
    status_ = gather_loads(*this, elements_act, workspace_);
}

// Fast path for the common case: finite numbers, no wrenches, no prescribed joints, no force
// elements.
bool EvalContext::is_plain() const {
  Finite finite;
  for (const std::span<const double> x :
       {std::span<const double>(state_.q), std::span<const double>(state_.v), inputs_.a,
        inputs_.tau})
    finite.add(x);
  finite.add(inputs_.ground.velocity);
  finite.add(inputs_.ground.acceleration);
  return finite.all() && inputs_.wrenches.empty() &&
         (!model_.has_constraints() || constraints_ == Constraints::honored_unchecked) &&
         !model_.has_prescribed_joints() && !model_.has_force_elements() &&
         std::ranges::all_of(model_.quaternion_starts(),
                             [&](int start) { return is_unit(&state_.q[std::size_t(start)]); }) &&
         model_.restricted_bodies().empty();
}

Status EvalContext::first_mistake() const {
  Status status = check_model();
  if (status.ok()) status = check_numbers();
  if (status.ok()) status = check_quaternions();
  if (status.ok()) status = check_positions();
  if (status.ok()) status = check_locked();
  if (status.ok() && workspace_->constrained && constraints_ == Constraints::honored)
    status = workspace_->constrained->check_closed(name_, model_, state_, workspace_);
  return status;
}

void EvalContext::check_sizes() const {
  expects_vector("q", state_.q.size(), model_.nq());
  expects_vector("v", state_.v.size(), model_.nv());
  if (!inputs_.a.empty()) expects_vector("a", inputs_.a.size(), model_.nv());
  if (!inputs_.tau.empty()) expects_vector("tau", inputs_.tau.size(), model_.nv());
  for (const auto& [what, x] :
       {std::pair("loop_tau", inputs_.loop_tau), std::pair("loop_a", inputs_.loop_a)})
    if (!x.empty() && x.size() != std::size_t(model_.loop_nv()))
      throw std::invalid_argument(
          fmt::format("{}: {} has {} entries, what closes loops has {} degrees of freedom", name_,
                      what, x.size(), model_.loop_nv()));
  if (state_.z.size() < std::size_t(model_.nz()))
    throw std::invalid_argument(fmt::format(
        "{}: z has {} entries, the force elements of the model have nz = {}: begin with "
        "neutral_state() or start_state()",
        name_, state_.z.size(), model_.nz()));
  expects_same_model(name_, workspace_, model_);
  for (const Wrench& wrench : inputs_.wrenches)
    expects_body(name_, "a wrench", model_, wrench.at.body);
}

void EvalContext::refuse_vector(const char* what, std::size_t size, int wanted) const {
  throw std::invalid_argument(fmt::format("{}: {} has {} entries, the model has n{} = {}", name_,
                                          what, size, what[0] == 'q' ? 'q' : 'v', wanted));
}

void EvalContext::expects_matrix(const char* what, std::ptrdiff_t rows, std::ptrdiff_t columns,
                                 int wanted_rows, int wanted_columns) const {
  if (rows != wanted_rows || columns != wanted_columns)
    throw std::invalid_argument(fmt::format("{}: {} is {} x {}, it must be {} x {}", name_, what,
                                            rows, columns, wanted_rows, wanted_columns));
}

Status EvalContext::check_model() const { return answerable(name_, model_, constraints_, forces_); }

Status EvalContext::check_numbers() const {
  const auto not_finite = [&](const char* what, std::size_t k, double value,
                              const std::string& joint) {
    return Status::failure(fmt::format("{}: {}[{}], of joint '{}', is {}: give it a finite number",
                                       name_, what, k, joint, value));
  };
  const std::pair<const char*, std::span<const double>> vectors[] = {
      {"q", state_.q}, {"v", state_.v}, {"a", inputs_.a}, {"tau", inputs_.tau}};
  for (const auto& [what, x] : vectors) {
    const auto k = first_not_finite(x);
    if (k < 0) continue;
    return not_finite(what, std::size_t(k), x[std::size_t(k)],
                      what[0] == 'q' ? model_.coordinate_name(int(k)) : model_.dof_name(int(k)));
  }
  for (const auto& [what, x] :
       {std::pair("loop_tau", inputs_.loop_tau), std::pair("loop_a", inputs_.loop_a)})
    if (const auto k = first_not_finite(x); k >= 0)
      return not_finite(what, std::size_t(k), x[std::size_t(k)], model_.closure_dof_name(int(k)));
  for (int k = 0; k < model_.nz(); ++k)
    if (const double z = state_.z[std::size_t(k)]; !std::isfinite(z))
      return Status::failure(fmt::format(
          "{}: z[{}], a state of a force element, is {}: give it a finite number", name_, k, z));
  for (const Wrench& wrench : inputs_.wrenches)
    if (!is_finite(wrench.F.moment) || !is_finite(wrench.F.force) || !is_finite(wrench.at.X_UA))
      return Status::failure(
          fmt::format("{}: the wrench on body '{}' is not finite: give its moment, its force and "
                      "its place finite numbers",
                      name_, model_[wrench.at.body].name));
  for (const Motion<double>& motion : {inputs_.ground.velocity, inputs_.ground.acceleration})
    if (!is_finite(motion.angular) || !is_finite(motion.linear))
      return Status::failure(
          fmt::format("{}: the motion of ground is not finite: give it finite numbers", name_));
  return {};
}

Status EvalContext::check_quaternions() const {
  for (const int start : model_.quaternion_starts()) {
    const double* q = &state_.q[std::size_t(start)];
    if (!is_unit(q))
      return Status::failure(
          fmt::format("{}: the quaternion of joint '{}' has length {:.9g}: it must be 1, divide it "
                      "by its length",
                      name_, quaternion_joint(model_, start), std::sqrt(square_length(q))));
  }
  return {};
}

Status EvalContext::check_positions() const {
  const std::string fault = position_fault(model_, state_.q.data());
  return fault.empty() ? Status{} : Status::failure(fmt::format("{}: {}", name_, fault));
}

Status EvalContext::check_locked() const {
  if (!model_.has_prescribed_joints()) return {};
  double largest = 0;
  for (const double v : state_.v) largest = std::max(largest, std::abs(v));
  for (int k = 0; k < model_.nv(); ++k)
    if (model_.prescription(k) == Drive::locked &&
        std::abs(state_.v[std::size_t(k)]) > locked_rounding * largest)
      return Status::failure(
          fmt::format("{}: joint '{}' is locked but moves with v[{}] = {}: set it "
                      "to 0, or give the joint another drive",
                      name_, model_.dof_name(k), k, state_.v[std::size_t(k)]));
  return {};
}

KernelInput<double, double> EvalContext::unloaded_input() const {
  const Motion<double>& V = inputs_.ground.velocity;
  return {model_,
          model_.numbers(),
          {V, spatial_acceleration(inputs_.ground.acceleration, V)},
          {},
          workspace_->threads.get()};
}

KernelInput<double, double> EvalContext::input() const {
  KernelInput<double, double> input = unloaded_input();
  input.external_forces = workspace_->external_forces;
  return input;
}

// Names the body of the description with the most negative principal moment of inertia; empty if
// there is none.
static std::string nonphysical_body(const Description& description) {
  const Values<double> value = evaluate_at_nominal(description);
  std::string found;
  double least = 0;
  for (const BodyDescription& body : description.bodies) {
    const SymMat3<Expr>& I = body.solid.inertia;
    const auto [moments, verdict] = principal_moments(
        {value(I.xx), value(I.xy), value(I.xz), value(I.yy), value(I.yz), value(I.zz)},
        value(body.solid.mass), 0);
    if (verdict != PrincipalMoments::Verdict::negative || moments[0] >= least) continue;
    least = moments[0];
    found = fmt::format("body '{}' has a principal moment of inertia of {:.6g}", body.name, least);
  }
  return found;
}

Status EvalContext::no_inertia(int dof) const {
  if (const std::string body = nonphysical_body(model_.description()); !body.empty())
    return Status::failure(fmt::format(
        "{}: joint '{}' meets no positive articulated inertia in this position, and "
        "{}; give bodies an inertia that a solid can have, or drive the joint by motion",
        name_, model_.dof_name(dof), body));
  return Status::failure(fmt::format(
      "{}: joint '{}' has nothing to accelerate: its degree of freedom meets no inertia in this "
      "position; give a body beyond it mass or inertia, or drive the joint by motion",
      name_, model_.dof_name(dof)));
}

}  // namespace trammel
