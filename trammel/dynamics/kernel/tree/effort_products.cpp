#include "trammel/dynamics/kernel/tree/effort_products.hpp"

#include <utility>

#include "trammel/spatial/pose.hpp"

namespace trammel::kernel {

EffortProducts::EffortProducts(const Model& model, EffortFactors factors)
    : model_(model),
      factors_(std::move(factors)),
      motion_(model.bodies().size()),
      turn_(model.bodies().size()),
      moment_(model.bodies().size()),
      force_(model.bodies().size()) {}

void EffortProducts::apply(In<double> dq, In<double> dv, In<double> da,
                           const std::vector<Force<double>>& loads, Out<double> dtau) {
  const std::span<const Body> bodies = model_.bodies();
  motion_[0] = {};
  turn_[0] = {};
  // outward: contributions of the joints inboard of each joint, and of its own coordinates
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    const auto first = std::size_t(body.v_start), end = std::size_t(body.v_end);
    const std::size_t parent = std::size_t(body.parent);
    Motion<double> motion = shifted_to(factors_.offset[i], motion_[parent]);
    Vec3<double> turn = turn_[parent];
    for (std::size_t f = first; f < end; ++f) {
      const EffortFactors::Dof& dof = factors_.dofs[f];
      double sum = dot(motion, dof.by_a) + dot(turn, dof.h);
      const EffortFactors::Pair* pair = own_row(f, first);
      for (std::size_t k = first; k < end; ++k, ++pair)
        sum += pair->by_q * dq[k] + pair->by_v * dv[k] + pair->by_a * da[k];
      dtau[f] = sum;
    }
    for (std::size_t f = first; f < end; ++f) {
      const auto& [S, E, G, d, by_a, by_q, by_v, h] = factors_.dofs[f];
      motion = motion + dq[f] * E + dv[f] * G + da[f] * S;
      turn = turn + dq[f] * d + dv[f] * S.angular;
    }
    motion_[i] = motion;
    turn_[i] = turn;
  }
  // inward: those of the joints outboard
  for (std::size_t i = 0; i < bodies.size(); ++i) force_[i] = -loads[i];
  for (std::size_t i = bodies.size() - 1; i > 0; --i) {
    const Body& body = bodies[i];
    const auto first = std::size_t(body.v_start), end = std::size_t(body.v_end);
    Force<double> force = force_[i];
    for (std::size_t f = first; f < end; ++f) dtau[f] += dot(factors_.dofs[f].S, force);
    if (body.parent == 0) continue;
    for (std::size_t f = first; f < end; ++f) {
      const EffortFactors::Dof& dof = factors_.dofs[f];
      force += dq[f] * dof.by_q + dv[f] * dof.by_v + da[f] * dof.by_a;
    }
    force_[std::size_t(body.parent)] += acting_at(factors_.offset[i], force);
  }
}

void EffortProducts::apply_transposed(In<double> y, Out<double> dq, Out<double> dv, Out<double> da,
                                      std::vector<Motion<double>>& motions) {
  const std::span<const Body> bodies = model_.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) force_[i] = {}, moment_[i] = {};
  // inward: efforts of the joints outboard of each joint, and of its own
  for (std::size_t i = bodies.size() - 1; i > 0; --i) {
    const Body& body = bodies[i];
    const auto first = std::size_t(body.v_start), end = std::size_t(body.v_end);
    Force<double> force = force_[i];
    Vec3<double> moment = moment_[i];
    for (std::size_t f = first; f < end; ++f) {
      const EffortFactors::Dof& dof = factors_.dofs[f];
      dq[f] = dot(dof.E, force) + dot(dof.d, moment);
      dv[f] = dot(dof.G, force) + dot(dof.S.angular, moment);
      da[f] = dot(dof.S, force);
      for (std::size_t k = first; k < end; ++k) {
        const EffortFactors::Pair& pair = own_row(k, first)[f - first];
        dq[f] += pair.by_q * y[k];
        dv[f] += pair.by_v * y[k];
        da[f] += pair.by_a * y[k];
      }
    }
    if (body.parent == 0) continue;
    for (std::size_t f = first; f < end; ++f) {
      const EffortFactors::Dof& dof = factors_.dofs[f];
      force += y[f] * dof.by_a;
      moment = moment + y[f] * dof.h;
    }
    force_[std::size_t(body.parent)] += acting_at(factors_.offset[i], force);
    moment_[std::size_t(body.parent)] = moment_[std::size_t(body.parent)] + moment;
  }
  // outward: those of the joints inboard
  motions.resize(bodies.size());
  motions[0] = {};
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    const auto first = std::size_t(body.v_start), end = std::size_t(body.v_end);
    Motion<double> motion = shifted_to(factors_.offset[i], motions[std::size_t(body.parent)]);
    for (std::size_t f = first; f < end; ++f) {
      const EffortFactors::Dof& dof = factors_.dofs[f];
      dq[f] += dot(motion, dof.by_q);
      dv[f] += dot(motion, dof.by_v);
      da[f] += dot(motion, dof.by_a);
    }
    for (std::size_t f = first; f < end; ++f) motion = motion + y[f] * factors_.dofs[f].S;
    motions[i] = motion;
  }
}

void EffortProducts::apply_mass(In<double> da, Out<double> out) {
  const std::span<const Body> bodies = model_.bodies();
  motion_[0] = {};
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    const auto first = std::size_t(body.v_start), end = std::size_t(body.v_end);
    Motion<double> motion = shifted_to(factors_.offset[i], motion_[std::size_t(body.parent)]);
    for (std::size_t f = first; f < end; ++f) {
      out[f] = dot(motion, factors_.dofs[f].by_a);
      const EffortFactors::Pair* pair = own_row(f, first);
      for (std::size_t k = first; k < end; ++k, ++pair) out[f] += pair->by_a * da[k];
    }
    for (std::size_t f = first; f < end; ++f) motion = motion + da[f] * factors_.dofs[f].S;
    motion_[i] = motion;
    force_[i] = {};
  }
  for (std::size_t i = bodies.size() - 1; i > 0; --i) {
    const Body& body = bodies[i];
    const auto first = std::size_t(body.v_start), end = std::size_t(body.v_end);
    Force<double> force = force_[i];
    for (std::size_t f = first; f < end; ++f) out[f] += dot(factors_.dofs[f].S, force);
    if (body.parent == 0) continue;
    for (std::size_t f = first; f < end; ++f) force += da[f] * factors_.dofs[f].by_a;
    force_[std::size_t(body.parent)] += acting_at(factors_.offset[i], force);
  }
}

}  // namespace trammel::kernel
