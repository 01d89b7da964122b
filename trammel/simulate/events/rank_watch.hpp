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
//
// Each connected component of the rows is measured alone: a singular pose of one is searched, and
// its rows factored, without those of the others.
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
  // Whether the rows, up to the scales, are those of the last call with the result false: no dof on
  // which they depend has moved since then, and the frozen rank is the same.
  bool has_same_rows(const State& state);
  // Whether it was nearly so in the last has_locked(), so that it may have been in between.
  bool is_near_locking() const { return apart_ > 0.01 * slack_; }
  int rank() const { return rank_; }
  // Whether a step of length h from this state may come near a singular pose of the holonomic rows:
  // one ahead, at most twice the length of the step away, or one that was just passed.
  bool nears_singular_pose(const State& state, double h);
  // After nears_singular_pose() with the result true: the components of the rows that come near.
  std::span<const SingularCrossing::Approach> approaches() const { return approaches_; }
  // Distances of the holonomic rows of components (loops, not rolling) from rank deficiency: (sum
  // of s^-4)^(-1/4) over their singular values s, relative to the largest pivot. Where one is zero,
  // branches of the configuration space meet; near such a pose it is proportional to the distance
  // |x| from the pose, and smooth on each side; the smallest pivot is not, where several vanish
  // together, because the order of equal pivots is arbitrary. Costs a sparse factorization of each
  // component's generic row basis if all rows are holonomic, else a QR decomposition of all rows.
  // Returns them by component, those of others undefined, until the next call.
  const std::vector<double>& distances_from_branches(std::span<const double> q,
                                                     std::span<const int> components);
  // Number of rows factored so far for distances by row bases.
  long factored_rows() const { return basis_distance_.factored_rows(); }
  // The dofs by which the distance to a singular pose of the loops is measured. Costs two
  // evaluations of the rows, at the first call.
  const SingularCrossing::Dofs& loop_dofs(std::span<const double> q);
  // Adds records of the rank changes in this step.
  void check_step(const StepTaken& step, std::vector<EventRecord>& out);

 private:
  // With a pivot above `far` no pose becomes singular within `little`, nor within part_of_way of
  // the pivot, which leaves a factor of two.
  static constexpr double far = 0.1, little = 0.05, part_of_way = 0.25;
  // Displacement that leaves rows the same, relative to the slack of their pivots.
  static constexpr double unmoved = 1e-3;

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
  // Whether exactly the rows of the generic basis are independent at the evaluated pose, beyond
  // doubt.
  bool is_generic_basis(std::span<const double> q);
  // Distances of all rows of components from rank deficiency, as distances_from_branches().
  const std::vector<double>& distances(std::span<const double> q, std::span<const int> of);
  double distance(std::span<const double> q, int component) {
    return distances(q, {&component, 1})[std::size_t(component)];
  }
  // Pivots, largest first; empty if an entry of the rows is not finite.
  const Eigen::VectorXd& pivots_at(std::span<const double> q);
  void evaluate_rows(std::span<const double> q);
  SparseRows scaled_rows(std::span<const double> q);  // each row divided by its scale
  const std::vector<MatrixComponent>& components() const {
    return rows_->sparse_jacobian().components();
  }
  // Rates of change of the distances of components along the motion [1/s]. Each component is
  // displaced by its own time, in which its fastest dof moves by 1e-5.
  using Distances = const std::vector<double>& (RankWatch::*)(std::span<const double> q,
                                                              std::span<const int> of);
  std::vector<double> derivatives(const State& state, std::span<const int> of,
                                  std::span<const double> speeds, Distances measure);
  // The same of distance(), those of the end of the last step from there.
  std::vector<double> derivatives_at(const State& state, std::span<const int> of);
  // Largest displacement over the dofs that count.
  double way(std::span<const double> from_q, std::span<const double> to_q);
  // Rank and positions at which the rows were used, and whether they are the same at others.
  struct UsedRows {
    int rank = -1;
    std::vector<double> q;
  };
  bool are_same(const UsedRows& used, const State& state) {
    return used.rank == rank_ && way(used.q, state.q) <= unmoved * slack_;
  }
  double fastest(const State& state) const;                 // largest velocity, over all dofs
  double fastest(const State& state, int component) const;  // over the dofs of a component
  // The same over the dofs of loop_dofs.
  double loop_speed(const State& state, int component);
  // No singular pose lies within this displacement.
  static double safe_displacement(const RankSample& sample);
  void leave_out_idle_dofs(const State& state);
  // Splits a step into short pieces, in each of which the distance has at most one minimum.
  void find_singular_poses(const StepTaken& step, std::vector<EventRecord>& out);
  void find_singular_poses_in_piece(const StepTaken& step, std::vector<EventRecord>& out);
  // Derivatives of the distance at both ends of a step, per step; part of the step at its zero.
  struct Ends {
    int component;
    double before, after, down, up;
  };
  // Records the pose at which components become dependent, that of `ends` among them, and removes
  // these from `open`.
  void find_singular_pose(const StepTaken& step, const Ends& ends, std::vector<Ends>& open,
                          std::vector<EventRecord>& out);
  std::optional<double> zero_by_tangents(const StepTaken& step, const Ends& ends);
  std::optional<double> least_by_golden_section(const StepTaken& step, const Ends& ends);
  double distance_at(const StepTaken& step, double part, int component, State& state);
  // Components whose rows lose rank at a pose, with the rows that are decomposed: of a large one
  // those of the generic basis.
  struct LosingRank {
    std::vector<int> components, rows;
    int rank = 0;  // before
  };
  LosingRank losing_rank(std::vector<int> components) const;
  LosingRank any_losing_rank() const;  // all of them, by the pivots
  bool record_singular_pose(const StepTaken& step, const State& state, const LosingRank& losing,
                            std::vector<EventRecord>& out);
  void record_change(const StepTaken& step, int now, std::vector<EventRecord>& out);
  std::string describe(const State& state, const State& before, const LosingRank& losing,
                       int fewer);
  // A singular pose passed before, over the dofs of its rows: positions, and velocities up to a
  // factor.
  struct PassedPose {
    std::vector<int> dofs;
    std::vector<double> q;
    Eigen::VectorXd direction;
    bool is_branch = false;
  };
  // Whether a pose is this one: revolute joints up to whole turns, motions in either direction.
  bool is_same(const PassedPose& passed, const PassedPose& pose) const;
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
  int generic_ = 0;  // generic rank; 0: all rows are holonomic
  std::vector<int> all_components_;
  std::vector<int> position_rows_;  // holonomic rows
  int position_rank_ = 0;           // their largest rank so far
  bool was_instant_ = false;        // the last step ended on a singular pose; rank_ is the rank
                                    // before it
  bool is_begun_ = false;           // a step was checked
  int samples_ = 0;                 // number of checks at ends of steps
  State seen_;                      // state of the last check
  struct FarAway {
    std::vector<double> q;
    double least = 0;
  };
  FarAway far_away_;            // where nears_singular_pose() measured all distances
  double apart_ = 0;            // relative pivot of the first row that is not active,
  UsedRows apart_of_, frozen_;  // of these rows; rows of the last has_same_rows()
  // Cache of the last evaluations, and of the rates of the distances at the end of the last step:
  // the end of a step is evaluated for several purposes, and is the beginning of the next step.
  std::vector<double> rows_of_;    // positions at which the rows were evaluated last
  std::vector<double> pivots_of_;  // and factored
  ComponentQr factors_;
  std::vector<double> branches_of_, branches_;  // the same of the holonomic rows
  ComponentQr position_factors_;                // of the holonomic rows
  std::vector<double> gone_, moved_;
  struct Derivatives {
    double time;
    int rank;
    std::vector<double> of;  // per component; not a number: not computed
  };
  std::optional<Derivatives> last_derivatives_;
  std::vector<SingularCrossing::Approach> approaches_;
  std::vector<PassedPose> passed_poses_;  // the last ones
  std::vector<int> generic_rows_;
  RowDistance basis_distance_;
  struct KnownDistances {
    std::vector<double> q, of;  // per component; not a number: not computed
    int rank = 0;               // of the rows that were measured; -1: those of the basis
  };
  std::array<KnownDistances, 3> known_distances_;  // at the last positions
  std::size_t next_known_ = 0;
};

}  // namespace trammel
