// The quick roads: one sweep for the model as it is in general, with a look whether this state is
// like that. Where it is not (loops open, rows that have become dependent or independent, freedoms
// without inertia) it does not answer, and matrices do.
#pragma once

#include <memory>

#include "trammel/constraint/elimination.hpp"
#include "trammel/constraint/rows.hpp"
#include "trammel/dynamics/kernel/table.hpp"
#include "trammel/dynamics/question.hpp"

namespace trammel {

// What is not looked at: that a state is closed, because it is a stage of a step in time and lies
// beside those that are; that rows left out still depend on the others, because a run says so, or
// because that is known, and only whether they ask for the same is to be seen; the rows themselves,
// because this road has just seen them.
struct SweepTrust {
  bool is_closed = false, are_left_out = false, are_dependent = false, is_seen = false;
};

class SweepRoad {
 public:
  // None where eliminate_rows has none.
  static std::unique_ptr<SweepRoad> make(const Model& model, const RankPlan& plan,
                                         const Eigen::MatrixXd& J, Road road);

  // Whether it answered: a, and the multipliers of rows(). `rows` (without their J) and the
  // workspace's kinematics are used where the sweep does not know a joint's rows by itself;
  // elsewhere nothing is allocated.
  [[nodiscard]] bool answers(const Question& question, Workspace& workspace, Rows& rows,
                             std::span<double> a, SweepTrust trust = {});
  // The rows and the workspace's kinematics as they are there. For models with rows that the sweep
  // does not know.
  void see(const Question& question, Workspace& workspace, Rows& rows);
  bool has_given() const { return !elimination_.given.empty(); }  // rows that it does not know

  // Whether it could bring positions back onto the loops, closer than `gap`; and velocities, so
  // that they keep them closed. Where it could not, what it left is of no use. Allocate nothing.
  [[nodiscard]] bool closes(const Model& model, State& state, Workspace& workspace, Rows& rows,
                            double gap);
  [[nodiscard]] bool keeps_closed(const Model& model, State& state, Workspace& workspace,
                                  Rows& rows);

  // For many states; is_sure[s] tells whether state s was answered. Allocates nothing after the
  // first batch of its size.
  void answer_batch(const kernel::Batch& batch, const double* tau, double* a,
                    std::span<char> is_sure);

  Road road() const { return elimination_.road; }
  const std::vector<int>& rows() const { return elimination_.rows; }
  std::span<const double> multipliers() const { return multipliers_; }

 private:
  SweepRoad(const Model& model, Elimination elimination);

  void give_rows(const Model& model, const Rows& rows, const Eigen::VectorXd& seen);
  // `enough`: where no more than this (a sum of squares) is missed in position, there is no
  // correction. `is_seen`: the rows are those of this state already.
  kernel::ClosedLook correct(const Model& model, const State& state, kernel::Missed missed,
                             Workspace& workspace, Rows& rows, double enough = -1,
                             bool is_seen = false);

  // Loops that are a little open show what a weak row is worth; wheels that stand nearly alike roll
  // either way, and what a weak row makes of their rounding would move or lock them.
  bool is_noise(const kernel::ClosedLook& look) const {
    return look.is_weak && !elimination_.given.empty();
  }

  Elimination elimination_;
  std::vector<kernel::GivenRow> given_rows_;
  std::vector<kernel::GivenPush> given_pushes_;
  std::vector<int> given_of_row_;            // -1: the sweep knows it
  bool are_rows_seen_ = false;               // at the state that closes() left
  double given_error_ = 0, given_rate_ = 0;  // sums of squares
  std::vector<double> multipliers_;
  std::vector<double> correction_, corrected_;
  kernel::SealedWorkspace sweep_;
  kernel::SealedWorkspace batch_sweep_;  // made when a batch is asked
  std::vector<kernel::ClosedLook> looks_;
};

}  // namespace trammel
