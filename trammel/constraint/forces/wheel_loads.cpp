#include "trammel/constraint/forces/wheel_loads.hpp"

#include <cmath>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/forces/min_norm_contact_loads.hpp"
#include "trammel/constraint/forces/wheel_row_forces.hpp"
#include "trammel/constraint/solver/dynamics_with_rows.hpp"

namespace trammel {

namespace {

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

// Sums up the forces of the rows wheel by wheel.
void write_loads(const Model& model, std::span<const double> forces,
                 std::span<const double> margins, std::vector<WheelLoad>& out) {
  out.resize(model.wheels().size());
  std::size_t row = 0;
  for (std::size_t w = 0; w < out.size(); ++w) {
    const Wheel& wheel = model.wheels()[w];
    const std::size_t end = row + std::size_t(wheel.rows());
    out[w].margin = wheel.touches ? margins[row] : 0;
    out[w].up = wheel.touches ? forces[row++] : 0;
    double square = 0;
    for (; row < end; ++row) square += forces[row] * forces[row];
    out[w].sideways = std::sqrt(square);
  }
}

}  // namespace

Eigen::VectorXd wheel_row_forces(const ConstraintRows& rows, const ConstrainedAnswer& answer,
                                 Eigen::MatrixXd& idle, Eigen::VectorXd* margins) {
  const auto [first, end] = rows.wheel_rows();
  idle.resize(end - first, 0);
  const Eigen::VectorXd forces = answer.lambda.segment(first, end - first);
  if (answer.basis.rank() == answer.basis.count) {
    if (margins != nullptr) *margins = forces;
    return forces;
  }
  // lambda + Z z gives the same motion for any z: the minimum norm on the wheels
  idle = idle_multipliers(rows.jacobian(), answer.basis).middleRows(first, end - first);
  std::vector<bool> is_up;
  for (int row = first; row < end; ++row) is_up.push_back(rows.is_holonomic(row));
  return min_norm_contact_loads(forces, idle, is_up, margins);
}

static void write_loads(const Model& model, const ConstraintRows& rows,
                        const ConstrainedAnswer& answer, std::vector<WheelLoad>& out) {
  Eigen::MatrixXd idle;
  Eigen::VectorXd margins;
  const Eigen::VectorXd forces = wheel_row_forces(rows, answer, idle, &margins);
  write_loads(model, as_span(forces), as_span(margins), out);
}

Status wheel_loads(const Model& model, const State& state, const Inputs& inputs,
                   Workspace& workspace, std::vector<WheelLoad>& out) {
  out.clear();
  if (model.wheels().empty()) return {};
  ConstrainedAnswer answer;
  const ConstraintRows* rows = nullptr;
  if (Status status =
          dynamics_with_rows("wheel_loads", model, state, inputs, workspace, answer, rows);
      !status)
    return status;
  write_loads(model, *rows, answer, out);
  return {};
}

bool wheel_loads_of_last_dynamics(const Model& model, Workspace& workspace,
                                  const WheelMultipliers& multipliers,
                                  std::vector<WheelLoad>& out) {
  if (!multipliers.are_known) return false;
  if (multipliers.are_unique) {
    write_loads(model, multipliers.of_rows, multipliers.of_rows, out);
    return true;
  }
  ConstrainedAnswer answer;
  const ConstraintRows* rows = nullptr;
  if (!rows_of_last_dynamics(model, workspace, answer, rows)) return false;
  write_loads(model, *rows, answer, out);
  return true;
}

}  // namespace trammel
