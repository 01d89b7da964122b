#include "trammel/constraint/held_rows.hpp"

#include <algorithm>

#include "trammel/constraint/choose_rows.hpp"

namespace trammel {

RankPlan HeldRows::hold(const Model& model, const Rows& rows, const Eigen::MatrixXd& M,
                        const Eigen::MatrixXd& general_J, int rank) {
  constexpr std::size_t most_roads = 16;
  rank_ = rank;
  RankPlan now = plan(rows, M);
  std::vector<int> which = now.rows;
  std::ranges::sort(which);
  if (roads_.size() > most_roads) roads_.clear();
  const auto [at, is_new] = roads_.try_emplace(std::move(which));
  if (is_new) at->second = SweepRoad::make(model, now, general_J, Road::automatic);
  road_ = at->second.get();
  return now;
}

void HeldRows::release() {
  rank_ = -1;
  road_ = nullptr;
}

RankPlan HeldRows::plan(const Rows& rows, const Eigen::MatrixXd& M) const {
  RankPlan plan = choose_rows(rows.jacobian(), M, rows.natural_lengths());
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
