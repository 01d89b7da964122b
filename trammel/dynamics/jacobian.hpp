#pragma once

#include <Eigen/Core>

#include "trammel/dynamics/articulated_inertias.hpp"
#include "trammel/dynamics/inputs.hpp"

namespace trammel {

// How does a place move when the freedoms do?  [omega; v] of the place = J v, J 6 x nv.
// Takes what positions() or kinematics() answered. Cost O(nv); allocates nothing.
[[nodiscard]] Status jacobian(const Model& model, const Positions& positions, const At& place,
                              Axes axes, Eigen::Ref<Eigen::MatrixXd> J);

// dJ/dt v: the acceleration people measure at the place is J a + this, told in the given axes (in
// body axes both are the world's, turned). Without forming dJ/dt: the acceleration at a = 0
// [seed 000, section 3.6; seed 004, 3.9]. Cost O(bodies); allocates nothing.
[[nodiscard]] Status jacobian_rate(const Model& model, const State& state, const At& place,
                                   Axes axes, Workspace& workspace, Motion<double>& out);

// How does a place accelerate under a wrench there?  Lambda^-1 = J M^-1 J^T, 6 x 6, in O(depth)
// from the articulated inertias; its rank is that of J. Told at the place in the given axes.
[[nodiscard]] Status operational_inertia_inverse(const Model& model, const State& state,
                                                 const ArticulatedInertias& factors,
                                                 const At& place, Axes axes, Workspace& workspace,
                                                 Eigen::Ref<Eigen::MatrixXd> out);
// Lambda itself; fails where the place cannot move in all six ways, and says which rank it has.
[[nodiscard]] Status operational_inertia(const Model& model, const State& state,
                                         const ArticulatedInertias& factors, const At& place,
                                         Axes axes, Workspace& workspace,
                                         Eigen::Ref<Eigen::MatrixXd> out);

namespace kernel {
// The same for any scalar: X_BA places A on body `body` of the tree; J has its columns one by one.
template <Scalar S>
void jacobian(const Model& model, const BasicPositions<S>& positions, int body, const Pose<S>& X_BA,
              Axes axes, std::span<Motion<S>> J);
}  // namespace kernel

}  // namespace trammel
