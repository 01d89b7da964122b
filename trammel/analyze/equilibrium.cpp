#include "trammel/analyze/equilibrium.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "trammel/analyze/local_coordinates.hpp"
#include "trammel/analyze/turned_axes.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/solver/acceleration_derivatives.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"

namespace trammel {

namespace {

// Accelerations of the independent dofs at rest, at the local coordinates x.
class AtRest {
 public:
  AtRest(const Model& model, const Inputs& inputs, Workspace& workspace,
         LocalCoordinates& local_coordinates)
      : model_(model),
        inputs_(inputs),
        workspace_(workspace),
        local_coordinates_(local_coordinates),
        a_(std::size_t(model.nv())) {}

  Status operator()(const Eigen::VectorXd& x, Eigen::VectorXd& out, State& state) {
    if (Status status =
            local_coordinates_.at(x, Eigen::VectorXd::Zero(local_coordinates_.velocities()), state);
        !status)
      return status;
    if (Status status = forward_dynamics(model_, state, inputs_, workspace_, a_); !status)
      return status;
    out.resize(local_coordinates_.velocities());
    for (int k = 0; k < local_coordinates_.velocities(); ++k)
      out[k] = a_[std::size_t(local_coordinates_.velocity_dofs()[std::size_t(k)])];
    return {};
  }
  // Of all degrees of freedom, at the last call.
  Eigen::Map<const Eigen::VectorXd> all() const { return {a_.data(), Eigen::Index(a_.size())}; }

 private:
  const Model& model_;
  const Inputs& inputs_;
  Workspace& workspace_;
  LocalCoordinates& local_coordinates_;
  std::vector<double> a_;
};

// One search, by one of two methods.
class Search {
 public:
  Search(const Model& model, const Inputs& inputs, Workspace& workspace,
         const EquilibriumOptions& options)
      : model_(model), inputs_(inputs), workspace_(workspace), options_(options) {}

  // Newton's method with backtracking: converges to the nearest equilibrium, stable or not. A step
  // is accepted if the mass-weighted norm of the accelerations falls by a tenth of the linear
  // prediction (Armijo condition).
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

  // Descent: in every step the applied forces f do positive work, so the potential energy falls, to
  // a stable equilibrium. The direction (K + mu M)^-1 f with the stiffness K = -df/du is Newton's
  // for mu = 0, and that of the accelerations, always a descent direction, for large mu
  // (Levenberg). Steps are along motions that the constraint rows allow: for a rolling wheel, along
  // no motion in which its friction would do work.
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
  // Relative to the largest: smaller parts of a derivative are rounding.
  static constexpr double rank_tolerance = 1e-8;

  // Quantities at the beginning of a step.
  struct Place {
    LocalCoordinates& local_coordinates;
    AtRest& accelerations;
    Eigen::VectorXd a = {}, all = {};  // of the independent velocities; of all
    Eigen::MatrixXd derivative = {};   // derivative of `all` with respect to the independent
                                       // positions
    double size = 0;                   // of `all`: mass-weighted norm
    Eigen::VectorXd newton = {};
  };
  // With respect to the independent velocities u.
  struct Stiffness {
    Eigen::VectorXd f;     // applied forces
    Eigen::MatrixXd K, M;  // -df/du, symmetrized; mass matrix
    Eigen::MatrixXd by_u;  // change of the independent positions with u
  };

