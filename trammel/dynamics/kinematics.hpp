#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Where is everything? Enough for pose() and jacobian(), and cheaper than kinematics. Cost
// O(bodies); allocates nothing.
[[nodiscard]] Status positions(const Model& model, const State& state, Workspace& workspace,
                               Positions& out);

// Where is everything, how fast does it move, how does it accelerate? Takes the accelerations in
// inputs.a (zero unless given). Cost O(bodies); allocates nothing.
[[nodiscard]] Status kinematics(const Model& model, const State& state, const Inputs& inputs,
                                Workspace& workspace, Kinematics& out);

// X_WA: the pose of a place in the world.
Pose<double> pose(const Model& model, const Positions& positions, const At& place);
// [omega; v of the place].
Motion<double> velocity(const Model& model, const Kinematics& kinematics, const At& place,
                        Axes axes = Axes::world);
// [alpha; a of the place], the acceleration people measure: the rate of its velocity.
Motion<double> acceleration(const Model& model, const Kinematics& kinematics, const At& place,
                            Axes axes = Axes::world);

namespace kernel {
// The same for any scalar: X_BA places A on body `body` of the tree.
template <Scalar S>
Motion<S> velocity(const BasicKinematics<S>& kinematics, int body, const Pose<S>& X_BA, Axes axes);
template <Scalar S>
Motion<S> acceleration(const BasicKinematics<S>& kinematics, int body, const Pose<S>& X_BA,
                       Axes axes);
}  // namespace kernel

}  // namespace trammel
