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
// registers. Same results, to rounding. Allocate nothing after the first call of a size. A failure
// names the state; the output is undefined then.
//
// Models with constraints: a state at which the rank of the constraint rows is not beyond doubt the
// usual one (singular poses, constraints violated by more than rounding), and all states of models
// with wheels, points on curves, prescribed or locked joints, are evaluated one at a time by the
// function of the same name, which may allocate.
//
// Rows of `poses`: 12 numbers per named body, the columns x, y, z of R_WU, then p_WU.
[[nodiscard]] Status kinematics_batch(const Model& model, const States& states,
                                      BatchWorkspace& workspace, Eigen::Ref<Eigen::MatrixXd> poses);
// With loops: the efforts of the drives, of least norm, as inverse_dynamics.
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

// Joint reactions. Rows of `forces`: six numbers per joint of Model::joints(), moment x, y, z, then
// force x, y, z. `given` (nv x states): accelerations of a tree, efforts of a model with
// constraints, as inputs.a and inputs.tau of reactions(). Reactions that redundant constraints
// leave undetermined have the least norm.
[[nodiscard]] Status reactions_batch(const Model& model, const States& states,
                                     const Eigen::Ref<const Eigen::MatrixXd>& given,
                                     BatchWorkspace& workspace, Eigen::Ref<Eigen::MatrixXd> forces);

// Projection of states near the constraint manifold onto it, in place, as after a step of
// simulate(): Newton's method for the positions, each step the least change in the norm of the mass
// matrix that satisfies the linearized rows; then the least change of the velocities. A state in
// SIMD lanes takes at most eight steps, of at most 0.1 rad or m; one that does not converge is
// projected alone, like a state with wheels, by project_position and project_velocity. A failure
// names the first state that cannot be projected; such states are unchanged, all others are
// projected. A tree has nothing to project.
[[nodiscard]] Status project_to_manifold_batch(const Model& model, Eigen::Ref<Eigen::MatrixXd> q,
                                               Eigen::Ref<Eigen::MatrixXd> v,
                                               BatchWorkspace& workspace);

}  // namespace trammel
