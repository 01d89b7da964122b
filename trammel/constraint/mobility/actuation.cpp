#include "trammel/constraint/mobility/actuation.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"

namespace trammel {

namespace {

// Rank tolerance: loops are closed to 1e-13 and T is orthonormal, so smaller values are zero.
constexpr double actuation_tolerance = 1e-9;

// Scale of each dof of the tree: 1 for a rotation, the characteristic length for a slide.
Eigen::VectorXd lengths(const Model& model, const Kinematics& kinematics) {
  Eigen::VectorXd size(model.nv());
  for (Eigen::Index f = 0; f < size.size(); ++f)
    size[f] = norm(kinematics.axes[std::size_t(f)].angular) > 0 ? 1 : model.characteristic_length();
  return size;
}

// Null-space basis T of the constraints without prescribed motions, in scaled dofs.
class Motions {
 public:
  Motions(const Model& model, const State& state, Workspace& workspace)
      : model_(model), state_(state), workspace_(workspace), kinematics_(model) {}

  Status find() {
    std::ranges::fill(state_.v, 0.0);
    // a small constraint violation is projected away; a large one is refused
    RowBasis whole;
    if (Status status = row_basis(model_, state_, workspace_, whole); !status) return status;
    if (Status status = assemble(model_, state_, workspace_, {.nudges = 0}); !status) return status;
    if (Status status = kinematics(model_, state_, {}, workspace_, kinematics_); !status)
      return status;
    size_ = lengths(model_, kinematics_);

    ConstraintRows rows(model_);
    const std::vector<double> zero(state_.v.size(), 0.0);
    rows.evaluate(model_, kinematics_, state_.q, zero, zero, {});
    std::vector<int> constrained;  // rows without prescribed motions, which are drives
    for (int k = 0; k < rows.count(); ++k)
      if (!rows.name(k).starts_with("prescribed motion")) constrained.push_back(k);
    Eigen::MatrixXd J(Eigen::Index(constrained.size()), model_.nv());
    for (Eigen::Index k = 0; k < J.rows(); ++k)
      J.row(k) = rows.jacobian().row(constrained[std::size_t(k)]);
    Eigen::MatrixXd M(model_.nv(), model_.nv());
    if (Status status = mass_matrix(model_, state_, workspace_, M); !status) return status;
    const RowBasis basis = rank_with_singular_values(J, M, rows.scales(constrained));
    T_ = null_space_basis(J * size_.asDiagonal(), basis);
    return {};
  }

  int count() const { return int(T_.cols()); }
  Eigen::RowVectorXd of_dof(int f) const { return T_.row(f); }
  // Scaled rate of dof k of a loop joint in each of the motions.
  Eigen::RowVectorXd of_closure(int closure, int k) {
    const Joint& joint = model_.closures()[std::size_t(closure)].joint;
    double near[7] = {};
    std::visit([&](const auto& j) { j.neutral(near); }, joint);
    Eigen::RowVectorXd rates(T_.cols());
    for (Eigen::Index m = 0; m < T_.cols(); ++m) {
      const Eigen::VectorXd v = size_.asDiagonal() * T_.col(m);
      State moving = state_;
      std::copy_n(v.data(), v.size(), moving.v.begin());
      if (!kinematics(model_, moving, {}, workspace_, kinematics_).ok()) return rates.setZero();
      const ClosureAt at = evaluate_closure(model_, closure, kinematics_, near);
      const bool slides = !(norm(at.columns[k].angular) > 0);
      rates[m] = at.v[k] / (slides ? model_.characteristic_length() : 1);
    }
    return rates;
  }

 private:
  const Model& model_;
  State state_;
  Workspace& workspace_;
  Kinematics kinematics_;
  Eigen::VectorXd size_;
  Eigen::MatrixXd T_;
};

std::string closure_dof_name(const NamedJoint& joint, int k, int count) {
  return count == 1 ? joint.name : fmt::format("{}[{}]", joint.name, k);
}

// Names of the drives, and for each a row: its rate in every motion.
struct SimulationInputs {
  std::vector<std::string> names;
  Eigen::MatrixXd rows;
};
SimulationInputs drives_of(const Model& model, Motions& motions) {
  SimulationInputs drives;
  std::vector<Eigen::RowVectorXd> rows;
  const auto is_drive = [](Drive drive) {
    return drive == Drive::torque || drive == Drive::motion;
  };
  for (const NamedJoint& joint : model.joints())
    if (joint.role == NamedJoint::Role::tree && is_drive(joint.drive))
      for (int f = joint.v_start; f < joint.v_start + joint.nv; ++f) {
        drives.names.push_back(model.dof_name(f));
        rows.push_back(motions.of_dof(f));
      }
  for (std::size_t c = 0; c < model.closures().size(); ++c) {
    const Closure& closure = model.closures()[c];
    if (!closure.named || !is_drive(model[*closure.named].drive)) continue;
    const int count = std::visit([](const auto& joint) { return joint.nv(); }, closure.joint);
    for (int k = 0; k < count; ++k) {
      drives.names.push_back(closure_dof_name(model[*closure.named], k, count));
      rows.push_back(motions.of_closure(int(c), k));
    }
  }
  drives.rows.resize(Eigen::Index(rows.size()), motions.count());
  for (std::size_t k = 0; k < rows.size(); ++k) drives.rows.row(Eigen::Index(k)) = rows[k];
  return drives;
}

// The dofs that take part in a motion, in descending order of their rate.
std::vector<std::string> movers(const Model& model, const Eigen::VectorXd& motion) {
  std::vector<int> order(static_cast<std::size_t>(model.nv()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int a, int b) {
    return std::abs(motion[a]) > std::abs(motion[b]) + actuation_tolerance;
  });
  std::vector<std::string> names;
  for (const int f : order)
    if (std::abs(motion[f]) > actuation_tolerance) names.push_back(model.dof_name(f));
  return names;
}

}  // namespace

Status actuation(const Model& model, const State& state, Workspace& workspace, Actuation& out) {
  Motions motions(model, state, workspace);
  if (Status status = motions.find(); !status) return status;
  const SimulationInputs drives = drives_of(model, motions);
  out = {};
  out.mobility = motions.count();
  out.driven = drives.names;

  Eigen::MatrixXd uncontrollable_modes =
      Eigen::MatrixXd::Identity(motions.count(), motions.count());
  if (drives.rows.size() > 0) {
    const Svd svd = svd_divide(drives.rows, Basis::full);
    const Eigen::VectorXd& singular = svd.values;
    for (Eigen::Index k = 0; k < singular.size(); ++k)
      out.rank += singular[k] > actuation_tolerance ? 1 : 0;
    if (out.rank > 0) out.least = singular[out.rank - 1] / singular[0];
    uncontrollable_modes = svd.V.rightCols(motions.count() - out.rank).eval();
  }
  out.under = out.mobility - out.rank;
  out.over = int(out.driven.size()) - out.rank;
  Eigen::MatrixXd T(model.nv(), motions.count());
  for (int f = 0; f < model.nv(); ++f) T.row(f) = motions.of_dof(f);
  for (Eigen::Index k = 0; k < uncontrollable_modes.cols(); ++k)
    out.uncontrollable_modes.push_back(movers(model, T * uncontrollable_modes.col(k)));
  return {};
}

}  // namespace trammel
