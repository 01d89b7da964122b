// Coordinates of loop joints in a run, with whole turns counted. Internal to this module.
//
// The coordinates follow from those of the tree, angles only modulo 2 pi. A run that needs them
// keeps the angle in State::z, where its rate is integrated; the kinematics of the tree then give
// the exact value near it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

// A loop joint with single coordinates, as many as dofs.
struct LoopReading {
  int closure = 0, first = 0, count = 0;  // its dofs, among those of all closures
  int z = -1;                             // index of its coordinates in State::z; -1: none
  std::array<double, 6> near = {};        // initial guess of the coordinates, if z has none

  // Number of entries in z: none if the tree determines the coordinate, as for a prismatic joint.
  static int numbers(const Joint& joint);
};
LoopReading loop_reading(const Model& model, int closure);

// Writes coordinates and velocities at `first` of loop_q and loop_v; the kinematics are those of
// the state.
void read(const Model& model, const LoopReading& reading, const State& state,
          const Kinematics& kinematics, std::span<double> loop_q, std::span<double> loop_v);

// Loop joints of the description whose coordinates a run needs: those with a controller, a motor
// with a limit, stops, or an event on them. As closure indices, each once.
std::vector<int> watched_loops(const Model& model);

}  // namespace trammel
