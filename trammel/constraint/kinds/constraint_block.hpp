// Constraint block: the rows of one constraint of a model. Each kind of constraint is a struct that
// satisfies the concept ConstraintBlock; blocks.hpp has the ordered list of the kinds, which the
// equations, the elimination schedule and the names of rows all follow.
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <vector>

#include "trammel/constraint/kinds/closure.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/prescribed_loop_motion.hpp"

namespace trammel {

// Accelerations of prescribed joints of the tree (nv; if empty, 0) and of prescribed loop joints
// (loop_nv; if empty, their acceleration residual is 0).
struct PrescribedAccelerations {
  std::span<const double> tree = {}, loop = {};
};

// State and motion at which rows are evaluated.
template <Scalar S> struct BlockInput {
  const Model& model;
  const BasicKinematics<S>& kinematics;
  std::span<const S> q, v, a;
  PrescribedAccelerations prescribed;
  PrescribedLoopMotion loops;  // prescribed positions and velocities of loop joints
};

// Rows of all blocks at a state, one block after the other.
template <Scalar S> struct EvaluatedRows {
  // Residuals of each row in position, velocity and acceleration: c, J v, J a - gamma.
  std::vector<S> error, rate, acceleration;
  // Wrench per unit multiplier: F at p in world axes on the child, -F on the parent.
  struct RowWrench {
    int row, closure;  // closure: -1 unless a loop joint transmits the wrench
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
  std::vector<double> closure_q;  // coordinates of the loop joints: initial guess of the next fit
  // Block whose rows are undefined at this state, and the reason, which completes a sentence that
  // begins with the block's owner; -1: none.
  int undefined_block = -1;
  const char* undefined_because = "";
  int flat_wheel = -1;  // index of a wheel that lies flat; -1: none

  int block = 0;  // the one that is evaluated
  void undefine(const char* because) { undefined_block = block, undefined_because = because; }
  int next_row() const { return int(error.size()); }
  void add(const S& c, const S& c_dot, const S& c_dot_dot) {
    error.push_back(c);
    rate.push_back(c_dot);
    acceleration.push_back(c_dot_dot);
  }
  // Wrench of the next row, transmitted by a loop joint: F in M's axes.
  void push(const Model& model, int closure, const Force<S>& in_M, double factor) {
    const Closure& what = model.closures()[std::size_t(closure)];
    const Pose<S>& X_WM = closures[std::size_t(closure)].X_WM;
    row_wrenches.push_back(
        {next_row(), closure, what.parent, what.child, factor * turned(X_WM.R, in_M), X_WM.p});
  }
};

struct RowTraits {
  std::string name = {};  // component: "force along"; empty: the row has the name of its owner
  bool is_turn = false;   // in rad, not in m
  bool is_holonomic = true;
  bool is_linear = false;  // a sum of coordinates of the tree
};

// A dof of the tree that acts on a row without a wrench. factor: index in coupling_factors of the
// model parameters; -1: factor 1.
struct DirectDof {
  int dof = 0, factor = -1;
};

// Concept of a constraint kind. all: its constraints in a model, in the order of their rows. owner:
// the name in messages. bodies: those its wrenches act on. evaluate: appends one row per entry of
// rows(), with its wrenches, for doubles and for Dual numbers (derivatives along states that
// satisfy the constraints). A kind with rows that act on tree coordinates also has
// std::vector<DirectDof> directs(const Model&).
template <class B>
concept ConstraintBlock = requires(const B& block, const Model& model,
                                   const BlockInput<double>& input, EvaluatedRows<double>& out,
                                   const BlockInput<Duals>& dual_input,
                                   EvaluatedRows<Duals>& dual_out) {
  { B::all(model) } -> std::same_as<std::vector<B>>;
  { block.owner(model) } -> std::same_as<std::string>;
  { block.rows(model) } -> std::same_as<std::vector<RowTraits>>;
  { block.bodies(model) } -> std::same_as<std::vector<BodyId>>;
  block.evaluate(input, out);
  block.evaluate(dual_input, dual_out);
};

// Value of a number without its derivatives.
inline double value_of(double x) { return x; }
inline double value_of(const Duals& x) { return x.value; }

// Position, velocity and acceleration of a point fixed at r in a tree body, in world axes.
template <Scalar S> struct PointMotion { Vec3<S> p, v, a; };
template <Scalar S>
PointMotion<S> point_motion(const BasicKinematics<S>& kinematics, int body, const Vec3<double>& r) {
  const Pose<S>& X = kinematics.X_WB[std::size_t(body)];
  const auto& [w, v] = kinematics.V[std::size_t(body)];
  const auto& [alpha, a] = kinematics.A[std::size_t(body)];
  const Vec3<S> v_r = v + cross(w, r);
  return {X * r, X.R * v_r, X.R * (a + cross(alpha, r) + cross(w, v_r))};
}

}  // namespace trammel
