#include "trammel/simulate/events/stops.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/simulate/events/complementarity.hpp"

namespace trammel {

namespace {

// Impacts in sequence at one instant.
constexpr int most_rounds = 100;

// Response of the mechanism to impulses on its dofs: W = T (T^T M T)^-1 T^T, with T the null-space
// basis of its constraint rows.
struct Response {
  Eigen::MatrixXd M, W;
};
Status respond(const Model& model, const State& state, Workspace& workspace, Response& out) {
  OrthogonalComplement complement;
  if (Status status = trammel::orthogonal_complement(model, state, {}, workspace, complement,
                                                     {.orthonormal = true});
      !status)
    return status;
  const int n = model.nv();
  out.M.resize(n, n);
  if (Status status = mass_matrix(model, state, workspace, out.M); !status) return status;
  const Eigen::MatrixXd& T = complement.T;
  out.W = T * Ldlt(T.transpose() * out.M * T).solve(T.transpose());
  return {};
}

// Jacobian rows of the gap rates of stops.
Eigen::MatrixXd rows_of(const std::vector<Stop>& stops, const Model& model,
                        const Kinematics& kinematics) {
  Eigen::MatrixXd N = Eigen::MatrixXd::Zero(int(stops.size()), model.nv());
  for (std::size_t k = 0; k < stops.size(); ++k)
    if (stops[k].is_of_loop)
      N.row(int(k)) = stops[k].sign * effort_of_loop(model, kinematics, stops[k].v).transpose();
    else
      N(int(k), stops[k].v) = stops[k].sign;
  return N;
}

// Time derivatives of the gap rates; the kinematics contain the accelerations a.
Eigen::VectorXd gap_accelerations(const std::vector<Stop>& stops, const Model& model,
                                  const Kinematics& kinematics, std::span<const double> a) {
  Eigen::VectorXd faster(Eigen::Index(stops.size()));
  for (std::size_t k = 0; k < stops.size(); ++k) {
    const Stop& stop = stops[k];
    double own = stop.is_of_loop ? 0 : a[std::size_t(stop.v)];
    if (stop.is_of_loop) {
      const int c = model.closure_of(stop.joint);
      const Closure& closure = model.closures()[std::size_t(c)];
      const ClosureAt at = evaluate_near_rest(model, c, kinematics);
      own = dot(at.A, duals(at, dof_count(closure.joint))[std::size_t(stop.v - closure.v_start)]);
    }
    faster[Eigen::Index(k)] = stop.sign * own;
  }
  return faster;
}

void evaluate(const Model& model, const State& state, std::span<const double> a,
              Workspace& workspace) {
  kernel::kernels().kinematics({model, model.numbers()}, state.q, state.v, a, *workspace,
                               workspace->kinematics);
}

}  // namespace

std::string coordinate_of(const Model& model, const Stop& stop) {
  return stop.is_of_loop ? model.closure_dof_name(stop.q) : model.coordinate_name(stop.q);
}
std::string name_of(const Model& model, const Stop& stop) {
  return fmt::format("the {} limit of joint '{}'", stop.sign > 0 ? "lower" : "upper",
                     coordinate_of(model, stop));
}

std::vector<Stop> find_stops(const Model& model) {
  std::vector<Stop> out;
  for (std::size_t k = 0; k < model.joints().size(); ++k) {
    const NamedJoint& joint = model.joints()[k];
    const std::vector<double>& restitution = joint.limits.restitution;
    if (restitution.empty()) continue;
    const int closure = model.closure_of(JointId(int(k)));
    const bool is_of_loop = closure >= 0;
    int count = joint.nq, q_start = joint.q_start, v_start = joint.v_start;
    if (is_of_loop) {
      const Closure& what = model.closures()[std::size_t(closure)];
      q_start = v_start = what.v_start;
      count = has_single_coordinates(what.joint) ? dof_count(what.joint) : 0;
    }
    // a single entry counts for all coordinates
    const auto entry = [](const std::vector<double>& list, int c) {
      return list.size() == 1 ? list[0] : list[std::size_t(c)];
    };
    for (int c = 0; c < count; ++c) {
      const auto add = [&](const std::vector<double>& limit, double sign) {
        if (!limit.empty() && std::isfinite(entry(limit, c)))
          out.push_back({JointId(int(k)), q_start + c, v_start + c, sign, entry(limit, c),
                         entry(restitution, c), is_of_loop});
      };
      add(joint.limits.lower, 1);
      add(joint.limits.upper, -1);
    }
  }
  return out;
}

Status strike(const Model& model, const std::vector<Stop>& stops, Workspace& workspace,
              State& state, Impact& out) {
  out = {};
  if (stops.empty()) return {};
  Response response;
  if (Status status = respond(model, state, workspace, response); !status) return status;
  evaluate(model, state, workspace->zero, workspace);
  const Eigen::MatrixXd N = rows_of(stops, model, workspace->kinematics);
  const Eigen::MatrixXd G = N * response.W * N.transpose();
  const Eigen::VectorXd before =
      Eigen::Map<const Eigen::VectorXd>(state.v.data(), Eigen::Index(state.v.size()));
  const Eigen::VectorXd rates = N * before;

  // rate of separation: the approach speed times the restitution
  const auto answer = [&](const auto& restitution) {
    Eigen::VectorXd c = rates;
    for (std::size_t k = 0; k < stops.size(); ++k)
      if (rates[int(k)] < 0) c[int(k)] *= 1 + restitution(stops[k]);
    out.push = complementary_pushes(G, c);
    return Eigen::VectorXd(before + response.W * N.transpose() * out.push);
  };
  const auto energy = [&](const Eigen::VectorXd& v) { return 0.5 * v.dot(response.M * v); };
  Eigen::VectorXd after = answer([](const Stop& stop) { return stop.restitution; });
  if (energy(after) > energy(before) * (1 + 1e-14)) {
    // in sequence, the fastest first: each impact takes (1 - e^2) of the energy it meets
    after = before;
    out.push.setZero();
    const auto push = [&](const Eigen::VectorXd& pushes) {
      out.push += pushes;
      after += response.W * N.transpose() * pushes;
    };
    for (int round = 0; round < most_rounds; ++round) {
      Eigen::Index k = 0;
      const double rate = min_entry(N * after, k);
      if (!(rate < 0)) break;
      push((-(1 + stops[std::size_t(k)].restitution) * rate / G(k, k)) *
           Eigen::VectorXd::Unit(G.rows(), k));
    }
    push(complementary_pushes(G, N * after));  // ends infinite sequences of impacts
  }
  out.lost = energy(before) - energy(after);
  std::copy_n(after.data(), after.size(), state.v.begin());
  return {};
}

Status find_pushing(const RunSnapshot& snapshot, const std::vector<Stop>& stops,
                    std::vector<bool>& out) {
  out.assign(stops.size(), false);
  if (stops.empty()) return {};
  const Model& model = snapshot.model;
  Response response;
  if (Status status = respond(model, snapshot.state, snapshot.workspace, response); !status)
    return status;
  SimulationInputs::Acting acting(model);
  snapshot.run_inputs.evaluate(snapshot.state, acting);
  Eigen::VectorXd a(model.nv());
  if (Status status = forward_dynamics(model, snapshot.state, snapshot.run_inputs.inputs(acting),
                                       snapshot.workspace, {a.data(), std::size_t(a.size())});
      !status)
    return status;
  const std::span<const double> moved{a.data(), std::size_t(a.size())};
  evaluate(model, snapshot.state, moved, snapshot.workspace);
  const Kinematics& kinematics = snapshot.workspace->kinematics;
  const Eigen::MatrixXd N = rows_of(stops, model, kinematics);
  const Eigen::VectorXd push = complementary_pushes(
      N * response.W * N.transpose(), gap_accelerations(stops, model, kinematics, moved));
  for (std::size_t k = 0; k < stops.size(); ++k) out[k] = push[int(k)] > 0;
  return {};
}

}  // namespace trammel
