// Derivatives of constraint rows and of the forces between bodies by single coordinates, sparse.
//
// A row, or a force between two bodies, depends on the relative motion of its bodies, so only on
// the coordinates of the joints between them, if the force is given in the axes of the body it acts
// on. Coordinates that no row and no force has in common can therefore be differentiated in one
// direction: a coloring of the coordinates [Curtis, Powell, Reid 1974; Coleman, More 1983] needs as
// many directions as the largest of these sets has coordinates, however many there are. A row of
// four-bars needs three. Cost O(bodies) per native_lanes directions.
//
// Force laws of user elements may depend on the pose in the world: models with such elements count
// all joints inboard. Internal to the constraint module and the modules built on it.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "trammel/base/sparse_matrix.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/dynamics/eval_context.hpp"

namespace trammel {

struct LocalDerivatives {
  // At constant accelerations a, of the row velocities J v by q, and of the row accelerations
  // s = J a - gamma by q and by v: rows x nv. Directions of q are motions of single dofs.
  SparseMatrix rate_by_q, acceleration_by_q, acceleration_by_v;
  // External force on a body at its origin, that of the rows (lambda constant), of force elements,
  // loop joints and wrenches: derivatives by a dof relative to the axes of the body, given in world
  // axes.
  struct LoadDerivative {
    int body, dof;
    Force<double> by_q, by_v;
  };
  std::vector<LoadDerivative> loads;
  int directions = 0;  // of q, and as many of v

  // Whether all derivatives exist.
  bool are_finite() const;
};

// `rows`: evaluated at the context's state; a, lambda: its accelerations and multipliers. Fails
// where a force is not defined.
[[nodiscard]] Status local_derivatives(const EvalContext& context, const ConstraintRows& rows,
                                       const Kinematics& kinematics, const Eigen::VectorXd& a,
                                       const Eigen::VectorXd& lambda, LocalDerivatives& out);

}  // namespace trammel
