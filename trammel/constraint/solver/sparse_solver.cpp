#include "trammel/constraint/solver/sparse_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "trammel/model/body_of_dof.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel {

namespace {

// Corrections at most; each gains the digits that the decomposition has, mostly all of them.
constexpr int most_corrections = 12;
// Refinement ends where corrections no longer shrink, or at this one, relative to the solution in
// the kinetic norm of all bodies; it has failed if they stop to shrink above the second number.
constexpr double converged = 1e-16, acceptable = 1e-8;
// Kinetic form that the added inertia of one body may have, if every effort is as large as would
// give its two bodies, when free, a kinetic form of 1. In a motion without inertia of its own it is
// about 1, in others a millionth of it.
constexpr double most_added = 0.01;

double square_of(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

}  // namespace

SparseSolver::SparseSolver(const Model& model, std::vector<int> rows)
    : rows_(std::move(rows)), inertia_(model) {
  std::ranges::sort(rows_);
  analyze(model);
}

void SparseSolver::analyze(const Model& model) {
  const std::span<const Body> bodies = model.bodies();
  const std::size_t n = bodies.size();
  std::vector<std::vector<int>> cliques(n);  // blocks on each body
  std::vector<int> sizes;
  const auto add_block = [&](int size, std::vector<int> on) {
    std::ranges::sort(on);
    on.erase(std::unique(on.begin(), on.end()), on.end());
    std::erase(on, 0);  // ground
    BlockOfRows block;
    block.size = size;
    for (const int body : on) {
      block.sides.push_back({body, 0});
      cliques[std::size_t(body)].push_back(int(blocks_.size()));
    }
    blocks_.push_back(std::move(block));
    sizes.push_back(size);
  };
  block_of_body_.assign(n, -1);
  for (std::size_t i = 1; i < n; ++i) {
    const int size = 6 - (bodies[i].v_end - bodies[i].v_start);
    if (size == 0) continue;
    block_of_body_[i] = int(blocks_.size());
    add_block(size, {int(i), bodies[i].parent});
  }
  int row = 0;
  auto next = rows_.begin();
  for (const Block& block : constraint_blocks(model)) {
    std::vector<int> on;
    const int count = std::visit(
        [&](const auto& b) {
          for (const BodyId body : b.bodies(model)) on.push_back(model[body].tree_body);
          if constexpr (requires { b.directs(model); })
            for (const DirectDof& direct : b.directs(model)) {
              const int body = body_of_dof(model, direct.dof);
              on.push_back(body);
              on.push_back(bodies[std::size_t(body)].parent);
            }
          return int(b.rows(model).size());
        },
        block);
    const auto begin = next;
    block_of_row_.resize(std::size_t(row + count), -1);
    place_of_row_.resize(std::size_t(row + count), -1);
    for (; next != rows_.end() && *next < row + count; ++next) {
      block_of_row_[std::size_t(*next)] = int(blocks_.size());
      place_of_row_[std::size_t(*next)] = int(next - begin);
    }
    row += count;
    if (next != begin) add_block(int(next - begin), std::move(on));
  }
  S_ = SparseCholesky(sizes, cliques);

  std::size_t at = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Y_start_.push_back(at);
    for (const int which : cliques[i]) {
      BlockOfRows& block = blocks_[std::size_t(which)];
      for (Side& side : block.sides)
        if (side.body == int(i)) side.at = at;
      at += 6 * std::size_t(block.size);
    }
  }
  Y_.resize(at);
  Y_before_.resize(at);
  for (std::size_t k = 0; k < blocks_.size(); ++k) blocks_[k].start = S_.start(int(k));
  efforts_.resize(std::size_t(model.nv()));
  xi_.resize(6 * n);
  mu_.resize(std::size_t(S_.rows()));
  force_.resize(model.nv());
  motion_.resize(Eigen::Index(rows_.size()));
  probe_a_.resize(model.nv());
  probe_lambda_.resize(row);
  A_.resize(n);
  F_.resize(n);
}

void SparseSolver::add_to_row(int row, int body, const SixNumbers& y, double factor) {
  const BlockOfRows& block = blocks_[std::size_t(block_of_row_[std::size_t(row)])];
  const auto side = std::ranges::find(block.sides, body, &Side::body);
  if (side == block.sides.end()) return;
  double* to = Y_.data() + side->at + 6 * place_of_row_[std::size_t(row)];
  for (std::size_t k = 0; k < 6; ++k) to[k] += factor * y[k];
}

