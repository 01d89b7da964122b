#pragma once

#include "trammel/dynamics/kernel/loops/closed_dynamics.hpp"
#include "trammel/dynamics/kernel/loops/row_components.hpp"

namespace trammel::kernel {

// `length` divides moments in the norm of the reactions [m]. Schedule and components must outlive
// the workspace.
SealedWorkspace make_reaction_workspace(const Model& model, const EliminationSchedule& schedule,
                                        const RowComponents& components, double length);
SealedWorkspace make_reaction_batch_workspace(const Model& model,
                                              const EliminationSchedule& schedule,
                                              const RowComponents& components, double length);

// Reactions of all joints of Model::joints(), loop joints included, from accelerations a and
// multipliers lambda of closed_dynamics: by the Newton-Euler equations of every named body with the
// wrenches of the rows. Loads are not supported.
//
// Redundant rows leave the reactions r undetermined by self-stresses: a redundant row
// J_k = sum_i w_i J_i of a component gives the column G_k - sum_i w_i G_i of S, G_i the reactions
// of a unit multiplier of row i. The reactions returned have the least norm,
//
//   min | W (r + S z) | ,   W = diag(1/length at moments, 1 at forces),
//
// by QR of the columns that share joints. False, and the forces of no use, where the rank of the
// rows is not beyond doubt that of the components, or self-stresses are dependent. Rows of the
// kinds `given` and `dof` are not supported. Allocates nothing.
bool closed_reactions(const KernelInput<double, double>& input, In<double> q, In<double> v,
                      In<double> a, In<double> lambda, void* workspace,
                      std::span<Force<double>> forces);
// The same for many states in SIMD lanes; six numbers per joint, moment and force, one column per
// state.
void closed_reactions_batch(const Batch& batch, const double* a, const double* lambda,
                            void* workspace, double* forces, std::span<char> is_sure);

}  // namespace trammel::kernel
