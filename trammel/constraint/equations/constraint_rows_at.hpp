// Residuals and wrenches of all constraint rows at a state. For double, and for Dual numbers:
// derivatives along states that satisfy the constraints.
#pragma once

#include <vector>

#include "trammel/constraint/kinds/closure.hpp"
#include "trammel/dynamics/prescribed_loop_motion.hpp"

namespace trammel {

// Accelerations of prescribed joints of the tree (nv; if empty, 0) and of prescribed loop joints
// (loop_nv; if empty, their acceleration residual is 0).
struct PrescribedAccelerations {
  std::span<const double> tree = {}, loop = {};
};

template <Scalar S> class ConstraintRowsAt {
 public:
  explicit ConstraintRowsAt(const Model& model);

  // At the kinematics' positions, velocities and accelerations. Rows as in ConstraintRows.
  void evaluate(const Model& model, const BasicKinematics<S>& kinematics, std::span<const S> q,
                std::span<const S> v, std::span<const S> a,
                const PrescribedAccelerations& prescribed);
  // Initial guess of the loop joints' coordinates for their fit: the result of another.
  void begin_at(const std::vector<double>& closure_q) { closure_q_ = closure_q; }
  const std::vector<double>& closure_q() const { return closure_q_; }
  // Sets the prescribed motion of loop joints; the plan's arrays are not copied.
  void follow(const PrescribedLoopMotion& loops) { loops_ = loops; }

  // Residuals of each row in position, velocity and acceleration: c, J v, J a - gamma.
  std::vector<S> error, rate, acceleration;
  // Wrench per unit multiplier: F at p in world axes on the child, -F on the parent.
  struct RowWrench {
    int row, closure;  // closure: -1 for a rod or a wheel
    BodyId parent, child;
    Force<S> F;
    Vec3<S> p;
  };
  std::vector<RowWrench> row_wrenches;
  // A dof of the tree that enters a row directly: in a coupling, or prescribed or locked.
  struct Direct {
    int row, dof;
    double factor;
  };
  std::vector<Direct> directs;
  std::vector<BasicClosureAt<S>> closures;
  // Index of a wheel that lies flat, and of one without contact point on its terrain; -1: none.
  int flat_wheel = -1, lost_wheel = -1;

  // Prescribed or locked dof: of the tree; of loop joints, the k-th dof of a closure, with index
  // `freedom` among the dof of all closures.
  struct LoopDof {
    int closure, k, dof;
  };
  const std::vector<int>& prescribed_dofs() const { return prescribed_; }
  const std::vector<LoopDof>& prescribed_loop_dofs() const { return loop_prescribed_; }

 private:
  void add(const S& c, const S& c_dot, const S& c_dot_dot);
  int next_row() const { return int(error.size()); }
  void evaluate_closures(const Model& model, const BasicKinematics<S>& kinematics);
  void evaluate_rods(const Model& model, const BasicKinematics<S>& kinematics);
  void evaluate_wheels(const Model& model, const BasicKinematics<S>& kinematics);
  void evaluate_couplings(const Model& model, std::span<const S> q, std::span<const S> v,
                          std::span<const S> a);
  void evaluate_prescribed(const Model& model, std::span<const S> v, std::span<const S> a,
                           const PrescribedAccelerations& prescribed);
  void push(int closure, const Model& model, const Force<S>& in_M, double factor);

  std::vector<double> closure_q_;  // result of the last fit, initial guess of the next
  std::vector<int> prescribed_;
  std::vector<LoopDof> loop_prescribed_;
  PrescribedLoopMotion loops_;
};

}  // namespace trammel
