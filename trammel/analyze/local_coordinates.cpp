#include "trammel/analyze/local_coordinates.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "trammel/base/component_least_squares.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Relative pivot below which a row counts as dependent.
constexpr double rank_tolerance = 1e-8;

// Entries of A as those of the rows `to` of a matrix with `rows` rows, times `factor`.
SparseMatrix in_rows(const SparseMatrix& A, const std::vector<int>& to, Eigen::Index rows,
                     double factor) {
  Triplets entries;
  for (Eigen::Index c = 0; c < A.cols(); ++c)
    for (SparseMatrix::InnerIterator e(A, c); e; ++e)
      entries.emplace_back(to[std::size_t(e.row())], int(c), factor * e.value());
  return sparse_matrix(rows, A.cols(), entries);
}

// One column per independent dof, which is 1 in it; dependent dofs follow from the rows.
SparseMatrix directions(const SparseRows& J, const std::vector<int>& rows,
                        const std::vector<int>& chosen, const std::vector<int>& others) {
  const auto n = Eigen::Index(chosen.size());
  SparseMatrix unit(n, n);
  unit.setIdentity();
  SparseMatrix out = in_rows(unit, chosen, J.cols(), 1);
  if (!others.empty())
    out += in_rows(ComponentLeastSquares(J, rows, others).solve(selected(J, rows, chosen)), others,
                   J.cols(), -1);
  return out;
}

}  // namespace

LocalCoordinates::LocalCoordinates(const Model& model, const State& state, Workspace& workspace)
    : model_(model), workspace_(workspace), state_(state), rows_(model) {}

void LocalCoordinates::evaluate(const State& state) {
  kernel::kernels().kinematics({model_, model_.numbers()}, state.q, state.v, workspace_->zero,
                               *workspace_, workspace_->kinematics);
  rows_.evaluate(model_, workspace_->kinematics, state.q, state.v, workspace_->zero, {});
}

std::vector<int> LocalCoordinates::holding(bool of_positions) const {
  std::vector<int> rows;
  for (int row = 0; row < rows_.count(); ++row) {
    const bool is_prescribed = row >= rows_.prescribed_start();
    if (is_prescribed ? rows_.prescribed_dof(row) < 0 : !of_positions || rows_.is_holonomic(row))
      rows.push_back(row);
  }
  return rows;
}

// Dependent dofs are the pivots of the rows, the best determined first; all others are independent.
void LocalCoordinates::choose(const std::vector<int>& rows, std::vector<int>& chosen,
                              std::vector<int>& others) const {
  std::vector<int> willing;
  for (int f = 0; f < model_.nv(); ++f)
    if (!model_.is_prescribed(f)) willing.push_back(f);
  chosen.clear();
  others.clear();
  std::vector<std::vector<int>> rows_of(J_.components().size()), dofs_of(rows_of.size());
  for (const int row : rows)
    if (const int c = J_.component_of_row(row); c >= 0) rows_of[std::size_t(c)].push_back(row);
  for (const int f : willing) {
    const int c = J_.component_of_column(f);
    (c >= 0 ? dofs_of[std::size_t(c)] : chosen).push_back(f);
  }
  for (std::size_t c = 0; c < rows_of.size(); ++c) {
    const Eigen::MatrixXd block = J_.block(rows_of[c], dofs_of[c]);
    PivotedQr qr;
    if (block.size() > 0) qr.compute(block, rank_tolerance);
    for (std::size_t k = 0; k < dofs_of[c].size(); ++k)
      if (block.size() > 0)
        (Eigen::Index(k) < qr.rank() ? others : chosen)
            .push_back(dofs_of[c][std::size_t(qr.order()[Eigen::Index(k)])]);
      else
        chosen.push_back(dofs_of[c][k]);
  }
  std::ranges::sort(chosen);
  std::ranges::sort(others);
}

