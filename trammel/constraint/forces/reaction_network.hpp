// Least reactions of a large statically indeterminate mechanism, as a network of springs. Internal
// to constraint/.
//
// Wrenches of the joints are in equilibrium with loads that are given, and the least among them is
// wanted. The multipliers of the equilibrium of the bodies are displacements, and the least
// wrenches those of springs between them, one in each constrained direction of a joint, of a
// stiffness by the weight of its wrench. The stiffness matrix has a block of six by six per body
// and per joint: it is as sparse as the mechanism. docs/theory/constrained-dynamics.md, (12) to
// (14).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "trammel/base/sparse_cholesky.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/dynamics/stages.hpp"
#include "trammel/model/model.hpp"

namespace trammel {

class ReactionNetwork {
 public:
  // `weight`: per joint and component of its wrench (moment x y z, force x y z, in its own axes);
  // `length` scales moments.
  ReactionNetwork(const Model& model, const Positions& positions, const ConstraintRows& rows,
                  const Eigen::VectorXd& weight, double length);

  // Removes the self-stresses of the joints from the wrenches, six numbers per joint, so that the
  // sum of the squares of weight times number is the least. False, with the wrenches as they were:
  // the motions that a joint allows, or the wrenches of a loop joint, depend on each other, or the
  // decomposition has too few digits. Cost: that of SparseCholesky with six rows per body.
  [[nodiscard]] bool remove_self_stress(Eigen::VectorXd& wrenches);

 private:
  // A constrained direction of a joint: its wrench on the child and, negative, on the parent, at a
  // point in world axes; and weight times its components in the joint's axes.
  using Components = Eigen::Matrix<double, 6, 1>;
  struct Direction {
    Force<double> F;
    Components weighted;
  };
  struct Spring {
    int joint, child, parent;  // bodies as named; 0: ground
    Vec3<double> p;
    std::vector<Direction> directions = {};  // orthonormal in their weighted components
    std::size_t start = 0;                   // first number of its rows of Y
  };

  void add_tree_joints(const Model& model, const Positions& positions);
  void add_loop_joints(const Model& model, const ConstraintRows& rows);
  Components weighted(int joint, const Force<double>& F) const;
  // Gram-Schmidt. False: the directions depend on each other.
  static bool orthonormalize(std::vector<Direction>& directions);
  void decompose(const Model& model, const Positions& positions);
  // Y t, and t - Y^T u: the wrenches on the bodies of the directions times t, six numbers per body.
  std::vector<double> load_of(const std::vector<double>& t) const;
  void relax(const std::vector<double>& u, std::vector<double>& t) const;

  const Eigen::VectorXd& weight_;
  double length_;
  bool is_regular_ = true;
  std::vector<Spring> springs_;
  std::vector<double> Y_;  // per spring: rows of its child, then of its parent, unless it is ground
  SparseCholesky stiffness_;
  int bodies_ = 0;
};

}  // namespace trammel
