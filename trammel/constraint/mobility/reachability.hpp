#pragma once

#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Accessibility of configurations under nonholonomic constraints, by Lie brackets
// [Saha 1991, section 3.1].
//
// Where rows constrain velocities but not positions, as those of wheels, moving along two allowed
// directions and back may lead in a third direction: so a car is parked. The growth vector holds
// the dimensions of the distributions
//
//   D0 = span of the allowed velocities f,  D(k+1) = Dk + [f, Dk],  [f, g] = (dg/dq) f - (df/dq) g
//
// Its last entry is the dimension of the reachable configurations. If that equals the degrees of
// freedom, all rows are holonomic; if it is less than the dimension that loops and ground contacts
// leave, the wheels constrain `hidden` positions, as joints do (Frobenius, Chow).
struct Reachability {
  int dofs = 0;           // instantaneous degrees of freedom
  int configuration = 0;  // dimension of the configurations that holonomic rows allow
  std::vector<int> growth;
  int reachable = 0;        // last entry of growth
  int hidden = 0;           // position constraints implied by wheels: configuration - reachable
  bool is_complete = true;  // false: brackets of depth `deepest` still add directions
  static constexpr int deepest = 6;
};

// At a state that satisfies the constraints; velocities have no effect, prescribed joints count as
// free. By nested finite differences: each level costs about six times the one before, two levels
// take a few milliseconds. At special positions, where brackets vanish, growth is slower.
[[nodiscard]] Status reachability(const Model& model, const State& state, Workspace& workspace,
                                  Reachability& out);

// Classification of a single constraint row, j v + b = 0.
struct RowNature {
  std::string name;
  // Time derivative of a function of position and time: dj/dq symmetric, db/dq = dj/dt. Holonomic
  // rows are expressed in axes that move with the mechanism, so they are exact only where the
  // constraints are satisfied; there j is compared with the gradient of the constraint function.
  bool is_exact = true;
  // Exact after multiplication by an integrating factor: j ^ dj = 0. Rows that are not may still be
  // integrable as a set: see reachability().
  bool is_integrable = true;
  bool is_rheonomic = false;  // depends on time explicitly
  bool is_catastatic = true;  // b = 0: satisfied at rest
  // Largest entry of dj/dq - (dj/dq)^T, or of j minus the gradient; for a row of length one, slides
  // in units of the characteristic length.
  double asymmetry = 0;
};
// At a state that satisfies the constraints; one entry per row, in the order of row_names.
[[nodiscard]] Status row_natures(const Model& model, const State& state, Workspace& workspace,
                                 std::vector<RowNature>& out);

}  // namespace trammel
