// Topology of the graph of bodies and joints: its class, loops and chains.
//
// Bodies that are fixed to each other are one node; joints, points, rods and wheels are the edges.
// A joint with six dof constrains nothing: it is no edge, and a body that only such a joint
// connects to ground floats and is a base like ground. Couplings are no edges: they relate joints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/model/model.hpp"

namespace trammel {

struct Topology {
  // One path between any two bodies: a tree, serial if it ends in one body. More than one: every
  // joint lies in a loop (closed), or some do (complex).
  enum class Kind { nothing_moves, serial, tree, closed, complex };
  // Finer class. The bases (ground and floating bases) belong to no chain.
  enum class Form {
    nothing_moves,
    serial_open,      // no body has more than two joints, one end is on a base
    serial_closed,    // both ends are
    branched,         // some body has more joints, or several chains on the bases; no loop
    simple_closed,    // without one of its bodies, only serial chains are left
    multiple_closed,  // more than one loop, and each goes through a base
    internal_loops    // a loop that goes through no base
  };
  // A loop: names of joints and constraints, beginning with the one that closes it.
  using Loop = std::vector<std::string>;
  // A chain from a base outward: the joints between its consecutive bodies.
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
  bool floats = false;  // no edge connects it to ground
  int nodes = 0;        // bodies that can move relative to each other, ground among them
  int edges = 0;
  std::vector<Loop> loops;  // independent ones: edges - nodes + 1, if the graph is connected
  int internal_loops = 0;   // loops that remain without the bases
  BodyId most_joined{};     // the body, not a base, with the most joints, and their number
  int most_joints = 0;
  // Of a simple closed chain: the reference body to take away, the one that most chains carry, then
  // the one with the most equal chain lengths, then the heaviest; and the chains that carry it.
  std::optional<BodyId> reference;
  std::vector<Chain> tree_bodies;
  std::vector<Chain> open_arms;  // to each body at an end, from a base or from a loop
};
std::string to_string(Topology::Kind kind);
std::string to_string(Topology::Form form);

// Cost: bodies, joints and the lengths of the loops and chains listed.
Topology topology(const Model& model);

}  // namespace trammel
