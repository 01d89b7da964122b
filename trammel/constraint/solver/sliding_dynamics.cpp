#include "trammel/constraint/solver/sliding_dynamics.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <stdexcept>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

namespace {

// Pivot, relative to the largest, below which the system of followers is singular: its solution
// would be rounding.
constexpr double jammed = 1e-9;

Status renamed(const Status& status) {
  const std::string& words = status.message();
  return Status::failure("sliding_dynamics" + words.substr(words.find(':')));
}

// The multiplier of a redundant row is not unique, and no force can be proportional to it.
Status check_rows(const Model& model, const State& state, std::span<const Follower> followers,
                  const RowBasis& basis, Workspace& workspace) {
  Eigen::MatrixXd J;
  if (Status status = constraint_jacobian(model, state, workspace, J); !status)
    return renamed(status);
  const Eigen::MatrixXd sets = dependent_sets(J, basis);
  for (const Follower& follower : followers)
    if (sets.cols() > 0 && max_abs(sets.row(follower.row)) > 0)
      return Status::failure(
          fmt::format("sliding_dynamics: the multiplier of '{}' is not unique, and no force can "
                      "follow it: other rows constrain the same motion; remove one of them, or "
                      "choose another row",
                      row_names(model)[std::size_t(follower.row)]));
  return {};
}

}  // namespace

Status sliding_dynamics(const Model& model, const State& state, const Inputs& inputs,
                        std::span<const Follower> followers, Workspace& workspace,
                        ConstrainedAnswer& out, ConstraintSolver solver) {
  const std::vector<std::string> names = row_names(model);
  for (const Follower& follower : followers)
    if (follower.row < 0 || std::size_t(follower.row) >= names.size())
      throw std::invalid_argument(
          fmt::format("sliding_dynamics: a force follows row {}, the model has rows 0 to {}",
                      follower.row, int(names.size()) - 1));
  if (Status status = constrained_dynamics(model, state, inputs, workspace, out, solver); !status)
    return renamed(status);
  if (followers.empty()) return {};
  if (Status status = check_rows(model, state, followers, out.basis, workspace); !status)
    return status;

  // response to each follower alone
  const auto n = Eigen::Index(followers.size());
  Eigen::MatrixXd a(out.a.size(), n), lambda(out.lambda.size(), n);
  for (Eigen::Index k = 0; k < n; ++k) {
    std::vector<Wrench> wrenches(inputs.wrenches.begin(), inputs.wrenches.end());
    wrenches.push_back(followers[std::size_t(k)].wrench);
    Inputs pushed = inputs;
    pushed.wrenches = wrenches;
    ConstrainedAnswer with;
    if (Status status =
            constrained_dynamics(model, state, pushed, workspace, with, out.solver, &out.basis);
        !status)
      return renamed(status);
    a.col(k) = with.a - out.a;
    lambda.col(k) = with.lambda - out.lambda;
  }

  // the magnitude of each follower is the multiplier of its row under all of them: s = s_0 + L s
  Eigen::MatrixXd A = Eigen::MatrixXd::Identity(n, n);
  Eigen::VectorXd s(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const Eigen::Index row = followers[std::size_t(j)].row;
    A.row(j) -= lambda.row(row);
    s[j] = out.lambda[row];
  }
  const FullPivotLu factors(A, jammed);
  if (!factors.is_invertible() || factors.max_pivot() < jammed) {
    std::string rows;
    for (const Follower& follower : followers)
      rows += fmt::format("{}'{}'", rows.empty() ? "" : ", ", names[std::size_t(follower.row)]);
    return Status::failure(fmt::format(
        "sliding_dynamics: the forces that follow {} leave no unique answer: the equations of "
        "their magnitudes are singular (jamming); change their direction or their size",
        rows));
  }
  s = factors.solve(s);
  out.a += a * s;
  out.lambda += lambda * s;
  return {};
}

}  // namespace trammel
