#include "trammel/constraint/forces/wheel_contacts.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/forces/min_norm_contact_loads.hpp"
#include "trammel/constraint/kinds/rolling.hpp"
#include "trammel/constraint/solver/dynamics_with_rows.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Entry of a self-stress below which it does not affect a row (a row left out has 1).
constexpr double null_space_tolerance = 1e-9;

// Self-stresses, a null-space basis of J^T, rows x redundant rows: each row left out with the
// combination of the others that balances it.
Eigen::MatrixXd idle_multipliers(const Eigen::MatrixXd& J, const RowBasis& basis) {
  std::vector<bool> is_kept(std::size_t(basis.count), false);
  for (const int row : basis.rows) is_kept[std::size_t(row)] = true;
  std::vector<int> left_out;
  for (int row = 0; row < basis.count; ++row)
    if (!is_kept[std::size_t(row)]) left_out.push_back(row);
  const auto ways = Eigen::Index(left_out.size());
  Eigen::MatrixXd Z = Eigen::MatrixXd::Zero(basis.count, ways);
  if (ways == 0) return Z;
  for (Eigen::Index k = 0; k < ways; ++k) Z(left_out[std::size_t(k)], k) = 1;
  if (basis.rank() == 0) return Z;
  const Eigen::MatrixXd kept = J(basis.rows, Eigen::all).transpose();
  const Eigen::MatrixXd others = J(left_out, Eigen::all).transpose();
  // normal equations where they keep enough digits, with one step of iterative refinement
  const Llt products(kept.transpose().lazyProduct(kept));
  if (keep_digits(products)) {
    Eigen::MatrixXd parts = products.solve(kept.transpose().lazyProduct(others));
    parts += products.solve(kept.transpose().lazyProduct(others - kept.lazyProduct(parts)));
    Z(basis.rows, Eigen::all) = -parts;
  } else {
    Z(basis.rows, Eigen::all) = -Qr(kept).solve(others);
  }
  return Z;
}

}  // namespace

double WheelContact::sideways() const {
  double square = 0;
  for (std::size_t k = touches ? 1 : 0; k < row_forces.size(); ++k)
    square += row_forces[k].force * row_forces[k].force;
  return std::sqrt(square);
}
double WheelContact::friction_needed() const {
  if (sideways() == 0) return 0;
  return up() > 0 ? sideways() / up() : std::numeric_limits<double>::infinity();
}

Status wheel_contacts(const Model& model, const State& state, const Inputs& inputs,
                      Workspace& workspace, std::vector<WheelContact>& out) {
  if (model.wheels().empty()) {
    out.clear();
    return {};
  }
  ConstrainedAnswer answer;
  const ConstraintRows* rows = nullptr;
  if (Status status =
          dynamics_with_rows("wheel_contacts", model, state, inputs, workspace, answer, rows);
      !status) {
    out.clear();
    return status;
  }

  // lambda + Z z gives the same motion for any z: the minimum norm on the wheels
  const auto [first, end] = rows->wheel_rows();
  const Eigen::MatrixXd Z =
      idle_multipliers(rows->jacobian(), answer.basis).middleRows(first, end - first);
  std::vector<bool> is_up;
  for (int row = first; row < end; ++row) is_up.push_back(rows->is_holonomic(row));
  const Eigen::VectorXd forces =
      min_norm_contact_loads(answer.lambda.segment(first, end - first), Z, is_up);

  Eigen::Index row = 0;
  out.resize(model.wheels().size());  // keeps the capacity of old entries
  for (std::size_t w = 0; w < model.wheels().size(); ++w) {
    const Wheel& wheel = model.wheels()[w];
    WheelContact& contact = out[w];
    contact.wheel = model.description().wheels[std::size_t(wheel.description)].name;
    contact.point = rows->contact(int(row) + first);
    contact.touches = wheel.touches;
    contact.friction = wheel.friction;
    contact.roller_rate.reset();
    if (wheel.roller_radius > 0)
      contact.roller_rate =
          evaluate_wheel(model, int(w), workspace->kinematics).roller_speed / wheel.roller_radius;
    contact.row_forces.clear();
    for (const RollingRow& kind : rolling_rows(wheel)) {
      contact.row_forces.push_back({kind.name, rows->direction(int(row) + first), forces[row],
                                    Z.cols() == 0 || max_abs(Z.row(row)) < null_space_tolerance});
      ++row;
    }
  }
  return {};
}

}  // namespace trammel
