#include "trammel/design/dexterity.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/design/conditioning.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/units.hpp"

namespace trammel {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Size of displacements to nearby poses: large enough that a lost direction returns, even with the
// third power of the displacement; small enough to identify the direction.
constexpr double near_step = 0.03;
constexpr int local_coordinates = 4;
constexpr double dexterity_rank_tolerance = 1e-9;

Eigen::MatrixXd at_length(const Eigen::MatrixXd& J, double length) {
  Eigen::MatrixXd out = J;
  out.topRows(3) *= length;
  return out;
}

int rank_of(const Eigen::VectorXd& singular, double largest) {
  int rank = 0;
  for (const double value : singular) rank += value > dexterity_rank_tolerance * largest ? 1 : 0;
  return rank;
}

// Instantaneous kinematics at a state: motion of the place and rates of the drives, for each degree
// of freedom.
struct Ways {
  Eigen::MatrixXd T;      // nv x degrees of freedom
  Eigen::MatrixXd place;  // 6 x degrees of freedom
  Eigen::MatrixXd rates;  // drives x degrees of freedom
  DriveDemand demand;
};

Status evaluate(const Model& model, const State& state, const FrameRef& place, Workspace& workspace,
                Ways& out) {
  State still = state;
  std::ranges::fill(still.v, 0.0);
  if (Status status = drive_demand(model, still, {}, workspace, out.demand); !status) return status;
  out.T = out.demand.T;
  Positions seen(model);
  if (Status status = positions(model, still, workspace, seen); !status) return status;
  Eigen::MatrixXd J(6, model.nv());
  if (Status status = jacobian(model, seen, place, Axes::world, J); !status) return status;
  out.place = J * out.T;
  // by duality of power: rates of the drives = A^T times the velocities
  out.rates = out.demand.A.transpose();
  return {};
}

std::string words_of(const Eigen::VectorXd& motion, double length) {
  const Eigen::Vector3d turn = motion.head<3>() / length, way = motion.tail<3>();
  const auto vector = [](const Eigen::Vector3d& x) {
    // the direction is accurate to a few per cent: two digits, largest entry positive
    Eigen::Index most = 0;
    max_abs(x, most);
    const Eigen::Vector3d unit = (x[most] < 0 ? -1 : 1) * x / x.norm();
    const auto digit = [](double e) { return std::abs(e) < 0.05 ? 0.0 : e; };
    return fmt::format("({:.2g}, {:.2g}, {:.2g})", digit(unit.x()), digit(unit.y()),
                       digit(unit.z()));
  };
  const double turns = motion.head<3>().norm(), travels = motion.tail<3>().norm();
  if (turns < 0.1 * travels) return "move along " + vector(way);
  if (travels < 0.1 * turns) return "turn about " + vector(turn);
  return fmt::format("turn about {} while it moves along {}", vector(turn), vector(way));
}

class Judge {
 public:
  Judge(const Model& model, const State& state, const FrameRef& place, Workspace& workspace,
        Dexterity& out)
      : model_(model), state_(state), place_(place), workspace_(workspace), out_(out) {}

  Status judge() {
    if (Status status = evaluate(model_, state_, place_, workspace_, here_); !status) return status;
    out_.ways = int(here_.T.cols());
    if (out_.ways == 0)
      return Status::failure(
          "dexterity: nothing can move here: loops, wheels or locked joints fix it; trammel info "
          "names them");
    name_drives();
    const Svd drives = svd(here_.rates, Basis::thin, Basis::full);
    const Eigen::VectorXd& seen = drives.values;
    out_.decided = seen.size() > 0 ? rank_of(seen, seen[0]) : 0;
    // J = place (rates)^+; motions that the drives leave open are zero
    Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(out_.ways, here_.rates.rows());
    for (int k = 0; k < out_.decided; ++k)
      inverse += drives.V.col(k) * drives.U.col(k).transpose() / seen[k];
    out_.J = here_.place * inverse;

    const Svd of_place = svd(at_length(here_.place, out_.length));
    Eigen::VectorXd lost;
    estimate_generic_rank(of_place.values, lost);
    const Eigen::VectorXd values = svd(at_length(out_.J, out_.length)).values;
    out_.singular = Eigen::VectorXd::Zero(out_.directions);
    const Eigen::Index n = std::min<Eigen::Index>(out_.directions, values.size());
    out_.singular.head(n) = values.head(n);
    if (out_.decided < out_.ways) {
      Eigen::Index most = 0;
      max_abs(here_.T * drives.V.col(out_.ways - 1), most);
      out_.singular_because = fmt::format(
          "the drives determine {} of {} degrees of freedom; the one in which '{}' moves most is "
          "not driven",
          out_.decided, out_.ways, model_.dof_name(int(most)));
    } else if (lost.size() > 0) {
      out_.singular_because = "at this pose it cannot " + words_of(lost, out_.length);
    }
    out_.condition = out_.condition_at(out_.length);
    choose_length();
    out_.linear = ellipsoid(out_.J.bottomRows(3));
    out_.angular = ellipsoid(out_.J.topRows(3));
    return {};
  }

