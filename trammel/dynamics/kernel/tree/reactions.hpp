// Joint reactions by the Newton-Euler equations of every named body [van der Merwe 1995, eq.
// 4.29-4.32], for every scalar.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "trammel/dynamics/kernel_input.hpp"
#include "trammel/dynamics/stages.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/model/model.hpp"

namespace trammel::kernel {

// `on_body`: in, the external force on each named body, at its origin in its axes; out, the force
// through its inboard joint. `out`: reactions as reactions() defines them, zero for loop joints.
template <Scalar P, Scalar S>
void reactions(const KernelInput<P, S>& input, const BasicKinematics<S>& kinematics,
               std::span<Force<S>> on_body, std::span<Force<S>> out) {
  const Model& model = input.model;
  const ModelParameters<P>& numbers = input.numbers;
  const auto X_WU = [&](BodyId id) {
    return kinematics.X_WB[model[id].tree_body] *
           Pose<S>{numbers.X_BU[index(id)].R, numbers.X_BU[index(id)].p};
  };
  std::fill(out.begin(), out.end(), Force<S>{});

  // force on each named body alone: Newton-Euler equations, with gravity as an upward acceleration
  // of ground, less the external forces
  for (std::size_t n = 0; n < on_body.size(); ++n) {
    const int tree_body = model.named_bodies()[n].tree_body;
    const Pose<S> X_BU{numbers.X_BU[n].R, numbers.X_BU[n].p};
    const Motion<S> V = to_child(X_BU, kinematics.V[tree_body]);
    Motion<S> A = kinematics.A[tree_body];
    A.linear = A.linear - transpose_times(kinematics.X_WB[tree_body].R, Vec3<S>(numbers.gravity));
    A = to_child(X_BU, A);
    const Inertia<P>& I = numbers.own_inertia[n];
    on_body[n] = I * A + cross(V, I * V) - on_body[n];
  }

  // inward: each joint carries its outboard body and all bodies outboard of that
  const std::span<const JointId> joints = model.outward_joints();
  for (std::size_t k = joints.size(); k-- > 0;) {
    const NamedJoint& joint = model[joints[k]];
    const BodyId outboard = joint.is_reversed ? joint.parent : joint.child;
    const BodyId inboard = joint.is_reversed ? joint.child : joint.parent;
    const Force<S> F = on_body[index(outboard)];
    const Pose<S> X_IO = inverse(X_WU(inboard)) * X_WU(outboard);
    on_body[index(inboard)] += to_parent(X_IO, F);

    // force of the parent on the child, at M
    const Pose<P>& X_CM_numbers = numbers.X_CM[index(joints[k])];
    const Pose<S> X_CM{X_CM_numbers.R, X_CM_numbers.p};
    out[index(joints[k])] =
        joint.is_reversed ? to_child(X_CM, -to_parent(X_IO, F)) : to_child(X_CM, F);
  }
}

}  // namespace trammel::kernel
