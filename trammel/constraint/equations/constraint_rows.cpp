#include "trammel/constraint/equations/constraint_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/constraint/kinds/rolling.hpp"
#include "trammel/model/units.hpp"

namespace trammel {

namespace {

// A sum of angles is in rad; one with slides in it, in m.
bool sums_turns(const Model& model, const Coupling& coupling) {
  const std::vector<DofKind> kinds = dof_kinds(model);
  const std::vector<std::string> loop_units = loop_position_units(model);
  return std::ranges::all_of(coupling.terms, [&](const Coupling::Term& term) {
    if (term.closure < 0) return kinds[std::size_t(term.v)] == DofKind::turn;
    const int start = model.closures()[std::size_t(term.closure)].q_start;
    return loop_units[std::size_t(start + term.q)] == "rad";
  });
}

bool acts_beside(const ConstraintRows::RowWrench& a, const ConstraintRows::RowWrench& b) {
  return a.child == b.child && a.parent == b.parent && a.p.x == b.p.x && a.p.y == b.p.y &&
         a.p.z == b.p.z;
}

// Rounding error of an entry of J, relative to the sum of its absolute terms times the depth of the
// body (docs/theory/rank.md, (3)): two products, two sums and a sine for each level.
constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();

int depth_of(const Model& model, int body) {
  int depth = 1;
  for (; body > 0; body = model.bodies()[std::size_t(body)].parent) ++depth;
  return depth;
}

// Largest power of a wrench on a motion with these angular and linear speeds; all squared
// (docs/theory/rank.md, (4)).
double met_squarely(double turned, double moved, const Force<double>& F) {
  const double moment = turned * dot(F.moment, F.moment), force = moved * dot(F.force, F.force);
  return moment == 0 || force == 0 ? moment + force
                                   : moment + force + 2 * std::sqrt(moment * force);
}

}  // namespace

ConstraintRows::ConstraintRows(const Model& model) : at_(model) {
  for (const Closure& closure : model.closures()) {
    const int owner = int(owner_names_.size());
    owner_names_.push_back(closure.name);
    for (int k = 0; k < row_count(closure.joint); ++k) {
      const std::string which = row_name(closure.joint, k);
      add_row(fmt::format("{}: {}", closure.name, which), owner, which.starts_with("moment"));
    }
  }
  for (const Rod& rod : model.rods()) {
    owner_names_.push_back(rod.name);
    add_row(rod.name + ": force along", int(owner_names_.size()) - 1, false);
  }
  wheel_start_ = int(names_.size());
  first_wheel_ = int(owner_names_.size());
  n_wheels_ = model.wheels().size();
  for (const Wheel& wheel : model.wheels()) {
    owner_names_.push_back(wheel.name);
    for (const RollingRow& row : rolling_rows(wheel))
      add_row(fmt::format("{}: {}", wheel.name, row.name), int(owner_names_.size()) - 1, false,
              row.is_holonomic);
  }
  coupling_start_ = int(names_.size());
  for (const Coupling& coupling : model.couplings()) {
    owner_names_.push_back(coupling.name);
    add_row(coupling.name, int(owner_names_.size()) - 1, sums_turns(model, coupling));
  }
  prescribed_start_ = int(names_.size());
  for (const int f : at_.prescribed_dofs()) {
    const std::string how =
        model.prescription(f) == Drive::locked ? "locked joint" : "prescribed motion of joint";
    owner_names_.push_back(fmt::format("{} '{}'", how, model.dof_name(f)));
    add_row(owner_names_.back(), int(owner_names_.size()) - 1,
            dof_kinds(model)[std::size_t(f)] == DofKind::turn);
  }
  for (const auto& [closure, k, dof] : at_.prescribed_loop_dofs()) {
    const char* how = model.closure_drive(dof) == Drive::locked ? "locked" : "prescribed motion of";
    owner_names_.push_back(fmt::format("{} loop joint '{}'", how, model.closure_dof_name(dof)));
    // no position constraint of its own: it stays where the other constraints put it
    add_row(owner_names_.back(), int(owner_names_.size()) - 1,
            loop_velocity_units(model)[std::size_t(dof)] == "rad/s", false);
  }
  const auto m = Eigen::Index(names_.size());
  error_ = rate_ = acceleration_ = natural_ = rounding_ = Eigen::VectorXd::Zero(m);
  J_ = terms_ = Eigen::MatrixXd::Zero(m, model.nv());
}

void ConstraintRows::add_row(std::string name, int owner, bool is_turn, bool is_holonomic) {
  names_.push_back(std::move(name));
  owners_.push_back(owner);
  is_turn_.push_back(is_turn);
  is_holonomic_.push_back(is_holonomic);
}

int ConstraintRows::prescribed_dof(int row) const {
  const std::size_t k = std::size_t(row - prescribed_start_);
  return k < at_.prescribed_dofs().size() ? at_.prescribed_dofs()[k] : -1;
}

int ConstraintRows::prescribed_loop_dof(int row) const {
  const int k = row - prescribed_start_ - int(at_.prescribed_dofs().size());
  return k >= 0 ? at_.prescribed_loop_dofs()[std::size_t(k)].dof : -1;
}

void ConstraintRows::follow(const Model& model, const PrescribedLoopMotion& loops) {
  at_.follow(loops);
  std::size_t row = std::size_t(prescribed_start_) + at_.prescribed_dofs().size();
  for (const auto& [closure, k, dof] : at_.prescribed_loop_dofs())
    is_holonomic_[row++] = model.closure_drive(dof) == Drive::motion && !loops.q.empty();
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
  const auto name_of = [&](int wheel) {
    return wheel < 0 ? std::string() : model.wheels()[std::size_t(wheel)].name;
  };
  flat_wheel_ = name_of(at_.flat_wheel);
  lost_wheel_ = name_of(at_.lost_wheel);
  undefined_.clear();
  for (std::size_t c = 0; c < at_.closures.size(); ++c)
    if (at_.closures[c].fault) undefined_ = model.closures()[c].name + " " + at_.closures[c].fault;
  std::ranges::copy(at_.error, error_.begin());
  std::ranges::copy(at_.rate, rate_.begin());
  std::ranges::copy(at_.acceleration, acceleration_.begin());
}

void ConstraintRows::write_jacobian(const Model& model, const Kinematics& kinematics) {
  J_.setZero();
  terms_.setZero();
  natural_.setZero();
  // smallest lever arm: on the axis of a revolute joint its linear velocity is only rounding
  const double beside = 1e-2 * model.characteristic_length();
  using It = std::vector<RowWrench>::const_iterator;
  const auto add = [&](It begin, It end, int body, double sign) {
    const double depth = depth_of(model, body);
    sizes_.clear();
    for (It push = begin; push != end; ++push)
      sizes_.emplace_back(depth * norm(push->F.moment), depth * norm(push->F.force));
    for (int i = body; i > 0; i = model.bodies()[std::size_t(i)].parent) {
      const Body& b = model.bodies()[std::size_t(i)];
      const Vec3<double> to_p = begin->p - kinematics.X_WB[std::size_t(i)].p;
      const double lever = norm(begin->p) + norm(kinematics.X_WB[std::size_t(i)].p);
      for (int f = b.v_start; f < b.v_end; ++f) {
        const Motion<double> at_p = shifted_to(to_p, kinematics.axes[std::size_t(f)]);
        const double turned = dot(at_p.angular, at_p.angular);
        const double moved = std::max(dot(at_p.linear, at_p.linear), beside * beside * turned);
        const double turn = std::sqrt(turned);
        const double slide = norm(kinematics.axes[std::size_t(f)].linear) + turn * lever;
        std::size_t k = 0;
        for (It push = begin; push != end; ++push, ++k) {
          J_(push->row, f) += sign * dot(at_p, push->F);
          terms_(push->row, f) += turn * sizes_[k].first + slide * sizes_[k].second;
          natural_[push->row] += met_squarely(turned, moved, push->F);
        }
      }
    }
  };
  const std::vector<RowWrench>& row_wrenches = at_.row_wrenches;
  for (It begin = row_wrenches.begin(), end = begin; begin != row_wrenches.end(); begin = end) {
    // the wrenches of one wheel or loop joint act at one point
    while (end != row_wrenches.end() && acts_beside(*begin, *end)) ++end;
    add(begin, end, model[begin->child].tree_body, 1);
    add(begin, end, model[begin->parent].tree_body, -1);
  }
  for (const auto& [row, dof, factor] : at_.directs) {
    J_(row, dof) += factor;
    terms_(row, dof) += std::abs(factor);
    natural_[row] += factor * factor;
  }
  natural_ = natural_.cwiseSqrt();
  for (Eigen::Index f = 0; f < J_.cols(); ++f)
    for (Eigen::Index row = 0; row < J_.rows(); ++row)
      if (std::abs(J_(row, f)) <= rounding * terms_(row, f)) J_(row, f) = 0;
  rounding_ = rounding * terms_.rowwise().norm();
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
  std::vector<Force<double>> forces(at_.closures.size());
  const auto add = [&](int closure, const Force<double>& F) {
    if (closure < 0) return;
    const Mat3<double>& R = at_.closures[std::size_t(closure)].X_WM.R;
    forces[std::size_t(closure)] +=
        Force<double>{transpose_times(R, F.moment), transpose_times(R, F.force)};
  };
  for (const RowWrench& push : at_.row_wrenches) add(push.closure, lambda[push.row] * push.F);
  for (const ElementForce& element : own) add(element.closure, element.F);
  return forces;
}

const ConstraintRows::RowWrench& ConstraintRows::wrench_of_wheel(int row) const {
  // pushes are sorted by row, and each row of a wheel has one
  return *std::ranges::lower_bound(at_.row_wrenches, row, {}, &RowWrench::row);
}

std::vector<Vec3<double>> ConstraintRows::on_wheels(const Eigen::VectorXd& lambda) const {
  std::vector<Vec3<double>> forces(n_wheels_);
  for (const RowWrench& push : at_.row_wrenches)
    if (push.row >= wheel_start_ && push.row < coupling_start_) {
      Vec3<double>& force = forces[std::size_t(owner(push.row) - first_wheel_)];
      force = force + lambda[push.row] * push.F.force;
    }
  return forces;
}

}  // namespace trammel
