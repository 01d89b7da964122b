// Blocks of the joint-space mass matrix: M restricted to sets of dofs.
//
// Composite-rigid-body algorithm (CRBA) [RBDA, table 6.2] in world axes: composite inertias of all
// bodies in O(bodies), then the entries of a block, each pair of dofs on one path to ground once.
// The whole matrix of a large tree (nv^2 numbers) is never formed. Internal to constraint/.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "trammel/dynamics/stages.hpp"
#include "trammel/model/model.hpp"
#include "trammel/spatial/inertia.hpp"

namespace trammel {

class MassMatrixBlocks {
 public:
  // Composite inertias at these poses.
  void evaluate(const Model& model, const Positions& positions);
  // M(dofs, dofs), for dofs in ascending order. Uses the model and the poses of evaluate().
  Eigen::MatrixXd block(const Model& model, const Positions& positions,
                        std::span<const int> dofs) const;
  // Diagonal of that block, one column. O(dofs).
  Eigen::MatrixXd diagonal(const Model& model, const Positions& positions,
                           std::span<const int> dofs) const;

 private:
  std::vector<Inertia<double>> composite_;  // per body: about its origin, in world axes
};

}  // namespace trammel
