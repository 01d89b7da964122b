#include "trammel/constraint/equations/constraint_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/model/dofs_between.hpp"

namespace trammel {

namespace {

bool acts_at_same_point(const ConstraintRows::RowWrench& a, const ConstraintRows::RowWrench& b) {
  return a.child == b.child && a.parent == b.parent && a.p.x == b.p.x && a.p.y == b.p.y &&
         a.p.z == b.p.z;
}

// Rounding error of an entry of J, relative to the sum of its absolute terms times the depth of the
// body (docs/theory/rank.md, (3)): two products, two sums and a sine for each level.
constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();

// Number of bodies from ground to each tree body, ground included.
std::vector<int> depths(const Model& model) {
  std::vector<int> depth(model.bodies().size(), 1);
  for (std::size_t i = 1; i < depth.size(); ++i)
    depth[i] = depth[std::size_t(model.bodies()[i].parent)] + 1;
  return depth;
}

// Dofs on which the rows of a constraint can have entries, ascending.
std::vector<int> dofs_of(const Model& model, const Block& block) {
  std::vector<int> dofs;
  const std::vector<BodyId> bodies =
      std::visit([&](const auto& b) { return b.bodies(model); }, block);
  for (std::size_t k = 0; k + 1 < bodies.size(); k += 2) {
    const std::vector<int> between =
        dofs_between(model, model[bodies[k]].tree_body, model[bodies[k + 1]].tree_body);
    dofs.insert(dofs.end(), between.begin(), between.end());
  }
  std::visit(
      [&](const auto& b) {
        if constexpr (requires { b.directs(model); })
          for (const DirectDof& direct : b.directs(model)) dofs.push_back(direct.dof);
      },
      block);
  std::ranges::sort(dofs);
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
  return dofs;
}

// Largest power of a wrench on a motion with these angular and linear speeds; all squared
// (docs/theory/rank.md, (4)).
double met_squarely(double turned, double moved, const Force<double>& F) {
  const double moment = turned * dot(F.moment, F.moment), force = moved * dot(F.force, F.force);
  return moment == 0 || force == 0 ? moment + force
                                   : moment + force + 2 * std::sqrt(moment * force);
}

}  // namespace

ConstraintRows::ConstraintRows(const Model& model)
    : n_wheels_(model.wheels().size()), at_(model), depth_(depths(model)) {
  std::vector<std::vector<int>> pattern;
  for (const Block& block : at_.blocks()) {
    const int owner = int(owner_names_.size());
    const auto [owner_name, rows] =
        std::visit([&](const auto& b) { return std::pair(b.owner(model), b.rows(model)); }, block);
    if (block.index() < kind_index<WheelBlock>()) ++first_wheel_;
    for (const RowTraits& row : rows) {
      names_.push_back(row.name.empty() ? owner_name : fmt::format("{}: {}", owner_name, row.name));
      owners_.push_back(owner);
      traits_.push_back(row);
    }
    owner_names_.push_back(owner_name);
    pattern.resize(names_.size(), dofs_of(model, block));
    std::fill(starts_.begin() + std::ptrdiff_t(block.index()) + 1, starts_.end(),
              int(names_.size()));
  }
  const auto m = Eigen::Index(names_.size());
  error_ = rate_ = acceleration_ = natural_ = rounding_ = Eigen::VectorXd::Zero(m);
  J_ = SparseRows(model.nv(), pattern);
  terms_.resize(J_.entries());
}

const Eigen::MatrixXd& ConstraintRows::jacobian() const {
  if (!is_dense_J_current_) J_.write_dense(dense_J_);
  is_dense_J_current_ = true;
  return dense_J_;
}

int ConstraintRows::prescribed_dof(int row) const {
  const std::size_t k = std::size_t(row - prescribed_start());
  return k < at_.prescribed_dofs().size() ? at_.prescribed_dofs()[k] : -1;
}

int ConstraintRows::prescribed_loop_dof(int row) const {
  const int k = row - prescribed_start() - int(at_.prescribed_dofs().size());
  return k >= 0 ? at_.prescribed_loop_dofs()[std::size_t(k)].dof : -1;
}

void ConstraintRows::follow(const Model& model, const PrescribedLoopMotion& loops) {
  at_.follow(loops);
  std::size_t row = std::size_t(prescribed_start()) + at_.prescribed_dofs().size();
  for (const auto& [closure, k, dof] : at_.prescribed_loop_dofs())
    traits_[row++].is_holonomic = model.closure_drive(dof) == Drive::motion && !loops.q.empty();
}

void ConstraintRows::evaluate(const Model& model, const Kinematics& kinematics,
                              std::span<const double> q, std::span<const double> v,
                              std::span<const double> a, std::span<const double> prescribed,
                              std::span<const double> loop_prescribed) {
  evaluate_without_jacobian(model, kinematics, q, v, a, prescribed, loop_prescribed);
  write_jacobian(model, kinematics);
}

void ConstraintRows::evaluate_without_jacobian(const Model& model, const Kinematics& kinematics,
                                               std::span<const double> q, std::span<const double> v,
                                               std::span<const double> a,
                                               std::span<const double> prescribed,
                                               std::span<const double> loop_prescribed) {
  at_.evaluate(model, kinematics, q, v, a, {prescribed, loop_prescribed});
  const EvaluatedRows<double>& rows = at_.evaluated();
  if (rows.flat_wheel >= 0)
    flat_wheel_ = model.wheels()[std::size_t(rows.flat_wheel)].name;
  else if (!flat_wheel_.empty())
    flat_wheel_.clear();
  if (rows.undefined_block >= 0)
    undefined_ = fmt::format("{} {}", owner_names_[std::size_t(rows.undefined_block)],
                             rows.undefined_because);
  else if (!undefined_.empty())
    undefined_.clear();
  std::ranges::copy(rows.error, error_.begin());
  std::ranges::copy(rows.rate, rate_.begin());
  std::ranges::copy(rows.acceleration, acceleration_.begin());
}

void ConstraintRows::write_jacobian(const Model& model, const Kinematics& kinematics) {
  J_.set_zero();
  natural_.setZero();
  terms_.assign(J_.entries(), 0.0);
  is_dense_J_current_ = false;
  // smallest lever arm: on the axis of a revolute joint its linear velocity is only rounding
  const double min_lever = 1e-2 * model.characteristic_length();
  using It = std::vector<RowWrench>::const_iterator;
  const auto add = [&](It begin, It end, int body, int ancestor, double sign) {
    const double depth = depth_[std::size_t(body)];
    const double above = depth_[std::size_t(body)] - depth_[std::size_t(ancestor)] + 1;
    sizes_.clear();
    for (It push = begin; push != end; ++push)
      sizes_.emplace_back(norm(push->F.moment), norm(push->F.force));
    // the rows of one constraint have entries at the same dofs; those of the path go inward
    const std::span<const int> dofs = J_.columns(begin->row);
    std::size_t place = dofs.size();
    for (int i = body; i != ancestor; i = model.bodies()[std::size_t(i)].parent) {
      const Body& b = model.bodies()[std::size_t(i)];
      const Vec3<double> to_p = begin->p - kinematics.X_WB[std::size_t(i)].p;
      // rounding of the lever arm, docs/theory/rank.md, (2)
      const double far = norm(begin->p) + norm(kinematics.X_WB[std::size_t(i)].p);
      const double lever = std::min(depth * far, depth * norm(to_p) + above * far);
      for (int f = b.v_end - 1; f >= b.v_start; --f) {
        while (dofs[--place] != f) {}
        const Motion<double> at_p = shifted_to(to_p, kinematics.axes[std::size_t(f)]);
        const double turned = dot(at_p.angular, at_p.angular);
        const double moved =
            std::max(dot(at_p.linear, at_p.linear), min_lever * min_lever * turned);
        const double turn = std::sqrt(turned);
        const double slide = depth * norm(kinematics.axes[std::size_t(f)].linear) + turn * lever;
        std::size_t k = 0;
        for (It push = begin; push != end; ++push, ++k) {
          J_.values(push->row)[place] += sign * dot(at_p, push->F);
          terms_[J_.entry(push->row) + place] +=
              depth * turn * sizes_[k].first + slide * sizes_[k].second;
          natural_[push->row] += met_squarely(turned, moved, push->F);
        }
      }
    }
  };
  const std::vector<RowWrench>& row_wrenches = at_.evaluated().row_wrenches;
  for (It begin = row_wrenches.begin(), end = begin; begin != row_wrenches.end(); begin = end) {
    // the wrenches of one wheel or loop joint act at one point
    while (end != row_wrenches.end() && owner(begin->row) == owner(end->row) &&
           acts_at_same_point(*begin, *end))
      ++end;
    const int child = model[begin->child].tree_body, parent = model[begin->parent].tree_body;
    const int ancestor = common_ancestor(model, child, parent);
    add(begin, end, child, ancestor, 1);
    add(begin, end, parent, ancestor, -1);
  }
  for (const auto& [row, dof, factor] : at_.evaluated().directs) {
    const auto place =
        std::size_t(std::ranges::lower_bound(J_.columns(row), dof) - J_.columns(row).begin());
    J_.values(row)[place] += factor;
    terms_[J_.entry(row) + place] += std::abs(factor);
    natural_[row] += factor * factor;
  }
  natural_ = natural_.cwiseSqrt();
  for (int row = 0; row < count(); ++row) {
    double sum = 0;
    const std::span<double> entries = J_.values(row);
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const double term = terms_[J_.entry(row) + k];
      if (std::abs(entries[k]) <= rounding * term) entries[k] = 0;
      sum += term * term;
    }
    rounding_[row] = rounding * std::sqrt(sum);
  }
}

