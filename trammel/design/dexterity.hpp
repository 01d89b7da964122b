#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Manipulability ellipsoid: velocities of a place for drive rates of unit norm.
struct Ellipsoid {
  Eigen::Vector3d size;  // semi-axes, longest first
  Eigen::Matrix3d axes;  // their directions in world axes, as columns
};

// Dexterity of a place: condition number and ellipsoids of the Jacobian from drive rates to its
// motion.
//
//   [omega; v] of the place = J rates,   J = J_place T (rates of the drives by T)^+
//
// with T the motions that loops, wheels and couplings allow (null-space basis). Rotations are
// scaled by a characteristic length: singular values are those of [length omega; v], as many as
// there are directions in which the place moves at nearly all poses.
struct Dexterity {
  std::vector<std::string> drives;  // names of their dofs
  std::vector<bool> slides;         // per drive: prismatic, so its rate is in m/s
  bool has_drives = true;           // false: the model drives no joint, all dofs count as drives
  Eigen::MatrixXd J;                // 6 x drives, in world axes
  int ways = 0, decided = 0;        // degrees of freedom, and how many the drives determine
  int directions = 0;               // of motion of the place, at nearly all poses
  double length = 1;                // [m]
  Eigen::VectorXd singular;         // as many as directions, largest first
  double condition = 1;             // infinite if singular
  double best_length = 0;           // minimizes the condition number; 0: it has no effect
  double best_condition = 1;
  Ellipsoid linear, angular;          // v [m/s], omega [rad/s]
  std::string singular_because = {};  // reason in words; empty if not singular

  bool is_singular() const { return !singular_because.empty(); }
  // Condition number at another length; infinite at all lengths or at none.
  double condition_at(double another_length) const;
};

// The state must be assembled; its velocities are ignored. `length` 0: the characteristic length of
// the model. Fails where the constraints cannot be evaluated, or where nothing can move. Dense.
[[nodiscard]] Status dexterity(const Model& model, const State& state, const FrameRef& place,
                               double length, Workspace& workspace, Dexterity& out);

}  // namespace trammel
