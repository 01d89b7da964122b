// What the rows of a model are at a state: by how much they are missed, and the wrenches they are.
// For doubles, and for Dual numbers: slopes along states that keep the rows.
#pragma once

#include <vector>

#include "trammel/constraint/closure.hpp"
#include "trammel/dynamics/loop_plan.hpp"

namespace trammel {

// Accelerations that joints driven by motion are to have (nv); the same of joints that close loops
// (closure_nv). If none are given, none are asked of the first, and any will do of the second.
struct PlannedAccelerations {
  std::span<const double> tree = {}, loop = {};
};

template <Scalar S> class RowsAt {
 public:
  explicit RowsAt(const Model& model);

  // At the kinematics' positions, velocities and accelerations. The order of rows is that of Rows.
  void evaluate(const Model& model, const BasicKinematics<S>& kinematics, std::span<const S> q,
                std::span<const S> v, std::span<const S> a, const PlannedAccelerations& planned);
  // Where the fit of the closures' coordinates begins: where another ended.
  void begin_at(const std::vector<double>& closure_q) { closure_q_ = closure_q; }
  const std::vector<double>& closure_q() const { return closure_q_; }
  // What is evaluated from now on; the numbers stay with the caller.
  void follow(const LoopPlan& plan) { plan_ = plan; }

  // By how much positions, velocities and accelerations miss each row: c, J v, J a - gamma.
  std::vector<S> error, rate, acceleration;
  // A wrench of unit multiplier: F at p in world axes on the child, its opposite on the parent.
  struct Push {
    int row, closure;  // -1: of a rod or a wheel
    BodyId parent, child;
    Force<S> F;
    Vec3<S> p;
  };
  std::vector<Push> pushes;
  // A freedom of the tree that counts in a row by itself.
  struct Direct {
    int row, freedom;
    double factor;
  };
  std::vector<Direct> directs;
  std::vector<BasicClosureAt<S>> closures;
  // A wheel that lies flat, and one that stands nowhere on its terrain; -1: none.
  int flat_wheel = -1, lost_wheel = -1;

  // Freedoms driven by motion or locked: of the tree, and the k-th of a closure, which is `freedom`
  // among those of all closures.
  struct LoopFreedom {
    int closure, k, freedom;
  };
  const std::vector<int>& planned_freedoms() const { return planned_; }
  const std::vector<LoopFreedom>& planned_loop_freedoms() const { return loop_planned_; }

 private:
  void add(const S& c, const S& c_dot, const S& c_dot_dot);
  int next_row() const { return int(error.size()); }
  void look_at_closures(const Model& model, const BasicKinematics<S>& kinematics);
  void look_at_rods(const Model& model, const BasicKinematics<S>& kinematics);
  void look_at_wheels(const Model& model, const BasicKinematics<S>& kinematics);
  void look_at_couplings(const Model& model, std::span<const S> q, std::span<const S> v,
                         std::span<const S> a);
  void look_at_planned(const Model& model, std::span<const S> v, std::span<const S> a,
                       const PlannedAccelerations& planned);
  void push(int closure, const Model& model, const Force<S>& in_M, double factor);

  std::vector<double> closure_q_;  // where the last fit ended: the next begins there
  std::vector<int> planned_;
  std::vector<LoopFreedom> loop_planned_;
  LoopPlan plan_;
};

}  // namespace trammel
