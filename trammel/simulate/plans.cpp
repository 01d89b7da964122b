// Prescribed motions of joints: positions, velocities and accelerations.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/constraint/closure.hpp"
#include "trammel/simulate/drives.hpp"
#include "trammel/simulate/turn_plan.hpp"

namespace trammel {

namespace {

void put(const Vec3<double>& x, std::span<double> out, int at) {
  out[std::size_t(at)] = x.x, out[std::size_t(at + 1)] = x.y, out[std::size_t(at + 2)] = x.z;
}

// Prescribed pose of a ball or free joint, from three or six signals.
template <class Plans> PosePlan led_by(const Plans& plans, int v_start, int nv, double time) {
  std::array<Signal::Value, 6> numbers;
  for (const auto& planned : plans)
    if (const int k = planned.freedom - v_start; k >= 0 && k < nv)
      numbers[std::size_t(k)] = planned.at(time);
  return {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
}

}  // namespace

void Drives::plan(int freedom, Signal position) {
  expect_freedom("plan", freedom);
  if (model_.prescription(freedom) != Drive::motion)
    throw std::invalid_argument(
        fmt::format("plan: joint '{}' is not driven by motion: give it "
                    "the drive motion, or an effort",
                    model_.freedom_name(freedom)));
  if (std::ranges::find(plans_, freedom, &Planned::freedom) != plans_.end())
    throw std::invalid_argument(
        fmt::format("plan: joint '{}' has a prescribed motion already",
                    model_.freedom_name(freedom)));
  plans_.push_back(
      {freedom, coordinate_of(freedom).value_or(of_quaternion), {std::move(position)}});
}

void Drives::plan_loop(int freedom, Signal position) {
  expect_loop_freedom("plan_loop", freedom);
  if (model_.closure_drive(freedom) != Drive::motion)
    throw std::invalid_argument(
        fmt::format("plan_loop: joint '{}' is not driven by motion: give it the drive motion, or "
                    "an effort",
                    model_.closure_freedom_name(freedom)));
  if (std::ranges::find(loop_plans_, freedom, &Planned::freedom) != loop_plans_.end())
    throw std::invalid_argument(fmt::format("plan_loop: joint '{}' has a prescribed motion already",
                                            model_.closure_freedom_name(freedom)));
  const Joint& joint = model_.closures()[std::size_t(closure_with(freedom))].joint;
  loop_plans_.push_back(
      {freedom, has_single_coordinates(joint) ? freedom : of_quaternion, {std::move(position)}});
}

Signal::Value Drives::Planned::at(double time) const {
  Signal::Value sum;
  for (const Signal& part : parts) {
    const Signal::Value now = part.at(time);
    sum.value += now.value;
    sum.rate += now.rate;
    sum.acceleration += now.acceleration;
  }
  return sum;
}

std::vector<Drives::Led> Drives::led_in_tree() const {
  std::vector<Led> found;
  for (const Planned& planned : plans_)
    if (planned.coordinate == of_quaternion)
      for (const NamedJoint& joint : model_.joints())
        if (joint.role == NamedJoint::Role::tree && joint.v_start == planned.freedom)
          found.push_back({joint.v_start, joint.nv, joint.q_start});
  return found;
}

std::vector<Drives::Led> Drives::led_in_loops() const {
  std::vector<Led> found;
  for (const Planned& planned : loop_plans_)
    if (planned.coordinate == of_quaternion)
      for (const Closure& closure : model_.closures())
        if (closure.v_start == planned.freedom)
          found.push_back({closure.v_start,
                           std::visit([](const auto& joint) { return joint.nv(); }, closure.joint),
                           closure.q_start});
  return found;
}

void Drives::follow(double time, std::span<double> q, std::span<double> v) const {
  for (const Planned& planned : plans_) {
    if (waits(planned.freedom) || planned.coordinate == of_quaternion) continue;
    const Signal::Value now = planned.at(time);
    q[std::size_t(planned.coordinate)] = now.value;
    v[std::size_t(planned.freedom)] = now.rate;
  }
  for (const auto& [v_start, nv, q_start] : led_in_tree()) {
    if (waits(v_start)) continue;
    const PosePlan plan = led_by(plans_, v_start, nv, time);
    const Quaternion<double> w = plan.turn.orientation();
    q[std::size_t(q_start)] = w.w;
    put({w.x, w.y, w.z}, q, q_start + 1);
    put(plan.turn.omega(), v, v_start);
    if (nv < 6) continue;
    put(plan.p(), q, q_start + 4);
    put(plan.v(), v, v_start + 3);
  }
}

LoopPlan Drives::loop_plan(double time, Acting& out) const {
  if (loop_plans_.empty()) return {};
  for (const Planned& planned : loop_plans_) {
    if (planned.coordinate == of_quaternion) continue;
    const Signal::Value now = planned.at(time);
    out.plan_q[std::size_t(planned.freedom)] = now.value;
    out.plan_v[std::size_t(planned.freedom)] = now.rate;
  }
  for (const auto& [v_start, nv, q_start] : led_in_loops()) {
    const PosePlan plan = led_by(loop_plans_, v_start, nv, time);
    put(logarithm(plan.turn.orientation()), out.plan_q, v_start);
    put(plan.turn.omega(), out.plan_v, v_start);
    if (nv < 6) continue;
    put(plan.p(), out.plan_q, v_start + 3);
    put(plan.v(), out.plan_v, v_start + 3);
  }
  return {out.plan_q, out.plan_v};
}

void Drives::plan_accelerations(double time, Acting& out) const {
  const auto fill = [&](const std::vector<Planned>& plans, const std::vector<Led>& led,
                        const auto& is_held, std::span<double> a) {
    for (const Planned& planned : plans)
      if (!is_held(planned.freedom))
        a[std::size_t(planned.freedom)] = are_still_ ? 0 : planned.at(time).acceleration;
    if (are_still_) return;
    for (const auto& [v_start, nv, q_start] : led) {
      if (is_held(v_start)) continue;
      const PosePlan plan = led_by(plans, v_start, nv, time);
      put(plan.turn.alpha(), a, v_start);
      if (nv == 6) put(plan.a(), a, v_start + 3);
    }
  };
  fill(
      plans_, led_in_tree(), [&](int freedom) { return waits(freedom); }, out.a);
  fill(
      loop_plans_, led_in_loops(), [&](int freedom) { return loop_waits(freedom); }, out.loop_a);
}

}  // namespace trammel
