#include "trammel/constraint/finite_mobility.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <random>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly.hpp"
#include "trammel/constraint/instant.hpp"

namespace trammel {

namespace {

// A step far enough that what bends away is seen, near enough that closing it leads nowhere else;
// of turns in radians, of slides in the mechanism's length.
constexpr double step = 0.02;
// To look around where a step has led: not as far as to where branches meet.
constexpr double side_step = step / 10;
// Of what was stepped, what is left when closing takes it back: at a double root rounding leaves
// its square root, 1e-5 of a step.
constexpr double taken_back = 0.1;
// Parts of directions below this are the bend of a way, which is about its step.
constexpr double bend = 0.2;
// Where a step has led rows may be open by rounding, and those that depend on each other differ by
// its square root.
constexpr double same = 1e-6;
// Directions of the basis to start from: in large mechanisms not all.
constexpr Eigen::Index most_directions = 12;

int rank(const Eigen::MatrixXd& A, double tolerance) {
  if (A.size() == 0) return 0;
  return int((singular_values(A).array() > tolerance).count());
}

// Mixed at random, the same numbers everywhere: each of the basis both ways with some of the
// others, and some of all.
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

// Orthogonal, at random, the same numbers everywhere: a basis along the coordinates has motions in
// it that keep what all others change, as wheels that are parallel while none of them is steered.
Eigen::MatrixXd any_rotation(Eigen::Index n) {
  std::mt19937 engine(2);
  return Qr(Eigen::MatrixXd::NullaryExpr(n, n, [&] { return double(engine()) / 2147483648.0 - 1; }))
      .q();
}

class Walk {
 public:
  Walk(const Model& model, Workspace& workspace, std::span<const double> q)
      : model_(model), workspace_(workspace), rows_(model) {
    look(q);
    unit_ = freedom_weights(model, workspace.kinematics).cwiseInverse();
  }

  // The motions that begin at q, so many of them or all: columns of length 1, slides in the
  // mechanism's length.
  Eigen::MatrixXd motions(std::span<const double> q, int count = -1) {
    look(q);
    Eigen::MatrixXd J = rows_.jacobian() * unit_.asDiagonal();
    for (int k = 0; k < rows_.count(); ++k)
      if (!rows_.is_turn(k)) J.row(k) /= model_.characteristic_length();
    const Svd svd = svd_divide(J, Basis::full);
    const Eigen::VectorXd& size = svd.values;
    const auto held = size.size() == 0 ? 0 : (size.array() > same * size[0]).count();
    return svd.V.rightCols(count >= 0 ? count : J.cols() - held);
  }

  // Where a step along `way` leads when the loops are closed again, and what is left of it there;
  // nothing if they do not close nearby.
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

  // Of the motions that begin at q, as many as can be followed there.
  int ways(const std::vector<double>& q, const Eigen::MatrixXd& T) {
    Eigen::MatrixXd left = Eigen::MatrixXd::Zero(T.cols(), T.cols());
    std::vector<double> there;
    for (Eigen::Index k = 0; k < T.cols(); ++k)
      if (const Eigen::VectorXd gone = follow(q, T.col(k), side_step, there); gone.size() > 0)
        left.col(k) = T.transpose() * gone;
    return rank(left, 0.3);
  }

 private:
  void look(std::span<const double> q) {
    kernel::kernels().kinematics({model_, model_.numbers()}, q, workspace_.zero, workspace_.zero,
                                 workspace_, workspace_.kinematics);
    rows_.evaluate(model_, workspace_.kinematics, q, workspace_.zero, workspace_.zero, {});
  }

  const Model& model_;
  Workspace& workspace_;
  Rows rows_;
  Eigen::VectorXd unit_;
};

}  // namespace

FiniteMobility finite_mobility(const Model& model, const std::vector<double>& q, int instantaneous,
                               Workspace& workspace) {
  FiniteMobility found;
  Walk walk(model, workspace, q);
  const Eigen::MatrixXd T = walk.motions(q, instantaneous) * any_rotation(instantaneous);
  Eigen::MatrixXd seen(model.nv(), 0);
  for (const Eigen::VectorXd& mixed : mixed_directions(T.cols())) {
    std::vector<double> there;
    const Eigen::VectorXd gone = walk.follow(q, T * mixed, step, there);
    if (gone.size() == 0 || gone.norm() < taken_back) continue;
    seen.conservativeResize(Eigen::NoChange, seen.cols() + 1);
    seen.rightCols(1) = gone.normalized();
    const Eigen::MatrixXd T_there = walk.motions(there);
    if (T_there.cols() > found.ways)
      found.ways = std::clamp(walk.ways(there, T_there), found.ways, instantaneous);
    if (found.ways == instantaneous) return found;  // no more begin than go on
  }
  found.branches_meet = rank(seen, bend) > found.ways;
  return found;
}

}  // namespace trammel
