// An event that a function of the user's decides.
#pragma once

#include <functional>
#include <string>

#include "trammel/simulate/moment.hpp"

namespace trammel {

// A number of a moment: the event happens where it passes zero. The moment's workspace may be used
// to ask questions. Must be steady in time, and always give the same for the same.
using EventValue = std::function<double(const Moment& moment)>;

// `what` has its name, its way, whether it happens every time, and what happens, as in a
// description; its time, joint and value play no part.
struct EventFunction {
  EventDescription what;
  EventValue value;
  // Called when it happens, after locks and grasps: may change the velocities, and z. Loops and
  // wheels take of a new velocity what they let through.
  std::function<void(const Moment& moment, std::vector<double>& v)> then = {};
};

}  // namespace trammel
