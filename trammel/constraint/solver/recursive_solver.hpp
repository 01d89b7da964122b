// Recursive solver of the constrained equations of motion: articulated-body algorithm (ABA) with
// elimination of a row basis [RBDA, chapter 7; Vereshchagin 1974], and checks that the state fits
// the basis. Where it does not (constraints violated, rows that became dependent or independent,
// dof without inertia) the solver gives no result, and the dense solvers are used.
#pragma once

#include <memory>
#include <optional>

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/solver/elimination_schedule.hpp"
#include "trammel/constraint/solver/projection_steps.hpp"
#include "trammel/constraint/solver/row_components.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"

namespace trammel {

// Checks the caller may skip. is_closed: the state is an integrator stage near the manifold, where
// rows left out are satisfied nearly, but not to rounding.
// are_left_out: the simulation has frozen the rank. are_dependent: the rows left out are known to
// be dependent; only the consistency of their right-hand sides is checked. is_evaluated: the rows
// are already evaluated at this state.
struct SkipChecks {
  bool is_closed = false, are_left_out = false, are_dependent = false, is_evaluated = false;
};

class RecursiveSolver {
 public:
  // nullptr where eliminate_rows has no schedule.
  static std::unique_ptr<RecursiveSolver> make(const Model& model, const RowBasis& basis,
                                               const SparseRows& J, ConstraintSolver solver);

  // Computes a and the multipliers of rows(); false if a check fails. `rows` (without J) and the
  // workspace's kinematics are used for rows that the recursion does not evaluate itself; without
  // such rows nothing is allocated.
  [[nodiscard]] bool answers(const EvalContext& context, Workspace& workspace, ConstraintRows& rows,
                             std::span<double> a, SkipChecks skip = {});
  // Accelerations at rest (v = 0) under the efforts tau alone, where all rows have the right-hand
  // side zero: M a - J^T lambda = tau, J a = 0. `input`: without gravity, springs and loads.
  // `rows`: evaluated at q. is_moved: the last call was this one at the same q. False if a pivot is
  // weak.
  [[nodiscard]] bool responds(const KernelInput<double, double>& input, std::span<const double> q,
                              std::span<const double> zero, std::span<const double> tau,
                              const ConstraintRows& rows, bool is_moved, std::span<double> a);
  // Evaluates `rows` and the workspace's kinematics at the state. For models with rows that the
  // recursion does not evaluate itself.
  void evaluate_rows(const EvalContext& context, Workspace& workspace, ConstraintRows& rows);
  bool has_given() const { return !elimination_.given.empty(); }  // rows evaluated elsewhere

  // Newton projection: positions onto the constraint manifold, to a violation below `violation`;
  // then velocities. False on failure: the state is then of no use. No allocation.
  [[nodiscard]] bool closes(const Model& model, State& state, Workspace& workspace,
                            ConstraintRows& rows, double violation);
  [[nodiscard]] bool keeps_closed(const Model& model, State& state, Workspace& workspace,
                                  ConstraintRows& rows);

  // Minimum-norm efforts of the drives (`is_driven`: per dof, the same in every call) for the
  // motion with the context's accelerations; tau: on entry the efforts on the tree without loops.
  // False if a check fails. Allocates nothing after the first call.
  [[nodiscard]] bool inverse_dynamics(const EvalContext& context, std::span<const char> is_driven,
                                      std::span<double> tau);
  // Reactions of all joints, of least norm with `length` dividing moments (the same in every call),
  // for the accelerations and multipliers of answers(); without loads. False if a check fails.
  [[nodiscard]] bool reactions(const EvalContext& context, double length, std::span<const double> a,
                               std::span<Force<double>> forces);
  // Derivatives of the accelerations a of the last answers(), which was for the same context, along
  // a null-space basis of the rows, of mobility() columns. False if a check fails. Allocates
  // nothing after the first call.
  [[nodiscard]] bool derivatives(const EvalContext& context, std::span<const double> a,
                                 const kernel::GivenBasis& basis,
                                 const kernel::ClosedDerivativeMatrices& out);
  // Degrees of freedom that the rows leave.
  int mobility() const { return int(correction_.size() - elimination_.rows.size()); }
  // Whether these three are worth their cost, which is cubic in the size of the largest component,
  // of reactions also in the number of redundant rows that share joints.
  bool has_small_components() const { return has_small_components_; }
  bool has_small_stresses() const { return has_small_stresses_; }

