// The door through which the questions of this room reach the room that knows loops, without
// knowing that room: it implements this, and the workspace of a model with constraints has one.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "trammel/dynamics/force_elements.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/kernel/batch.hpp"
#include "trammel/dynamics/loop_plan.hpp"

namespace trammel {

class Question;
struct Workspace;

class Constrained {
 public:
  virtual ~Constrained() = default;
  // Are all loops closed, and do the velocities keep them closed? `question` begins the message.
  virtual Status check_closed(const char* question, const Model& model, const State& state,
                              Workspace& workspace) = 0;
  // What a step in time has lost is brought back, positions first, then velocities: the least
  // change, as inertia measures it. `gap`: how far open it may stay, of the mechanism's length.
  // `plan`: where planned joints that close loops are brought.
  virtual Status keep_closed(const Model& model, State& state, Workspace& workspace, double gap,
                             const LoopPlan& plan) = 0;
  virtual Status forward_dynamics(const Question& question, Workspace& workspace,
                                  std::span<double> a) = 0;
  // The same for many states, tau and a nv x states. is_sure tells whose answers stand; the others
  // are to be asked one by one.
  virtual void forward_dynamics_batch(const kernel::Batch& batch, const double* tau,
                                      Workspace& workspace, double* a, std::span<char> is_sure) = 0;
  // Efforts for inputs.a: of the driven joints (of all, if none is said to be driven); where all
  // rows are redundant, of all coordinates, as of a tree.
  virtual Status inverse_dynamics(const Question& question, Workspace& workspace,
                                  std::span<double> tau) = 0;
  // All vectors leave whole. `loop_tau`: empty, or of closure_nv entries.
  virtual Status hybrid_dynamics(const Question& question, Workspace& workspace,
                                 std::span<double> a, std::span<double> tau,
                                 std::span<double> loop_tau) = 0;
  // What springs, dampers and drives of joints that close loops do at these kinematics. `loop_tau`:
  // efforts of the drives, may be empty. Fails where a joint has no way to pass it on.
  virtual Status add_loop_forces(const char* question, const Model& model,
                                 const Kinematics& kinematics, std::span<const double> loop_tau,
                                 std::vector<ElementForce>& out) = 0;
  // What is in the springs of joints that close loops.
  virtual double elastic_energy(const Model& model, const Kinematics& kinematics) = 0;
  virtual Status reactions(const Question& question, Workspace& workspace,
                           std::vector<Force<double>>& out) = 0;
};

// None for a tree.
std::unique_ptr<Constrained> make_constrained(const Model& model);

}  // namespace trammel