// Errors of the rows; for a loop joint that is locked or prescribed, its displacement from the
// reference state.
Eigen::VectorXd LocalCoordinates::errors(const std::vector<int>& rows) const {
  const auto& prescribed = rows_.at().prescribed_loop_dofs();
  const std::size_t first_prescribed = std::size_t(rows_.count()) - prescribed.size();
  Eigen::VectorXd out(Eigen::Index(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto row = std::size_t(rows[k]);
    if (row < first_prescribed) {
      out[Eigen::Index(k)] = rows_.error()[rows[k]];
      continue;
    }
    const Closure& closure =
        model_.closures()[std::size_t(prescribed[row - first_prescribed].closure)];
    double gone[6] = {};
    std::visit(
        [&](const auto& joint) {
          joint.difference(closure_q_.data() + closure.q_start,
                           rows_.at().closure_q().data() + closure.q_start, gone);
        },
        closure.joint);
    out[Eigen::Index(k)] = gone[prescribed[row - first_prescribed].k];
  }
  return out;
}

SparseMatrix LocalCoordinates::position_directions() const {
  return directions(J_, position_rows_, positions_, followers_);
}
SparseMatrix LocalCoordinates::velocity_directions() const {
  return directions(J_, velocity_rows_, velocities_, velocity_followers_);
}
SparseMatrix LocalCoordinates::following_velocities(const SparseMatrix& rates) const {
  if (velocity_followers_.empty()) return SparseMatrix(model_.nv(), rates.cols());
  return in_rows(ComponentLeastSquares(J_, velocity_rows_, velocity_followers_)
                     .solve(selected_rows(rates, velocity_rows_)),
                 velocity_followers_, model_.nv(), -1);
}

Status LocalCoordinates::of(const Model& model, const State& state, Workspace& workspace,
                            std::optional<LocalCoordinates>& out) {
  if (workspace->constrained)
    if (Status status = workspace->constrained->check_closed("linearize", model, state, workspace);
        !status)
      return status;
  out.emplace(LocalCoordinates(model, state, workspace));
  out->evaluate(state);
  out->J_ = out->rows_.sparse_jacobian();
  out->closure_q_ = out->rows_.at().closure_q();
  out->position_rows_ = out->holding(true);
  out->velocity_rows_ = out->holding(false);
  out->choose(out->position_rows_, out->positions_, out->followers_);
  out->choose(out->velocity_rows_, out->velocities_, out->velocity_followers_);
  return {};
}

Status LocalCoordinates::at(const Eigen::VectorXd& x, const Eigen::VectorXd& w, State& out) {
  out = state_;
  std::vector<double> step(std::size_t(model_.nv()));
  for (std::size_t k = 0; k < positions_.size(); ++k)
    step[std::size_t(positions_[k])] = x[Eigen::Index(k)];
  integrate(model_, state_.q, step, out.q);

  const double enough = 1e-15 * (1 + model_.characteristic_length());
  double before = std::numeric_limits<double>::infinity();
  for (int newton = 0; !followers_.empty(); ++newton) {
    evaluate(out);
    const Eigen::VectorXd error = errors(position_rows_);
    const double open = error.norm();
    if (open <= enough || (open <= 1e4 * enough && open > 0.3 * before)) break;
    if (newton == 30 || !(open < 1e3 * std::max(before, 1.0)))
      return Status::failure(fmt::format("the loops cannot follow a change of joint '{}'",
                                         model_.dof_name(positions_[0])));
    before = open;
    const Eigen::VectorXd d =
        ComponentLeastSquares(rows_.sparse_jacobian(), position_rows_, followers_).solve(-error);
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
    evaluate(out);
    const Eigen::VectorXd v =
        ComponentLeastSquares(rows_.sparse_jacobian(), velocity_rows_, velocity_followers_)
            .solve(-rows_.rate()(velocity_rows_));
    for (std::size_t k = 0; k < velocity_followers_.size(); ++k)
      out.v[std::size_t(velocity_followers_[k])] = v[Eigen::Index(k)];
  }
  return {};
}

}  // namespace trammel
