#include <Eigen/Core>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/inverse_kinematics.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Relative residual above which a target is not reached.
constexpr double missed = 1e-9;
// At rest and with zero targets, residuals are rounding of the motion before: smaller ones are
// ignored. [m/s] or [m/s^2]
constexpr double rounding = 1e-12;

// Linear equations on joint motions: constraint rows, then targets.
class Wanted {
 public:
  Wanted(const Model& model, const Eigen::VectorXd& weights) : model_(model), weights_(weights) {}

  void add(const Eigen::MatrixXd& J, const Eigen::VectorXd& rhs) {
    const Eigen::Index before = J_.rows();
    J_.conservativeResize(before + J.rows(), model_.nv());
    rhs_.conservativeResize(before + J.rows());
    J_.bottomRows(J.rows()) = J;
    rhs_.tail(J.rows()) = rhs;
  }
  // the solution nearest to `prior`, in the norm of the dof weights
  Eigen::VectorXd nearest_to(const Eigen::VectorXd& prior) const {
    if (J_.rows() == 0) return prior;
    const OrthogonalDecomposition solver(J_ * weights_.cwiseInverse().asDiagonal(), 1e-10);
    return prior + weights_.cwiseInverse().asDiagonal() * solver.solve(rhs_ - J_ * prior);
  }
  Eigen::VectorXd left_open(const Eigen::VectorXd& x) const { return rhs_ - J_ * x; }
  double scale() const { return max_abs(rhs_); }

 private:
  const Model& model_;
  const Eigen::VectorXd weights_;
  Eigen::MatrixXd J_;
  Eigen::VectorXd rhs_;
};

Eigen::VectorXd at_rows(const Eigen::VectorXd& x, const RowBasis& basis) {
  Eigen::VectorXd out(basis.rank());
  for (int k = 0; k < basis.rank(); ++k) out[k] = x[basis.rows[std::size_t(k)]];
  return out;
}

struct Motions {
  const char* context;
  const Model& model;
  std::span<const MotionTarget> targets;
  const char *turns, *travels;  // units
};

// targets minus `already`, the motion of a place while the joints contribute nothing
template <class Already>
Status add_targets(const Motions& request, const Kinematics& moving, const Already& already,
                   Wanted& wanted) {
  Eigen::MatrixXd J(6, request.model.nv());
  for (const MotionTarget& target : request.targets) {
    if (Status status = jacobian(request.model, moving, target.place, Axes::world, J); !status)
      return status;
    const Motion<double> before = already(target.place);
    const auto add = [&](const Vec3<double>& want, const Vec3<double>& has, Eigen::Index from) {
      const Vec3<double> d = want - has;
      wanted.add(J.middleRows<3>(from), Eigen::Vector3d(d.x, d.y, d.z));
    };
    if (target.angular) add(*target.angular, before.angular, 0);
    if (target.linear) add(*target.linear, before.linear, 3);
  }
  return {};
}

// `usual`: typical size of such motions here, which also holds where the targets nearly cancel.
Status check_met(const Motions& request, const Wanted& wanted, int rows, const Eigen::VectorXd& x,
                 const Eigen::VectorXd& weights, double usual) {
  const Eigen::VectorXd open = wanted.left_open(x);
  const double scale = usual + wanted.scale() + max_abs(weights.asDiagonal() * x);
  const double tolerance = missed * (1 + request.model.characteristic_length()) * scale + rounding;
  if (rows > 0 && open.head(rows).norm() > tolerance)
    return Status::failure(fmt::format(
        "{}: no joint motion reaches the targets and satisfies the constraints: leave targets out, "
        "or see with trammel info which joints are locked or driven by motion",
        request.context));
  Eigen::Index row = rows;
  for (const MotionTarget& target : request.targets) {
    double turns = 0, travels = 0;
    if (target.angular) turns = open.segment<3>(row).norm(), row += 3;
    if (target.linear) travels = open.segment<3>(row).norm(), row += 3;
    if (turns + travels <= tolerance) continue;
    return Status::failure(fmt::format(
        "{}: a place on body '{}' cannot have the target motion at this pose: its angular motion "
        "misses by {:.3g} {}, its linear motion by {:.3g} {}: leave a part of the target out, or "
        "choose another pose",
        request.context, request.model[target.place.body].name, turns, request.turns, travels,
        request.travels));
  }
  return {};
}

}  // namespace

