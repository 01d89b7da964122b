// Dynamics of many states of one model at once, in SIMD registers and on several threads.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// States of one model, one column per state: q is nq x states, v is nv x states.
struct States {
  Eigen::Ref<const Eigen::MatrixXd> q, v;
};

// The functions of the same name for all columns at once, several states side by side in SIMD
// registers. Same results, to rounding. Allocate nothing. A failure names the state; the output is
// undefined then.
//
// Rows of `poses`: 12 numbers per named body, the columns x, y, z of R_WU, then p_WU.
[[nodiscard]] Status kinematics_batch(const Model& model, const States& states,
                                      BatchWorkspace& workspace, Eigen::Ref<Eigen::MatrixXd> poses);
[[nodiscard]] Status inverse_dynamics_batch(const Model& model, const States& states,
                                            const Eigen::Ref<const Eigen::MatrixXd>& a,
                                            BatchWorkspace& workspace,
                                            Eigen::Ref<Eigen::MatrixXd> tau);
// `prescribed`: accelerations of joints driven by motion, zero for all others (nv x states); may be
// left out if joints are only locked. With prescribed or locked joints, states are evaluated one at
// a time.
[[nodiscard]] Status forward_dynamics_batch(
    const Model& model, const States& states, const Eigen::Ref<const Eigen::MatrixXd>& tau,
    BatchWorkspace& workspace, Eigen::Ref<Eigen::MatrixXd> a,
    const std::optional<Eigen::Ref<const Eigen::MatrixXd>>& prescribed = {});
// Column s is M of state s in column-major order: nv nv x states.
[[nodiscard]] Status mass_matrix_batch(const Model& model, const States& states,
                                       BatchWorkspace& workspace, Eigen::Ref<Eigen::MatrixXd> M);

}  // namespace trammel