  // Leaves `here` at the equilibrium. `step` makes one step; false: no step is accepted.
  template <class Step> Status run(State& here, bool& is_found, Step step) {
    is_found = false;
    double first = 0;
    int dof = 0;
    for (int k = 0; k < options_.steps; ++k) {
      steps_ = k;
      std::optional<LocalCoordinates> local_coordinates;
      if (Status status = LocalCoordinates::of(model_, here, workspace_, local_coordinates);
          !status)
        return status;
      // a mechanism that cannot move does not accelerate: that is no equilibrium of the initial
      // mechanism
      if (k == 0) dof = local_coordinates->velocities();
      if (local_coordinates->velocities() < dof)
        return Status::failure(fmt::format("it has lost {} of {} degrees of freedom",
                                           dof - local_coordinates->velocities(), dof));
      AtRest accelerations(model_, inputs_, workspace_, *local_coordinates);
      const int n = local_coordinates->positions();
      Place at{*local_coordinates, accelerations};
      State there;
      if (Status status = accelerations(Eigen::VectorXd::Zero(n), at.a, there); !status)
        return status;
      at.all = accelerations.all();
      fastest_ = max_abs(at.a);
      if (fastest_ <= 1e-11) return accept(here, at, is_found);
      if (k == 0) first = fastest_;
      if (!differentiate(here, at))
        if (Status status = take_differences(at); !status) return status;
      // corrects for axes that rotate: an acceleration that is constant in the world does not
      // change
      at.derivative += turned_back(model_, {at.all.data(), std::size_t(at.all.size())},
                                   local_coordinates->position_directions());
      if (Status status = set_newton(here, at); !status) return status;
      const double longest = max_abs(at.newton);
      if (!at.newton.allFinite()) return {};
      if (longest == 0 && at.derivative.isZero(0)) return {};  // no force depends on the position
      if (!step(at, here)) {
        // limit of double precision
        if (longest < 1e-9 && fastest_ < 1e-7 * (1 + first)) return accept(here, at, is_found);
        return {};
      }
      if (longest < 1e-13 && fastest_ < 1e-8) return accept(here, at, is_found);
    }
    return {};
  }
  // Near a singular pose accelerations may vanish by rounding: no equilibrium is claimed where the
  // number of degrees of freedom is uncertain.
  Status accept(const State& here, const Place& at, bool& is_found) {
    RowBasis basis;
    if (Status status = row_basis(model_, here, workspace_, basis); !status) return status;
    const Eigen::Index dof = at.local_coordinates.velocity_directions().cols();
    if (dof != model_.nv() - basis.rank())
      return Status::failure(fmt::format(
          "it has {} or {} degrees of freedom: the constraint rows are nearly dependent", dof,
          model_.nv() - basis.rank()));
    is_found = true;
    return {};
  }

  // Mass-weighted norm sqrt(a^T M a), independent of coordinates.
  double size(const State& at, const Eigen::VectorXd& a) {
    Eigen::MatrixXd M(model_.nv(), model_.nv());
    if (!mass_matrix(model_, at, workspace_, M).ok())
      return std::numeric_limits<double>::infinity();
    return std::sqrt(std::max(0.0, a.dot(M * a)));
  }
  // The Newton step to zero applied forces T^T M a, in the norm of the inertia. Positions on which
  // no force depends stay: minimum-norm step.
  Status set_newton(const State& here, Place& at) {
    Eigen::MatrixXd M(model_.nv(), model_.nv());
    if (Status status = mass_matrix(model_, here, workspace_, M); !status) return status;
    at.size = size(here, at.all);
    const Eigen::MatrixXd T = at.local_coordinates.velocity_directions();
    const Eigen::MatrixXd force = T.transpose() * M;
    const Llt inertia(force * T);
    if (inertia.is_positive_definite())
      at.newton =
          OrthogonalDecomposition(inertia.solve_lower(force * at.derivative), rank_tolerance)
              .solve(-inertia.solve_lower(force * at.all));
    else
      at.newton =
          OrthogonalDecomposition(at.derivative(at.local_coordinates.velocity_dofs(), Eigen::all),
                                  rank_tolerance)
              .solve(-at.a);
    return {};
  }
  double longest_step() const {
    return options_.longest_step * std::min(1.0, model_.characteristic_length());
  }
  // Exact derivative, by dual numbers: finite differences leave so much rounding in a derivative
  // that is zero, as with respect to the attitude of a ball, that it seems nonzero. False if it
  // does not exist, as where a contact begins.
  bool differentiate(const State& here, Place& at) {
    RowBasis basis;
    if (!row_basis(model_, here, workspace_, basis).ok()) return false;
    const Eigen::MatrixXd T = at.local_coordinates.velocity_directions();
    if (T.cols() != model_.nv() - basis.rank()) return false;
    const EvalContext context("equilibrium", model_, here, inputs_, workspace_,
                              Constraints::honored, Forces::acting);
    if (!context.ok()) return false;
    const AccelerationDerivatives derivatives(context, workspace_, basis, T);
    const Eigen::MatrixXd by_x = at.local_coordinates.position_directions();
    // at rest all velocities stay zero
    return derivatives.status().ok() &&
           derivatives.along(by_x, Eigen::MatrixXd::Zero(by_x.rows(), by_x.cols()), at.derivative)
               .ok();
  }
  Status take_differences(Place& at) {
    const Eigen::Index n = at.local_coordinates.positions();
    at.derivative.resize(model_.nv(), n);
    Eigen::VectorXd a;
    State there;
    for (Eigen::Index k = 0; k < n; ++k) {
      const double h = 1e-5;
      const Eigen::VectorXd along = h * Eigen::VectorXd::Unit(n, k);
      if (Status status = at.accelerations(along, a, there); !status) return status;
      at.derivative.col(k) = at.accelerations.all();
      if (Status status = at.accelerations(-along, a, there); !status) return status;
      at.derivative.col(k) = (at.derivative.col(k) - at.accelerations.all()) / (2 * h);
    }
    return {};
  }

