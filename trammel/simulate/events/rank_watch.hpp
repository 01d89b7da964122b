// Detection of rank changes of the constraint rows during a motion. Internal to this module.
//
// There are two cases. A singular pose is passed: the rows are independent before and after it, and
// dependent at one instant t*. Their smallest pivot behaves like |t - t*|, and the instant is found
// by minimization. Or the rank changes for longer: that instant is found by bisection.
//
// Redundant wheel layouts (parallel or concurrent axles) have dependent rolling rows that no
// position constraint keeps dependent: integration error alone would make them independent and lock
// the vehicle. So a redundant row stays inactive until its pivot exceeds the effect of integration
// error (`slack`). Then it is activated and the incompatible velocity is removed by an impulse.
//
// The rank is determined without inertia, by QR with column pivoting of the rows divided by their
// scales: cheaper than rank_with_singular_values, and zero at the same poses. Rows that share no
// joint are factored apart (ComponentQr): a check costs O(loops). Where all rows are holonomic and
// the rank is the generic one, it cannot rise, and the distance of a generic row basis from
// dependence, by a sparse factorization (RowDistance), replaces the pivots until it is small.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/rank/component_qr.hpp"
#include "trammel/constraint/rank/row_distance.hpp"
#include "trammel/simulate/events/singular_crossing.hpp"
#include "trammel/simulate/events/step_taken.hpp"
#include "trammel/simulate/run_snapshot.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {

// As in rank_with_singular_values: rows that are dependent for longer than an instant are so to
// rounding.
inline constexpr double dependent_rows = 1e-9;

// "1 degree of freedom", "2 degrees of freedom"
std::string counted(int count, const char* one, const char* many);
// "rank of the rows 9 -> 10, locked: ..."
std::string describe_lock(int before, int now);

class RankWatch {
 public:
  // `slack`: bound of the effect of integration errors on the pivot of a redundant row, relative to
  // the largest pivot.
  explicit RankWatch(double slack) : slack_(slack) {}
  // Monitors this model from this state on. `generic`: generic rank of its rows. `goes_on`: pivots
  // within the slack count as dependent, as they did before. `generic_rows`: a basis of the rows at
  // generic states; without it every distance is from pivots.
  void enter(const Model& model, const State& state, int generic, bool goes_on,
             const std::vector<int>& generic_rows = {});
  // The rank that a run has to freeze; -1: none, because the rank is the generic one, or because
  // all rows are holonomic.
  int rank_to_freeze() const { return rank_ > 0 && rank_ < generic_ && !was_instant_ ? rank_ : -1; }
  // Whether a row that was frozen as redundant is independent at this state.
  bool has_locked(const State& state);
  // Whether it was nearly so in the last has_locked(), so that it may have been in between.
  bool is_near_locking() const { return apart_ > 0.01 * slack_; }
  int rank() const { return rank_; }
  // Whether a step of length h from this state may come near a singular pose of the holonomic rows:
  // one ahead, at most twice the length of the step away, or one that was just passed.
  bool nears_singular_pose(const State& state, double h);
  // Distance of the rows from rank deficiency: (sum of s^-4)^(-1/4) over their singular values s,
  // relative to the largest pivot. Near a singular pose it is proportional to the distance |x| from
  // the pose, and smooth on each side; the smallest pivot is not, where several vanish together,
  // because the order of equal pivots is arbitrary. Costs a sparse factorization of the generic row
  // basis if all rows are holonomic, else a QR decomposition.
  double distance_from_dependent(std::span<const double> q);
  // The same for the holonomic rows alone (loops, not rolling): where these become dependent,
  // branches of the configuration space meet.
  double distance_from_branches(std::span<const double> q);
  // After nears_singular_pose() with the result true: distance of the pose ahead (negative) or
  // behind along the motion, estimated by the tangent, and the speed of the approach [1/s].
  struct Approach {
    double x = 0, speed = 0;
  };
  const Approach& approach() const { return approach_; }
  // The dofs by which the distance to a singular pose of the loops is measured. Costs two
  // evaluations of the rows, at the first call.
  const SingularCrossing::Dofs& loop_dofs(std::span<const double> q);
  // Adds records of the rank changes in this step.
  void check_step(const StepTaken& step, std::vector<EventRecord>& out);

