// What joints that close loops do along their own freedoms: springs, dampers, drives.
//
// An effort along a freedom is a wrench between the joint's two halves that does the same work on
// it, and none on the joint's other freedoms. What such a wrench is across the freedoms is a matter
// of choice that the reaction makes up for.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>

#include "trammel/constraint/closure.hpp"
#include "trammel/dynamics/force_elements.hpp"

namespace trammel {

int freedom_count(const Joint& joint);

// Its coordinates as near as they can be to where its springs rest.
template <Scalar S>
BasicClosureAt<S> look_near_rest(const Model& model, int closure,
                                 const BasicKinematics<S>& kinematics);

// Per freedom of the joint, in M's axes: the wrench of a unit effort, which also reads the
// freedom's rate from V and its acceleration from A. Where two of the freedoms are one, zero.
template <Scalar S> std::array<Force<S>, 6> duals(const BasicClosureAt<S>& at, int freedoms);

// What a unit effort along one of all closures' freedoms does.
ElementForce unit_effort(const Model& model, const Kinematics& kinematics, int freedom);
// The same, as efforts on the tree; and so how fast the freedom goes with each of the tree's.
Eigen::VectorXd effort_of_loop(const Model& model, const Kinematics& kinematics, int freedom);

// Coordinates that turn are taken within half a turn of where their spring rests: how often a joint
// that closes a loop has turned, no state tells.
template <Scalar S>
Status add_loop_forces(const char* question, const Model& model,
                       const BasicKinematics<S>& kinematics, std::span<const double> loop_tau,
                       std::vector<BasicElementForce<S>>& out);
// What is in the springs.
double loop_energy(const Model& model, const Kinematics& kinematics);

}  // namespace trammel
