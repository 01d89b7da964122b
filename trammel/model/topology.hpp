// What is the graph of bodies and joints? Its class, its loops, and what carries what.
//
// Bodies that are fixed to each other are one; joints, points, rods and wheels are its edges. A
// joint with six freedoms holds nothing: it is no edge, and a body that only such a joint holds to
// ground floats and is a base like ground. Couplings are no edges: they relate joints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/model/model.hpp"

namespace trammel {

struct Topology {
  // One way between any two bodies: a tree, and serial if it ends in one body. More than one: every
  // joint lies in a loop (closed), or some do (complex).
  enum class Kind { nothing_moves, serial, tree, closed, complex };
  // The same, as people who build it say. The bases are where it stands, and belong to no chain.
  enum class Form {
    nothing_moves,
    serial_open,      // no body has more than two joints, one end is on a base
    serial_closed,    // both are
    branched,         // some body has more joints, or several chains stand on the bases; no loop
    simple_closed,    // take one body away, and only serial chains are left
    multiple_closed,  // more than one loop, and each goes through a base
    internal_loops    // a loop that goes through no base
  };
  // A way round: names of joints and constraints, beginning with the one that closes it.
  using Loop = std::vector<std::string>;
  // From a base outward: what lies between bodies that hang one from the other.
  struct Chain {
    struct Step {
      enum class Kind { joint, constraint, wheel };
      Kind kind = Kind::joint;
      std::string name = {};
      std::optional<JointId> joint = {};  // none: a point, a rod or a wheel
      bool is_backward = false;           // from its child to its parent
    };
    BodyId base{}, tip{};
    std::vector<Step> steps = {};
  };

  Kind kind = Kind::nothing_moves;
  Form form = Form::nothing_moves;
  bool floats = false;  // no edge holds it to ground
  int nodes = 0;        // bodies that can move against each other, ground among them
  int edges = 0;
  std::vector<Loop> loops;  // independent ones: edges - nodes + 1, if all hangs together
  int internal_loops = 0;   // how many remain where the bases are taken away
  BodyId most_joined{};     // the body, no base, with the most joints, and how many it has
  int most_joints = 0;
  // Of a simple closed chain: the body to take away, the one that most chains carry and that lies
  // furthest in; and the chains that carry it.
  std::optional<BodyId> reference;
  std::vector<Chain> carriers;
  std::vector<Chain> open_arms;  // to each body in which it ends, from a base or from a loop
};
std::string to_string(Topology::Kind kind);
std::string to_string(Topology::Form form);

// O(bodies^2) at worst, where a reference member is looked for.
Topology topology(const Model& model);

}  // namespace trammel
