// Chains in van der Merwe's notation of six numbers a link (seed 004, section 3.1, corrected).
//
// Joint i is a gimbal on link i-1: turns about x, the new y, the newest z, then slides along the
// axes they left. Link i has gamma = (Rx, Ry, Rz, Dx, Dy, Dz); D leads from gimbal i to gimbal i+1.
// A free entry is a coordinate and q is its current value, so the table's numbers are one position
// of the chain, `table_position`, and q = 0 means zero, not the table. q keeps the order of gamma.
//
// The frame of a link is the one the table draws: at its gimbal while its slides are as in the
// table. There the centre of mass and the next gimbal are where the table says; when the joint
// slides they move along, and so does the frame (in the seed the frame stays behind and s moves:
// s(q) = s + D(q) - D). A joint of one freedom is revolute or prismatic, one of more is compound;
// no massless helper bodies. Its moving frame M, where reactions are told, is the gimbal moved by
// the free entries of D.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "trammel/model/description.hpp"

namespace trammel {

enum class Sdof { rx, ry, rz, dx, dy, dz };

struct SdofLink {
  std::array<Expr, 6> gamma = {};  // Rx, Ry, Rz [rad], Dx, Dy, Dz [m]
  std::vector<Sdof> free = {};     // which entries move, in the order of gamma
  Solid solid = {};                // com and inertia in the frame the table draws
  Vec3<Expr> mount = {};           // how the gimbal is turned on the link before it (rpy)
  std::vector<Expr> damping = {};  // viscous friction: per free entry, or one for all
  int number = 0;                  // as printed; 0: as it stands in the list
};

struct SdofChain {
  std::string prefix = {};      // of the names link1, joint1, ..., tip
  std::string base = "ground";  // the body it hangs from, frame 0
  Vec3<Expr> offset = {};       // b_1: the first gimbal on it
  std::vector<SdofLink> links = {};
  Vec3<Expr> tip_turn = {};  // rpy of the frame `tip`, which sits at D of the last link
};

// Adds links, joints and the tip. Throws ModelError with everything that is wrong with the table.
void add_sdof_chain(Description& description, const SdofChain& chain);

// The free entries of the table: the position it draws.
std::vector<Expr> table_position(const SdofChain& chain);

}  // namespace trammel
