// The rows that a run holds on to, where fewer are independent than in general. For this room only.
#pragma once

#include <map>
#include <memory>

#include "trammel/constraint/sweep_road.hpp"

namespace trammel {

class HeldRows {
 public:
  bool are_held() const { return rank_ >= 0; }
  int rank() const { return rank_; }
  // The quick road of those that were strongest where they were taken hold of; may be none.
  SweepRoad* road() const { return road_; }

  // Rows and M are those of a state; `general_J`: J where rows are as they are in general. A road
  // is a function of which rows are held and of general_J, so that it is made once for each choice,
  // and is the same whatever was held before. Returns those it holds.
  RankPlan hold(const Model& model, const Rows& rows, const Eigen::MatrixXd& M,
                const Eigen::MatrixXd& general_J, int rank);
  void release();
  // Those that are strongest at another state.
  RankPlan plan(const Rows& rows, const Eigen::MatrixXd& M) const;
  // As project_velocity, of the state of rows and M.
  [[nodiscard]] Status project_velocity(const Rows& rows, const Eigen::MatrixXd& M,
                                        State& state) const;

 private:
  int rank_ = -1;
  SweepRoad* road_ = nullptr;
  std::map<std::vector<int>, std::unique_ptr<SweepRoad>> roads_;  // of rows, sorted
};

}  // namespace trammel
