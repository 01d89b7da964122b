// <loop> and <coupling>, which URDF+ adds to URDF [Chignoli, Slotine, Wensing, Kim 2024,
// arXiv:2411.19753]: a joint that closes a loop, and gears or belts between links.
#pragma once

#include <vector>

#include "trammel/read/urdf/element.hpp"

namespace trammel {

// A joint from its predecessor to its successor, where the tree is to be cut.
JointDescription read_loop(const Element& loop);

// What a <coupling> says, before the tree is known.
struct SaidCoupling {
  std::string name, predecessor, successor;
  double ratio = 1;
  ItemPlace place;
};
SaidCoupling read_coupling(const Element& coupling);

// Once the tree stands: ratio times the turns from the nearest link that carries both to the
// predecessor are the turns from there to the successor.
void add_couplings(const std::vector<SaidCoupling>& couplings, Description& description,
                   UrdfReport& report);

}  // namespace trammel