  // The same for many states in SIMD lanes (recursive_solver_batch.cpp). is_sure[s]: the result of
  // state s passed all checks; the others have to be evaluated one at a time. Allocate nothing
  // after the first batch of its size.
  //
  // Forward dynamics: tau and a, nv x states. Of the checks only is_closed may be skipped.
  void answer_batch(const kernel::Batch& batch, const double* tau, double* a,
                    std::span<char> is_sure, SkipChecks skip = {});
  // Projection as closes() and keeps_closed(): q (nq x states) and v (nv x states) change, those of
  // other states stay as they are. Their numbers need not be finite.
  void project_batch(const Model& model, int states, double* q, double* v, double violation,
                     std::span<char> is_sure);
  // Minimum-norm efforts of the drives (`is_driven`: per dof, the same in every call) for the
  // motion with accelerations a; tau: on entry the efforts on the tree without loops.
  void inverse_dynamics_batch(const kernel::Batch& batch, std::span<const char> is_driven,
                              const double* a, double* tau, std::span<char> is_sure);
  // Reactions of all joints, 6 joints x states, of least norm with `length` dividing moments (the
  // same in every call).
  void reactions_batch(const kernel::Batch& batch, double length, const double* tau, double* forces,
                       std::span<char> is_sure);

  ConstraintSolver solver() const { return elimination_.solver; }
  // Multiplications of the elimination of the rows, estimated; without those of the articulated
  // bodies, which are O(bodies).
  double operations() const { return operations_; }
  const std::vector<int>& rows() const { return elimination_.rows; }
  std::span<const double> multipliers() const { return multipliers_; }

 private:
  RecursiveSolver(const Model& model, Elimination elimination, const SparseRows& J);

  void write_given_rows(const Model& model, const ConstraintRows& rows);
  // `enough`: no correction if the sum of squared position residuals is at most this.
  kernel::ConstraintResiduals correct(const Model& model, const State& state, kernel::Missed missed,
                                      Workspace& workspace, ConstraintRows& rows,
                                      double enough = -1);
  // Remembers that poses, velocities and rows are those of this state; whether they are.
  void remember(std::span<const double> q, std::span<const double> v);
  bool is_evaluated(const State& state) const;

  ProjectionSteps projection_steps(const Model& model, double violation) const {
    return {std::min(1.0, model.characteristic_length()), share_, violation, has_given()};
  }
  // Whether forward dynamics has no weak pivot and satisfies the redundant rows, at a state on the
  // manifold or, where that is not checked, near it.
  bool is_sure(const Model& model, const kernel::ConstraintResiduals& residuals,
               std::span<const double> velocities, SkipChecks skip) const;
  // Whether each component has as many drives as its rows allow motions.
  bool has_enough_drives(std::span<const char> is_driven) const;
  bool is_sure(const Model& model, const kernel::MotionResiduals& residuals,
               std::span<const double> v, std::span<const double> a,
               std::span<const double> tau) const;
  // Whether violations (sums of squares) are far below those that check_closed rejects.
  bool is_surely_closed(const Model& model, double error, double rate,
                        std::span<const double> velocities) const;

  // Buffers of batches, made by the first one.
  struct BatchBuffers {
    kernel::SealedWorkspace dynamics{nullptr, [](void*) {}}, drives{nullptr, [](void*) {}},
        reactions{nullptr, [](void*) {}};
    std::vector<kernel::ConstraintResiduals> residuals;
    std::vector<kernel::MotionResiduals> motion_residuals;
    std::vector<double> a, lambda;
    // projection: positions of all states; the columns of those that are being projected, their
    // corrections and their violations at the evaluation before
    std::vector<double> projected_q, q, v, d, before;
    std::vector<int> states, closed;
    std::vector<char> sure;
  };
  // Forward dynamics; `lambda`: multipliers, or null.
  void solve_batch(const kernel::Batch& batch, const double* tau, double* a, double* lambda,
                   std::span<char> is_sure, SkipChecks skip = {});
  void make_batch_workspace(const Model& model);
  // Copies columns of positions and velocities of the states in `states` to the buffers.
  void load_columns(const std::vector<int>& states, const double* q, const double* v,
                    std::size_t nq, std::size_t nv);

  Elimination elimination_;
  double operations_ = 0;
  std::vector<kernel::GivenRow> given_rows_;
  std::vector<kernel::GivenWrench> given_wrenches_;
  std::vector<int> given_of_row_;  // -1: evaluated by the recursion
  // State at which this solver evaluated poses, velocities and rows last: a projection that begins
  // there, as after a step, need not evaluate them again.
  std::vector<double> evaluated_q_, evaluated_v_, given_errors_, given_rates_;
  bool has_evaluated_ = false;
  double given_error_ = 0, given_rate_ = 0;  // sums of squares
  std::vector<double> multipliers_;
  double share_ = 1;  // factor of the limits of residuals: they are sums over all constraints
  std::vector<double> correction_, corrected_;
  kernel::SealedWorkspace sweep_;
  std::optional<kernel::RowComponents> components_;  // none: with rows that have no wrench here
  bool has_small_components_ = false, has_small_stresses_ = false;
  kernel::SealedWorkspace drives_{nullptr, [](void*) {}}, reactions_{nullptr, [](void*) {}},
      derivatives_{nullptr, [](void*) {}};
  BatchBuffers batch_;
};

}  // namespace trammel
