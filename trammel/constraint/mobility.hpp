#pragma once

#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// In how many ways can the mechanism move?
struct Mobility {
  int freedoms = 0;  // of the tree: nv
  int rows = 0, rank = 0;
  int instantaneous = 0;  // nv - rank: ways to move for an instant
  int finite = 0;         // ways in which it really goes somewhere, found by going there
  int gruebler = 0;       // nv - rows: what counting joints says
  double least = 1;       // smallest of the counted singular values to the largest
  enum class Verdict {
    regular,      // every way to begin is a way to go
    bifurcation,  // here, and only here, more ways begin than go on: branches meet
    shaky         // moves for an instant and then holds
  };
  Verdict verdict = Verdict::regular;
  // Sets of rows that depend on each other: "loop joint 'a': force along, loop joint 'b': ...".
  std::vector<std::string> dependent;
};
std::string to_string(Mobility::Verdict verdict);

// At a closed state. Finite mobility is found by small steps along the motions that begin here,
// after each of which the loops are closed again.
[[nodiscard]] Status mobility(const Model& model, const State& state, Workspace& workspace,
                              Mobility& out);

}  // namespace trammel