Status inverse_kinematics_velocity(const Model& model, const State& state,
                                   std::span<const MotionTarget> targets, Workspace& workspace,
                                   std::span<double> v, SelfMotion self_motion) {
  const Motions request{"inverse_kinematics_velocity", model, targets, "rad/s", "m/s"};
  State still = state;
  std::fill(still.v.begin(), still.v.end(), 0.0);
  const Inputs none;
  const EvalContext context(request.context, model, still, none, workspace, Constraints::honored,
                            Forces::apart);
  context.expects_vector("v", state.v.size(), model.nv());
  context.expects_vector("v", v.size(), model.nv());
  if (!context.ok()) return context.status();
  RowBasis basis;
  if (Status status = row_basis(model, still, workspace, basis); !status) return status;

  ConstraintRows rows(model);
  Kinematics moving(model);
  kernel::kernels().kinematics(context.unloaded_input(), state.q, state.v, context.zero(),
                               *workspace, moving);
  rows.evaluate(model, moving, state.q, state.v, context.zero(), {});
  const Eigen::VectorXd weights = dof_weights(model, moving), now = as_vector(state.v);
  Wanted wanted(model, weights);
  const Eigen::VectorXd kept = rows.jacobian() * now - rows.rate();  // of prescribed joints
  wanted.add(independent_rows(rows.jacobian(), basis), at_rows(kept, basis));
  if (Status status = add_targets(
          request, moving, [](const FrameRef&) { return Motion<double>{}; }, wanted);
      !status)
    return status;
  const Eigen::VectorXd found =
      wanted.nearest_to(self_motion == SelfMotion::kept ? now : Eigen::VectorXd::Zero(model.nv()));
  // brought to rest, or nearly: the residual is rounding of the velocities before, some 1e-13 of
  // them, however small the targets are
  const double before = max_abs(weights.asDiagonal() * now);
  if (Status status = check_met(request, wanted, basis.rank(), found, weights, 1e-4 * before);
      !status)
    return status;
  std::copy_n(found.data(), v.size(), v.begin());
  return {};
}

Status inverse_kinematics_acceleration(const Model& model, const State& state,
                                       std::span<const MotionTarget> targets, const Inputs& inputs,
                                       Workspace& workspace, std::span<double> a,
                                       SelfMotion self_motion) {
  const Motions request{"inverse_kinematics_acceleration", model, targets, "rad/s^2", "m/s^2"};
  const EvalContext context(request.context, model, state, inputs, workspace, Constraints::honored,
                            Forces::apart);
  context.expects_vector("a", a.size(), model.nv());
  if (!context.ok()) return context.status();
  RowBasis basis;
  if (Status status = row_basis(model, state, workspace, basis); !status) return status;

  ConstraintRows rows(model);
  evaluate_rows(context, workspace, rows);
  const Kinematics moving = workspace->kinematics;
  const Eigen::VectorXd weights = dof_weights(model, moving);
  Wanted wanted(model, weights);
  wanted.add(independent_rows(rows.jacobian(), basis), at_rows(-rows.acceleration(), basis));
  const auto drift = [&](const FrameRef& place) { return acceleration(model, moving, place); };
  if (Status status = add_targets(request, moving, drift, wanted); !status) return status;
  const Eigen::VectorXd found =
      wanted.nearest_to(self_motion == SelfMotion::kept ? Eigen::VectorXd(as_vector(context.a()))
                                                        : Eigen::VectorXd::Zero(model.nv()));
  // a place that moves straight at constant speed: velocity terms cancel, but for rounding
  const double fastest = max_abs(weights.asDiagonal() * as_vector(context.v()));
  if (Status status = check_met(request, wanted, basis.rank(), found, weights, fastest * fastest);
      !status)
    return status;
  std::copy_n(found.data(), a.size(), a.begin());
  return {};
}

}  // namespace trammel
