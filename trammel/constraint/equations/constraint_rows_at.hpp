// Residuals and wrenches of all constraint rows at a state. For double, and for Dual numbers:
// derivatives along states that satisfy the constraints.
#pragma once

#include <vector>

#include "trammel/constraint/kinds/blocks.hpp"

namespace trammel {

template <Scalar S> class ConstraintRowsAt {
 public:
  explicit ConstraintRowsAt(const Model& model);

  // At the kinematics' positions, velocities and accelerations. Rows as in ConstraintRows.
  void evaluate(const Model& model, const BasicKinematics<S>& kinematics, std::span<const S> q,
                std::span<const S> v, std::span<const S> a,
                const PrescribedAccelerations& prescribed);
  // Rows as last evaluated, block after block.
  const EvaluatedRows<S>& evaluated() const { return evaluated_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  // Initial guess of the loop joints' coordinates for their fit: the result of another.
  void begin_at(const std::vector<double>& closure_q) { evaluated_.closure_q = closure_q; }
  const std::vector<double>& closure_q() const { return evaluated_.closure_q; }
  // Sets the prescribed motion of loop joints; the arrays are not copied.
  void follow(const PrescribedLoopMotion& loops) { loops_ = loops; }

  // Prescribed or locked dof: of the tree; of loop joints.
  const std::vector<int>& prescribed_dofs() const { return prescribed_; }
  const std::vector<PrescribedLoopDofBlock>& prescribed_loop_dofs() const {
    return loop_prescribed_;
  }

 private:
  std::vector<Block> blocks_;
  EvaluatedRows<S> evaluated_;
  std::vector<int> prescribed_;
  std::vector<PrescribedLoopDofBlock> loop_prescribed_;
  PrescribedLoopMotion loops_;
};

}  // namespace trammel
