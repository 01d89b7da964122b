// A plain chain: link after link, each a rod of its own length and mass, each joint at the end of
// the link before. The frame of a link is at its joint; the link leads from there along `along`.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/description.hpp"

namespace trammel {

struct ChainLink {
  Expr length = 1.0, mass = 1.0;
  Expr radius = 0.0;                // of a solid cylinder; zero: a thin rod
  Vec3<Expr> along{1.0, 0.0, 0.0};  // exactly x, y or z, or against it
  JointKind kind = JointKind::revolute;
  JointOptions joint{.axis = {0.0, 1.0, 0.0}};  // all but where it is
};

struct ChainTable {
  std::string prefix = {};      // of the names link1, joint1, ..., tip
  std::string base = "ground";  // the body it hangs from
  Placement base_at = {};       // where the first joint is on it
  std::vector<ChainLink> links = {};
};

// Adds links with their shapes, joints and the frame `tip` at the end. Throws ModelError with
// everything that is wrong with the table.
void add_chain(Description& description, const ChainTable& table);

}  // namespace trammel
