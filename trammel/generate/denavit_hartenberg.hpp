// Serial chain from Denavit-Hartenberg (DH) parameters, four numbers per link: frame i of a row is
// the frame of its body.
//
//   standard:  X_(i-1)i = turn z theta, shift z d, shift x a, turn x alpha
//   modified:  X_(i-1)i = turn x alpha, shift x a, turn z theta, shift z d   (a, alpha of row i are
//              a_(i-1), alpha_(i-1) in [Craig])
//
// q is added to the table: a revolute joint turns by theta + q, a prismatic one slides by d + q.
#pragma once

#include <string>
#include <vector>

#include "trammel/generate/sdof.hpp"
#include "trammel/model/description/description.hpp"

namespace trammel {

enum class DhConvention { standard, modified };

// Row of a DH table: the four parameters of a link, the type of its joint, and its mass properties
// in frame i of the row.
struct DhRow {
  Expr a = {}, alpha = {}, d = {}, theta = {};  // [m], [rad], [m], [rad]
  JointKind kind = JointKind::revolute;         // or prismatic, or fixed
  Solid solid = {};
};

// Denavit-Hartenberg table of a serial chain: its attachment to a body, and a row per link from the
// base outward.
struct DhTable {
  DhConvention convention = DhConvention::modified;
  std::string prefix = {};      // of the names link1, joint1, ..., tip
  std::string base = "ground";  // the body that carries the chain
  Placement base_at = {};       // frame 0 on it: a massless body link0, fixed there
  std::vector<DhRow> rows = {};
  Placement tool = {};  // the frame `tip` on the last link
};

// Adds the links, joints and the tip. Throws ModelError with all errors of the table.
void add_dh_chain(Description& description, const DhTable& table);

// Converts the chain to six numbers per link [van der Merwe 1995, section 3.17]. Only for a
// modified table: the gimbals of a standard one are on the wrong side. For a prismatic joint the
// frame of its link is d behind the DH frame; q of the new chain is table_position plus q of the
// old one.
SdofChain to_sdof(const DhTable& table);

}  // namespace trammel
