#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// A length of a mechanism, and what it would have to be changed by.
struct LengthChange {
  std::string name;      // "the place of joint 'foot' on body 'rocker'"
  double by = 0;         // [m]
  Vec3<double> along{};  // of a place: which way, in the axes that its xyz is said in
};

// In how many ways can the mechanism move?
struct Mobility {
  int freedoms = 0;  // of the tree: nv
  int rows = 0, rank = 0;
  int instantaneous = 0;  // nv - rank: ways to move for an instant
  int finite = 0;         // ways in which it really goes somewhere, found by going there
  int gruebler = 0;       // nv - rows: what counting joints says
  double least = 1;       // smallest of the counted singular values to the largest
  // The largest of those that do not count, to the largest of all; none where all count. What lies
  // below `tolerance` is taken for zero: a verdict is as sure as these two are far from it.
  std::optional<double> dropped;
  double tolerance = 0;
  // Decimal digits that are left at least in accelerations, efforts and reactions: see
  // remaining_digits.
  double digits = 15;
  enum class Verdict {
    regular,      // every way to begin is a way to go
    bifurcation,  // here, and only here, more ways begin than go on: branches meet
    shaky,        // some ways begin and lead nowhere: they hold at once; others may go on
    // As it is, every way to begin is a way to go; but with lengths that differ by less than a
    // hundredth of the mechanism's, it would go in more. Friction, play and the digits of a file
    // decide whether such a mechanism moves.
    nearly_overconstrained
  };
  Verdict verdict = Verdict::regular;
  // Of one that is nearly overconstrained: the least change of lengths that makes it so (of one
  // length, if there is one that does it alone), and the ways in which it goes then.
  std::vector<LengthChange> lengths;
  int finite_nearby = 0;
  // Sets of rows that depend on each other: "loop joint 'a': force along, loop joint 'b': ...".
  std::vector<std::string> dependent;
  // Rows that rounding alone does not explain and that are not surely independent either: `length`
  // is what is left of a row that could have length 1, once the others are taken away, `bound` what
  // rounding may leave. Counted as dependent; a change of the model's digits decides.
  struct Undecided {
    std::string row;
    double length, bound;
  };
  std::vector<Undecided> undecided;
};
std::string to_string(Mobility::Verdict verdict);

// At a closed state. Finite mobility is found by small steps along the motions that begin here,
// mixed at random (seeded), after each of which the loops are closed again. Where rows are nearly
// dependent, other lengths are tried; not of mechanisms on wheels, or with more than 60 freedoms.
[[nodiscard]] Status mobility(const Model& model, const State& state, Workspace& workspace,
                              Mobility& out);

}  // namespace trammel
