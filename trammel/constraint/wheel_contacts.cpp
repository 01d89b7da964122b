#include "trammel/constraint/wheel_contacts.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "trammel/constraint/least_effort.hpp"
#include "trammel/constraint/quick_dynamics.hpp"
#include "trammel/constraint/rolling.hpp"

namespace trammel {

namespace {

// Below this part of the largest entry, a self-stress does not reach a row.
constexpr double reach = 1e-9;

// Multipliers that do nothing together, rows x ways: each row that is left out and what of the
// others makes up for it.
Eigen::MatrixXd idle_multipliers(const Eigen::MatrixXd& J, const RankPlan& plan) {
  std::vector<bool> is_kept(std::size_t(plan.count), false);
  for (const int row : plan.rows) is_kept[std::size_t(row)] = true;
  std::vector<int> left_out;
  for (int row = 0; row < plan.count; ++row)
    if (!is_kept[std::size_t(row)]) left_out.push_back(row);
  const auto ways = Eigen::Index(left_out.size());
  Eigen::MatrixXd Z = Eigen::MatrixXd::Zero(plan.count, ways);
  if (ways == 0) return Z;
  for (Eigen::Index k = 0; k < ways; ++k) Z(left_out[std::size_t(k)], k) = 1;
  if (plan.rank() == 0) return Z;
  const Eigen::MatrixXd kept = J(plan.rows, Eigen::all).transpose();
  const Eigen::MatrixXd others = J(left_out, Eigen::all).transpose();
  Z(plan.rows, Eigen::all) = -Eigen::HouseholderQR<Eigen::MatrixXd>(kept).solve(others);
  return Z;
}

// The nearest to `least` in these ways (n x w, orthonormal, across `least`) at which no floor
// pulls: those that would are set to nothing until no other does. None where one of these had to be
// held down by that, or where they depend on each other: then it takes a search.
std::optional<Eigen::VectorXd> with_some_at_rest(const Eigen::VectorXd& least,
                                                 const Eigen::MatrixXd& ways,
                                                 const std::vector<bool>& is_up) {
  constexpr double independent = 1e-6;
  std::vector<int> at_rest;
  Eigen::VectorXd forces = least;
  for (;;) {
    const std::size_t before = at_rest.size();
    for (Eigen::Index k = 0; k < forces.size(); ++k)
      if (is_up[std::size_t(k)] && forces[k] < 0) at_rest.push_back(int(k));
    if (at_rest.size() == before) return forces;
    if (Eigen::Index(at_rest.size()) > ways.cols()) return std::nullopt;
    const Eigen::MatrixXd felt = ways(at_rest, Eigen::all);
    const Eigen::LDLT<Eigen::MatrixXd> together(felt * felt.transpose());
    if (!(together.vectorD().minCoeff() > independent)) return std::nullopt;
    const Eigen::VectorXd push = together.solve(-least(at_rest));
    if (push.minCoeff() < 0) return std::nullopt;
    forces = least + ways * (felt.transpose() * push);
    forces(at_rest).setZero();
  }
}

// Of all forces + Z z the least, as long as no floor pulls, if there are such.
Eigen::VectorXd least_forces(const Eigen::VectorXd& forces, const Eigen::MatrixXd& Z,
                             const std::vector<bool>& is_up) {
  if (Z.cols() == 0) return forces;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> ways(Z);
  const Eigen::MatrixXd Q = ways.householderQ();
  // what no z changes
  const Eigen::MatrixXd fixed = Q.rightCols(Z.rows() - ways.rank());
  const Eigen::VectorXd needed = fixed.transpose() * forces;
  const Eigen::VectorXd least = fixed * needed;
  EffortProblem problem{.A = {}, .needed = needed};
  problem.lower.setConstant(forces.size(), -std::numeric_limits<double>::infinity());
  bool pulls = false;
  for (Eigen::Index k = 0; k < forces.size(); ++k) {
    if (!is_up[std::size_t(k)]) continue;
    problem.lower[k] = 0;
    pulls |= least[k] < 0;
  }
  if (!pulls) return least;
  if (const auto found = with_some_at_rest(least, Q.leftCols(ways.rank()), is_up)) return *found;
  problem.A = fixed.transpose();
  problem.tells_lacking = false;
  LeastEffort found = least_effort(problem);
  if (found.verdict != LeastEffort::Verdict::found) return least;
  // limits are met to some digits of all forces; what is told here is met to rounding
  const double rounding = 1e-14 * forces.norm();
  for (Eigen::Index k = 0; k < forces.size(); ++k) {
    if (found.effort[k] < problem.lower[k] - rounding) return least;
    found.effort[k] = std::max(found.effort[k], problem.lower[k]);
  }
  return found.effort;
}

}  // namespace

double WheelContact::sideways() const {
  double square = 0;
  for (std::size_t k = touches ? 1 : 0; k < pushes.size(); ++k)
    square += pushes[k].force * pushes[k].force;
  return std::sqrt(square);
}
double WheelContact::friction_needed() const {
  if (sideways() == 0) return 0;
  return up() > 0 ? sideways() / up() : std::numeric_limits<double>::infinity();
}

Status wheel_contacts(const Model& model, const State& state, const Inputs& inputs,
                      Workspace& workspace, std::vector<WheelContact>& out) {
  out.clear();
  if (model.wheels().empty()) return {};
  ConstrainedAnswer answer;
  const Rows* seen = nullptr;
  if (Status status =
          quick_dynamics("wheel_contacts", model, state, inputs, workspace, answer, seen);
      !status)
    return status;

  // lambda + Z z does the same for any z: the one that is least on the wheels
  const auto [first, end] = seen->wheel_rows();
  const Eigen::MatrixXd Z =
      idle_multipliers(seen->jacobian(), answer.plan).middleRows(first, end - first);
  std::vector<bool> is_up;
  for (int row = first; row < end; ++row) is_up.push_back(seen->is_holonomic(row));
  const Eigen::VectorXd forces = least_forces(answer.lambda.segment(first, end - first), Z, is_up);

  Eigen::Index row = 0;
  out.reserve(model.wheels().size());
  for (std::size_t w = 0; w < model.wheels().size(); ++w) {
    const Wheel& wheel = model.wheels()[w];
    WheelContact contact;
    contact.wheel = model.description().wheels[std::size_t(wheel.said)].name;
    contact.point = seen->contact(int(row) + first);
    contact.touches = wheel.touches;
    contact.friction = wheel.friction;
    if (wheel.roller_radius > 0)
      contact.roller_rate =
          look_at_wheel(model, int(w), workspace.kinematics).roller_speed / wheel.roller_radius;
    contact.pushes.reserve(std::size_t(wheel.rows()));
    for (RollingRow& kind : rolling_rows(wheel)) {
      contact.pushes.push_back({std::move(kind.name), seen->direction(int(row) + first),
                                forces[row],
                                Z.cols() == 0 || Z.row(row).cwiseAbs().maxCoeff() < reach});
      ++row;
    }
    out.push_back(std::move(contact));
  }
  return {};
}

}  // namespace trammel
