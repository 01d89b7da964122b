#include "trammel/constraint/start_velocities.hpp"

#include <algorithm>
#include <cmath>

#include "trammel/constraint/gaps.hpp"
#include "trammel/constraint/instant.hpp"
#include "trammel/constraint/projection.hpp"

namespace trammel {

namespace {

// Of the fastest velocity: what numbers of four digits miss is not a mistake.
constexpr double digits = 1e-4;
// Velocities of a mechanism that stands still, made consistent, are not quite zero. [m/s]
constexpr double rounding = 1e-12;
// So many numbers are told; a person does not read more.
constexpr int most_told = 12;

std::vector<int> freedoms_of(const Model& model, const std::vector<JointId>& joints) {
  std::vector<int> list;
  for (int f = 0; f < model.nv(); ++f)
    if (joints.empty() || std::ranges::any_of(joints, [&](JointId id) {
          return f >= model[id].v_start && f < model[id].v_start + model[id].nv;
        }))
      list.push_back(f);
  return list;
}

bool only_planned_move(const Model& model, const State& state) {
  for (int f = 0; f < model.nv(); ++f)
    if (state.v[std::size_t(f)] != 0 && model.prescription(f) != Drive::motion) return false;
  return true;
}

}  // namespace

std::string refused_velocities(const Model& model, const State& state, Workspace& workspace,
                               const std::vector<JointId>& given, const std::string& torn) {
  const std::string what = torn.starts_with("wheel") ? fmt::format("make {} slip", torn)
                                                     : fmt::format("tear {} apart", torn);
  State nearest = state;
  if (!project_velocity(model, nearest, workspace).ok())
    return fmt::format("the velocities that are given {}: give fewer, or such as belong together",
                       what);
  const std::vector<int> freedoms = freedoms_of(model, given);
  double fastest = 0;
  for (const double v : state.v) fastest = std::max(fastest, std::abs(v));
  std::string list;
  for (std::size_t k = 0; k < freedoms.size() && int(k) < most_told; ++k) {
    const double v = nearest.v[std::size_t(freedoms[k])];
    list += fmt::format("{}{} = {:.12g}", list.empty() ? "" : ", ", model.freedom_name(freedoms[k]),
                        std::abs(v) < 1e-12 * fastest ? 0.0 : v);
  }
  if (int(freedoms.size()) > most_told) list += ", ...";
  return fmt::format(
      "the velocities that are given {}: give fewer, or such as belong together; the nearest are "
      "{}",
      what, list);
}

Status check_start_velocities(const Model& model, const State& state, Workspace& workspace) {
  if (!model.has_constraints() || !as_vector(state.v).allFinite() || as_vector(state.v).isZero(0))
    return {};
  // what is planned leads: where nothing is said of the others, they follow it
  if (only_planned_move(model, state)) return {};
  State closed = state;
  if (!project_position(model, closed, workspace).ok()) return {};  // that is told first
  Rows rows(model);
  kernel::kernels().kinematics({model, model.numbers()}, closed.q, closed.v, workspace.zero,
                               workspace, workspace.kinematics);
  rows.evaluate(model, workspace.kinematics, closed.q, closed.v, workspace.zero, {});
  if (!rows.flat_wheel().empty() || !rows.lost_wheel().empty()) return {};
  const double length = model.characteristic_length();
  const double fastest = length * freedom_weights(model, workspace.kinematics)
                                      .cwiseProduct(as_vector(closed.v))
                                      .cwiseAbs()
                                      .maxCoeff();
  // locks have their own say
  Eigen::VectorXd rate = rows.rate();
  rate.tail(rows.count() - rows.planned_start()).setZero();
  const std::vector<Gap> drifts = gaps(rows, rate);
  for (std::size_t k = 0; k < drifts.size(); ++k)
    if (drifts[k].length + drifts[k].angle * length > digits * fastest + rounding)
      return Status::failure(
          refused_velocities(model, closed, workspace, {}, rows.holder_names()[k]));
  return {};
}

}  // namespace trammel
