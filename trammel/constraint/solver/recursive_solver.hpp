// Recursive solver of the constrained equations of motion: articulated-body algorithm (ABA) with
// elimination of a row basis [RBDA, chapter 7; Vereshchagin 1974], and checks that the state fits
// the basis. Where it does not (constraints violated, rows that became dependent or independent,
// dof without inertia) the solver gives no result, and the dense solvers are used.
#pragma once

#include <memory>

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/solver/elimination_schedule.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"

namespace trammel {

// Checks the caller may skip. is_closed: the state is an integrator stage near the manifold.
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

  // Forward dynamics of many states; is_sure[s]: state s passed all checks. Allocates nothing after
  // the first batch of its size.
  void answer_batch(const kernel::Batch& batch, const double* tau, double* a,
                    std::span<char> is_sure);

  ConstraintSolver solver() const { return elimination_.solver; }
  const std::vector<int>& rows() const { return elimination_.rows; }
  std::span<const double> multipliers() const { return multipliers_; }

 private:
  RecursiveSolver(const Model& model, Elimination elimination);

  void write_given_rows(const Model& model, const ConstraintRows& rows,
                        const Eigen::VectorXd& right_side);
  // `enough`: no correction if the sum of squared position residuals is at most this.
  // `is_evaluated`: the rows are already evaluated at this state.
  kernel::ConstraintResiduals correct(const Model& model, const State& state, kernel::Missed missed,
                                      Workspace& workspace, ConstraintRows& rows,
                                      double enough = -1, bool is_evaluated = false);

  // A weak pivot of a loop is usable: the violation of the loop is measured. With nearly redundant
  // wheel layouts a weak pivot amplifies rounding and would move or lock the vehicle.
  bool is_noise(const kernel::ConstraintResiduals& residuals) const {
    return residuals.is_weak && !elimination_.given.empty();
  }

  Elimination elimination_;
  std::vector<kernel::GivenRow> given_rows_;
  std::vector<kernel::GivenWrench> given_wrenches_;
  std::vector<int> given_of_row_;            // -1: evaluated by the recursion
  bool are_rows_evaluated_ = false;          // at the state that closes() left
  double given_error_ = 0, given_rate_ = 0;  // sums of squares
  std::vector<double> multipliers_;
  double share_ = 1;  // factor of the limits of residuals: they are sums over all constraints
  std::vector<double> correction_, corrected_;
  kernel::SealedWorkspace sweep_;
  kernel::SealedWorkspace batch_sweep_;  // made by the first batch
  std::vector<kernel::ConstraintResiduals> residuals_;
};

}  // namespace trammel