Status SparseSolver::evaluate(const Model& model, const Positions& positions,
                              const ConstraintRows& rows) {
  const std::span<const Body> bodies = model.bodies();
  Y_.swap(Y_before_);
  const bool was_decomposed = std::exchange(is_decomposed_, false);
  std::ranges::fill(Y_, 0.0);
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    const std::size_t dofs = std::size_t(body.v_end - body.v_start);
    const JointWrenchBasis basis =
        joint_wrench_basis(std::span(positions.axes).subspan(std::size_t(body.v_start), dofs),
                           model.characteristic_length());
    if (!basis.is_regular)
      return Status::failure("the motions of joint '" + model.dof_name(body.v_start) +
                             "' depend on each other");
    const Vec3<double>& p = positions.X_WB[i].p;
    const auto on = [&](int which, const Force<double>& F, double factor) {
      SixNumbers y = which == 0 ? SixNumbers{} : inertia_.components(which, positions, F, p);
      for (double& x : y) x *= factor;
      return y;
    };
    for (std::size_t k = 0; k < 6 - dofs; ++k) {
      const BlockOfRows& block = blocks_[std::size_t(block_of_body_[i])];
      for (const Side& side : block.sides) {
        const SixNumbers y = on(side.body, basis.wrenches[k], side.body == int(i) ? 1.0 : -1.0);
        std::ranges::copy(y, Y_.begin() + std::ptrdiff_t(side.at + 6 * k));
      }
    }
    for (std::size_t k = 0; k < dofs; ++k) {
      const Force<double>& F = basis.wrenches[6 - dofs + k];
      efforts_[std::size_t(body.v_start) + k] = {on(int(i), F, 1), on(body.parent, F, -1)};
    }
  }
  for (const ConstraintRows::RowWrench& wrench : rows.row_wrenches()) {
    if (block_of_row_[std::size_t(wrench.row)] < 0) continue;
    const int child = model[wrench.child].tree_body, parent = model[wrench.parent].tree_body;
    if (child == parent) continue;
    for (const auto& [body, factor] : {std::pair(child, 1.0), std::pair(parent, -1.0)})
      if (body > 0)
        add_to_row(wrench.row, body, inertia_.components(body, positions, wrench.F, wrench.p),
                   factor);
  }
  for (const auto& [row, dof, factor] : rows.at().evaluated().directs) {
    if (block_of_row_[std::size_t(row)] < 0) continue;
    const int body = body_of_dof(model, dof), parent = bodies[std::size_t(body)].parent;
    const EffortPair& pair = efforts_[std::size_t(dof)];
    add_to_row(row, body, pair[0], factor);
    if (parent > 0) add_to_row(row, parent, pair[1], factor);
  }
  is_decomposed_ = true;
  if (was_decomposed && Y_ == Y_before_) return {};
  S_.set_zero();
  for (std::size_t i = 1; i < bodies.size(); ++i) S_.add_gram(i, Y_.data() + Y_start_[i], 6);
  weakest_ = S_.factor();
  return {};
}

// xi = xi_0 + Y^T mu with xi_0 of the efforts alone and S mu = (0, gamma) - Y xi_0.
double SparseSolver::add_solution(const Model& model, Eigen::VectorXd& a, Eigen::VectorXd& lambda) {
  const std::span<const Body> bodies = model.bodies();
  std::ranges::fill(xi_, 0.0);
  for (std::size_t i = 1; i < bodies.size(); ++i)
    for (int f = bodies[i].v_start; f < bodies[i].v_end; ++f) {
      const EffortPair& pair = efforts_[std::size_t(f)];
      double *own = &xi_[6 * i], *parent = &xi_[6 * std::size_t(bodies[i].parent)];
      for (std::size_t k = 0; k < 6; ++k) {
        own[k] += force_[f] * pair[0][k];
        parent[k] += force_[f] * pair[1][k];
      }
    }
  std::ranges::fill(mu_, 0.0);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const std::size_t row = std::size_t(rows_[k]);
    mu_[std::size_t(blocks_[std::size_t(block_of_row_[row])].start + place_of_row_[row])] =
        motion_[Eigen::Index(k)];
  }
  for (const BlockOfRows& block : blocks_)
    for (const Side& side : block.sides) {
      const double *y = Y_.data() + side.at, *xi = &xi_[6 * std::size_t(side.body)];
      for (int r = 0; r < block.size; ++r, y += 6)
        for (std::size_t k = 0; k < 6; ++k) mu_[std::size_t(block.start + r)] -= y[k] * xi[k];
    }
  S_.solve(mu_);
  double of_constraints = 0;
  for (const BlockOfRows& block : blocks_)
    for (const Side& side : block.sides) {
      const double* y = Y_.data() + side.at;
      double* xi = &xi_[6 * std::size_t(side.body)];
      for (int r = 0; r < block.size; ++r, y += 6)
        for (std::size_t k = 0; k < 6; ++k) {
          const double part = y[k] * mu_[std::size_t(block.start + r)];
          xi[k] += part;
          of_constraints += part * part;
        }
    }
  for (std::size_t i = 1; i < bodies.size(); ++i)
    for (int f = bodies[i].v_start; f < bodies[i].v_end; ++f) {
      const EffortPair& pair = efforts_[std::size_t(f)];
      const double *own = &xi_[6 * i], *parent = &xi_[6 * std::size_t(bodies[i].parent)];
      for (std::size_t k = 0; k < 6; ++k) a[f] += pair[0][k] * own[k] + pair[1][k] * parent[k];
    }
  for (const int which : rows_) {
    const auto row = std::size_t(which);
    lambda[which] +=
        mu_[std::size_t(blocks_[std::size_t(block_of_row_[row])].start + place_of_row_[row])];
  }
  std::fill_n(xi_.begin(), 6, 0.0);  // ground
  return square_of(xi_) + of_constraints;
}

