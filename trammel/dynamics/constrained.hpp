// Interface to the constraint module: this module calls it without depending on it. The constraint
// module implements it, and the workspace of a model with constraints owns one.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "trammel/dynamics/force_elements.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/kernel/batch.hpp"
#include "trammel/dynamics/prescribed_loop_motion.hpp"

namespace trammel {

class EvalContext;
class ConstrainedSystem;  // the implementation, in the constraint module
class Workspace;

class Constrained {
 public:
  virtual ~Constrained() = default;
  // Fails if positions violate the constraints or velocities their time derivatives. `context`
  // begins the message.
  virtual Status check_closed(const char* context, const Model& model, const State& state,
                              Workspace& workspace) = 0;
  // Projection to the constraint manifold after an integration step, positions first, then
  // velocities: the least change in the norm of the mass matrix. `violation`: permitted violation
  // relative to the mechanism's length. `loops`: prescribed positions of loop joints.
  virtual Status project_to_manifold(const Model& model, State& state, Workspace& workspace,
                                     double violation, const PrescribedLoopMotion& loops) = 0;
  virtual Status forward_dynamics(const EvalContext& context, Workspace& workspace,
                                  std::span<double> a) = 0;
  // The same for many states, tau and a nv x states. is_sure marks the valid results; the other
  // states must be evaluated one at a time.
  virtual void forward_dynamics_batch(const kernel::Batch& batch, const double* tau,
                                      Workspace& workspace, double* a, std::span<char> is_sure) = 0;
  // Efforts for inputs.a: of the driven joints (of all, if no joint has a drive); if all rows are
  // redundant, of all coordinates, as for a tree.
  virtual Status inverse_dynamics(const EvalContext& context, Workspace& workspace,
                                  std::span<double> tau) = 0;
  // All vectors are returned complete. `loop_tau`: empty, or loop_nv entries.
  virtual Status hybrid_dynamics(const EvalContext& context, Workspace& workspace,
                                 std::span<double> a, std::span<double> tau,
                                 std::span<double> loop_tau) = 0;
  // Appends the forces of springs, dampers and drives of loop joints at these kinematics.
  // `loop_tau`: efforts of the drives, may be empty. Fails if a joint cannot transmit its effort.
  virtual Status add_loop_forces(const char* context, const Model& model,
                                 const Kinematics& kinematics, std::span<const double> loop_tau,
                                 std::vector<ElementForce>& out) = 0;
  // Elastic energy of the springs of loop joints.
  virtual double elastic_energy(const Model& model, const Kinematics& kinematics) = 0;
  virtual Status reactions(const EvalContext& context, Workspace& workspace,
                           std::vector<Force<double>>& out) = 0;
  // The implementation, for the functions of the constraint module.
  virtual ConstrainedSystem& system() = 0;

  // Further functions for many states, as forward_dynamics_batch: q is nq x states, v, a and tau
  // are nv x states, reactions 6 joints x states. project_to_manifold changes q and v of the valid
  // states only; inverse_dynamics takes in `tau` the efforts on the tree without loops.
  virtual void project_to_manifold_batch(const Model& model, int states, double* q, double* v,
                                         double violation, Workspace& workspace,
                                         std::span<char> is_sure) = 0;
  virtual void inverse_dynamics_batch(const kernel::Batch& batch, const double* a,
                                      Workspace& workspace, double* tau,
                                      std::span<char> is_sure) = 0;
  virtual void reactions_batch(const kernel::Batch& batch, const double* tau, Workspace& workspace,
                               double* forces, std::span<char> is_sure) = 0;
};

// Null for a tree.
std::unique_ptr<Constrained> make_constrained(const Model& model);

}  // namespace trammel
