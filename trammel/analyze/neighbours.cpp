#include "trammel/analyze/neighbours.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/kernel/table.hpp"

namespace trammel {

namespace {

// A row that is this much shorter than the longest is one of the others.
constexpr double rank_tolerance = 1e-8;

Eigen::MatrixXd columns_of(const Eigen::MatrixXd& J, const std::vector<int>& freedoms) {
  Eigen::MatrixXd out(J.rows(), Eigen::Index(freedoms.size()));
  for (std::size_t k = 0; k < freedoms.size(); ++k) out.col(Eigen::Index(k)) = J.col(freedoms[k]);
  return out;
}

}  // namespace

Neighbours::Neighbours(const Model& model, const State& state, Workspace& workspace)
    : model_(model), workspace_(workspace), state_(state), rows_(model) {}

void Neighbours::look(const State& state) {
  kernel::kernels().kinematics({model_, model_.numbers()}, state.q, state.v, workspace_.zero,
                               workspace_, workspace_.kinematics);
  rows_.evaluate(model_, workspace_.kinematics, state.q, state.v, workspace_.zero, {});
}

// The followers are the pivots of the rows, the best determined first; what no row needs is chosen.
void Neighbours::choose(bool holonomic_only, std::vector<int>& chosen,
                        std::vector<int>& others) const {
  std::vector<int> willing;
  for (int f = 0; f < model_.nv(); ++f)
    if (!model_.is_prescribed(f)) willing.push_back(f);
  Eigen::MatrixXd J = columns_of(rows_.jacobian().topRows(rows_.planned_start()), willing);
  for (int row = 0; row < rows_.planned_start(); ++row)
    if (holonomic_only && !rows_.is_holonomic(row)) J.row(row).setZero();
  chosen.clear();
  others.clear();
  Eigen::Index rank = 0;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  if (J.rows() > 0 && J.cols() > 0) {
    qr.setThreshold(rank_tolerance);
    qr.compute(J);
    rank = qr.rank();
  }
  for (Eigen::Index k = 0; k < Eigen::Index(willing.size()); ++k) {
    const int freedom =
        willing[std::size_t(J.rows() > 0 && J.cols() > 0 ? qr.colsPermutation().indices()[k] : k)];
    (k < rank ? others : chosen).push_back(freedom);
  }
  std::ranges::sort(chosen);
  std::ranges::sort(others);
}

Status Neighbours::of(const Model& model, const State& state, Workspace& workspace,
                      std::optional<Neighbours>& out) {
  if (workspace.constrained)
    if (Status status = workspace.constrained->check_closed("neighbours", model, state, workspace);
        !status)
      return status;
  out.emplace(Neighbours(model, state, workspace));
  out->look(state);
  out->choose(true, out->positions_, out->followers_);
  out->choose(false, out->velocities_, out->velocity_followers_);
  return {};
}

Status Neighbours::at(const Eigen::VectorXd& x, const Eigen::VectorXd& w, State& out) {
  out = state_;
  std::vector<double> step(std::size_t(model_.nv()));
  for (std::size_t k = 0; k < positions_.size(); ++k)
    step[std::size_t(positions_[k])] = x[Eigen::Index(k)];
  integrate(model_, state_.q, step, out.q);

  const int rows = rows_.planned_start();
  const double enough = 1e-15 * (1 + model_.characteristic_length());
  double before = std::numeric_limits<double>::infinity();
  for (int newton = 0; !followers_.empty(); ++newton) {
    look(out);
    Eigen::VectorXd error = rows_.error().head(rows);
    Eigen::MatrixXd J = columns_of(rows_.jacobian().topRows(rows), followers_);
    for (int row = 0; row < rows; ++row)
      if (!rows_.is_holonomic(row)) J.row(row).setZero(), error[row] = 0;
    const double open = error.norm();
    if (open <= enough || (open <= 1e4 * enough && open > 0.3 * before)) break;
    if (newton == 30 || !(open < 1e3 * std::max(before, 1.0)))
      return Status::failure(fmt::format("the loops cannot follow a change of joint '{}'",
                                         model_.freedom_name(positions_[0])));
    before = open;
    const Eigen::VectorXd d = J.completeOrthogonalDecomposition().solve(-error);
    std::ranges::fill(step, 0.0);
    for (std::size_t k = 0; k < followers_.size(); ++k)
      step[std::size_t(followers_[k])] = d[Eigen::Index(k)];
    const std::vector<double> from = out.q;
    integrate(model_, from, step, out.q);
  }

  for (std::size_t k = 0; k < velocities_.size(); ++k)
    out.v[std::size_t(velocities_[k])] += w[Eigen::Index(k)];
  if (!velocity_followers_.empty()) {
    for (const int f : velocity_followers_) out.v[std::size_t(f)] = 0;
    look(out);
    const Eigen::MatrixXd J = columns_of(rows_.jacobian().topRows(rows), velocity_followers_);
    const Eigen::VectorXd v = J.completeOrthogonalDecomposition().solve(-rows_.rate().head(rows));
    for (std::size_t k = 0; k < velocity_followers_.size(); ++k)
      out.v[std::size_t(velocity_followers_[k])] = v[Eigen::Index(k)];
  }
  return {};
}

}  // namespace trammel
