// Where rows begin or cease to depend on each other while a mechanism moves. For this room only.
//
// Two things happen. A singular pose is passed: the rows are independent before and after, and for
// an instant they are not. Their least pivot goes down to zero and up again like |t - t*|, and the
// instant is where that is least. Or they stay dependent, or independent, from an instant on: that
// instant is found by halving.
//
// Wheels that stand alike, or round one point, have rows that depend on each other, and no position
// holds them so: a step's error alone would make them independent, and lock what rolls. So what is
// dependent stays so until it is not by more than steps can be wrong; then it is locked indeed, and
// what moved against the new row is taken away.
//
// Rows are judged without inertia, each measured by how long it could be, by QR with pivoting:
// cheaper than what decide_rank does, and zero at the same poses.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/rows.hpp"
#include "trammel/simulate/moment.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/simulate/singular_crossing.hpp"
#include "trammel/simulate/step_taken.hpp"

namespace trammel {

// "rank of the rows 9 -> 10, locked: ..."
std::string describe_lock(int before, int now);

class RankWatch {
 public:
  // `slack`: what steps can make of a row that depends on others, as a part of the longest.
  explicit RankWatch(double slack) : slack_(slack) {}
  // Of this model from now on, which is at this state. `general`: how many of its rows are
  // independent at nearly all states. `goes_on`: what is within the slack was dependent before.
  void enter(const Model& model, const State& state, int general, bool goes_on);
  // How many rows a run holds on to; -1: it need not, they depend on each other everywhere, or
  // positions hold them so.
  int held() const { return rank_ > 0 && rank_ < general_ && !was_instant_ ? rank_ : -1; }
  // Are rows independent that were held dependent?
  bool has_locked(const State& state);
  // Were they nearly so at the last such look, so that they may have been for a moment before?
  bool is_near_locking() const { return apart_ > 0.01 * slack_; }
  int rank() const { return rank_; }
  // Whether a step of this length that begins at a state may come near a singular pose that rows
  // for positions alone have: one that lies ahead, at most twice as far as the step seems to go,
  // or one that was just passed.
  bool nears_singular_pose(const State& state, double h);
  // How far the rows that are independent in general are from dependent: (sum of s^-4)^(-1/4) over
  // their singular values s, of the largest pivot. Next to a singular pose it is |x| times a
  // constant, x the way to the pose, and smooth on each side: the least pivot is not where several
  // vanish together, because the order of equal pivots is chance. Costs a QR decomposition.
  double distance_from_dependent(std::span<const double> q);
  // The same of the rows that positions keep (loops, not rolling) alone: where these become
  // dependent, branches meet.
  double distance_from_branches(std::span<const double> q);
  // The degrees of freedom by which the way to a singular pose of the loops is measured. Two
  // evaluations of the rows, the first time.
  const SingularCrossing::Dofs& loop_dofs(std::span<const double> q);
  // Adds what happened to the rows in this step.
  void look(const StepTaken& step, std::vector<Happening>& out);

 private:
  // Rows at a pose: how many are independent, and how far the last of `rank` is from the others.
  struct Look {
    int rank = 0;
    double least = 1;
  };
  Look look_at(std::span<const double> q, int rank);
  // largest first; none: not all are finite
  const Eigen::VectorXd& pivots_at(std::span<const double> q);
  const Eigen::MatrixXd& columns_at(std::span<const double> q);  // the rows, each a column
  static double distance(const PivotedQr& factors, int rank);
  // How fast a distance changes along the motion [1/s].
  using Distance = double (RankWatch::*)(std::span<const double> q);
  double slope_at(const State& state, double here, double speed,
                  Distance measure = &RankWatch::distance_from_dependent);
  double way(const State& from, const State& to);  // the farthest of all freedoms that count
  double fastest(const State& state) const;        // the same of velocities, of all
  double loop_speed(const State& state);           // of those of loop_dofs
  static double room_beside(const Look& look);     // a way so long leads to no singular pose
  void leave_out_idle_freedoms(const State& state);
  // Piece after piece, none of which is long: in each the distance has at most one least value.
  void look_for_singular_poses(const StepTaken& step, std::vector<Happening>& out);
  void look_for_singular_pose(const StepTaken& step, std::vector<Happening>& out);
  void tell_change(const StepTaken& step, int now, std::vector<Happening>& out);
  std::string describe(const State& state, const State& before, int rank, int fewer);
  bool goes_another_way(const State& state, const Eigen::MatrixXd& freedoms);

  double slack_;
  const Model* model_ = nullptr;
  std::unique_ptr<Workspace> workspace_;  // its own: what it asks leaves no trace in the run
  std::optional<Rows> rows_;
  Eigen::VectorXd unit_;    // per freedom what counts as one: a radian, or the mechanism's length
  Eigen::VectorXd counts_;  // one over that; 0 where no row changes with it
  std::optional<SingularCrossing::Dofs> loop_dofs_;
  std::optional<Look> last_;
  int rank_ = 0;
  int general_ = 0;                 // at nearly all poses; 0: all rows hold positions
  std::vector<int> position_rows_;  // those that positions keep
  int position_rank_ = 0;           // the most of them that were independent
  bool was_instant_ = false;        // the last step ended on a singular pose: rank_ is that before
  bool is_begun_ = false;           // a step was seen
  int looks_ = 0;                   // at ends of steps
  State seen_;                      // where the last look was
  double apart_ = 0;                // how independent the first row is that is not held
  // Where it looked last, and how fast the distance from dependent rows changed where the last step
  // ended: the end of a step is looked at for several reasons, and is the beginning of the next.
  std::vector<double> pivots_of_;
  Eigen::VectorXd pivots_;
  Eigen::MatrixXd columns_;
  PivotedQr factors_;
  std::vector<double> gone_, moved_;
  struct Slope {
    double time;
    int rank;
    double slope;
  };
  std::optional<Slope> slope_there_;
};

}  // namespace trammel
