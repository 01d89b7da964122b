#include "trammel/constraint/kinds/prescribed.hpp"

#include <fmt/format.h>

#include "trammel/constraint/kinds/whole_turns.hpp"
#include "trammel/model/units.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

namespace {

// Velocity residual of a dof that keeps its velocity: zero, with the derivative of the velocity.
template <Scalar S> S kept_speed(const S& speed) { return speed - value_of(speed); }

// Rotation vector; for Dual numbers, linearized at the zero rotation.
Vec3<double> turn_of(const Quaternion<double>& w) { return logarithm(w); }
Vec3<Duals> turn_of(const Quaternion<Duals>& w) {
  const double twice = w.w.value < 0 ? -2 : 2;
  return {twice * w.x, twice * w.y, twice * w.z};
}

// Position residual of the k-th dof of a loop joint with prescribed position. A ball and a free
// joint have no coordinate per dof: the motion from the prescribed pose, along their dof.
template <Scalar S>
S missed_position(const Joint& joint, const BasicClosureAt<S>& at, const double* target, int k) {
  if (has_single_coordinates(joint)) {
    const S by = at.q[k] - target[k];
    return comes_round(joint, k) ? but_for_turns(by) : by;
  }
  const Quaternion<double> back = exponential(-1.0 * Vec3<double>{target[0], target[1], target[2]});
  const Quaternion<S> is{at.q[0], at.q[1], at.q[2], at.q[3]};
  if (k < 3) return component(turn_of(Quaternion<S>{back.w, back.x, back.y, back.z} * is), k);
  const Vec3<S> moved{at.q[4] - target[3], at.q[5] - target[4], at.q[6] - target[5]};
  return component(transpose(rotation(is)) * moved, k - 3);
}

}  // namespace

std::vector<PrescribedDofBlock> PrescribedDofBlock::all(const Model& model) {
  std::vector<PrescribedDofBlock> blocks;
  for (int f = 0; f < model.nv(); ++f)
    if (model.is_prescribed(f)) blocks.push_back({f});
  return blocks;
}

std::string PrescribedDofBlock::owner(const Model& model) const {
  const bool is_locked = model.prescription(dof) == Drive::locked;
  return fmt::format("{} '{}'", is_locked ? "locked joint" : "prescribed motion of joint",
                     model.dof_name(dof));
}

std::vector<RowTraits> PrescribedDofBlock::rows(const Model& model) const {
  return {{.is_turn = dof_kinds(model)[std::size_t(dof)] == DofKind::turn}};
}

template <Scalar S>
void PrescribedDofBlock::evaluate(const BlockInput<S>& input, EvaluatedRows<S>& out) const {
  const std::size_t k = std::size_t(dof);
  const PrescribedAccelerations& prescribed = input.prescribed;
  const bool is_locked = input.model.prescription(dof) == Drive::locked;
  const double wanted = is_locked || prescribed.tree.empty() ? 0 : prescribed.tree[k];
  out.directs.push_back({out.next_row(), dof, 1});
  out.add(0.0, is_locked ? input.v[k] : kept_speed(input.v[k]), input.a[k] - wanted);
}

std::vector<PrescribedLoopDofBlock> PrescribedLoopDofBlock::all(const Model& model) {
  std::vector<PrescribedLoopDofBlock> blocks;
  for (std::size_t c = 0; c < model.closures().size(); ++c) {
    const Closure& closure = model.closures()[c];
    for (int k = 0; k < dof_count(closure.joint); ++k) {
      const Drive drive = model.closure_drive(closure.v_start + k);
      if (drive == Drive::locked || drive == Drive::motion)
        blocks.push_back({int(c), k, closure.v_start + k});
    }
  }
  return blocks;
}

std::string PrescribedLoopDofBlock::owner(const Model& model) const {
  const bool is_locked = model.closure_drive(dof) == Drive::locked;
  return fmt::format("{} loop joint '{}'", is_locked ? "locked" : "prescribed motion of",
                     model.closure_dof_name(dof));
}

// No position constraint of its own: the dof stays where the other constraints put it.
std::vector<RowTraits> PrescribedLoopDofBlock::rows(const Model& model) const {
  return {
      {.is_turn = loop_velocity_units(model)[std::size_t(dof)] == "rad/s", .is_holonomic = false}};
}

std::vector<BodyId> PrescribedLoopDofBlock::bodies(const Model& model) const {
  const Closure& what = model.closures()[std::size_t(closure)];
  return {what.parent, what.child};
}

template <Scalar S>
void PrescribedLoopDofBlock::evaluate(const BlockInput<S>& input, EvaluatedRows<S>& out) const {
  const BasicClosureAt<S>& at = out.closures[std::size_t(closure)];
  const Joint& joint = input.model.closures()[std::size_t(closure)].joint;
  const Force<S> dual = duals(at, dof_count(joint))[std::size_t(k)];
  const S speed = dot(at.V, dual), faster = dot(at.A, dual);
  out.push(input.model, closure, dual, 1);
  const std::size_t f = std::size_t(dof);
  const std::span<const double> wanted = input.prescribed.loop;
  const S a_missed = wanted.empty() ? S(0.0) : faster - wanted[f];
  if (input.model.closure_drive(dof) == Drive::locked)
    out.add(0.0, speed, faster);
  else if (input.loops.q.empty())
    out.add(0.0, kept_speed(speed), a_missed);
  else
    out.add(missed_position(joint, at, input.loops.q.data() + (dof - k), k),
            speed - input.loops.v[f], a_missed);
}

template void PrescribedDofBlock::evaluate(const BlockInput<double>&, EvaluatedRows<double>&) const;
template void PrescribedDofBlock::evaluate(const BlockInput<Duals>&, EvaluatedRows<Duals>&) const;
template void PrescribedLoopDofBlock::evaluate(const BlockInput<double>&,
                                               EvaluatedRows<double>&) const;
template void PrescribedLoopDofBlock::evaluate(const BlockInput<Duals>&,
                                               EvaluatedRows<Duals>&) const;

}  // namespace trammel
