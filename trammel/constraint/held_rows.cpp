#include "trammel/constraint/held_rows.hpp"

namespace trammel {

void HeldRows::hold(const Model& model, const Rows& rows, const Eigen::MatrixXd& M, int rank) {
  rank_ = rank;
  road_ = SweepRoad::make(model, plan(rows, M), rows.jacobian(), Road::automatic);
}

void HeldRows::release() {
  rank_ = -1;
  road_.reset();
}

RankPlan HeldRows::plan(const Rows& rows, const Eigen::MatrixXd& M) const {
  RankPlan plan = decide_rank(rows.jacobian(), M, rows.natural_lengths());
  if (plan.rank() > rank_) plan.rows.resize(std::size_t(rank_));
  return plan;
}

Status HeldRows::project_velocity(const Rows& rows, const Eigen::MatrixXd& M, State& state) const {
  RoadAnswer least;
  if (Status status = travel(Road::automatic, M, rows.jacobian(), Eigen::VectorXd::Zero(M.rows()),
                             -rows.rate(), plan(rows, M), least);
      !status)
    return status;
  for (std::size_t k = 0; k < state.v.size(); ++k) state.v[k] += least.a[Eigen::Index(k)];
  return {};
}

}  // namespace trammel
