// The quick roads of a model, and which of them leads through a state. For this room only.
//
// Nearly all states are alike, and a road of the rows that are independent there leads through
// them. Wheels that stand alike, or round one point, have fewer: each choice of those has a road of
// its own, made when it is first needed. A road is a function of its rows and of the model, and
// which one is taken a function of the state (or of what a run holds on to), so that answers are
// the same whatever was asked before.
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

  // Of the rows as they are in general; none if the model has no such road.
  SweepRoad* in_general(const Model& model, Workspace& workspace, RowSight& sight, Road road);
  int general_rank(const Model& model, Workspace& workspace, RowSight& sight);

  // A run holds on to so many rows, those that are strongest at this state; fails where its
  // velocities have come to miss the others. No more are independent from here on, until released.
  [[nodiscard]] Status hold(const Model& model, const State& state, Workspace& workspace,
                            RowSight& sight, int rank);
  void release();
  bool are_held() const { return held_ >= 0; }
  int held() const { return held_; }  // how many; -1: none
  // Those that are strongest where sight is.
  RankPlan strongest(const RowSight& sight) const;

  // Whether a quick road answered.
  [[nodiscard]] bool answer(const Question& question, Workspace& workspace, RowSight& sight,
                            std::span<double> a);
  // The road that would, before it is asked; may be none. It need not look at what it has seen.
  struct Choice {
    SweepRoad* road = nullptr;
    SweepTrust trust;
  };
  Choice choose(const Question& question, Workspace& workspace, RowSight& sight);
  // As Constrained::keep_closed.
  [[nodiscard]] Status close_again(const Model& model, State& state, Workspace& workspace,
                                   RowSight& sight, double gap, const LoopPlan& plan);
  // What a run is on, or else what is in general.
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
  bool starts_alike_ = false;  // fewer are independent at the start than in general
  bool holds_places_ = true;   // all rows do
  struct Sweep {
    std::unique_ptr<SweepRoad> road;
    bool is_made = false;
  };
  std::array<Sweep, 4> general_;  // automatic, schur, star, cluster

  RowChoice choice_;
  std::map<std::vector<int>, std::unique_ptr<SweepRoad>> of_rows_;  // of rows, sorted
  SweepRoad* last_here_ = nullptr;
  int held_ = -1;
  SweepRoad* held_road_ = nullptr;
  std::vector<double> before_;  // what was to be closed
};

}  // namespace trammel
