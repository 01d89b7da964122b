#pragma once

#include "trammel/dynamics/kernel/batch.hpp"
#include "trammel/dynamics/kernel/row_schedule.hpp"
#include "trammel/dynamics/scene.hpp"
#include "trammel/dynamics/stages.hpp"

namespace trammel::kernel {

// The schedule must outlive it.
SealedWorkspace make_closed_workspace(const Model& model, const RowSchedule& schedule);

// How far the answer can be trusted: sums of squares, to be held against what the caller allows.
template <Scalar S> struct BasicClosedLook {
  S error{};             // of all rows, in position: how far the loops are open
  S rate{};              // of all rows, in velocity
  S left{};              // of watched rows, in acceleration
  S largest{};           // of the accelerations of their bodies
  bool is_weak = false;  // a freedom without inertia, or a row that hangs on others
};
using ClosedLook = BasicClosedLook<double>;

// Rows of the kind `given`, kept ones first: what they see at a = 0, and their wrenches on bodies
// of the tree, at a point, in world axes.
struct GivenRow {
  int bundle = 0, row = 0;
  double acceleration = 0;
};
struct GivenPush {
  int bundle = 0, row = 0, body = 0;
  Force<double> F;
  Vec3<double> p;
};
struct GivenRows {
  std::span<const GivenRow> rows;
  std::span<const GivenPush> pushes;
  bool is_moved = false;  // closed_motion was asked just before, of the same scene, q and v
};

// Where are all bodies, and how do they move at a = 0? As kinematics() has it, for those who work
// out rows; what follows at the same state need not find it again.
void closed_motion(const Scene<double, double>& scene, In<double> q, In<double> v, void* workspace,
                   Kinematics& out);

// How does a mechanism with loops accelerate?
//
//   M a + h = tau + J^T lambda ,   J a = gamma
//
// by one sweep outward in world axes (places, velocities, what each body asks for at a = 0), one
// inward in which joints give way and rows travel with them [RBDA, chapter 7; rows: the constraint
// forces of Popov and Vereshchagin, and the influence maps of seed 002], small solves where the
// schedule says so, and one outward. The bodies' inertia grows where rows are solved for,
//
//   I + Z L^-1 Z^T ,   L = sum over freedoms of g g^T / D ,
//
// so that many arms on one object, or many small loops in a row, cost O(bodies). Joints driven by
// motion accelerate as `a_wanted` says. Writes a and, if there is room, the multipliers of the kept
// rows, bundle after bundle. Allocates nothing.
ClosedLook closed_dynamics(const Scene<double, double>& scene, In<double> q, In<double> v,
                           In<double> tau, In<double> a_wanted, const GivenRows& given,
                           void* workspace, Out<double> a, Out<double> lambda);

// What does it take to bring a mechanism back onto its loops? The least change, as inertia measures
// it, of positions (as small motions) or of velocities, after which the rows miss nothing to first
// order:
//
//   M d = J^T lambda ,   J d = -c  or  -J v
//
// by the same sweeps. Joints driven by motion stay. Rows of the kind `given` tell in place of their
// acceleration what they miss. Where the others miss no more than `enough` in position (a sum of
// squares), d is left as it was.
enum class Missed { position, velocity };
ClosedLook closed_correction(const Scene<double, double>& scene, In<double> q, In<double> v,
                             Missed missed, const GivenRows& given, double enough, void* workspace,
                             Out<double> d);

// The accelerations of many states, side by side; one look a state. Rows of the kind `given` are
// not for this, nor joints driven by motion.
SealedWorkspace make_closed_batch_workspace(const Model& model, const RowSchedule& schedule);
void closed_dynamics_batch(const Batch& batch, const double* tau, void* workspace, double* a,
                           ClosedLook* looks);

}  // namespace trammel::kernel
