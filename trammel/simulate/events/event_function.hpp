// Events defined by a user function.
#pragma once

#include <functional>
#include <string>

#include "trammel/simulate/run_snapshot.hpp"

namespace trammel {

// Event function of a snapshot: the event happens where it passes zero. May use the workspace of
// the snapshot. Must be continuous in time and depend on its argument alone.
using EventValue = std::function<double(const RunSnapshot& snapshot)>;

// `what` holds the name, the crossing direction, whether the event repeats, and its actions, as in
// a description; its time, joint and value are ignored.
struct EventFunction {
  EventDescription what;
  EventValue value;
  // Called when the event happens, after locks and grasps: may change the velocities. The new
  // velocities are then projected onto the loop and rolling constraints.
  std::function<void(const RunSnapshot& snapshot, std::vector<double>& v)> then = {};
};

}  // namespace trammel
