#include "trammel/analyze/equilibrium.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "trammel/analyze/neighbours.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"

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
  // Of all degrees of freedom, at the last call.
  Eigen::Map<const Eigen::VectorXd> all() const { return {a_.data(), Eigen::Index(a_.size())}; }

 private:
  const Model& model_;
  const Inputs& inputs_;
  Workspace& workspace_;
  Neighbours& neighbours_;
  std::vector<double> a_;
};

// One search, in one of two ways.
class Search {
 public:
  Search(const Model& model, const Inputs& inputs, Workspace& workspace,
         const EquilibriumOptions& options)
      : model_(model), inputs_(inputs), workspace_(workspace), options_(options) {}

  // Newton's method with backtracking on the accelerations: to the nearest equilibrium, stable or
  // not, where it converges.
  Status nearest(State& here, bool& is_found) {
    return run(here, is_found, [this](Place& at, State& next) {
      const Eigen::VectorXd x = limited(at.newton);
      Eigen::VectorXd a;
      State there;
      for (double part = 1; part > 0.01; part *= 0.5) {
        if (!at.accelerations(part * x, a, there).ok()) continue;
        if (!(a.norm() < (1 - 0.1 * part) * at.a.norm())) continue;
        next = there;
        return true;
      }
      return false;
    });
  }

  // Downhill: every step does positive work of the applied forces f, so that the potential energy
  // falls, to a stable equilibrium. The direction (K + mu M)^-1 f with the stiffness K = -df/dx is
  // Newton's at mu = 0, and that of the accelerations, which always leads downhill, for large mu
  // (Levenberg).
  Status downhill(State& here, bool& is_found) {
    return run(here, is_found, [this](Place& at, State& next) {
      Stiffness stiffness;
      if (!set_stiffness(at, stiffness)) return false;
      const double unit = max_abs(stiffness.K) / max_abs(stiffness.M) + max_abs(at.a);
      for (double mu = 0; mu <= 1e6 * unit; mu = mu == 0 ? 1e-3 * unit : 10 * mu) {
        const Eigen::MatrixXd damped = stiffness.K + mu * stiffness.M;
        if (falls(at, stiffness.f,
                  limited(OrthogonalDecomposition(damped, 1e-8).solve(stiffness.f)), next))
          return true;
      }
      return falls(at, stiffness.f, limited(along_accelerations(at)), next);
    });
  }
  double fastest() const { return fastest_; }

 private:
  // What is known where a step begins.
  struct Place {
    Neighbours& neighbours;
    AtRest& accelerations;
    Eigen::VectorXd a;      // of the velocities that can be chosen
    Eigen::MatrixXd slope;  // its derivative by the positions that can be chosen
    Eigen::VectorXd newton = {};
  };
  // Along the positions that can be chosen.
  struct Stiffness {
    Eigen::VectorXd f;     // applied forces
    Eigen::MatrixXd K, M;  // -df/dx, symmetric; inertia
  };

  // Leaves `here` at the equilibrium. `step` takes one; false: there is none.
  template <class Step> Status run(State& here, bool& is_found, Step step) {
    is_found = false;
    double first = 0;
    for (int k = 0; k < options_.steps; ++k) {
      std::optional<Neighbours> neighbours;
      if (Status status = Neighbours::of(model_, here, workspace_, neighbours); !status)
        return status;
      AtRest accelerations(model_, inputs_, workspace_, *neighbours);
      const int n = neighbours->positions();
      Place at{*neighbours, accelerations, {}, {}};
      State there;
      if (Status status = accelerations(Eigen::VectorXd::Zero(n), at.a, there); !status)
        return status;
      fastest_ = max_abs(at.a);
      if (fastest_ <= 1e-11) {
        is_found = true;
        return {};
      }
      if (k == 0) first = fastest_;
      at.slope.resize(at.a.size(), n);
      if (Status status = differentiate(accelerations, at.slope); !status) return status;
      // what no force holds stays where it is: the least step
      at.newton = OrthogonalDecomposition(at.slope, 1e-8).solve(-at.a);
      const double longest = max_abs(at.newton);
      if (!at.newton.allFinite()) return {};
      if (longest == 0 && at.slope.isZero(0)) return {};  // nothing holds it anywhere
      if (!step(at, here)) {
        // as near as numbers come
        is_found = longest < 1e-9 && fastest_ < 1e-7 * (1 + first);
        return {};
      }
      if (longest < 1e-13 && fastest_ < 1e-8) {
        is_found = true;
        return {};
      }
    }
    return {};
  }