// Recursive Newton-Euler algorithm (RNEA) [RBDA, table 5.1] for accelerations alone, in world axes:
// M a without M.
void SparseSolver::set_residuals(const Model& model, const Positions& positions,
                                 const ConstraintRows& rows, std::span<const double> f,
                                 const Eigen::VectorXd& gamma, const Eigen::VectorXd& a,
                                 const Eigen::VectorXd& lambda) {
  const std::span<const Body> bodies = model.bodies();
  A_[0] = {};
  F_[0] = {};
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const std::size_t parent = std::size_t(bodies[i].parent);
    const Pose<double>& X = positions.X_WB[i];
    Motion<double> A = shifted_to(X.p - positions.X_WB[parent].p, A_[parent]);
    for (int dof = bodies[i].v_start; dof < bodies[i].v_end; ++dof)
      A = A + a[dof] * positions.axes[std::size_t(dof)];
    A_[i] = A;
    const Force<double> F =
        model.numbers().bodies[i].inertia *
        Motion<double>{transpose_times(X.R, A.angular), transpose_times(X.R, A.linear)};
    F_[i] = {X.R * F.moment, X.R * F.force};
  }
  for (std::size_t i = bodies.size(); i-- > 1;) {
    for (int dof = bodies[i].v_start; dof < bodies[i].v_end; ++dof)
      force_[dof] = f[std::size_t(dof)] - dot(positions.axes[std::size_t(dof)], F_[i]);
    const std::size_t parent = std::size_t(bodies[i].parent);
    F_[parent] += acting_at(positions.X_WB[i].p - positions.X_WB[parent].p, F_[i]);
  }
  const SparseRows& J = rows.sparse_jacobian();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const int row = rows_[k];
    motion_[Eigen::Index(k)] = gamma[row] - J.dot(row, a);
    const std::span<const int> columns = J.columns(row);
    const std::span<const double> values = J.values(row);
    for (std::size_t i = 0; i < columns.size(); ++i) force_[columns[i]] += lambda[row] * values[i];
  }
}

// Accelerations under an effort on every dof, of changing sign.
bool SparseSolver::is_without_inertia(const Model& model) {
  if (!inertia_.has_added()) return false;
  for (int f = 0; f < model.nv(); ++f) {
    const double size =
        std::sqrt(square_of(efforts_[std::size_t(f)][0]) + square_of(efforts_[std::size_t(f)][1]));
    force_[f] = (std::cos(1.0 + 2.4 * f) < 0 ? -1 : 1) / std::max(size, 1e-300);
  }
  motion_.setZero();
  add_solution(model, probe_a_, probe_lambda_);
  for (int i = 1; i < int(model.bodies().size()); ++i)
    if (!(inertia_.added_energy(i, &xi_[6 * std::size_t(i)]) <= most_added)) return true;
  return false;
}

Status SparseSolver::solve(const Model& model, const Positions& positions,
                           const ConstraintRows& rows, std::span<const double> f,
                           const Eigen::VectorXd& gamma, Eigen::VectorXd& a,
                           Eigen::VectorXd& lambda) {
  if (!inertia_.negative_body().empty())
    return Status::failure("solver 'sparse': body '" + inertia_.negative_body() +
                           "' has a negative mass or moment of inertia");
  if (Status status = evaluate(model, positions, rows); !status)
    return Status::failure("solver 'sparse': " + std::string(status.message()));
  a.setZero(model.nv());
  lambda.setZero(rows.count());
  probe_a_.setZero();
  probe_lambda_.setZero();
  if (is_without_inertia(model))
    return Status::failure(
        "solver 'sparse': give a body that moves there a mass, or constrain it: the mass matrix is "
        "singular (no inertia) along a motion");
  double whole = 0, before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_corrections; ++k) {
    set_residuals(model, positions, rows, f, gamma, a, lambda);
    const double correction = std::sqrt(add_solution(model, a, lambda));
    whole = std::max(whole, correction);
    last_correction_ = whole > 0 ? correction / whole : 0;
    if (!std::isfinite(correction)) break;
    if (last_correction_ <= converged) return {};
    if (correction > 0.5 * before) break;
    before = correction;
  }
  if (last_correction_ <= acceptable) return {};
  return Status::failure(
      "solver 'sparse': the pose is so near a singular one that its decomposition has no digits");
}

}  // namespace trammel
