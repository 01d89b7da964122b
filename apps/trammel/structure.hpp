// What `trammel info` tells of how a mechanism hangs together and moves, at a state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer.hpp"
#include "terminal.hpp"
#include "trammel/constraint/actuation.hpp"
#include "trammel/constraint/arms.hpp"
#include "trammel/constraint/constraint_nature.hpp"
#include "trammel/constraint/mobility.hpp"
#include "trammel/constraint/reachability.hpp"
#include "trammel/constraint/roads.hpp"
#include "trammel/model/topology.hpp"

namespace trammel::cli {

struct Structure {
  Topology graph;
  std::optional<ConstraintNature> nature = {};
  std::optional<Reachability> reach = {};   // of a model with wheels
  std::optional<Mobility> mobility = {};    // of a model with loops
  std::vector<std::string> held_by = {};    // what leaves it no way to move
  std::optional<Actuation> actuation = {};  // none where the state has no answer
  std::vector<Arm> arms = {};
  std::optional<Road> road = {};  // by which its accelerations are found; of a model with loops
  // Of a model with loops: joints that carry something which nothing in the motion tells.
  std::optional<std::vector<std::string>> chosen = {};
};
// What cannot be told at the state is noted on the terminal.
Structure structure_of(const Model& model, const State& state, Terminal& terminal);

std::string topology_text(const Model& model, const Structure& structure);
std::string mobility_text(const Structure& structure);
// Constraint rows of which the digits of the model leave open whether they are independent, a text
// each: "undecided, counted as dependent: loop joint 'b': force along: 5e-12 of its length is ..."
std::vector<std::string> undecided_rows(const Model& model, const State& state,
                                        Workspace& workspace);
// "it cannot move: wheel 'a', wheel 'b' leave it no way"
std::string held_text(const std::vector<std::string>& held_by);
// "the place of joint 'foot' on body 'rocker' by 0.002 m along 1, 0, 0"
std::string change_text(const LengthChange& change);
std::string actuation_text(const Actuation& actuation);
std::string arms_text(const std::vector<Arm>& arms);

Json graph_json(const Model& model, const Structure& structure);
Json mobility_json(const Structure& structure);
Json actuation_json(const Actuation& actuation);
Json arms_json(const std::vector<Arm>& arms);

}  // namespace trammel::cli
