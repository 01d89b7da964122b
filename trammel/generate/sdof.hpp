// Serial chain in van der Merwe's SDOF notation, six numbers per link [van der Merwe 1995, section
// 3.1], corrected.
//
// Joint i is a gimbal on link i-1: it turns about x, the new y, the newest z, then slides along the
// resulting axes. Link i has gamma = (Rx, Ry, Rz, Dx, Dy, Dz); D leads from gimbal i to gimbal i+1.
// A free entry is a coordinate and q is its current value, so the table's numbers are one position
// of the chain, `table_position`, and q = 0 means zero, not the table. q has the order of gamma.
//
// The frame of a link is the one of the table: at its gimbal while its slides are as in the table.
// There the center of mass and the next gimbal have the table's coordinates; if the joint slides,
// they and the frame move along (in [van der Merwe 1995] the frame stays and s moves: s(q) = s +
// D(q) - D). A joint with one dof is revolute or prismatic, with more it is compound; there are no
// massless auxiliary bodies. Its moving frame M, in which reactions are expressed, is the gimbal
// moved by the free entries of D.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "trammel/model/description/description.hpp"

namespace trammel {

enum class Sdof { rx, ry, rz, dx, dy, dz };

// Link of an SDOF chain: the six numbers of its gimbal, which of them are coordinates, and the mass
// properties of the link.
struct SdofLink {
  std::array<Expr, 6> gamma = {};  // Rx, Ry, Rz [rad], Dx, Dy, Dz [m]
  std::vector<Sdof> free = {};     // the entries that are coordinates, in the order of gamma
  Solid solid = {};                // com and inertia in the frame of the table
  Vec3<Expr> mount = {};           // rotation of the gimbal on the previous link (rpy)
  std::vector<Expr> damping = {};  // viscous friction: per free entry, or one for all
  int number = 0;                  // as printed; 0: its position in the list
};

// Serial chain in SDOF notation: its attachment to a body, and its links from the base outward.
struct SdofChain {
  std::string prefix = {};      // of the names link1, joint1, ..., tip
  std::string base = "ground";  // the body that carries the chain, frame 0
  Vec3<Expr> offset = {};       // b_1: position of the first gimbal on it
  std::vector<SdofLink> links = {};
  Vec3<Expr> tip_turn = {};  // rpy of the frame `tip`, which is at D of the last link
};

// Adds the links, joints and the tip. Throws ModelError with all errors of the table.
void add_sdof_chain(Description& description, const SdofChain& chain);

// The free entries of the table: the position that it shows.
std::vector<Expr> table_position(const SdofChain& chain);

}  // namespace trammel
