// A loop joint at a state: its coordinates, the displacement between its two frames that violates
// the joint, and its constraint wrenches (its rows): those that do no work on any of its motions. A
// revolute joint has five, a weld six.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "trammel/dynamics/kernel/loops/elimination_schedule.hpp"
#include "trammel/dynamics/stages.hpp"

namespace trammel {

template <Scalar S> struct BasicClosureAt {
  Pose<S> X_WM = Pose<S>::identity();
  S q[7] = {}, v[6] = {};       // coordinates and velocities of the joint, fitted to its two frames
  const char* fault = nullptr;  // why the joint cannot have this position
  int rows = 0;
  Force<S> row[6];       // in M's axes; dot(row, V) is zero for every motion of the joint
  Motion<S> columns[6];  // motion subspace of the joint, in M's axes
  Motion<S> error;       // from the joint's own pose of M to the actual one, in M's axes
  Motion<S> V;           // velocity of M relative to F, in M's axes
  Motion<S> A;           // relative acceleration, less the joint's velocity-product bias
};
using ClosureAt = BasicClosureAt<double>;

// Evaluates a loop joint. `kinematics` of the same model; the fit of its coordinates starts at
// `near` (nq of the joint). Derivatives by Dual numbers are exact along states that satisfy the
// joint.
template <Scalar S>
BasicClosureAt<S> evaluate_closure(const Model& model, int closure,
                                   const BasicKinematics<S>& kinematics, const double* near);

int dof_count(const Joint& joint);

// Per dof of the joint, in M's axes: the wrench of a unit effort, which also measures the dof's
// rate from V and its acceleration from A. Zero if the joint's motions are dependent.
template <Scalar S> std::array<Force<S>, 6> duals(const BasicClosureAt<S>& at, int dofs);

// Rows that are constant in M's axes, and the axes of the two frames that must be aligned. None for
// joints whose rows depend on their coordinates (universal, compound except a weld) or whose slide
// depends on the number of turns (screw), nor for a free joint, which has no rows.
struct FixedRows {
  std::vector<Force<double>> row;
  RowAlignment alignment;
};
std::optional<FixedRows> fixed_rows(const Joint& joint);

// True if the joint has coordinates and none of them belongs to a quaternion (nq = nv > 0).
bool has_single_coordinates(const Joint& joint);
// Whether the k-th coordinate is an angle that is periodic over a whole turn. That of a screw is
// not: its slide determines the number of turns.
bool comes_round(const Joint& joint, int k);

int row_count(const Joint& joint);
// "force along the axis", "moment across the axis (1)"
std::string row_name(const Joint& joint, int row);

}  // namespace trammel
