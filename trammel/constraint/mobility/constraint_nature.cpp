#include "trammel/constraint/mobility/constraint_nature.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

namespace {

// Step along each field, forward and back: the displacement is step^2 times the Lie bracket, with
// errors of step^4.
constexpr double bracket_step = 1e-3;
// Errors of the bracket are about step^2; a bracket outside the distribution is much larger.
constexpr double bracket_tolerance = 1e-4;
constexpr double distribution_rank_tolerance = 1e-9;

bool is_wheel(const ConstraintRows& rows, int row) { return rows.name(row).starts_with("wheel"); }

// The allowed velocities as fields: projections of constant velocities onto the null space of the
// rows, as smooth as the rows.
class Ways {
 public:
  Ways(const Model& model, Workspace& workspace)
      : model_(model), workspace_(workspace), rows_(model), kinematics_(model) {
    for (int k = 0; k < rows_.count(); ++k)
      if (!rows_.name(k).starts_with("prescribed motion")) constrained_.push_back(k);
  }

  // Determines the rank of the rows and their null-space basis at a closed state.
  Status start_from(const State& state) {
    state_ = state;
    if (Status status = kinematics(model_, state_, {}, workspace_, kinematics_); !status)
      return status;
    size_.resize(model_.nv());
    for (Eigen::Index f = 0; f < size_.size(); ++f)
      size_[f] =
          norm(kinematics_.axes[std::size_t(f)].angular) > 0 ? 1 : model_.characteristic_length();
    const Svd parts = svd(jacobian(state_.q), Basis::none, Basis::full);
    const Eigen::VectorXd& singular = parts.values;
    rank_ = 0;
    for (Eigen::Index k = 0; k < singular.size(); ++k)
      rank_ += singular[k] > distribution_rank_tolerance * singular[0] ? 1 : 0;
    ways_ = parts.V.rightCols(model_.nv() - rank_);
    return {};
  }
  int count() const { return int(ways_.cols()); }
  const State& state() const { return state_; }

  // Norm of the part of the Lie bracket of two fields that the rows do not allow, in scaled dofs.
  double bracket_outside(int a, int b) {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(model_.nv());
    for (const double h : {bracket_step, -bracket_step}) {
      std::vector<double> q = state_.q;
      for (const auto& [way, far] :
           {std::pair(a, h), std::pair(b, h), std::pair(a, -h), std::pair(b, -h)})
        q = gone(q, ways_.col(way), far);
      std::vector<double> left(std::size_t(model_.nv()));
      difference(model_, state_.q, q, left);
      for (Eigen::Index f = 0; f < sum.size(); ++f) sum[f] += left[std::size_t(f)] / size_[f];
    }
    sum /= 2 * bracket_step * bracket_step;
    return (sum - shadow(state_.q, sum)).norm();
  }
  // A state reached by a motion along a combination of all fields.
  State nearby() {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(model_.nv());
    for (Eigen::Index k = 0; k < ways_.cols(); ++k) all += (1 + 0.3 * double(k)) * ways_.col(k);
    State there = state_;
    for (int k = 0; k < 10; ++k) there.q = gone(there.q, all, 0.02);
    return there;
  }

 private:
  Eigen::MatrixXd jacobian(const std::vector<double>& q) {
    // the kernel is called directly: on the path the loops may be slightly violated
    const std::vector<double> zero(std::size_t(model_.nv()), 0.0);
    kernel::kernels().kinematics({model_, model_.numbers()}, q, zero, zero, *workspace_,
                                 kinematics_);
    rows_.evaluate(model_, kinematics_, q, zero, zero, {});
    Eigen::MatrixXd J(Eigen::Index(constrained_.size()), model_.nv());
    for (Eigen::Index k = 0; k < J.rows(); ++k)
      J.row(k) = rows_.jacobian().row(constrained_[std::size_t(k)]);
    return J * size_.asDiagonal();
  }
  Eigen::VectorXd shadow(const std::vector<double>& q, const Eigen::VectorXd& x) {
    const Eigen::MatrixXd V = svd(jacobian(q), Basis::none, Basis::thin).V.leftCols(rank_);
    return x - V * (V.transpose() * x);
  }
  // Motion along a field by the midpoint rule.
  std::vector<double> gone(const std::vector<double>& q, const Eigen::VectorXd& way, double far) {
    const std::vector<double> middle = moved(q, 0.5 * far * shadow(q, way));
    return moved(q, far * shadow(middle, way));
  }
  std::vector<double> moved(const std::vector<double>& q, const Eigen::VectorXd& x) const {
    const Eigen::VectorXd v = size_.asDiagonal() * x;
    std::vector<double> there(q.size());
    integrate(model_, q, {v.data(), std::size_t(v.size())}, there);
    return there;
  }

  const Model& model_;
  Workspace& workspace_;
  ConstraintRows rows_;
  Kinematics kinematics_;
  State state_;
  std::vector<int> constrained_;  // rows without prescribed motions
  Eigen::VectorXd size_;          // scale of each dof: 1 for a rotation, the length for a slide
  Eigen::MatrixXd ways_;
  Eigen::Index rank_ = 0;
};

bool brackets_leave(Ways& ways) {
  for (int a = 0; a < ways.count(); ++a)
    for (int b = 0; b < a; ++b)
      if (ways.bracket_outside(a, b) > bracket_tolerance) return true;
  return false;
}

}  // namespace

Status constraint_nature(const Model& model, const State& state, Workspace& workspace,
                         ConstraintNature& out) {
  out = {};
  for (const NamedJoint& joint : model.joints())
    if (joint.drive == Drive::motion) out.of_time.push_back(joint.name);
  out.is_rheonomic = !out.of_time.empty();
  out.is_catastatic = out.of_time.empty();

  State closed = state;
  std::ranges::fill(closed.v, 0.0);
  RowBasis basis;
  if (Status status = row_basis(model, closed, workspace, basis); !status) return status;
  const ConstraintRows rows(model);
  for (int k = 0; k < rows.count(); ++k)
    if (is_wheel(rows, k) && !rows.is_holonomic(k)) out.of_place.push_back(rows.name(k));
  if (out.of_place.empty()) return {};

  if (Status status = assemble(model, closed, workspace, {.nudges = 0}); !status) return status;
  std::ranges::fill(closed.v, 0.0);
  Ways ways(model, workspace);
  if (Status status = ways.start_from(closed); !status) return status;
  out.is_holonomic = !brackets_leave(ways);
  if (out.is_holonomic) {
    // a bracket may vanish at a single state
    State near = ways.nearby();
    if (!assemble(model, near, workspace, {.nudges = 0}).ok()) near = closed;
    std::ranges::fill(near.v, 0.0);
    if (Status status = ways.start_from(near); !status) return status;
    out.is_holonomic = !brackets_leave(ways);
  }
  if (out.is_holonomic) out.of_place.clear();
  return {};
}

}  // namespace trammel
