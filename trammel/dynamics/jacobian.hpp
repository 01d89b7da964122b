#pragma once

#include <Eigen/Core>

#include "trammel/dynamics/articulated_inertias.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/stages.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Geometric Jacobian J of a frame A, 6 x nv: [omega; v_A] = J v, with v_A the velocity of the
// frame's origin and v the generalized velocities. Takes the result of positions() or kinematics().
// Cost O(nv); allocates nothing.
[[nodiscard]] Status jacobian(const Model& model, const Positions& positions, const FrameRef& place,
                              Axes axes, Eigen::Ref<Eigen::MatrixXd> J);

// Jacobian rate dJ/dt v: the acceleration of the frame as an observer measures it is J a + dJ/dt v,
// expressed in the given axes (in body axes both terms are the world's, rotated). dJ/dt is not
// formed: the result is the acceleration at a = 0 [Yesiloglu 2007, section 3.6; van der Merwe 1995,
// 3.9]. Cost O(bodies); allocates nothing.
[[nodiscard]] Status jacobian_rate(const Model& model, const State& state, const FrameRef& place,
                                   Axes axes, Workspace& workspace, Motion<double>& out);

// Inverse operational-space inertia Lambda^-1 = J M^-1 J^T, 6 x 6: acceleration of a frame per unit
// wrench on it, at its origin in the given axes. Cost O(depth) from the articulated inertias; its
// rank is that of J. (J M^-1 J^T of constraint rows is the Delassus matrix.)
[[nodiscard]] Status operational_space_inertia_inverse(const Model& model, const State& state,
                                                       const ArticulatedInertias& factors,
                                                       const FrameRef& place, Axes axes,
                                                       Workspace& workspace,
                                                       Eigen::Ref<Eigen::MatrixXd> out);
// Operational-space inertia Lambda; fails if the frame cannot move in all six directions and states
// the rank.
[[nodiscard]] Status operational_space_inertia(const Model& model, const State& state,
                                               const ArticulatedInertias& factors,
                                               const FrameRef& place, Axes axes,
                                               Workspace& workspace,
                                               Eigen::Ref<Eigen::MatrixXd> out);

}  // namespace trammel
