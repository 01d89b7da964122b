// Pose of a body in its parent, stored by the first pass of a recursion for the later ones.
#pragma once

#include <concepts>

#include "trammel/joint/joint.hpp"

namespace trammel::kernel {

// In SIMD lanes the pose of a revolute joint is recomputed: twelve products take less time than
// writing and reading nine registers, and the working set fits a nearer cache. Other poses are
// stored.
template <class J, Scalar S> inline constexpr bool is_recomputed = false;
template <int N> inline constexpr bool is_recomputed<Revolute, Pack<N>> = true;

template <JointType J, Scalar S, Scalar P>
void store_pose(const J&, const Pose<S, P>& X_PB, Pose<S>& stored) {
  if constexpr (is_recomputed<J, S>) return;
  stored.R = X_PB.R;
  if constexpr (std::same_as<J, Revolute>) return;  // p is a constant of the model
  stored.p = X_PB.p;
}
template <JointType J, Scalar S, Scalar P>
auto reload_pose(const J& joint, const Coordinates<S, P>& q_J, const Pose<P>& X_PF,
                 const Pose<S>& stored) {
  if constexpr (is_recomputed<J, S>)
    return X_PF * joint.pose(q_J);
  else if constexpr (std::same_as<J, Revolute>)
    return PoseView<S, P>(stored.R, X_PF.p);
  else
    return PoseView<S, S>(stored);
}

}  // namespace trammel::kernel
