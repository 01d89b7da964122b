// Where rows begin or cease to depend on each other while a mechanism moves. For this room only.
//
// Two things happen. A singular pose is passed: the rows are independent before and after, and for
// an instant they are not. Their least pivot goes down to zero and up again like |t - t*|, and the
// instant is where that is least. Or they stay dependent, or independent, from an instant on: that
// instant is found by halving.
//
// Rows are judged without inertia, each measured by how long it could be, by QR with pivoting:
// cheaper than what decide_rank does, and zero at the same poses.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <optional>

#include "trammel/constraint/rows.hpp"
#include "trammel/simulate/moment.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {

// A step that was taken: where it began and ended, and what lies between (part: 0 to 1).
struct StepTaken {
  const State& begin;
  const State& end;
  std::function<Status(double part, State& out)> between;
};

class RankWatch {
 public:
  // Of this model from now on; nothing is known of its rows yet.
  void enter(const Model& model);
  // Adds what happened to the rows in this step.
  void look(const StepTaken& step, std::vector<Happening>& out);

 private:
  // Rows at a pose: how many are independent, and how far the last of `rank` is from the others.
  struct Look {
    int rank = 0;
    double least = 1;
  };
  Look look_at(const State& state, int rank);
  Eigen::MatrixXd rows_at(const State& state);
  // How fast `least` changes along the motion [1/s].
  double slope_at(const State& state, const Look& here);
  double way(const State& from, const State& to) const;  // the farthest of all freedoms
  void look_for_singular_pose(const StepTaken& step, const Look& before, const Look& after,
                              std::vector<Happening>& out);
  void tell_change(const StepTaken& step, int now, std::vector<Happening>& out);
  std::string describe(const State& state, const State& before, int rank, int fewer);
  bool goes_another_way(const State& state, const Eigen::MatrixXd& ways);

  const Model* model_ = nullptr;
  std::unique_ptr<Workspace> workspace_;  // its own: what it asks leaves no trace in the run
  std::optional<Rows> rows_;
  std::optional<Look> last_;
  int rank_ = 0;
  bool was_instant_ = false;  // rows were dependent at the last look, and will not stay so
  bool is_begun_ = false;     // a step was seen
  State seen_;                // where the last look was
};

}  // namespace trammel
