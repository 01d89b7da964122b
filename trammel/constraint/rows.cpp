#include "trammel/constraint/rows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "trammel/constraint/loop_forces.hpp"
#include "trammel/constraint/rolling.hpp"

namespace trammel {

namespace {

Force<double> turned_to_world(const Mat3<double>& R, const Force<double>& F) {
  return {R * F.moment, R * F.force};
}
// The velocity and the acceleration of a point fixed at r in a body, in world axes.
struct PointMotion {
  Vec3<double> p, v, a;
};
PointMotion point(const Kinematics& kinematics, int body, const Vec3<double>& r) {
  const Pose<double>& X = kinematics.X_WB[std::size_t(body)];
  const auto& [w, v] = kinematics.V[std::size_t(body)];
  const auto& [alpha, a] = kinematics.A[std::size_t(body)];
  const Vec3<double> v_r = v + cross(w, r);
  return {X * r, X.R * v_r, X.R * (a + cross(alpha, r) + cross(w, v_r))};
}

}  // namespace

Rows::Rows(const Model& model) {
  for (const Closure& closure : model.closures()) {
    const int holder = int(holder_names_.size());
    holder_names_.push_back(closure.name);
    for (int k = 0; k < row_count(closure.joint); ++k) {
      const std::string which = row_name(closure.joint, k);
      add_row(fmt::format("{}: {}", closure.name, which), holder, which.starts_with("moment"));
    }
    double neutral[7] = {};
    std::visit([&](const auto& joint) { joint.neutral(neutral); }, closure.joint);
    const int nq = std::visit([](const auto& joint) { return joint.nq(); }, closure.joint);
    closure_q_.insert(closure_q_.end(), neutral, neutral + nq);
  }
  closures_.resize(model.closures().size());
  rod_start_ = int(names_.size());
  for (const Rod& rod : model.rods()) {
    holder_names_.push_back(rod.name);
    add_row(rod.name + ": force along", int(holder_names_.size()) - 1, false);
  }
  wheel_start_ = int(names_.size());
  first_wheel_ = int(holder_names_.size());
  n_wheels_ = model.wheels().size();
  for (const Wheel& wheel : model.wheels()) {
    holder_names_.push_back(wheel.name);
    for (const RollingRow& row : rolling_rows(wheel))
      add_row(fmt::format("{}: {}", wheel.name, row.name), int(holder_names_.size()) - 1, false,
              row.is_holonomic);
  }
  coupling_start_ = int(names_.size());
  for (const Coupling& coupling : model.couplings()) {
    holder_names_.push_back(coupling.name);
    add_row(coupling.name, int(holder_names_.size()) - 1, false);
  }
  planned_start_ = int(names_.size());
  for (int f = 0; f < model.nv(); ++f)
    if (model.is_prescribed(f)) {
      const std::string how =
          model.prescription(f) == Drive::locked ? "locked joint" : "planned motion of joint";
      holder_names_.push_back(fmt::format("{} '{}'", how, model.freedom_name(f)));
      add_row(holder_names_.back(), int(holder_names_.size()) - 1, false);
      prescribed_.push_back(f);
    }
  for (std::size_t c = 0; c < model.closures().size(); ++c) {
    const Closure& closure = model.closures()[c];
    for (int k = 0; k < freedom_count(closure.joint); ++k) {
      const Drive drive = model.closure_drive(closure.v_start + k);
      if (drive != Drive::locked && drive != Drive::motion) continue;
      const char* how = drive == Drive::locked ? "locked" : "planned motion of";
      holder_names_.push_back(
          fmt::format("{} loop joint '{}'", how, model.closure_freedom_name(closure.v_start + k)));
      // held where the others put it: no position of its own
      add_row(holder_names_.back(), int(holder_names_.size()) - 1, false, false);
      loop_prescribed_.push_back({int(c), k, closure.v_start + k});
    }
  }
  const auto m = Eigen::Index(names_.size());
  error_ = rate_ = acceleration_ = natural_ = Eigen::VectorXd::Zero(m);
  J_ = Eigen::MatrixXd::Zero(m, model.nv());
}

void Rows::add_row(std::string name, int holder, bool is_turn, bool is_holonomic) {
  names_.push_back(std::move(name));
  holders_.push_back(holder);
  is_turn_.push_back(is_turn);
  is_holonomic_.push_back(is_holonomic);
}

int Rows::planned_freedom(int row) const {
  const std::size_t k = std::size_t(row - planned_start_);
  return k < prescribed_.size() ? prescribed_[k] : -1;
}

void Rows::evaluate(const Model& model, const Kinematics& kinematics, std::span<const double> q,
                    std::span<const double> v, std::span<const double> a,
                    std::span<const double> prescribed, std::span<const double> loop_prescribed) {
  pushes_.clear();
  directs_.clear();
  look_at_closures(model, kinematics);
  look_at_rods(model, kinematics);
  look_at_wheels(model, kinematics);
  look_at_couplings(model, q, v, a);
  look_at_planned(model, v, a, prescribed, loop_prescribed);
  write_jacobian(model, kinematics);
}

void Rows::look_at_planned(const Model& model, std::span<const double> v, std::span<const double> a,
                           std::span<const double> prescribed,
                           std::span<const double> loop_prescribed) {
  Eigen::Index row = planned_start_;
  for (const int f : prescribed_) {
    const std::size_t k = std::size_t(f);
    const bool is_locked = model.prescription(f) == Drive::locked;
    directs_.push_back({int(row), f, 1});
    error_[row] = 0;
    rate_[row] = is_locked ? v[k] : 0;
    acceleration_[row] = a[k] - (is_locked || prescribed.empty() ? 0 : prescribed[k]);
    ++row;
  }
  for (const auto& [closure, k, freedom] : loop_prescribed_) {
    const ClosureAt& at = closures_[std::size_t(closure)];
    const bool is_locked = model.closure_drive(freedom) == Drive::locked;
    const Force<double> dual =
        duals(at, freedom_count(model.closures()[std::size_t(closure)].joint))[std::size_t(k)];
    error_[row] = 0;
    rate_[row] = is_locked ? dot(at.V, dual) : 0;
    acceleration_[row] = dot(at.A, dual);
    if (!is_locked)
      acceleration_[row] =
          loop_prescribed.empty() ? 0 : acceleration_[row] - loop_prescribed[std::size_t(freedom)];
    push(int(row), closure, model, dual, 1);
    ++row;
  }
}

void Rows::look_at_closures(const Model& model, const Kinematics& kinematics) {
  Eigen::Index row = 0;
  for (std::size_t c = 0; c < closures_.size(); ++c) {
    double* near = closure_q_.data() + model.closures()[c].q_start;
    ClosureAt& at = closures_[c];
    at = look_at(model, int(c), kinematics, near);
    const int nq =
        std::visit([](const auto& joint) { return joint.nq(); }, model.closures()[c].joint);
    std::copy_n(at.q, nq, near);
    for (int k = 0; k < at.rows; ++k, ++row) {
      error_[row] = dot(at.error, at.row[k]);
      rate_[row] = dot(at.V, at.row[k]);
      acceleration_[row] = dot(at.A, at.row[k]);
      push(int(row), int(c), model, at.row[k], 1);
    }
  }
}

void Rows::look_at_wheels(const Model& model, const Kinematics& kinematics) {
  Eigen::Index row = wheel_start_;
  flat_wheel_.clear();
  lost_wheel_.clear();
  for (std::size_t k = 0; k < model.wheels().size(); ++k) {
    const Wheel& wheel = model.wheels()[k];
    const RollingAt at = look_at_wheel(model, int(k), kinematics);
    if (at.is_flat) flat_wheel_ = wheel.name;
    if (at.is_lost) lost_wheel_ = wheel.name;
    for (int r = 0; r < wheel.rows(); ++r, ++row) {
      error_[row] = at.error[r];
      rate_[row] = at.rate[r];
      acceleration_[row] = at.acceleration[r];
      pushes_.push_back(
          {int(row), -1, wheel.parent, wheel.child, {{}, at.direction[r]}, at.contact});
    }
  }
}

void Rows::look_at_rods(const Model& model, const Kinematics& kinematics) {
  Eigen::Index row = rod_start_;
  for (std::size_t k = 0; k < model.rods().size(); ++k, ++row) {
    const Rod& rod = model.rods()[k];
    const auto& [on_parent, on_child, length] = model.numbers().rods[k];
    const int P = model[rod.parent].carrier, C = model[rod.child].carrier;
    const PointMotion from = point(kinematics, P, on_parent), to = point(kinematics, C, on_child);
    const Vec3<double> d = to.p - from.p, v = to.v - from.v;
    const double distance = norm(d);
    const Vec3<double> u = distance > 0 ? (1 / distance) * d : Vec3<double>{0, 0, 1};
    const double rate = dot(u, v);
    error_[row] = distance - length;
    rate_[row] = rate;
    acceleration_[row] =
        dot(u, to.a - from.a) + (distance > 0 ? (dot(v, v) - rate * rate) / distance : 0);
    pushes_.push_back({int(row), -1, rod.parent, rod.child, {{}, u}, to.p});
  }
}

void Rows::look_at_couplings(const Model& model, std::span<const double> q,
                             std::span<const double> v, std::span<const double> a) {
  Eigen::Index row = coupling_start_;
  for (std::size_t k = 0; k < model.couplings().size(); ++k, ++row) {
    const Coupling& coupling = model.couplings()[k];
    error_[row] = -model.numbers().coupling_offsets[k];
    rate_[row] = acceleration_[row] = 0;
    for (std::size_t t = 0; t < coupling.terms.size(); ++t) {
      const auto& [closure, q_index, v_index] = coupling.terms[t];
      const double factor =
          model.numbers().coupling_factors[std::size_t(coupling.factor_start) + t];
      if (closure < 0) {
        error_[row] += factor * q[std::size_t(q_index)];
        rate_[row] += factor * v[std::size_t(v_index)];
        acceleration_[row] += factor * a[std::size_t(v_index)];
        directs_.push_back({int(row), v_index, factor});
        continue;
      }
      // what turns a motion of the joint into its rate: S / (S . S)
      const ClosureAt& at = closures_[std::size_t(closure)];
      const auto& [w, u] = at.columns[0];
      const double scale = 1 / (dot(w, w) + dot(u, u));
      const Force<double> dual{scale * w, scale * u};
      error_[row] += factor * at.q[0];
      rate_[row] += factor * dot(at.V, dual);
      acceleration_[row] += factor * dot(at.A, dual);
      push(int(row), closure, model, dual, factor);
    }
  }
}

void Rows::push(int row, int closure, const Model& model, const Force<double>& in_M,
                double factor) {
  const Closure& what = model.closures()[std::size_t(closure)];
  const Pose<double>& X_WM = closures_[std::size_t(closure)].X_WM;
  pushes_.push_back(
      {row, closure, what.parent, what.child, factor * turned_to_world(X_WM.R, in_M), X_WM.p});
}

void Rows::write_jacobian(const Model& model, const Kinematics& kinematics) {
  J_.setZero();
  natural_.setZero();
  const auto add = [&](int row, int body, const Force<double>& F, const Vec3<double>& p,
                       double sign) {
    for (int i = body; i > 0; i = model.bodies()[std::size_t(i)].parent) {
      const Body& b = model.bodies()[std::size_t(i)];
      const Force<double> at_origin = acting_at(p - kinematics.X_WB[std::size_t(i)].p, F);
      for (int f = b.v_start; f < b.v_end; ++f) {
        const Motion<double>& S = kinematics.axes[std::size_t(f)];
        J_(row, f) += sign * dot(S, at_origin);
        const Motion<double> at_p = felt_at(p - kinematics.X_WB[std::size_t(i)].p, S);
        const double squarely =
            norm(at_p.angular) * norm(F.moment) + norm(at_p.linear) * norm(F.force);
        natural_[row] += squarely * squarely;
      }
    }
  };
  for (const auto& [row, closure, parent, child, F, p] : pushes_) {
    add(row, model[child].carrier, F, p, 1);
    add(row, model[parent].carrier, F, p, -1);
  }
  for (const auto& [row, freedom, factor] : directs_) {
    J_(row, freedom) += factor;
    natural_[row] += factor * factor;
  }
  natural_ = natural_.cwiseSqrt();
}

std::vector<Force<double>> Rows::carried(const Eigen::VectorXd& lambda,
                                         std::span<const ElementForce> own) const {
  std::vector<Force<double>> forces(closures_.size());
  const auto add = [&](int closure, const Force<double>& F) {
    if (closure < 0) return;
    const Mat3<double>& R = closures_[std::size_t(closure)].X_WM.R;
    forces[std::size_t(closure)] +=
        Force<double>{transpose_times(R, F.moment), transpose_times(R, F.force)};
  };
  for (const Push& push : pushes_) add(push.closure, lambda[push.row] * push.F);
  for (const ElementForce& element : own) add(element.closure, element.F);
  return forces;
}

std::vector<Vec3<double>> Rows::on_wheels(const Eigen::VectorXd& lambda) const {
  std::vector<Vec3<double>> forces(n_wheels_);
  for (const Push& push : pushes_)
    if (push.row >= wheel_start_ && push.row < coupling_start_) {
      Vec3<double>& force = forces[std::size_t(holder(push.row) - first_wheel_)];
      force = force + lambda[push.row] * push.F.force;
    }
  return forces;
}

}  // namespace trammel
