#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// A length of the mechanism and the change that it needs.
struct LengthChange {
  std::string name;      // "the place of joint 'foot' on body 'rocker'"
  double by = 0;         // [m]
  Vec3<double> along{};  // for a place: direction of the change, in the axes of its xyz
};

// Mobility: number of degrees of freedom at a state, instantaneous and finite.
struct Mobility {
  int dofs = 0;  // dof of the spanning tree: nv
  int rows = 0, rank = 0;
  int instantaneous = 0;  // nv - rank: instantaneous mobility
  int finite = 0;         // finite mobility, found by stepping along the motions
  int gruebler = 0;       // nv - rows: Gruebler count
  double least = 1;       // smallest counted singular value / largest
  // Largest singular value that is not counted / largest; none if all are counted. Values below
  // `tolerance` count as zero: the farther both ratios are from it, the safer the verdict.
  std::optional<double> dropped;
  double tolerance = 0;
  // Lower bound of the correct decimal digits in accelerations, efforts and reactions: see
  // remaining_digits.
  double digits = 15;
  enum class Verdict {
    regular,      // finite mobility equals instantaneous mobility
    bifurcation,  // singular point where branches meet: no branch continues all motions
    shaky,        // some instantaneous motions have no finite continuation; others may
    // Regular as given, but a change of lengths by less than a hundredth of the mechanism's length
    // raises the finite mobility. Friction, clearance and the digits of a file decide whether such
    // a mechanism moves.
    nearly_overconstrained
  };
  Verdict verdict = Verdict::regular;
  // For nearly_overconstrained: the smallest change of lengths that makes the mechanism
  // overconstrained (of a single length, if one suffices), and the finite mobility then.
  std::vector<LengthChange> lengths;
  int finite_nearby = 0;
  // Sets of linearly dependent rows: "loop joint 'a': force along, loop joint 'b': ...".
  std::vector<std::string> dependent;
  // Rows that are neither dependent within rounding nor safely independent. `length`: remainder of
  // the scaled row (at most 1) after the independent rows are projected out; `bound`: what rounding
  // may leave of it. Counted as dependent; the digits of the model's parameters decide.
  struct Undecided {
    std::string row;
    double length, bound;
  };
  std::vector<Undecided> undecided;
};
std::string to_string(Mobility::Verdict verdict);

// Mobility at a state that satisfies the constraints. Instantaneous: nv - rank J. Finite, where
// rows are redundant: small steps along random (seeded) combinations of the instantaneous motions,
// each followed by assembly. Components of the constraint Jacobian (sets of constraints that share
// no joint) are examined on their own: cost linear in their number. Where rows are nearly
// dependent, other lengths are tried (near_mobility.hpp), but not with wheels or other nonholonomic
// rows, or more than 60 dof.
[[nodiscard]] Status mobility(const Model& model, const State& state, Workspace& workspace,
                              Mobility& out);

}  // namespace trammel
