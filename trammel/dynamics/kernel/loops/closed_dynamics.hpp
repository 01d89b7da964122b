#pragma once

#include "trammel/dynamics/kernel/batch.hpp"
#include "trammel/dynamics/kernel/loops/elimination_schedule.hpp"
#include "trammel/dynamics/kernel_input.hpp"
#include "trammel/dynamics/stages.hpp"
#include "trammel/scalar/pack.hpp"

namespace trammel::kernel {

// The schedule must outlive the workspace.
SealedWorkspace make_closed_workspace(const Model& model, const EliminationSchedule& schedule);

// Result of a comparison: a bool, or one for each lane.
template <class S> struct MaskOf { using Type = bool; };
template <int N> struct MaskOf<Pack<N>> { using Type = typename Pack<N>::Mask; };
template <Scalar S> using LaneMask = typename MaskOf<S>::Type;

// Constraint residuals and accuracy of a result: sums of squares, to be compared with the
// tolerances of the caller.
template <Scalar S> struct BasicConstraintResiduals {
  S error{};                   // position violation of all rows
  S rate{};                    // velocity violation of all rows
  S left{};                    // acceleration residual of redundant (monitored) rows
  S largest{};                 // accelerations of their bodies, the scale of `left`
  LaneMask<S> is_weak{false};  // a dof without inertia, or a row that depends on others
};
using ConstraintResiduals = BasicConstraintResiduals<double>;

// Rows of the kind `given`, those solved for first: their acceleration at a = 0, and their wrenches
// on bodies of the tree, at a point, in world axes.
struct GivenRow {
  int group = 0, row = 0;
  double acceleration = 0;
};
struct GivenWrench {
  int group = 0, row = 0, body = 0;
  Force<double> F;
  Vec3<double> p;
};
struct GivenRows {
  std::span<const GivenRow> rows;
  std::span<const GivenWrench> pushes;
  bool is_moved = false;  // closed_motion was called before for the same scene, q and v
};

// Kinematics at a = 0, as kinematics() computes them, for callers that evaluate rows themselves.
// Following calls at the same state may reuse them (GivenRows::is_moved).
void closed_motion(const KernelInput<double, double>& input, In<double> q, In<double> v,
                   void* workspace, Kinematics& out);

// Constrained forward dynamics of a mechanism with loops: accelerations a and Lagrange multipliers
// lambda of
//
//   M a + h = tau + J^T lambda ,   J a = gamma
//
// by the articulated-body algorithm (ABA) with propagated constraint wrenches: the
// Popov-Vereshchagin recursion [Vereshchagin 1974; RBDA, chapter 7; influence maps of Rodriguez
// 1988]. Pass 1 outward in world axes (poses, velocities, bias forces at a = 0), pass 2 inward with
// elimination of joints and propagation of rows, small dense solves at the stages of the schedule,
// pass 3 outward. Where rows are eliminated the inertia of the body grows to
//
//   I + Z L^-1 Z^T ,   L = sum over degrees of freedom of g g^T / D
//
// (Z: constraint wrenches at the body, g = S^T Z; L: Delassus matrix J M^-1 J^T of the outboard
// part), so that many arms on one object, or many small loops in a chain, cost O(bodies). Joints
// driven by motion accelerate as given in `a_wanted`. Writes a and, unless `lambda` is empty, the
// multipliers of the rows solved for, row group after row group. Allocates nothing.
ConstraintResiduals closed_dynamics(const KernelInput<double, double>& input, In<double> q,
                                    In<double> v, In<double> tau, In<double> a_wanted,
                                    const GivenRows& given, void* workspace, Out<double> a,
                                    Out<double> lambda);

// Projection step to the constraint manifold: the least change d, in the norm of the mass matrix,
// of positions (as a tangent vector) or of velocities that removes the constraint violation to
// first order:
//
//   M d = J^T lambda ,   J d = -c  or  -J v
//
// by the same passes. Joints driven by motion stay. For rows of the kind `given`,
// GivenRow::acceleration holds their violation. If the position violation of the other rows (a sum
// of squares) is at most `enough`, d is not written.
enum class Missed { position, velocity };
ConstraintResiduals closed_correction(const KernelInput<double, double>& input, In<double> q,
                                      In<double> v, Missed missed, const GivenRows& given,
                                      double enough, void* workspace, Out<double> d);

// Accelerations of many states in SIMD lanes, with one ConstraintResiduals per state; a state does
// not affect those in the other lanes. `lambda`: multipliers as in closed_dynamics, one column per
// state, or null. Does not support rows of the kind `given` nor joints driven by motion.
SealedWorkspace make_closed_batch_workspace(const Model& model,
                                            const EliminationSchedule& schedule);
void closed_dynamics_batch(const Batch& batch, const double* tau, void* workspace, double* a,
                           double* lambda, ConstraintResiduals* residuals);
// Projection steps of many states, in the same workspace: columns of d (nv x states). d is not
// written for the lanes of a register in which no state violates its positions by more than
// `enough`.
void closed_correction_batch(const Batch& batch, Missed missed, double enough, void* workspace,
                             double* d, ConstraintResiduals* residuals);

}  // namespace trammel::kernel
