#include "trammel/constraint/loop_forces.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>

#include "trammel/dynamics/kernel/passive_forces.hpp"

namespace trammel {

namespace {

// The springs and dampers of one closure: its part of Numbers::closure_passive, which is sorted.
std::span<const PassiveNumbers<double>> passive_of(const Model& model, const Closure& closure) {
  const auto& all = model.numbers().closure_passive;
  const auto first = std::ranges::lower_bound(all, closure.v_start, {},
                                              [](const auto& element) { return element.v; });
  const auto last = std::ranges::lower_bound(all, closure.v_start + freedom_count(closure.joint),
                                             {}, [](const auto& element) { return element.v; });
  return {first, last};
}

}  // namespace

ClosureAt look_near_rest(const Model& model, int c, const Kinematics& kinematics) {
  const Closure& closure = model.closures()[std::size_t(c)];
  double near[7] = {};
  std::visit([&](const auto& joint) { joint.neutral(near); }, closure.joint);
  for (const PassiveNumbers<double>& element : passive_of(model, closure))
    if (element.stiffness != 0) near[element.q - closure.q_start] = element.rest;
  return look_at(model, c, kinematics, near);
}

int freedom_count(const Joint& joint) {
  return std::visit([](const auto& j) { return j.nv(); }, joint);
}

std::array<Force<double>, 6> duals(const ClosureAt& at, int freedoms) {
  std::array<Force<double>, 6> wrenches = {};
  if (freedoms == 1) {  // S / (S . S)
    const auto& [w, v] = at.columns[0];
    const double scale = 1 / (dot(w, w) + dot(v, v));
    wrenches[0] = {scale * w, scale * v};
    return wrenches;
  }
  Eigen::MatrixXd S(6, freedoms);
  for (int k = 0; k < freedoms; ++k) {
    const auto& [w, v] = at.columns[k];
    S.col(k) << w.x, w.y, w.z, v.x, v.y, v.z;
  }
  const auto factors = S.completeOrthogonalDecomposition();
  if (factors.rank() < freedoms) return wrenches;
  const Eigen::MatrixXd inverse = factors.pseudoInverse();
  for (int k = 0; k < freedoms; ++k)
    wrenches[std::size_t(k)] = {{inverse(k, 0), inverse(k, 1), inverse(k, 2)},
                                {inverse(k, 3), inverse(k, 4), inverse(k, 5)}};
  return wrenches;
}

ElementForce unit_effort(const Model& model, const Kinematics& kinematics, int freedom) {
  int c = 0;
  while (freedom >= model.closures()[std::size_t(c)].v_start +
                        freedom_count(model.closures()[std::size_t(c)].joint))
    ++c;
  const Closure& closure = model.closures()[std::size_t(c)];
  const ClosureAt at = look_near_rest(model, c, kinematics);
  const Force<double> F =
      duals(at, freedom_count(closure.joint))[std::size_t(freedom - closure.v_start)];
  return {closure.parent, closure.child, turned(at.X_WM.R, F), at.X_WM.p, c};
}

Eigen::VectorXd effort_of_loop(const Model& model, const Kinematics& kinematics, int freedom) {
  const ElementForce unit = unit_effort(model, kinematics, freedom);
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(model.nv());
  add_efforts(model, kinematics, {&unit, 1}, {tau.data(), std::size_t(tau.size())});
  return tau;
}

Status add_loop_forces(const char* question, const Model& model, const Kinematics& kinematics,
                       std::span<const double> loop_tau, std::vector<ElementForce>& out) {
  for (std::size_t c = 0; c < model.closures().size(); ++c) {
    const Closure& closure = model.closures()[c];
    const int freedoms = freedom_count(closure.joint);
    const auto passive = passive_of(model, closure);
    std::array<double, 6> effort = {};
    if (!loop_tau.empty())
      std::copy_n(loop_tau.begin() + closure.v_start, freedoms, effort.begin());
    const bool is_idle =
        passive.empty() && std::ranges::all_of(effort, [](double e) { return e == 0; });
    if (is_idle) continue;

    const ClosureAt at = look_near_rest(model, int(c), kinematics);
    for (PassiveNumbers<double> element : passive) {
      element.q -= closure.q_start, element.v -= closure.v_start;
      effort[std::size_t(element.v)] += kernel::passive_force<double, double>(element, at.q, at.v);
    }
    const std::array<Force<double>, 6> wrenches = duals(at, freedoms);
    Force<double> F;
    for (int k = 0; k < freedoms; ++k) {
      const auto& [moment, force] = wrenches[std::size_t(k)];
      if (dot(moment, moment) + dot(force, force) == 0)
        return Status::failure(fmt::format(
            "{}: {} stands where two of its motions are one, and an effort along '{}' has nothing "
            "to act on: move it from there",
            question, closure.name, model.closure_freedom_name(closure.v_start + k)));
      F += effort[std::size_t(k)] * wrenches[std::size_t(k)];
    }
    out.push_back({closure.parent, closure.child, turned(at.X_WM.R, F), at.X_WM.p, int(c)});
  }
  return {};
}

double loop_energy(const Model& model, const Kinematics& kinematics) {
  double sum = 0;
  for (std::size_t c = 0; c < model.closures().size(); ++c) {
    const Closure& closure = model.closures()[c];
    const auto passive = passive_of(model, closure);
    if (passive.empty()) continue;
    const ClosureAt at = look_near_rest(model, int(c), kinematics);
    for (const PassiveNumbers<double>& element : passive) {
      const double stretch = at.q[element.q - closure.q_start] - element.rest;
      sum += 0.5 * element.stiffness * stretch * stretch;
    }
  }
  return sum;
}

}  // namespace trammel
