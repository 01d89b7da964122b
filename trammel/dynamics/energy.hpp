#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Energy of a mechanism at one state [J]: kinetic energy, and potential energy of gravity and of
// elastic elements.
template <Scalar S> struct BasicEnergy {
  S kinetic{};
  S gravity{};  // zero for a mass at ground's origin
  S elastic{};  // springs in joints, force elements
  S total() const { return kinetic + gravity + elastic; }
};
using Energy = BasicEnergy<double>;

// Energy of all moving bodies: kinetic 1/2 v^T M v, gravity -sum m g.p, elastic 1/2 k (q - rest)^2
// of joint springs, and the potential energy of all force elements (springs between points,
// compressed contacts, bushings, elements of the user). Cost O(bodies); allocates nothing.
[[nodiscard]] Status energy(const Model& model, const State& state, Workspace& workspace,
                            Energy& out);

}  // namespace trammel
