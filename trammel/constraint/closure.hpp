// One joint that closes a loop, at a state: its coordinates, how far its two halves are from where
// the joint would have them, and the wrenches it carries (its rows): those that do no work on any
// of its freedoms. A revolute joint has five, a weld six.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/dynamics/kernel/row_schedule.hpp"
#include "trammel/dynamics/stages.hpp"

namespace trammel {

template <Scalar S> struct BasicClosureAt {
  Pose<S> X_WM = Pose<S>::identity();
  S q[7] = {}, v[6] = {};  // of the joint, as its halves stand and move
  int rows = 0;
  Force<S> row[6];       // in M's axes; dot(row, V) is zero for every motion of the joint
  Motion<S> columns[6];  // the joint's own ways to move, in M's axes
  Motion<S> error;       // from where the joint would have M to where M is, in M's axes
  Motion<S> V;           // of M against F, in M's axes
  Motion<S> A;           // how V changes, less what the joint's own columns change
};
using ClosureAt = BasicClosureAt<double>;

// `kinematics` of the same model; the fit of coordinates begins at `near` (nq of the joint). Slopes
// of Dual numbers are right along states where the joint stays closed.
template <Scalar S>
BasicClosureAt<S> look_at(const Model& model, int closure, const BasicKinematics<S>& kinematics,
                          const double* near);

// Of a joint whose rows are the same in M's axes wherever it stands: those, and which axes of its
// frames must agree. None for joints whose rows turn, or whose slide hangs on how often they
// turned.
struct FixedRows {
  std::vector<Force<double>> row;
  kernel::RowSchedule::Alignment alignment;
};
std::optional<FixedRows> fixed_rows(const Joint& joint);

// No quaternion, and something that moves.
bool has_single_coordinates(const Joint& joint);
// Whether its k-th coordinate is an angle that comes back to where it was after a whole turn. That
// of a screw does not: its slide tells the turns.
bool comes_round(const Joint& joint, int k);

int row_count(const Joint& joint);
// "force along the axis", "moment across the axis (1)"
std::string row_name(const Joint& joint, int row);

}  // namespace trammel
