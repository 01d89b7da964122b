#include "trammel/constraint/forces/self_stress.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/forces/stress_length.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Relative to the largest self-stress: smaller values are rounding.
constexpr double least_stress = 1e-9;
// Rounding in the joint reactions of a self-stress whose largest multiplier is 1: a difference of
// wrenches that were summed over all bodies.
constexpr double carried_rounding = 1e4 * std::numeric_limits<double>::epsilon();

// Reactions of all joints for these multipliers, six components each, then the forces on the
// wheels, three each; the kinematics have the accelerations.
Eigen::VectorXd carried(const EvalContext& context, Workspace& workspace,
                        const ConstraintRows& rows, const Eigen::VectorXd& lambda) {
  const Model& model = context.model();
  const Kinematics& kinematics = workspace->kinematics;
  std::vector<Force<double>>& on_body = workspace->on_body;
  std::fill(on_body.begin(), on_body.end(), Force<double>{});
  const auto push = [&](BodyId body, const Force<double>& F, const Vec3<double>& p) {
    const Pose<double> X_WU = kinematics.X_WB[std::size_t(model[body].tree_body)] *
                              model.numbers().X_BU[std::size_t(index(body))];
    const Force<double> at_origin = acting_at(p - X_WU.p, F);
    on_body[std::size_t(index(body))] += Force<double>{transpose_times(X_WU.R, at_origin.moment),
                                                       transpose_times(X_WU.R, at_origin.force)};
  };
  for (const Wrench& wrench : context.inputs().wrenches) {
    const Pose<double> X_WA =
        kinematics.X_WB[std::size_t(model[wrench.at.body].tree_body)] * placed(model, wrench.at);
    const Force<double> F = wrench.axes == Axes::world
                                ? wrench.F
                                : Force<double>{X_WA.R * wrench.F.moment, X_WA.R * wrench.F.force};
    push(wrench.at.body, F, X_WA.p);
  }
  for (const ConstraintRows::RowWrench& row : rows.row_wrenches()) {
    const Force<double> F = lambda[row.row] * row.F;
    push(row.child, F, row.p);
    push(row.parent, -F, row.p);
  }
  for (const ElementForce& element : workspace->element_forces) {
    push(element.child, element.F, element.p);
    push(element.parent, -element.F, element.p);
  }
  std::vector<Force<double>> forces(model.joints().size());
  kernel::reactions<double, double>(context.unloaded_input(), kinematics, on_body, forces);
  const std::vector<Force<double>> of_closures = rows.carried(lambda, workspace->element_forces);
  for (std::size_t c = 0; c < of_closures.size(); ++c)
    if (const auto named = model.closures()[c].named) {
      const Mat3<double>& T = model.numbers().closures[c].turn;
      forces[std::size_t(index(*named))] = {T * of_closures[c].moment, T * of_closures[c].force};
    }
  const std::vector<Vec3<double>> on_wheels = rows.on_wheels(lambda);
  Eigen::VectorXd all(Eigen::Index(6 * forces.size() + 3 * on_wheels.size()));
  for (std::size_t k = 0; k < on_wheels.size(); ++k)
    all.segment<3>(Eigen::Index(6 * forces.size() + 3 * k)) << on_wheels[k].x, on_wheels[k].y,
        on_wheels[k].z;
  for (std::size_t j = 0; j < forces.size(); ++j) {
    const auto& [n, f] = forces[j];
    all.segment<6>(Eigen::Index(6 * j)) << n.x, n.y, n.z, f.x, f.y, f.z;
  }
  return all;
}

}  // namespace

void check_weights(const Model& model, const StressWeights& weights) {
  const std::size_t wanted = model.joints().size(), given = weights.joints.size();
  if (given != 0 && given != wanted)
    throw std::invalid_argument(fmt::format(
        "constrained_reactions: there are {} weights, the model has {} joints", given, wanted));
  const auto is_weight = [](double x) { return x > 0 && std::isfinite(x); };
  for (std::size_t j = 0; j < given; ++j)
    if (!is_weight(weights.joints[j]))
      throw std::invalid_argument(fmt::format(
          "constrained_reactions: the weight of joint '{}' is {}: give a number above 0",
          model.joints()[j].name, weights.joints[j]));
  if (weights.length != 0 && !is_weight(weights.length))
    throw std::invalid_argument(fmt::format(
        "constrained_reactions: the length that scales moments is {} m: give a length above 0, or "
        "leave it out",
        weights.length));
}

void least_reactions(const EvalContext& context, Workspace& workspace, const ConstraintRows& rows,
                     const ConstrainedAnswer& answer, const StressWeights& weights,
                     UniqueReactions& out) {
  const Model& model = context.model();
  const Eigen::VectorXd some = carried(context, workspace, rows, answer.lambda);
  const Eigen::MatrixXd sets = dependent_sets(rows.jacobian(), answer.basis);
  Eigen::MatrixXd stress(some.size(), sets.cols());
  // as large as the reactions, or the difference would lose its digits
  const double size = std::max(1.0, max_abs(some));
  for (Eigen::Index k = 0; k < sets.cols(); ++k) {
    stress.col(k) =
        (carried(context, workspace, rows, answer.lambda + size * sets.col(k)) - some) / size;
    // constraints other than joints may carry a self-stress alone: then all of it is rounding
    const double rounding = carried_rounding * (1 + max_abs(stress.col(k)));
    for (double& x : stress.col(k))
      if (std::abs(x) <= rounding) x = 0;
  }

  // minimum norm, moments divided by a length; wheels carry forces only
  Eigen::VectorXd chosen = some;
  out.length = 0;
  if (sets.cols() > 0) {
    out.length = weights.length > 0 ? weights.length : stress_length(model);
    Eigen::VectorXd weight = Eigen::VectorXd::Ones(some.size());
    for (std::size_t j = 0; j < model.joints().size(); ++j) {
      auto of_joint = weight.segment<6>(Eigen::Index(6 * j));
      of_joint.head<3>().setConstant(1 / out.length);
      if (!weights.joints.empty()) of_joint *= std::sqrt(weights.joints[j]);
    }
    // self-stresses that are dependent up to rounding count as one: coefficients of 1e15 would
    // leave rounding in all reactions
    chosen -= stress *
              least_squares(weight.asDiagonal() * stress, weight.asDiagonal() * some, least_stress);
  }
  const double noise = least_stress * max_abs(stress);
  out.force.resize(model.joints().size());
  out.is_unique.resize(model.joints().size());
  for (std::size_t j = 0; j < out.force.size(); ++j) {
    const double* x = chosen.data() + 6 * j;
    out.force[j] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    for (std::size_t k = 0; k < 6; ++k)
      out.is_unique[j][k] =
          sets.cols() == 0 || max_abs(stress.row(Eigen::Index(6 * j + k))) <= noise;
  }
}

}  // namespace trammel
