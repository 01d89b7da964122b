// Topology, mobility and actuation of a mechanism at a state, for `trammel info`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer.hpp"
#include "terminal.hpp"
#include "trammel/constraint/mobility/actuation.hpp"
#include "trammel/constraint/mobility/arms.hpp"
#include "trammel/constraint/mobility/constraint_nature.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/mobility/reachability.hpp"
#include "trammel/constraint/solver/dense_solvers.hpp"
#include "trammel/model/topology.hpp"

namespace trammel::cli {

struct Structure {
  Topology graph;
  std::optional<ConstraintNature> nature = {};
  std::optional<Reachability> reach = {};    // of a model with wheels
  std::optional<Mobility> mobility = {};     // of a model with loops
  std::optional<int> planar_gruebler = {};   // of a planar mechanism with loops
  std::vector<std::string> blocked_by = {};  // constraints that leave no mobility
  std::optional<Actuation> actuation = {};   // none if it cannot be computed at the state
  std::vector<Arm> arms = {};
  std::optional<ConstraintSolver> solver =
      {};  // constraint solver of the accelerations, if there are loops
  // Of a model with loops: joints whose reactions are not unique.
  std::optional<std::vector<std::string>> chosen = {};
};
// Quantities that cannot be computed at the state are noted on the terminal.
Structure structure_of(const Model& model, const State& state, const ThreadsOption& threads,
                       Terminal& terminal);

std::string topology_text(const Model& model, const Structure& structure);
std::string mobility_text(const Structure& structure);
// Constraint rows whose independence the digits of the model leave undecided, one text each:
// "undecided, counted as dependent: loop joint 'b': force along: 5e-12 of its length is ..."
std::vector<std::string> undecided_rows(const Model& model, const State& state,
                                        Workspace& workspace);
// Largest number of entries of a list in text output; JSON output has all.
constexpr std::size_t most_listed = 100;
// The line after a list of this many entries, of which only the first are printed:
// "  and 900 more (all: --json)"; empty if all are printed.
std::string more_text(std::size_t count);
// "it cannot move: wheel 'a', wheel 'b' together leave no degree of freedom"
std::string blocked_text(const std::vector<std::string>& blocked_by);
// "the place of joint 'foot' on body 'rocker' by 0.002 m along 1, 0, 0"
std::string change_text(const LengthChange& change);
std::string actuation_text(const Actuation& actuation);
std::string arms_text(const std::vector<Arm>& arms);

Json graph_json(const Model& model, const Structure& structure);
Json mobility_json(const Structure& structure);
Json actuation_json(const Actuation& actuation);
Json arms_json(const std::vector<Arm>& arms);

}  // namespace trammel::cli
