#include "trammel/analyze/equilibrium.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "trammel/analyze/neighbours.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"

namespace trammel {

namespace {

// Accelerations of the freedoms that can be chosen, at rest, x away from where the neighbours are.
class AtRest {
 public:
  AtRest(const Model& model, const Inputs& inputs, Workspace& workspace, Neighbours& neighbours)
      : model_(model),
        inputs_(inputs),
        workspace_(workspace),
        neighbours_(neighbours),
        a_(std::size_t(model.nv())) {}

  Status operator()(const Eigen::VectorXd& x, Eigen::VectorXd& out, State& state) {
    if (Status status = neighbours_.at(x, Eigen::VectorXd::Zero(neighbours_.velocities()), state);
        !status)
      return status;
    if (Status status = forward_dynamics(model_, state, inputs_, workspace_, a_); !status)
      return status;
    out.resize(neighbours_.velocities());
    for (int k = 0; k < neighbours_.velocities(); ++k)
      out[k] = a_[std::size_t(neighbours_.velocity_freedoms()[std::size_t(k)])];
    return {};
  }

 private:
  const Model& model_;
  const Inputs& inputs_;
  Workspace& workspace_;
  Neighbours& neighbours_;
  std::vector<double> a_;
};

}  // namespace

Status equilibrium(const Model& model, State& state, const Inputs& inputs, Workspace& workspace,
                   const EquilibriumOptions& options) {
  State here = state;
  std::ranges::fill(here.v, 0.0);
  double fastest = 0;
  for (int step = 0; step < options.steps; ++step) {
    std::optional<Neighbours> neighbours;
    if (Status status = Neighbours::of(model, here, workspace, neighbours); !status)
      return Status::failure("equilibrium: " + status.message());
    AtRest accelerations(model, inputs, workspace, *neighbours);
    const int n = neighbours->positions();
    Eigen::VectorXd a, ahead, behind;
    State there;
    const auto fail = [](const Status& status) {
      return Status::failure("equilibrium: " + status.message());
    };
    if (Status status = accelerations(Eigen::VectorXd::Zero(n), a, there); !status)
      return fail(status);
    fastest = a.size() > 0 ? a.cwiseAbs().maxCoeff() : 0;
    if (fastest <= 1e-11) {
      state.q = there.q;
      std::ranges::fill(state.v, 0.0);
      return {};
    }
    Eigen::MatrixXd slope(a.size(), n);
    for (int k = 0; k < n; ++k) {
      const double h = 1e-5;
      const Eigen::VectorXd along = h * Eigen::VectorXd::Unit(n, k);
      if (Status status = accelerations(along, ahead, there); !status) return fail(status);
      if (Status status = accelerations(-along, behind, there); !status) return fail(status);
      slope.col(k) = (ahead - behind) / (2 * h);
    }
    // what no force holds stays where it is: the least step
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(1e-8);
    solver.compute(slope);
    Eigen::VectorXd x = solver.solve(-a);
    const double longest = x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0;
    const double allowed = options.longest_step * std::min(1.0, model.characteristic_length());
    if (longest > allowed) x *= allowed / longest;
    if (!x.allFinite() || longest == 0) break;
    if (Status status = accelerations(x, a, there); !status) return fail(status);
    const double now = a.cwiseAbs().maxCoeff();
    here = there;
    // as near as numbers come
    if (longest < 1e-13 && now < 1e-8) {
      state.q = here.q;
      std::ranges::fill(state.v, 0.0);
      return {};
    }
  }
  return Status::failure(
      fmt::format("equilibrium: none is found from here: after {} steps it would still accelerate "
                  "with {:.3g}; begin nearer to one",
                  options.steps, fastest));
}

}  // namespace trammel