  Eigen::VectorXd limited(Eigen::VectorXd x) const {
    const double allowed = options_.longest_step * std::min(1.0, model_.characteristic_length());
    const double longest = max_abs(x);
    if (longest > allowed) x *= allowed / longest;
    return x;
  }
  Status differentiate(AtRest& accelerations, Eigen::MatrixXd& slope) {
    const Eigen::Index n = slope.cols();
    Eigen::VectorXd ahead, behind;
    State there;
    for (Eigen::Index k = 0; k < n; ++k) {
      const double h = 1e-5;
      const Eigen::VectorXd along = h * Eigen::VectorXd::Unit(n, k);
      if (Status status = accelerations(along, ahead, there); !status) return status;
      if (Status status = accelerations(-along, behind, there); !status) return status;
      slope.col(k) = (ahead - behind) / (2 * h);
    }
    return {};
  }

  // Applied forces T^T M a, x away: the forces of the loops do no work along T.
  Status forces(Place& at, const Eigen::VectorXd& x, Eigen::VectorXd& f, State& there,
                Eigen::MatrixXd* inertia = nullptr) {
    Eigen::VectorXd a;
    if (Status status = at.accelerations(x, a, there); !status) return status;
    Eigen::MatrixXd M(model_.nv(), model_.nv());
    if (Status status = mass_matrix(model_, there, workspace_, M); !status) return status;
    std::optional<Neighbours> around;
    if (Status status = Neighbours::of(model_, there, workspace_, around); !status) return status;
    const Eigen::MatrixXd T =
        around->position_freedoms() == at.neighbours.position_freedoms()
            ? around->position_directions()
            : at.neighbours.position_directions();  // others are as good to choose there
    f = T.transpose() * M * at.accelerations.all();
    if (inertia != nullptr) *inertia = T.transpose() * M * T;
    return {};
  }
  bool set_stiffness(Place& at, Stiffness& out) {
    const Eigen::Index n = at.slope.cols();
    State there;
    if (!forces(at, Eigen::VectorXd::Zero(n), out.f, there, &out.M).ok()) return false;
    out.K.resize(n, n);
    Eigen::VectorXd ahead, behind;
    for (Eigen::Index k = 0; k < n; ++k) {
      const double h = 1e-5;
      const Eigen::VectorXd along = h * Eigen::VectorXd::Unit(n, k);
      if (!forces(at, along, ahead, there).ok() || !forces(at, -along, behind, there).ok())
        return false;
      out.K.col(k) = (behind - ahead) / (2 * h);
    }
    out.K = 0.5 * (out.K + Eigen::MatrixXd(out.K.transpose()));
    return true;
  }
  // Wheels leave more positions to choose than velocities.
  Eigen::VectorXd along_accelerations(const Place& at) const {
    const Eigen::VectorXd all = at.neighbours.velocity_directions() * at.a;
    return all(at.neighbours.position_freedoms());
  }
  // The longest part of a step x along which the energy falls: by the trapezoidal rule, the force
  // at its end takes less than that at its beginning gives.
  bool falls(Place& at, const Eigen::VectorXd& f, const Eigen::VectorXd& x, State& next) {
    if (!x.allFinite()) return false;
    const double first = f.dot(x);
    if (!(first > 0)) return false;
    Eigen::VectorXd then;
    State there;
    for (double part = 1; part > 0.1; part *= 0.5) {
      if (!forces(at, part * x, then, there).ok() || !(then.dot(x) > -0.8 * first)) continue;
      next = there;
      return true;
    }
    return false;
  }

  const Model& model_;
  const Inputs& inputs_;
  Workspace& workspace_;
  const EquilibriumOptions& options_;
  double fastest_ = 0;
};

}  // namespace

Status equilibrium(const Model& model, State& state, const Inputs& inputs, Workspace& workspace,
                   const EquilibriumOptions& options) {
  State start = state;
  std::ranges::fill(start.v, 0.0);
  State here = start;
  Search search(model, inputs, workspace, options);
  bool is_found = false;
  Status status = search.nearest(here, is_found);
  if (!is_found) {
    here = start;
    status = search.downhill(here, is_found);
  }
  if (!status) return Status::failure("equilibrium: " + status.message());
  if (!is_found)
    return Status::failure(fmt::format(
        "equilibrium: none is found from here: after {} steps it would still accelerate with "
        "{:.3g}; begin nearer to one",
        options.steps, search.fastest()));
  state.q = here.q;
  std::ranges::fill(state.v, 0.0);
  return {};
}

}  // namespace trammel
