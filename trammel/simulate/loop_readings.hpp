// Where joints that close loops stand in a run, whole turns counted. For this room only.
//
// Their coordinates follow from the tree's, an angle but for whole turns. So a run that needs to
// know keeps the angle among the numbers of z, where it grows as the joint turns, and the tree says
// the rest to the last bit.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

// A joint that closes a loop and has single coordinates, as many as freedoms.
struct LoopReading {
  int closure = 0, first = 0, count = 0;  // its freedoms, among those of all closures
  int z = -1;                             // where its coordinates are in State::z; -1: nowhere
  std::array<double, 6> near = {};        // where a run begins to count, if nothing else is known

  // How many numbers of z it needs: none where the tree says it all, as of a slide.
  static int numbers(const Joint& joint);
};
LoopReading loop_reading(const Model& model, int closure);

// Its coordinates and speeds, at `first` of loop_q and loop_v; the kinematics are those of the
// state.
void read(const Model& model, const LoopReading& reading, const State& state,
          const Kinematics& kinematics, std::span<double> loop_q, std::span<double> loop_v);

// The joints of a model's description that a run has to watch: those with a controller, a motor
// with a limit, stops, or an event that waits for them. As closures, each once.
std::vector<int> watched_loops(const Model& model);

}  // namespace trammel