RowScales ConstraintRows::scales() const {
  double violation = 0;  // as a change of coordinates
  for (int row = 0; row < count(); ++row)
    if (is_holonomic(row) && natural_[row] > 0)
      violation = std::max(violation, std::abs(error_[row]) / natural_[row]);
  // assembly converges to this; a larger violation is more than rounding
  constexpr double closed = 1e-13;
  return {natural_, rounding_ + std::min(violation, closed) * natural_,
          rounding_ + violation * natural_};
}

RowScales ConstraintRows::scales(const std::vector<int>& of) const {
  const RowScales all = scales();
  return {all.natural(of), all.rounding(of), all.uncertainty(of)};
}

std::vector<Force<double>> ConstraintRows::carried(const Eigen::VectorXd& lambda,
                                                   std::span<const ElementForce> own) const {
  std::vector<Force<double>> forces(at_.evaluated().closures.size());
  const auto add = [&](int closure, const Force<double>& F) {
    if (closure < 0) return;
    const Mat3<double>& R = at_.evaluated().closures[std::size_t(closure)].X_WM.R;
    forces[std::size_t(closure)] +=
        Force<double>{transpose_times(R, F.moment), transpose_times(R, F.force)};
  };
  for (const RowWrench& push : row_wrenches()) add(push.closure, lambda[push.row] * push.F);
  for (const ElementForce& element : own) add(element.closure, element.F);
  return forces;
}

const ConstraintRows::RowWrench& ConstraintRows::wrench_of_wheel(int row) const {
  // pushes are sorted by row, and each row of a wheel has one
  return *std::ranges::lower_bound(row_wrenches(), row, {}, &RowWrench::row);
}

std::vector<Vec3<double>> ConstraintRows::on_wheels(const Eigen::VectorXd& lambda) const {
  std::vector<Vec3<double>> forces(n_wheels_);
  for (const RowWrench& push : row_wrenches())
    if (push.row >= start_of<WheelBlock>() && push.row < end_of<WheelBlock>()) {
      Vec3<double>& force = forces[std::size_t(owner(push.row) - first_wheel_)];
      force = force + lambda[push.row] * push.F.force;
    }
  return forces;
}

}  // namespace trammel
