#include "trammel/constraint/forces/reaction_network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "trammel/constraint/solver/maximal_coordinates.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel {

namespace {

// Stiffness of the springs that hold each body to ground, relative to the mean of those of the
// joints: motions of the mechanism have no other. What they carry is removed by repetition.
constexpr double holding = 1e-10;
constexpr int most_repetitions = 20;
// Repetition ends at corrections of this size, relative to the wrenches, or where they no longer
// shrink by half; it has failed if they are then above the second number.
constexpr double converged = 1e-15, acceptable = 1e-10;
// Least part of a direction orthogonal to the others of its joint, relative to its length.
constexpr double least_direction = 1e-6;

double norm_of(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

}  // namespace

ReactionNetwork::ReactionNetwork(const Model& model, const Positions& positions,
                                 const ConstraintRows& rows, const Eigen::VectorXd& weight,
                                 double length)
    : weight_(weight), length_(length), bodies_(int(model.named_bodies().size())) {
  add_tree_joints(model, positions);
  add_loop_joints(model, rows);
  for (Spring& spring : springs_)
    is_regular_ = is_regular_ && spring.child != spring.parent && orthonormalize(spring.directions);
  if (is_regular_) decompose(model, positions);
}

void ReactionNetwork::add_tree_joints(const Model& model, const Positions& positions) {
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const NamedJoint& joint = model.joints()[j];
    if (joint.role == NamedJoint::Role::loop) continue;
    const int child = index(joint.child);
    const Pose<double> X_WM = positions.X_WB[std::size_t(model[joint.child].tree_body)] *
                              model.numbers().X_BU[std::size_t(child)] * model.numbers().X_CM[j];
    Spring spring{int(j), child, index(joint.parent), X_WM.p};
    // axes pass through the origin of the body that the joint moves
    const Vec3<double> from = joint.body < 0 ? X_WM.p : positions.X_WB[std::size_t(joint.body)].p;
    const JointWrenchBasis basis = joint_wrench_basis(
        std::span(positions.axes).subspan(std::size_t(joint.v_start), std::size_t(joint.nv)),
        length_);
    is_regular_ = is_regular_ && basis.is_regular;
    for (std::size_t k = 0; k < 6 - std::size_t(joint.nv); ++k) {
      const Force<double> F = acting_at(from - X_WM.p, basis.wrenches[k]);
      spring.directions.push_back({F, weighted(int(j), turned(transpose(X_WM.R), F))});
    }
    springs_.push_back(std::move(spring));
  }
}

void ReactionNetwork::add_loop_joints(const Model& model, const ConstraintRows& rows) {
  int last = -1;
  for (const ConstraintRows::RowWrench& row : rows.row_wrenches()) {
    if (row.closure < 0) continue;
    const auto c = std::size_t(row.closure);
    if (!model.closures()[c].named) continue;
    const int joint = index(*model.closures()[c].named);
    if (row.closure != last)
      springs_.push_back({joint, index(row.child), index(row.parent), row.p});
    last = row.closure;
    const Mat3<double>& R = rows.at().evaluated().closures[c].X_WM.R;
    springs_.back().directions.push_back(
        {row.F,
         weighted(joint, turned(model.numbers().closures[c].turn, turned(transpose(R), row.F)))});
  }
}

ReactionNetwork::Components ReactionNetwork::weighted(int joint, const Force<double>& F) const {
  const Components x(F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z);
  return weight_.segment<6>(6 * joint).cwiseProduct(x);
}

bool ReactionNetwork::orthonormalize(std::vector<Direction>& directions) {
  for (std::size_t k = 0; k < directions.size(); ++k) {
    Direction& own = directions[k];
    const double before = own.weighted.norm();
    for (int twice = 0; twice < 2; ++twice)
      for (std::size_t i = 0; i < k; ++i) {
        const double part = directions[i].weighted.dot(own.weighted);
        own.weighted -= part * directions[i].weighted;
        own.F = own.F + -part * directions[i].F;
      }
    const double left = own.weighted.norm();
    if (!(left > least_direction * before)) return false;
    own.weighted /= left;
    own.F = 1 / left * own.F;
  }
  return true;
}

