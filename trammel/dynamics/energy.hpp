#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

template <Scalar S> struct BasicEnergy {
  S kinetic{};
  S gravity{};  // zero for a mass at ground's origin
  S elastic{};  // of springs in joints and between points
  S total() const { return kinetic + gravity + elastic; }
};
using Energy = BasicEnergy<double>;

// How much energy is in what can move?  kinetic 1/2 v^T M v, gravity -sum m g.p, elastic
// 1/2 k (q - rest)^2, of springs between points 1/2 k (distance - length)^2.
// Cost O(bodies); allocates nothing.
[[nodiscard]] Status energy(const Model& model, const State& state, Workspace& workspace,
                            Energy& out);

namespace kernel {
// Without springs of joints that close loops: their coordinates are answers of another room.
template <Scalar P, Scalar S>
BasicEnergy<S> energy(const Scene<P, S>& scene, In<S> q, const BasicKinematics<S>& kinematics);
}  // namespace kernel

}  // namespace trammel
