#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// How fast a place goes in which direction, while the drives' rates together have the size one.
struct Ellipsoid {
  Eigen::Vector3d size;  // half axes, longest first
  Eigen::Matrix3d axes;  // their directions in world axes, as columns
};

// How evenly do the drives of any mechanism move a place?
//
//   [omega; v] of the place = J rates,   J = J_place T (rates of the drives by T)^+
//
// with T the motions that loops, wheels and couplings leave. Turns are told as ways at a
// characteristic length: the singular values are of [length omega; v], as many as directions in
// which the place moves at nearly all poses.
struct Dexterity {
  std::vector<std::string> drives;  // their freedoms
  std::vector<bool> slides;         // of each: does it slide? then its rate is in m/s
  bool are_drives_said = true;      // false: the model drives nothing, each joint counts
  Eigen::MatrixXd J;                // 6 x drives, in world axes
  int ways = 0, decided = 0;        // to move, and how many the drives decide
  int directions = 0;               // of the place at nearly all poses
  double length = 1;                // [m]
  Eigen::VectorXd singular;         // directions many, largest first
  double condition = 1;             // infinite where it is singular
  double best_length = 0;           // the condition number is least there; 0: it has no effect
  double best_condition = 1;
  Ellipsoid linear, angular;          // of v [m/s], of omega [rad/s]
  std::string singular_because = {};  // in words; empty where it is not

  bool is_singular() const { return !singular_because.empty(); }
  // At another length; both are infinite or none is.
  double condition_at(double another_length) const;
};

// At a closed state; its velocities make no difference. `length` 0: the model's own. Fails where
// loops cannot be looked at, or nothing is driven and nothing could be. Dense.
[[nodiscard]] Status dexterity(const Model& model, const State& state, const At& place,
                               double length, Workspace& workspace, Dexterity& out);

}  // namespace trammel