void ReactionNetwork::decompose(const Model& model, const Positions& positions) {
  const auto origin = [&](int body) {
    return positions.X_WB[std::size_t(model.named_bodies()[std::size_t(body)].tree_body)] *
           model.numbers().X_BU[std::size_t(body)].p;
  };
  std::vector<std::vector<int>> cliques;
  double sum = 0;
  for (Spring& spring : springs_) {
    spring.start = Y_.size();
    cliques.emplace_back();
    for (const auto& [body, sign] :
         {std::pair(spring.child, 1.0), std::pair(spring.parent, -1.0)}) {
      if (body == 0) continue;
      cliques.back().push_back(body - 1);
      const std::size_t at = Y_.size(), width = spring.directions.size();
      Y_.resize(at + 6 * width);
      for (std::size_t k = 0; k < width; ++k) {
        const auto& [n, f] = sign * acting_at(spring.p - origin(body), spring.directions[k].F);
        const double y[6] = {n.x / length_, n.y / length_, n.z / length_, f.x, f.y, f.z};
        for (std::size_t i = 0; i < 6; ++i) {
          Y_[at + i * width + k] = y[i];
          sum += y[i] * y[i];
        }
      }
    }
  }
  const double hold = std::sqrt(holding * sum / (6.0 * (bodies_ - 1)));
  const std::size_t springs = cliques.size();
  for (int body = 1; body < bodies_; ++body) cliques.push_back({body - 1});
  stiffness_ = SparseCholesky(std::vector<int>(std::size_t(bodies_) - 1, 6), cliques);
  stiffness_.set_zero();
  for (std::size_t k = 0; k < springs; ++k)
    stiffness_.add_gram(k, Y_.data() + springs_[k].start, int(springs_[k].directions.size()));
  std::array<double, 36> held{};
  for (std::size_t i = 0; i < 6; ++i) held[7 * i] = hold;
  for (std::size_t k = springs; k < cliques.size(); ++k) stiffness_.add_gram(k, held.data(), 6);
  stiffness_.factor();
}

std::vector<double> ReactionNetwork::load_of(const std::vector<double>& t) const {
  std::vector<double> load(6 * std::size_t(bodies_ - 1), 0.0);
  const double* y = Y_.data();
  const double* of = t.data();
  for (const Spring& spring : springs_) {
    const std::size_t width = spring.directions.size();
    for (const int body : {spring.child, spring.parent})
      for (std::size_t i = 0; i < 6 && body > 0; ++i)
        for (std::size_t k = 0; k < width; ++k) load[6 * std::size_t(body - 1) + i] += *y++ * of[k];
    of += width;
  }
  return load;
}

void ReactionNetwork::relax(const std::vector<double>& u, std::vector<double>& t) const {
  const double* y = Y_.data();
  double* of = t.data();
  for (const Spring& spring : springs_) {
    const std::size_t width = spring.directions.size();
    for (const int body : {spring.child, spring.parent})
      for (std::size_t i = 0; i < 6 && body > 0; ++i)
        for (std::size_t k = 0; k < width; ++k) of[k] -= *y++ * u[6 * std::size_t(body - 1) + i];
    of += width;
  }
}

// The part of t that is in equilibrium, t - Y^T (Y Y^T)^-1 Y t, repeated.
bool ReactionNetwork::remove_self_stress(Eigen::VectorXd& wrenches) {
  if (!is_regular_) return false;
  std::vector<double> t;
  for (const Spring& spring : springs_)
    for (const Direction& direction : spring.directions) {
      const auto j = Eigen::Index(6 * spring.joint);
      t.push_back(
          direction.weighted.dot(weight_.segment<6>(j).cwiseProduct(wrenches.segment<6>(j))));
    }
  const double whole = norm_of(t);
  double before = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < most_repetitions; ++repetition) {
    const std::vector<double> last = t;
    std::vector<double> u = load_of(t);
    stiffness_.solve(u);
    relax(u, t);
    double change = 0;
    for (std::size_t k = 0; k < t.size(); ++k) change += (t[k] - last[k]) * (t[k] - last[k]);
    change = std::sqrt(change);
    if (!std::isfinite(change)) return false;
    const bool is_stuck = repetition > 0 && change > 0.5 * before;
    before = change;
    if (change <= converged * whole || is_stuck) break;
  }
  if (!(before <= acceptable * whole)) return false;
  auto part = t.begin();
  for (const Spring& spring : springs_)
    for (const Direction& direction : spring.directions) {
      const auto j = Eigen::Index(6 * spring.joint);
      wrenches.segment<6>(j) -= *part++ * direction.weighted.cwiseQuotient(weight_.segment<6>(j));
    }
  return true;
}

}  // namespace trammel