 private:
  // Rank at a pose, and the relative size of the pivot number `rank`.
  struct RankSample {
    int rank = 0;
    double least = 1;
  };
  RankSample sample_rank(std::span<const double> q, int rank);
  // Whether the rank is the generic one of holonomic rows, so that a row basis tells it.
  bool has_generic_rank() const {
    return generic_ == 0 && !generic_rows_.empty() && rank_ == int(generic_rows_.size());
  }
  double distance_of_basis(std::span<const double> q);
  // Pivots, largest first; empty if an entry of the rows is not finite.
  const Eigen::VectorXd& pivots_at(std::span<const double> q);
  void evaluate_rows(std::span<const double> q);
  SparseRows scaled_rows(std::span<const double> q);  // each row divided by its scale
  // Rate of change of a distance along the motion [1/s].
  using Distance = double (RankWatch::*)(std::span<const double> q);
  double distance_derivative(const State& state, double here, double speed,
                             Distance measure = &RankWatch::distance_from_dependent);
  double way(const State& from, const State& to);  // largest displacement over the dofs that count
  double fastest(const State& state) const;        // largest velocity, over all dofs
  double loop_speed(const State& state);           // over the dofs of loop_dofs
  // No singular pose lies within this displacement.
  static double safe_displacement(const RankSample& sample);
  void leave_out_idle_dofs(const State& state);
  // Splits a step into short pieces, in each of which the distance has at most one minimum.
  void find_singular_poses(const StepTaken& step, std::vector<EventRecord>& out);
  void find_singular_pose(const StepTaken& step, std::vector<EventRecord>& out);
  // Slopes of the distance at both ends of a step, per step; part of the step at its zero.
  struct Ends {
    double before, after, down, up;
  };
  std::optional<double> zero_by_tangents(const StepTaken& step, const Ends& ends);
  std::optional<double> least_by_golden_section(const StepTaken& step, const Ends& ends);
  double distance_at(const StepTaken& step, double part, State& state);
  bool record_singular_pose(const StepTaken& step, const State& state,
                            std::vector<EventRecord>& out);
  void record_change(const StepTaken& step, int now, std::vector<EventRecord>& out);
  std::string describe(const State& state, const State& before, int rank, int fewer);
  // `dofs`: of the rows that lose rank; `motions`: those that the rows allow, one per column.
  bool goes_another_way(const State& state, const std::vector<int>& dofs,
                        const Eigen::VectorXd& weight, const Eigen::MatrixXd& motions);

  double slack_;
  const Model* model_ = nullptr;
  std::unique_ptr<Workspace> workspace_;  // its own, so that the run is not affected
  std::optional<ConstraintRows> rows_;
  Eigen::VectorXd unit_;    // per dof: 1 rad, or the characteristic length
  Eigen::VectorXd counts_;  // 1 / unit; 0 for dofs on which no row depends
  std::optional<SingularCrossing::Dofs> loop_dofs_;
  std::optional<RankSample> last_;
  int rank_ = 0;
  int generic_ = 0;                 // generic rank; 0: all rows are holonomic
  std::vector<int> position_rows_;  // holonomic rows
  int position_rank_ = 0;           // their largest rank so far
  bool was_instant_ = false;        // the last step ended on a singular pose; rank_ is the rank
                                    // before it
  bool is_begun_ = false;           // a step was checked
  int samples_ = 0;                 // number of checks at ends of steps
  State seen_;                      // state of the last check
  double apart_ = 0;                // relative pivot of the first row that is not active
  // Cache of the last evaluation, and of the rate of the distance at the end of the last step: the
  // end of a step is evaluated for several purposes, and is the beginning of the next step.
  std::vector<double> pivots_of_;
  ComponentQr factors_;
  ComponentQr position_factors_;  // of the holonomic rows
  std::vector<double> gone_, moved_;
  struct DistanceDerivative {
    double time;
    int rank;
    double derivative;
  };
  std::optional<DistanceDerivative> last_derivative_;
  Approach approach_;
  std::vector<int> generic_rows_;
  RowDistance basis_distance_;
  struct KnownDistance {
    std::vector<double> q;
    double distance = 0;
  };
  std::array<KnownDistance, 3> known_distances_;  // of the basis, the last ones
  std::size_t next_known_ = 0;
};

}  // namespace trammel
