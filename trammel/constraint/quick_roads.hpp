// Recursive solvers of a model, and the selection among them at a state. Internal to constraint/.
//
// At nearly all states the same number of rows is independent (generic rank), and one recursive
// solver on these rows serves all of them. Redundant wheel layouts (axles parallel or concurrent)
// have fewer independent rows: each such set of rows has a solver of its own, made when first
// needed. A solver is a function of its rows and the model, and the selection a function of the
// state (or of the frozen rank), so results do not depend on earlier calls.
#pragma once

#include <array>
#include <map>
#include <memory>

#include "trammel/constraint/row_choice.hpp"
#include "trammel/constraint/row_sight.hpp"
#include "trammel/constraint/sweep_road.hpp"

namespace trammel {

class QuickRoads {
 public:
  static bool is_one(Road road) { return road != Road::complement && road != Road::kkt; }

  // Solver on the generic row basis; nullptr if the model has no such solver.
  SweepRoad* in_general(const Model& model, Workspace& workspace, RowSight& sight, Road road);
  int general_rank(const Model& model, Workspace& workspace, RowSight& sight);

  // Freezes the rank: at most `rank` rows, the strongest at this state, count as independent until
  // release(). Fails if the velocities violate the rows left out.
  [[nodiscard]] Status hold(const Model& model, const State& state, Workspace& workspace,
                            RowSight& sight, int rank);
  void release();
  bool are_held() const { return held_ >= 0; }
  int held() const { return held_; }  // frozen rank; -1: not frozen
  // Row basis at the evaluated state, cut to the frozen rank.
  RankPlan strongest(const RowSight& sight) const;

  // Accelerations by a recursive solver; false if none applies.
  [[nodiscard]] bool answer(const Question& question, Workspace& workspace, RowSight& sight,
                            std::span<double> a);
  // The solver that answer() tries first, or nullptr, and the checks that it may skip.
  struct Choice {
    SweepRoad* road = nullptr;
    SweepTrust trust;
  };
  Choice choose(const Question& question, Workspace& workspace, RowSight& sight);
  // As Constrained::keep_closed.
  [[nodiscard]] Status close_again(const Model& model, State& state, Workspace& workspace,
                                   RowSight& sight, double gap, const LoopPlan& plan);
  // The solver of the frozen rank; without one, the generic solver.
  SweepRoad* usual(const Model& model, Workspace& workspace, RowSight& sight,
                   Road road = Road::automatic);
  SweepTrust trust() const { return {.are_left_out = are_held()}; }

 private:
  [[nodiscard]] Status close_positions(const Model& model, State& state, Workspace& workspace,
                                       RowSight& sight, double gap, const LoopPlan& plan);
  [[nodiscard]] Status close_velocities(const Model& model, State& state, Workspace& workspace,
                                        RowSight& sight, const LoopPlan& plan);
  void look_around(const Model& model, Workspace& workspace, RowSight& sight);
  void set_order(const RankPlan& plan, const RowSight& sight);
  Choice choose_here(const Question& question, Workspace& workspace, RowSight& sight);
  SweepRoad* of_rows(const Model& model, const std::vector<int>& rows);

  RankPlan general_plan_;
  Eigen::MatrixXd general_J_;
  bool has_looked_around_ = false;
  bool starts_alike_ = false;  // fewer rows are independent at the start than generically
  bool holds_places_ = true;   // all rows are holonomic
  struct Sweep {
    std::unique_ptr<SweepRoad> road;
    bool is_made = false;
  };
  std::array<Sweep, 4> general_;  // automatic, schur, star, cluster

  RowChoice choice_;
  std::map<std::vector<int>, std::unique_ptr<SweepRoad>> of_rows_;  // key: row indices, sorted
  SweepRoad* last_here_ = nullptr;
  int held_ = -1;
  SweepRoad* held_road_ = nullptr;
  std::vector<double> before_;  // positions or velocities before projection
};

}  // namespace trammel
