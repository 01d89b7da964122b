#include "trammel/constraint/wheel_contacts.hpp"

#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/constraint/rolling.hpp"
#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

namespace {

// Below this part of the largest entry, a self-stress does not reach a row.
constexpr double reach = 1e-9;

// All multipliers that do nothing together: the null space of J^T, rows x ways.
Eigen::MatrixXd idle_multipliers(const Eigen::MatrixXd& J, int rank) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(J);
  const Eigen::MatrixXd Q = factors.householderQ();
  return Q.rightCols(J.rows() - rank);
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
  if (Status status = constrained_dynamics(model, state, inputs, workspace, answer); !status)
    return status;
  Eigen::MatrixXd J;
  if (Status status = constraint_jacobian(model, state, workspace, J); !status) return status;
  Kinematics moving(model);
  if (Status status = kinematics(model, state, {}, workspace, moving); !status) return status;

  // which rows are of wheels
  const std::vector<std::string> names = row_names(model);
  std::vector<int> rows;
  for (const Wheel& wheel : model.wheels())
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k].starts_with(wheel.name + ": ")) rows.push_back(int(k));

  // lambda + Z z does the same for any z: the one that is least on the wheels
  Eigen::VectorXd lambda = answer.lambda;
  const Eigen::MatrixXd Z = idle_multipliers(J, answer.plan.rank());
  const Eigen::MatrixXd on_wheels = Z(rows, Eigen::all);
  if (Z.cols() > 0) {
    const Eigen::VectorXd target = -lambda(rows);
    lambda += Z * on_wheels.completeOrthogonalDecomposition().solve(target);
  }
  std::size_t row = 0;
  for (std::size_t w = 0; w < model.wheels().size(); ++w) {
    const Wheel& wheel = model.wheels()[w];
    const RollingAt at = look_at_wheel(model, int(w), moving);
    WheelContact contact;
    contact.wheel = model.description().wheels[std::size_t(wheel.said)].name;
    contact.point = at.contact;
    contact.touches = wheel.touches;
    contact.friction = wheel.friction;
    if (wheel.roller_radius > 0) contact.roller_rate = at.roller_speed / wheel.roller_radius;
    const std::vector<RollingRow> kinds = rolling_rows(wheel);
    for (std::size_t k = 0; k < kinds.size(); ++k, ++row)
      contact.pushes.push_back(
          {kinds[k].name, at.direction[k], lambda[rows[row]],
           Z.cols() == 0 || on_wheels.row(Eigen::Index(row)).cwiseAbs().maxCoeff() < reach});
    out.push_back(std::move(contact));
  }
  return {};
}

}  // namespace trammel
