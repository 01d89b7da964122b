#pragma once

#include <Eigen/Core>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/kernel/batch.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Room for derivatives of one model; one per thread.
class DerivativeWorkspace {
 public:
  explicit DerivativeWorkspace(const Model& model);
  void* sealed() const { return sealed_.get(); }
  int nq() const { return nq_; }  // of the model it was made for, as nv and tree
  int nv() const { return nv_; }
  std::uint64_t tree() const { return tree_; }

 private:
  kernel::SealedWorkspace sealed_;
  int nq_, nv_;
  std::uint64_t tree_;
};

// First derivatives of an answer of nv numbers, each nv x nv. Positions change in the tangent
// space: column k of dq is what the motion of freedom k alone does, so quaternions need no care.
struct Derivatives {
  Eigen::MatrixXd dq, dv;
  Eigen::MatrixXd dx;  // by the accelerations, or by the efforts
};

// How do the efforts change with position, velocity and acceleration? dx is M. By Dual numbers, as
// many directions at a time as a register holds. Cost O(nv * bodies / lanes); allocates nothing
// once `out` has its size.
[[nodiscard]] Status inverse_dynamics_derivatives(const Model& model, const State& state,
                                                  const Inputs& inputs, Workspace& workspace,
                                                  DerivativeWorkspace& derivative_workspace,
                                                  Derivatives& out);
// How do the accelerations change with position, velocity and effort? dx is M^-1. Wrenches are held
// in the bodies' axes while positions change.
[[nodiscard]] Status forward_dynamics_derivatives(const Model& model, const State& state,
                                                  const Inputs& inputs, Workspace& workspace,
                                                  DerivativeWorkspace& derivative_workspace,
                                                  Derivatives& out);

}  // namespace trammel
