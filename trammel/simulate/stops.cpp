#include "trammel/simulate/stops.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/constraint/complement.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/simulate/complementarity.hpp"

namespace trammel {

namespace {

// Of impacts one after the other, at one moment.
constexpr int most_rounds = 100;

// How the mechanism answers to a push on each freedom: W = T (T^T M T)^-1 T^T, T the motions that
// its rows leave.
struct Response {
  Eigen::MatrixXd M, W;
};
Status respond(const Model& model, const State& state, Workspace& workspace, Response& out) {
  Complement complement;
  if (Status status =
          trammel::complement(model, state, {}, workspace, complement, {.orthonormal = true});
      !status)
    return status;
  const int n = model.nv();
  out.M.resize(n, n);
  if (Status status = mass_matrix(model, state, workspace, out.M); !status) return status;
  const Eigen::MatrixXd& T = complement.T;
  out.W = T * Eigen::MatrixXd(T.transpose() * out.M * T).ldlt().solve(T.transpose());
  return {};
}

// Rows of the stops' gap rates.
Eigen::MatrixXd rows_of(const std::vector<Stop>& stops, int nv) {
  Eigen::MatrixXd N = Eigen::MatrixXd::Zero(int(stops.size()), nv);
  for (std::size_t k = 0; k < stops.size(); ++k) N(int(k), stops[k].v) = stops[k].sign;
  return N;
}

}  // namespace

std::string name_of(const Model& model, const Stop& stop) {
  return fmt::format("the {} limit of joint '{}'", stop.sign > 0 ? "lower" : "upper",
                     model.coordinate_name(stop.q));
}

Status find_stops(const Model& model, std::vector<Stop>& out) {
  out.clear();
  for (std::size_t k = 0; k < model.joints().size(); ++k) {
    const NamedJoint& joint = model.joints()[k];
    const std::vector<double>& restitution = joint.limits.restitution;
    if (restitution.empty()) continue;
    if (joint.role == NamedJoint::Role::loop)
      return Status::failure(fmt::format(
          "joint '{}' has stops, but closes a loop: cut the loop at another joint (cut = true)",
          joint.name));
    // one entry may stand for all coordinates
    const auto entry = [](const std::vector<double>& list, int c) {
      return list.size() == 1 ? list[0] : list[std::size_t(c)];
    };
    for (int c = 0; c < joint.nq; ++c) {
      const auto add = [&](const std::vector<double>& limit, double sign) {
        if (!limit.empty() && std::isfinite(entry(limit, c)))
          out.push_back({JointId(int(k)), joint.q_start + c, joint.v_start + c, sign,
                         entry(limit, c), entry(restitution, c)});
      };
      add(joint.limits.lower, 1);
      add(joint.limits.upper, -1);
    }
  }
  return {};
}

Status strike(const Model& model, const std::vector<Stop>& stops, Workspace& workspace,
              State& state, Impact& out) {
  out = {};
  if (stops.empty()) return {};
  Response response;
  if (Status status = respond(model, state, workspace, response); !status) return status;
  const Eigen::MatrixXd N = rows_of(stops, model.nv());
  const Eigen::MatrixXd G = N * response.W * N.transpose();
  const Eigen::VectorXd before =
      Eigen::Map<const Eigen::VectorXd>(state.v.data(), Eigen::Index(state.v.size()));
  const Eigen::VectorXd rates = N * before;

  // how fast they may part: as fast as they came, times the restitution
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
    // one after the other, the fastest first: each takes (1 - e^2) of what it meets
    after = before;
    out.push.setZero();
    const auto push = [&](const Eigen::VectorXd& pushes) {
      out.push += pushes;
      after += response.W * N.transpose() * pushes;
    };
    for (int round = 0; round < most_rounds; ++round) {
      Eigen::Index k = 0;
      const double rate = (N * after).minCoeff(&k);
      if (!(rate < 0)) break;
      push((-(1 + stops[std::size_t(k)].restitution) * rate / G(k, k)) *
           Eigen::VectorXd::Unit(G.rows(), k));
    }
    push(complementary_pushes(G, N * after));  // those that go on for ever end here
  }
  out.lost = energy(before) - energy(after);
  std::copy_n(after.data(), after.size(), state.v.begin());
  return {};
}

Status find_pushing(const Moment& moment, const std::vector<Stop>& stops, std::vector<bool>& out) {
  out.assign(stops.size(), false);
  if (stops.empty()) return {};
  const Model& model = moment.model;
  Response response;
  if (Status status = respond(model, moment.state, moment.workspace, response); !status)
    return status;
  Drives::Acting acting(model);
  moment.drives.look(moment.state, acting);
  Eigen::VectorXd a(model.nv());
  if (Status status = forward_dynamics(model, moment.state, moment.drives.inputs(acting),
                                       moment.workspace, {a.data(), std::size_t(a.size())});
      !status)
    return status;
  const Eigen::MatrixXd N = rows_of(stops, model.nv());
  const Eigen::VectorXd push = complementary_pushes(N * response.W * N.transpose(), N * a);
  for (std::size_t k = 0; k < stops.size(); ++k) out[k] = push[int(k)] > 0;
  return {};
}

}  // namespace trammel
