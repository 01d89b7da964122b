#include "trammel/constraint/forces/wheel_contacts.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/forces/wheel_row_forces.hpp"
#include "trammel/constraint/kinds/rolling.hpp"
#include "trammel/constraint/solver/dynamics_with_rows.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Entry of a self-stress below which it does not affect a row (a row left out has 1).
constexpr double null_space_tolerance = 1e-9;

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

  Eigen::MatrixXd Z;
  const Eigen::VectorXd forces = wheel_row_forces(*rows, answer, Z);
  const int first = rows->wheel_rows().first;

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