 private:
  void name_drives() {
    const std::vector<DofKind> kinds = dof_kinds(model_);
    const std::vector<std::string> loop_units = loop_velocity_units(model_);
    for (const int dof : here_.demand.dofs) {
      out_.drives.push_back(model_.dof_name(dof));
      out_.slides.push_back(kinds[std::size_t(dof)] == DofKind::slide);
    }
    for (const int dof : here_.demand.loop_dofs) {
      out_.drives.push_back(model_.closure_dof_name(dof));
      out_.slides.push_back(loop_units[std::size_t(dof)] == "m/s");
    }
    const auto is_driven = [](const NamedJoint& joint) {
      return joint.drive != Drive::none && joint.drive != Drive::locked;
    };
    out_.has_drives =
        !here_.demand.loop_dofs.empty() || std::ranges::any_of(model_.joints(), is_driven);
  }

  // Number of directions in which the place moves at nearby poses, and the one that is lost here.
  void estimate_generic_rank(const Eigen::VectorXd& here, Eigen::VectorXd& lost) {
    const double largest =
        std::max(model_.characteristic_length(), here.size() > 0 ? here[0] : 0.0);
    out_.directions = rank_of(here, largest);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> any(-1, 1);
    const std::vector<DofKind> kinds = dof_kinds(model_);
    for (int k = 0; k < local_coordinates; ++k) {
      Eigen::VectorXd u(here_.T.cols());
      for (double& x : u) x = any(random);
      const Eigen::VectorXd step = near_step * here_.T * u;
      std::vector<double> way(std::size_t(model_.nv()));
      for (std::size_t f = 0; f < way.size(); ++f)
        way[f] = step[Eigen::Index(f)] * (kinds[f] == DofKind::slide ? out_.length : 1);
      State near = state_;
      integrate(model_, state_.q, way, near.q);
      if (model_.has_constraints() && !project_position(model_, near, workspace_)) continue;
      Ways there;
      if (!evaluate(model_, near, place_, workspace_, there)) continue;
      const Svd parts = svd(at_length(there.place, out_.length), Basis::thin);
      // near a pose with a redundant wheel layout the rows become independent and lock the vehicle:
      // the remaining motion is rounding, so it is compared with `largest`
      const int count = rank_of(parts.values, std::max(largest, parts.values[0]));
      if (count <= out_.directions) continue;
      out_.directions = count;
      lost = parts.U.col(count - 1);
    }
  }

  void choose_length() {
    const bool turns = out_.J.topRows(3).norm() > 1e-12,
               travels = out_.J.bottomRows(3).norm() > 1e-12;
    out_.best_condition = out_.condition;
    if (out_.is_singular() || !turns || !travels || out_.directions < 2) return;
    // golden section search over the logarithm, around the minimum of a coarse grid
    const double own = model_.characteristic_length();
    double best = std::log(own);
    for (double x = std::log(own) - 7; x < std::log(own) + 7; x += 0.25)
      if (out_.condition_at(std::exp(x)) < out_.condition_at(std::exp(best))) best = x;
    double low = best - 0.25, high = best + 0.25;
    const double ratio = 0.6180339887498949;
    while (high - low > 1e-9) {
      const double a = high - ratio * (high - low), b = low + ratio * (high - low);
      if (out_.condition_at(std::exp(a)) < out_.condition_at(std::exp(b)))
        high = b;
      else
        low = a;
    }
    out_.best_length = std::exp((low + high) / 2);
    out_.best_condition = out_.condition_at(out_.best_length);
  }

  static Ellipsoid ellipsoid(const Eigen::MatrixXd& J) {
    const Svd parts = svd(J, Basis::full);
    Ellipsoid out{Eigen::Vector3d::Zero(), parts.U};
    const Eigen::Index n = std::min<Eigen::Index>(3, parts.values.size());
    out.size.head(n) = parts.values.head(n);
    return out;
  }

  const Model& model_;
  const State& state_;
  const FrameRef& place_;
  Workspace& workspace_;
  Dexterity& out_;
  Ways here_;
};

}  // namespace

double Dexterity::condition_at(double another_length) const {
  if (is_singular()) return infinity;
  if (directions < 2) return 1;
  const Eigen::VectorXd values = svd(at_length(J, another_length)).values;
  return values[0] / values[directions - 1];
}

Status dexterity(const Model& model, const State& state, const FrameRef& place, double length,
                 Workspace& workspace, Dexterity& out) {
  out = {};
  out.length = length > 0 ? length : model.characteristic_length();
  return Judge(model, state, place, workspace, out).judge();
}

}  // namespace trammel
