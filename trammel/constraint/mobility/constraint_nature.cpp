#include "trammel/constraint/mobility/constraint_nature.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/mobility/joint_components.hpp"
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
// rows, as smooth as the rows. Only the components of the constraint Jacobian that contain wheels
// have fields. Components share no joint, so fields of different components commute, and one
// field of every component is followed at a time.
class Ways {
 public:
  Ways(const Model& model, Workspace& workspace)
      : model_(model), workspace_(workspace), rows_(model), kinematics_(model) {
    const SparseRows pattern = joint_components(model, rows_.sparse_jacobian());
    for (const MatrixComponent& component : pattern.components()) {
      Part part{component.columns};
      bool has_wheel = false;
      for (const int k : component.rows) {
        if (!rows_.name(k).starts_with("prescribed motion")) part.rows.push_back(k);
        has_wheel |= is_wheel(rows_, k) && !rows_.is_holonomic(k);
      }
      if (has_wheel) parts_.push_back(std::move(part));
    }
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
    evaluate(state_.q);
    for (Part& part : parts_) {
      const Svd decomposed = svd(jacobian(part), Basis::none, Basis::full);
      const Eigen::VectorXd& singular = decomposed.values;
      part.rank = 0;
      for (Eigen::Index k = 0; k < singular.size(); ++k)
        part.rank += singular[k] > distribution_rank_tolerance * singular[0] ? 1 : 0;
      part.ways = decomposed.V.rightCols(Eigen::Index(part.dofs.size()) - part.rank);
    }
    return {};
  }
  // Largest number of fields of a component.
  int count() const {
    Eigen::Index most = 0;
    for (const Part& part : parts_) most = std::max(most, part.ways.cols());
    return int(most);
  }

  // Lie brackets of two fields, numbers a > b, of every component: largest norm of the part that
  // the rows do not allow, in scaled dofs.
  double bracket_outside(int a, int b) {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(model_.nv());
    const Eigen::VectorXd along_a = field(a, a), along_b = field(b, a);
    for (const double h : {bracket_step, -bracket_step}) {
      std::vector<double> q = state_.q;
      q = gone(q, along_a, h);
      q = gone(q, along_b, h);
      q = gone(q, along_a, -h);
      q = gone(q, along_b, -h);
      std::vector<double> left(std::size_t(model_.nv()));
      difference(model_, state_.q, q, left);
      for (Eigen::Index f = 0; f < sum.size(); ++f) sum[f] += left[std::size_t(f)] / size_[f];
    }
    sum /= 2 * bracket_step * bracket_step;
    const Eigen::VectorXd outside = sum - shadow(state_.q, sum);
    double most = 0;
    for (const Part& part : parts_) most = std::max(most, outside(part.dofs).norm());
    return most;
  }
  // A state reached by a motion along a combination of all fields.
  State nearby() {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(model_.nv());
    for (const Part& part : parts_)
      for (Eigen::Index k = 0; k < part.ways.cols(); ++k)
        all(part.dofs) += (1 + 0.3 * double(k)) * part.ways.col(k);
    State there = state_;
    for (int k = 0; k < 10; ++k) there.q = gone(there.q, all, 0.02);
    return there;
  }

 private:
  struct Part {               // a component
    std::vector<int> dofs;    // ascending
    std::vector<int> rows{};  // without prescribed motions
    Eigen::MatrixXd ways{};   // null-space basis in scaled dofs
    Eigen::Index rank = 0;
  };
  // Field `number` of the components that have more than `least` fields, in scaled dofs.
  Eigen::VectorXd field(int number, int least) const {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(model_.nv());
    for (const Part& part : parts_)
      if (part.ways.cols() > least) all(part.dofs) = part.ways.col(number);
    return all;
  }
  void evaluate(const std::vector<double>& q) {
    // the kernel is called directly: on the path the loops may be slightly violated
    const std::vector<double> zero(std::size_t(model_.nv()), 0.0);
    kernel::kernels().kinematics({model_, model_.numbers()}, q, zero, zero, *workspace_,
                                 kinematics_);
    rows_.evaluate(model_, kinematics_, q, zero, zero, {});
  }
  Eigen::MatrixXd jacobian(const Part& part) const {
    return rows_.sparse_jacobian().block(part.rows, part.dofs) * size_(part.dofs).asDiagonal();
  }
  Eigen::VectorXd shadow(const std::vector<double>& q, const Eigen::VectorXd& x) {
    evaluate(q);
    Eigen::VectorXd out = x;
    for (const Part& part : parts_) {
      const Eigen::MatrixXd V = svd(jacobian(part), Basis::none, Basis::thin).V.leftCols(part.rank);
      const Eigen::VectorXd own = x(part.dofs);
      out(part.dofs) -= V * (V.transpose() * own);
    }
    return out;
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
  std::vector<Part> parts_;
  Eigen::VectorXd size_;  // scale of each dof: 1 for a rotation, the length for a slide
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
