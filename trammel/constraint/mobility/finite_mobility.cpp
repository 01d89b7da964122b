#include "trammel/constraint/mobility/finite_mobility.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <random>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Step length: large enough to detect curvature, small enough that projection stays on the branch;
// rotations in radians, slides in characteristic lengths.
constexpr double branch_step = 0.02;
// Step length at the new pose: short enough not to return to where branches meet.
constexpr double side_step = branch_step / 10;
// Smallest ratio of remaining to taken step: projection reverses a step along a direction of no
// branch, up to the square root of rounding at a double root, 1e-5 of a step.
constexpr double taken_back = 0.1;
// Smallest singular value of independent directions: the curvature of a path contributes about its
// step.
constexpr double bend = 0.2;
// Relative rank tolerance after a step: loops are closed to rounding, and dependent rows differ by
// its square root.
constexpr double same = 1e-6;
// Largest number of basis directions to start from.
constexpr Eigen::Index most_directions = 12;

int rank(const Eigen::MatrixXd& A, double tolerance) {
  if (A.size() == 0) return 0;
  return int((singular_values(A).array() > tolerance).count());
}

// Random directions, the same on every platform: four random combinations, then each basis
// direction with both signs plus a random part.
std::vector<Eigen::VectorXd> mixed_directions(Eigen::Index n) {
  std::mt19937 engine(1);
  const auto any = [&] {
    Eigen::VectorXd x(n);
    for (double& part : x) part = 2 * (double(engine()) / 4294967296.0) - 1;
    return x;
  };
  std::vector<Eigen::VectorXd> list;
  for (int k = 0; k < 4; ++k) list.push_back(any().normalized());
  for (Eigen::Index i = 0; i < std::min(n, most_directions); ++i)
    for (const double sign : {1.0, -1.0})
      list.push_back((sign * Eigen::VectorXd::Unit(n, i) + 0.7 * any()).normalized());
  return list;
}

// Random orthogonal matrix, the same on every platform. A basis along the coordinates is not
// generic: some of its motions leave unchanged what all others change, as wheels that stay parallel
// while none of them is steered.
Eigen::MatrixXd any_rotation(Eigen::Index n) {
  std::mt19937 engine(2);
  return Qr(Eigen::MatrixXd::NullaryExpr(n, n, [&] { return double(engine()) / 2147483648.0 - 1; }))
      .q();
}

class Walk {
 public:
  Walk(const Model& model, Workspace& workspace, std::span<const double> q)
      : model_(model), workspace_(workspace), rows_(model) {
    evaluate(q);
    unit_ = dof_weights(model, workspace->kinematics).cwiseInverse();
  }

  // Orthonormal tangents at q (null space of J), `count` of them or all; slides in characteristic
  // lengths.
  Eigen::MatrixXd motions(std::span<const double> q, int count = -1) {
    evaluate(q);
    Eigen::MatrixXd J = rows_.jacobian() * unit_.asDiagonal();
    for (int k = 0; k < rows_.count(); ++k)
      if (!rows_.is_turn(k)) J.row(k) /= model_.characteristic_length();
    const Svd svd = svd_divide(J, Basis::full);
    const Eigen::VectorXd& size = svd.values;
    const auto constrained = size.size() == 0 ? 0 : (size.array() > same * size[0]).count();
    return svd.V.rightCols(count >= 0 ? count : J.cols() - constrained);
  }

  // Step along `way` and projection onto the constraints: returns the displacement per step length,
  // and the new pose in `there`. Empty if no closed position is found nearby.
  Eigen::VectorXd follow(const std::vector<double>& from, const Eigen::VectorXd& way, double far,
                         std::vector<double>& there) {
    State next = neutral_state(model_);
    integrate(model_, from, as_span(Eigen::VectorXd(far * unit_.cwiseProduct(way))), next.q);
    if (!assemble(model_, next, workspace_, {.nudges = 0}).ok()) return {};
    std::vector<double> gone(next.v.size());
    difference(model_, from, next.q, gone);
    there = next.q;
    const Eigen::VectorXd left = as_vector(gone).cwiseQuotient(unit_) / far;
    return left.norm() < 2 ? left : Eigen::VectorXd();
  }

  // Number of independent tangents at q that can be followed.
  int ways(const std::vector<double>& q, const Eigen::MatrixXd& T) {
    Eigen::MatrixXd left = Eigen::MatrixXd::Zero(T.cols(), T.cols());
    std::vector<double> there;
    for (Eigen::Index k = 0; k < T.cols(); ++k)
      if (const Eigen::VectorXd gone = follow(q, T.col(k), side_step, there); gone.size() > 0)
        left.col(k) = T.transpose() * gone;
    return rank(left, 0.3);
  }

 private:
  void evaluate(std::span<const double> q) {
    kernel::kernels().kinematics({model_, model_.numbers()}, q, workspace_->zero, workspace_->zero,
                                 *workspace_, workspace_->kinematics);
    rows_.evaluate(model_, workspace_->kinematics, q, workspace_->zero, workspace_->zero, {});
  }

  const Model& model_;
  Workspace& workspace_;
  ConstraintRows rows_;
  Eigen::VectorXd unit_;
};

}  // namespace

FiniteMobility finite_mobility(const Model& model, const std::vector<double>& q, int instantaneous,
                               Workspace& workspace) {
  FiniteMobility found;
  Walk walk(model, workspace, q);
  const Eigen::MatrixXd T = walk.motions(q, instantaneous) * any_rotation(instantaneous);
  Eigen::MatrixXd directions(model.nv(), 0);
  for (const Eigen::VectorXd& mixed : mixed_directions(T.cols())) {
    std::vector<double> there;
    const Eigen::VectorXd gone = walk.follow(q, T * mixed, branch_step, there);
    if (gone.size() == 0 || gone.norm() < taken_back) continue;
    directions.conservativeResize(Eigen::NoChange, directions.cols() + 1);
    directions.rightCols(1) = gone.normalized();
    const Eigen::MatrixXd T_there = walk.motions(there);
    if (T_there.cols() > found.ways)
      found.ways = std::clamp(walk.ways(there, T_there), found.ways, instantaneous);
    if (found.ways == instantaneous) return found;  // an upper bound
  }
  found.branches_meet = rank(directions, bend) > found.ways;
  return found;
}

}  // namespace trammel
