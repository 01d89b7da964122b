#pragma once

#include <functional>

#include "trammel/dynamics/workspace.hpp"
#include "trammel/simulate/drives.hpp"

namespace trammel {

// A state of a run with the mechanism as it is then: a joint may have locked, a hand may have
// grasped something, since the run began. Numbers of q and v mean the same in all of them.
struct Moment {
  const State& state;
  const Model& model;
  const Drives& drives;
  Workspace& workspace;  // of that model
  operator const State&() const { return state; }
};

// Is shown every sample: loops closed, quaternions of length 1, planned joints where they are to
// be. What it returns stops the run if it is a failure.
using Watch = std::function<Status(const Moment& moment)>;

}  // namespace trammel
