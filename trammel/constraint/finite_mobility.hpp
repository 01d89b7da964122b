// In how many ways does a mechanism really go on from a pose where rows depend on each other? For
// this room only.
//
// Where it can be, near the pose, is one set or several that meet; finite mobility is the largest
// dimension among them. A set's dimension is that of its points, but not of special ones: where
// sets meet, motions of all of them begin, and some motions begin and lead nowhere. So steps go
// along directions that are mixed at random from all that begin here: closed again, such a step
// ends on one of the sets, and not where it meets others, even if the mechanism has freedoms beside
// that have nothing to do with the loop. There, the ways are counted that can be followed.
#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

struct FiniteMobility {
  int ways = 0;
  bool branches_meet = false;  // more directions lead somewhere than any one branch has
};
// At a closed position, from which `instantaneous` ways begin.
FiniteMobility finite_mobility(const Model& model, const std::vector<double>& q, int instantaneous,
                               Workspace& workspace);

}  // namespace trammel
