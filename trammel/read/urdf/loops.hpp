// <loop> and <coupling>, which URDF+ adds to URDF [Chignoli, Slotine, Wensing, Kim 2024,
// arXiv:2411.19753]: a joint that closes a loop, and gears or belts between links.
#pragma once

#include <vector>

#include "trammel/read/urdf/element.hpp"

namespace trammel::urdf {

// Loop joint from its predecessor to its successor, marked as a cut of the tree.
JointDescription read_loop(const Element& loop);

// Content of a <coupling>, before the tree is known.
struct GivenCoupling {
  std::string name, predecessor, successor;
  double ratio = 1;
  ItemPlace place;
};
GivenCoupling read_coupling(const Element& coupling);

// Adds the couplings once the tree is complete: ratio times the sum of the coordinates from the
// nearest common ancestor link to the predecessor equals the sum of those from there to the
// successor.
void add_couplings(const std::vector<GivenCoupling>& couplings, Description& description,
                   Report& report);

}  // namespace trammel::urdf
