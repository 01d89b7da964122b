#include "trammel/analyze/equilibrium.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "trammel/analyze/neighbours.hpp"
#include "trammel/analyze/turned_axes.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/acceleration_slopes.hpp"
#include "trammel/constraint/constrained_dynamics.hpp"
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

  // Newton's method with backtracking: to the nearest equilibrium, stable or not, where it
  // converges. Accelerations, as inertia measures them, fall by a tenth of what they would if they
  // were linear (Armijo).
  Status nearest(State& here, bool& is_found) {
    return run(here, is_found, [this](Place& at, State& next) {
      const double longest = max_abs(at.newton), allowed = longest_step();
      const double share = longest > allowed ? allowed / longest : 1;
      const Eigen::VectorXd x = share * at.newton;
      Eigen::VectorXd a;
      State there;
      for (double part = 1; part > 0.01; part *= 0.5) {
        if (!at.accelerations(part * x, a, there).ok()) continue;
        if (!(size(there, at.accelerations.all()) < (1 - 0.1 * part * share) * at.size)) continue;
        next = there;
        return true;
      }
      return false;
    });
  }

  // Downhill: every step does positive work of the applied forces f, so that the potential energy
  // falls, to a stable equilibrium. The direction (K + mu M)^-1 f with the stiffness K = -df/du is
  // Newton's at mu = 0, and that of the accelerations, which always leads downhill, for large mu
  // (Levenberg). Steps lead along the motions that the rows allow: of a wheel that rolls, along no
  // motion in which its friction would do work.
  Status downhill(State& here, bool& is_found) {
    return run(here, is_found, [this](Place& at, State& next) {
      Stiffness stiffness;
      if (!set_stiffness(at, stiffness)) return false;
      const double unit = max_abs(stiffness.K) / max_abs(stiffness.M) + max_abs(at.a);
      for (double mu = 0; mu <= 1e6 * unit; mu = mu == 0 ? 1e-3 * unit : 10 * mu) {
        const Eigen::MatrixXd damped = stiffness.K + mu * stiffness.M;
        if (falls(at, stiffness, OrthogonalDecomposition(damped, rank_tolerance).solve(stiffness.f),
                  next))
          return true;
      }
      return falls(at, stiffness, at.a, next);
    });
  }
  double fastest() const { return fastest_; }
  int steps() const { return steps_; }  // of the last search

 private:
  // Of the largest: what is smaller in a derivative is rounding.
  static constexpr double rank_tolerance = 1e-8;

  // What is known where a step begins.
  struct Place {
    Neighbours& neighbours;
    AtRest& accelerations;
    Eigen::VectorXd a = {}, all = {};  // of the velocities that can be chosen; of all
    Eigen::MatrixXd slope = {};        // derivative of `all` by the positions that can be chosen
    double size = 0;                   // of `all`, as inertia measures it
    Eigen::VectorXd newton = {};
  };
  // Along the velocities u that can be chosen.
  struct Stiffness {
    Eigen::VectorXd f;     // applied forces
    Eigen::MatrixXd K, M;  // -df/du, symmetric; inertia
    Eigen::MatrixXd by_u;  // positions that can be chosen, as they go along with u
  };

  // Leaves `here` at the equilibrium. `step` takes one; false: there is none.
  template <class Step> Status run(State& here, bool& is_found, Step step) {
    is_found = false;
    double first = 0;
    int dof = 0;
    for (int k = 0; k < options_.steps; ++k) {
      steps_ = k;
      std::optional<Neighbours> neighbours;
      if (Status status = Neighbours::of(model_, here, workspace_, neighbours); !status)
        return status;
      // what cannot move does not accelerate either: no equilibrium of the mechanism that began
      if (k == 0) dof = neighbours->velocities();
      if (neighbours->velocities() < dof)
        return Status::failure(fmt::format("it has lost {} of {} degrees of freedom",
                                           dof - neighbours->velocities(), dof));
      AtRest accelerations(model_, inputs_, workspace_, *neighbours);
      const int n = neighbours->positions();
      Place at{*neighbours, accelerations};
      State there;
      if (Status status = accelerations(Eigen::VectorXd::Zero(n), at.a, there); !status)
        return status;
      at.all = accelerations.all();
      fastest_ = max_abs(at.a);
      if (fastest_ <= 1e-11) {
        is_found = true;
        return {};
      }
      if (k == 0) first = fastest_;
      if (!differentiate(here, at))
        if (Status status = take_differences(at); !status) return status;
      // components in axes that turn: of an acceleration that stays as it is, nothing changes
      at.slope += turned_back(model_, {at.all.data(), std::size_t(at.all.size())},
                              neighbours->position_directions());
      if (Status status = set_newton(here, at); !status) return status;
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

  // Square root of a^T M a: the same in all coordinates.
  double size(const State& at, const Eigen::VectorXd& a) {
    Eigen::MatrixXd M(model_.nv(), model_.nv());
    if (!mass_matrix(model_, at, workspace_, M).ok())
      return std::numeric_limits<double>::infinity();
    return std::sqrt(std::max(0.0, a.dot(M * a)));
  }
  // The step that takes the applied forces T^T M a to zero, measured by inertia. What no force
  // holds stays where it is: the least step.
  Status set_newton(const State& here, Place& at) {
    Eigen::MatrixXd M(model_.nv(), model_.nv());
    if (Status status = mass_matrix(model_, here, workspace_, M); !status) return status;
    at.size = size(here, at.all);
    const Eigen::MatrixXd T = at.neighbours.velocity_directions();
    const Eigen::MatrixXd force = T.transpose() * M;
    const Llt inertia(force * T);
    if (inertia.is_positive_definite())
      at.newton = OrthogonalDecomposition(inertia.solve_lower(force * at.slope), rank_tolerance)
                      .solve(-inertia.solve_lower(force * at.all));
    else
      at.newton = OrthogonalDecomposition(at.slope(at.neighbours.velocity_freedoms(), Eigen::all),
                                          rank_tolerance)
                      .solve(-at.a);
    return {};
  }
  double longest_step() const {
    return options_.longest_step * std::min(1.0, model_.characteristic_length());
  }
  // Exactly, by Dual numbers: differences leave so much rounding in a derivative that is zero, as
  // that by the attitude of a ball, that it passes for one that is not. False where there is none,
  // as where a contact sets in.
  bool differentiate(const State& here, Place& at) {
    RankPlan plan;
    if (!rank_plan(model_, here, workspace_, plan).ok()) return false;
    const Eigen::MatrixXd T = at.neighbours.velocity_directions();
    if (T.cols() != model_.nv() - plan.rank()) return false;
    const Question question("equilibrium", model_, here, inputs_, workspace_, Constraints::honoured,
                            Forces::acting);
    if (!question.ok()) return false;
    const AccelerationSlopes slopes(question, workspace_, plan, T);
    const Eigen::MatrixXd by_x = at.neighbours.position_directions();
    // at rest all velocities stay zero beside the state
    return slopes.status().ok() &&
           slopes.along(by_x, Eigen::MatrixXd::Zero(by_x.rows(), by_x.cols()), at.slope).ok();
  }
  Status take_differences(Place& at) {
    const Eigen::Index n = at.neighbours.positions();
    at.slope.resize(model_.nv(), n);
    Eigen::VectorXd a;
    State there;
    for (Eigen::Index k = 0; k < n; ++k) {
      const double h = 1e-5;
      const Eigen::VectorXd along = h * Eigen::VectorXd::Unit(n, k);
      if (Status status = at.accelerations(along, a, there); !status) return status;
      at.slope.col(k) = at.accelerations.all();
      if (Status status = at.accelerations(-along, a, there); !status) return status;
      at.slope.col(k) = (at.slope.col(k) - at.accelerations.all()) / (2 * h);
    }
    return {};
  }

  // Applied forces T^T M a, x away: the forces of the rows do no work along T.
  Status forces(Place& at, const Eigen::VectorXd& x, Eigen::VectorXd& f, State& there) {
    Eigen::VectorXd a;
    if (Status status = at.accelerations(x, a, there); !status) return status;
    Eigen::MatrixXd M(model_.nv(), model_.nv());
    if (Status status = mass_matrix(model_, there, workspace_, M); !status) return status;
    std::optional<Neighbours> around;
    if (Status status = Neighbours::of(model_, there, workspace_, around); !status) return status;
    const Eigen::MatrixXd T =
        around->velocity_freedoms() == at.neighbours.velocity_freedoms()
            ? around->velocity_directions()
            : at.neighbours.velocity_directions();  // others are as good to choose there
    f = T.transpose() * M * at.accelerations.all();
    return {};
  }
  // K by differences: of f = T^T M a, T and M change, too. A small error of K costs a step, no
  // more.
  bool set_stiffness(Place& at, Stiffness& out) {
    State there;
    Eigen::MatrixXd M(model_.nv(), model_.nv());
    if (!forces(at, Eigen::VectorXd::Zero(at.slope.cols()), out.f, there).ok() ||
        !mass_matrix(model_, there, workspace_, M).ok())
      return false;
    const Eigen::MatrixXd T = at.neighbours.velocity_directions();
    out.by_u = T(at.neighbours.position_freedoms(), Eigen::all);
    out.M = T.transpose() * M * T;
    out.K.resize(T.cols(), T.cols());
    Eigen::VectorXd ahead, behind;
    for (Eigen::Index k = 0; k < T.cols(); ++k) {
      const double h = 1e-5;
      const Eigen::VectorXd along = h * out.by_u.col(k);
      if (!forces(at, along, ahead, there).ok() || !forces(at, -along, behind, there).ok())
        return false;
      out.K.col(k) = (behind - ahead) / (2 * h);
    }
    out.K = 0.5 * (out.K + Eigen::MatrixXd(out.K.transpose()));
    return true;
  }
  // The longest part of a step u along which the energy falls: by the trapezoidal rule, the force
  // at its end takes less than that at its beginning gives.
  bool falls(Place& at, const Stiffness& stiffness, Eigen::VectorXd u, State& next) {
    if (!u.allFinite()) return false;
    const Eigen::VectorXd x = stiffness.by_u * u;
    const double longest = max_abs(x), allowed = longest_step();
    if (longest > allowed) u *= allowed / longest;
    const double first = stiffness.f.dot(u);
    if (!(first > 0)) return false;
    Eigen::VectorXd then;
    State there;
    for (double part = 1; part > 0.1; part *= 0.5) {
      if (!forces(at, part * (stiffness.by_u * u), then, there).ok() ||
          !(then.dot(u) > -0.8 * first))
        continue;
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
  int steps_ = 0;
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
  if (!status && search.steps() > 0)
    return Status::failure(
        fmt::format("equilibrium: none is found from here: after {} steps, where it would still "
                    "accelerate with "
                    "{:.3g}, {}, as at a dead point or a singular pose; begin nearer to an "
                    "equilibrium, or hold "
                    "it by a spring or an effort",
                    search.steps(), search.fastest(), status.message()));
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
