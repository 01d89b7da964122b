// Prescribed motions of joints: positions, velocities and accelerations.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/constraint/kinds/closure.hpp"
#include "trammel/simulate/inputs/prescribed_pose.hpp"
#include "trammel/simulate/inputs/simulation_inputs.hpp"

namespace trammel {

namespace {

void put(const Vec3<double>& x, std::span<double> out, int at) {
  out[std::size_t(at)] = x.x, out[std::size_t(at + 1)] = x.y, out[std::size_t(at + 2)] = x.z;
}

// Prescribed pose of a ball or free joint, from three or six signals.
template <class Motions>
PrescribedPose led_by(const Motions& motions, int v_start, int nv, double time) {
  std::array<Signal::Value, 6> numbers;
  for (const auto& prescribed : motions)
    if (const int k = prescribed.dof - v_start; k >= 0 && k < nv)
      numbers[std::size_t(k)] = prescribed.at(time);
  return {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
}

}  // namespace

void SimulationInputs::prescribe(int dof, Signal position) {
  expect_dof("prescribe", dof);
  if (model_.prescription(dof) != Drive::motion)
    throw std::invalid_argument(
        fmt::format("prescribe: joint '{}' is not driven by motion: give it "
                    "the drive motion, or an effort",
                    model_.dof_name(dof)));
  if (std::ranges::find(prescribed_, dof, &Prescribed::dof) != prescribed_.end())
    throw std::invalid_argument(
        fmt::format("prescribe: joint '{}' has a prescribed motion already", model_.dof_name(dof)));
  prescribed_.push_back({dof, coordinate_of(dof).value_or(of_quaternion), {std::move(position)}});
}

void SimulationInputs::prescribe_loop(int dof, Signal position) {
  expect_loop_dof("prescribe_loop", dof);
  if (model_.closure_drive(dof) != Drive::motion)
    throw std::invalid_argument(fmt::format(
        "prescribe_loop: joint '{}' is not driven by motion: give it the drive motion, or "
        "an effort",
        model_.closure_dof_name(dof)));
  if (std::ranges::find(loop_prescribed_, dof, &Prescribed::dof) != loop_prescribed_.end())
    throw std::invalid_argument(
        fmt::format("prescribe_loop: joint '{}' has a prescribed motion already",
                    model_.closure_dof_name(dof)));
  const Joint& joint = model_.closures()[std::size_t(closure_with(dof))].joint;
  loop_prescribed_.push_back(
      {dof, has_single_coordinates(joint) ? dof : of_quaternion, {std::move(position)}});
}

Signal::Value SimulationInputs::Prescribed::at(double time) const {
  Signal::Value sum;
  for (const Signal& part : parts) {
    const Signal::Value now = part.at(time);
    sum.value += now.value;
    sum.rate += now.rate;
    sum.acceleration += now.acceleration;
  }
  return sum;
}

std::vector<SimulationInputs::Led> SimulationInputs::led_in_tree() const {
  std::vector<Led> found;
  for (const Prescribed& prescribed : prescribed_)
    if (prescribed.coordinate == of_quaternion)
      for (const NamedJoint& joint : model_.joints())
        if (joint.role == NamedJoint::Role::tree && joint.v_start == prescribed.dof)
          found.push_back({joint.v_start, joint.nv, joint.q_start});
  return found;
}

std::vector<SimulationInputs::Led> SimulationInputs::led_in_loops() const {
  std::vector<Led> found;
  for (const Prescribed& prescribed : loop_prescribed_)
    if (prescribed.coordinate == of_quaternion)
      for (const Closure& closure : model_.closures())
        if (closure.v_start == prescribed.dof)
          found.push_back({closure.v_start,
                           std::visit([](const auto& joint) { return joint.nv(); }, closure.joint),
                           closure.q_start});
  return found;
}

void SimulationInputs::follow(double time, std::span<double> q, std::span<double> v) const {
  for (const Prescribed& prescribed : prescribed_) {
    if (waits(prescribed.dof) || prescribed.coordinate == of_quaternion) continue;
    const Signal::Value now = prescribed.at(time);
    q[std::size_t(prescribed.coordinate)] = now.value;
    v[std::size_t(prescribed.dof)] = now.rate;
  }
  for (const auto& [v_start, nv, q_start] : led_in_tree()) {
    if (waits(v_start)) continue;
    const PrescribedPose pose = led_by(prescribed_, v_start, nv, time);
    const Quaternion<double> w = pose.turn.orientation();
    q[std::size_t(q_start)] = w.w;
    put({w.x, w.y, w.z}, q, q_start + 1);
    put(pose.turn.omega(), v, v_start);
    if (nv < 6) continue;
    put(pose.p(), q, q_start + 4);
    put(pose.v(), v, v_start + 3);
  }
}

PrescribedLoopMotion SimulationInputs::prescribed_loop_motion(double time, Acting& out) const {
  if (loop_prescribed_.empty()) return {};
  for (const Prescribed& prescribed : loop_prescribed_) {
    if (prescribed.coordinate == of_quaternion) continue;
    const Signal::Value now = prescribed.at(time);
    out.prescribed_q[std::size_t(prescribed.dof)] = now.value;
    out.prescribed_v[std::size_t(prescribed.dof)] = now.rate;
  }
  for (const auto& [v_start, nv, q_start] : led_in_loops()) {
    const PrescribedPose pose = led_by(loop_prescribed_, v_start, nv, time);
    put(logarithm(pose.turn.orientation()), out.prescribed_q, v_start);
    put(pose.turn.omega(), out.prescribed_v, v_start);
    if (nv < 6) continue;
    put(pose.p(), out.prescribed_q, v_start + 3);
    put(pose.v(), out.prescribed_v, v_start + 3);
  }
  return {out.prescribed_q, out.prescribed_v};
}

void SimulationInputs::prescribe_accelerations(double time, Acting& out) const {
  const auto fill = [&](const std::vector<Prescribed>& motions, const std::vector<Led>& led,
                        const auto& is_locked, std::span<double> a) {
    for (const Prescribed& prescribed : motions)
      if (!is_locked(prescribed.dof))
        a[std::size_t(prescribed.dof)] = is_static_ ? 0 : prescribed.at(time).acceleration;
    if (is_static_) return;
    for (const auto& [v_start, nv, q_start] : led) {
      if (is_locked(v_start)) continue;
      const PrescribedPose pose = led_by(motions, v_start, nv, time);
      put(pose.turn.alpha(), a, v_start);
      if (nv == 6) put(pose.a(), a, v_start + 3);
    }
  };
  fill(
      prescribed_, led_in_tree(), [&](int dof) { return waits(dof); }, out.a);
  fill(
      loop_prescribed_, led_in_loops(), [&](int dof) { return loop_waits(dof); }, out.loop_a);
}

}  // namespace trammel