  // Applied forces T^T M a at local coordinates x: constraint forces do no work along T.
  Status forces(Place& at, const Eigen::VectorXd& x, Eigen::VectorXd& f, State& there) {
    Eigen::VectorXd a;
    if (Status status = at.accelerations(x, a, there); !status) return status;
    Eigen::MatrixXd M(model_.nv(), model_.nv());
    if (Status status = mass_matrix(model_, there, workspace_, M); !status) return status;
    std::optional<LocalCoordinates> around;
    if (Status status = LocalCoordinates::of(model_, there, workspace_, around); !status)
      return status;
    const Eigen::MatrixXd T =
        around->velocity_dofs() == at.local_coordinates.velocity_dofs()
            ? around->velocity_directions()
            : at.local_coordinates.velocity_directions();  // other dofs are independent there
    f = T.transpose() * M * at.accelerations.all();
    return {};
  }
  // K by finite differences, since T and M in f = T^T M a change as well. A small error of K only
  // costs a step.
  bool set_stiffness(Place& at, Stiffness& out) {
    State there;
    Eigen::MatrixXd M(model_.nv(), model_.nv());
    if (!forces(at, Eigen::VectorXd::Zero(at.derivative.cols()), out.f, there).ok() ||
        !mass_matrix(model_, there, workspace_, M).ok())
      return false;
    const Eigen::MatrixXd T = at.local_coordinates.velocity_directions();
    out.by_u = T(at.local_coordinates.position_dofs(), Eigen::all);
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
  // The longest part of a step u along which the energy falls: by the trapezoidal rule, the work of
  // the force at its end is less negative than that at its beginning is positive.
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
  if (Status status = without_element_states("equilibrium", model); !status) return status;
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
        fmt::format("equilibrium: none is found from here: after {} steps, with a remaining "
                    "acceleration of {:.3g}, {}, as at a dead point or a singular pose; start "
                    "nearer to an equilibrium, or add a spring or an effort",
                    search.steps(), search.fastest(), status.message()));
  if (!status) return Status::failure("equilibrium: " + status.message());
  if (!is_found)
    return Status::failure(fmt::format(
        "equilibrium: none is found from here: after {} steps the remaining acceleration "
        "is {:.3g}; start nearer to one",
        options.steps, search.fastest()));
  state.q = here.q;
  std::ranges::fill(state.v, 0.0);
  return {};
}

}  // namespace trammel
