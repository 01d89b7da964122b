// Serial chain from a table of links: each link is a rod with its length and mass, and each joint
// is at the end of the previous link. The frame of a link is at its joint; the link extends along
// `along`.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/description/description.hpp"

namespace trammel {

struct ChainLink {
  Expr length = 1.0, mass = 1.0;
  Expr radius = 0.0;                // of a solid cylinder; 0: a thin rod
  Vec3<Expr> along{1.0, 0.0, 0.0};  // exactly x, y or z, or the opposite direction
  JointKind kind = JointKind::revolute;
  JointOptions joint{.axis = {0.0, 1.0, 0.0}};  // all options but its place
};

// Table of a serial chain: its attachment to a body, and its links from the base outward.
struct ChainTable {
  std::string prefix = {};      // of the names link1, joint1, ..., tip
  std::string base = "ground";  // the body that carries the chain
  Placement base_at = {};       // pose of the first joint on it
  std::vector<ChainLink> links = {};
};

// Adds the links with their shapes, the joints and the frame `tip` at the end. Throws ModelError
// with all errors of the table.
void add_chain(Description& description, const ChainTable& table);

}  // namespace trammel
