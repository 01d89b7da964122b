#include "trammel/constraint/mobility/arms.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

namespace {

// Relative rank tolerance: a singular pose given in decimals is singular to rounding, other poses
// are not.
constexpr double arm_rank_tolerance = 1e-9;

// Joint screws of an arm from base to tip, in world axes at the origin of the tip body.
using Screws = std::vector<Motion<double>>;

class ScrewsAt {
 public:
  ScrewsAt(const Model& model, const Kinematics& kinematics, const ConstraintRows& rows)
      : model_(model), kinematics_(kinematics), closures_of_(model.joints().size()) {
    for (std::size_t c = 0; c < model.closures().size(); ++c) {
      const Closure& closure = model.closures()[c];
      if (closure.named) closures_of_[std::size_t(index(*closure.named))].push_back(c);
      closure_named_.try_emplace(closure.name, c);
    }
    for (std::size_t k = 0; k < model.rods().size(); ++k)
      rod_named_.try_emplace(model.rods()[k].name, k);
    for (const ConstraintRows::RowWrench& row : rows.row_wrenches())
      wrenches_of_[rows.owner_names()[std::size_t(rows.owner(row.row))]].push_back(&row);
  }

  Screws of(const Topology::Chain& chain) const {
    const Vec3<double> p_tip = kinematics_.X_WB[std::size_t(model_[chain.tip].tree_body)].p;
    Screws all;
    for (const Topology::Chain::Step& step : chain.steps) {
      Screws own = of_step(step, p_tip);
      if (step.is_backward) std::ranges::reverse(own);
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }

 private:
  Screws of_step(const Topology::Chain::Step& step, const Vec3<double>& p_tip) const {
    using enum Topology::Chain::Step::Kind;
    if (step.kind == wheel) return of_point("wheel '" + step.name + "'", p_tip);
    if (step.kind == constraint) return of_constraint("constraint '" + step.name + "'", p_tip);
    const bool is_loop = model_[*step.joint].role == NamedJoint::Role::loop;
    return is_loop ? of_closure(*step.joint, p_tip) : of_tree(*step.joint, p_tip);
  }
  Screws of_tree(JointId id, const Vec3<double>& p_tip) const {
    const NamedJoint& joint = model_[id];
    const Vec3<double>& p = kinematics_.X_WB[std::size_t(joint.body)].p;
    Screws own;
    for (int f = joint.v_start; f < joint.v_start + joint.nv; ++f)
      own.push_back(shifted_to(p_tip - p, kinematics_.axes[std::size_t(f)]));
    return own;
  }
  Screws of_closure(JointId id, const Vec3<double>& p_tip) const {
    Screws own;
    for (const std::size_t c : closures_of_[std::size_t(index(id))]) {
      const Closure& closure = model_.closures()[c];
      double near[7] = {};
      std::visit([&](const auto& joint) { joint.neutral(near); }, closure.joint);
      const ClosureAt at = evaluate_closure(model_, int(c), kinematics_, near);
      const int count = std::visit([](const auto& joint) { return joint.nv(); }, closure.joint);
      for (int k = 0; k < count; ++k)
        own.push_back(to_parent(Pose<double>{at.X_WM.R, at.X_WM.p - p_tip}, at.columns[k]));
    }
    return own;
  }
  Screws of_constraint(const std::string& name, const Vec3<double>& p_tip) const {
    if (const auto named = closure_named_.find(name); named != closure_named_.end()) {
      const std::size_t c = named->second;
      const Closure& closure = model_.closures()[c];
      const Pose<double> X_WM = kinematics_.X_WB[std::size_t(model_[closure.child].tree_body)] *
                                model_.numbers().closures[c].X_CM;
      return turns_about(X_WM.p - p_tip, {});
    }
    if (const auto named = rod_named_.find(name); named != rod_named_.end()) {
      const std::size_t k = named->second;
      const Rod& rod = model_.rods()[k];
      const auto& [on_parent, on_child, length] = model_.numbers().rods[k];
      const Vec3<double> from =
          kinematics_.X_WB[std::size_t(model_[rod.parent].tree_body)] * on_parent;
      const Vec3<double> to = kinematics_.X_WB[std::size_t(model_[rod.child].tree_body)] * on_child;
      // the rotation of the rod about its own axis does not move the bodies it connects
      Screws own = turns_about(from - p_tip, to - from);
      const Screws at_child = turns_about(to - p_tip, {});
      own.insert(own.end(), at_child.begin(), at_child.end());
      return own;
    }
    return of_point(name, p_tip);
  }
  // Constraints by orthogonal forces at one point: a wheel, a point on a curve.
  Screws of_point(const std::string& name, const Vec3<double>& p_tip) const {
    std::vector<Vec3<double>> forces;
    Vec3<double> p{};
    if (const auto own = wrenches_of_.find(name); own != wrenches_of_.end())
      for (const ConstraintRows::RowWrench* row : own->second)
        forces.push_back(row->F.force), p = row->p;
    if (forces.empty()) return {};
    Screws own;
    // it slides along the directions that have no row
    for (const Vec3<double>& e : across_all(forces)) own.push_back({{}, e});
    const Screws turns = turns_about(p - p_tip, {});
    own.insert(own.end(), turns.begin(), turns.end());
    return own;
  }
  // Rotations about a point, without those about the direction `without` if it is not zero.
  static Screws turns_about(const Vec3<double>& p, const Vec3<double>& without) {
    std::vector<Vec3<double>> out;
    if (norm(without) > 0) out.push_back((1 / norm(without)) * without);
    Screws own;
    for (const Vec3<double>& e : across_all(out)) own.push_back({e, cross(p, e)});
    return own;
  }
  // Completes an orthonormal set to a basis; returns the added vectors.
  static std::vector<Vec3<double>> across_all(std::vector<Vec3<double>> basis) {
    const std::size_t given = basis.size();
    while (basis.size() < 3) {
      Vec3<double> longest{};
      for (Vec3<double> e : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}}) {
        for (const Vec3<double>& other : basis) e = e - dot(e, other) * other;
        if (norm(e) > norm(longest)) longest = e;
      }
      basis.push_back((1 / norm(longest)) * longest);
    }
    return {basis.begin() + std::ptrdiff_t(given), basis.end()};
  }

  const Model& model_;
  const Kinematics& kinematics_;
  std::vector<std::vector<std::size_t>> closures_of_;  // per joint
  std::unordered_map<std::string, std::size_t> closure_named_, rod_named_;
  std::unordered_map<std::string, std::vector<const ConstraintRows::RowWrench*>> wrenches_of_;
};

// The screws after a motion of every joint (product of exponentials).
Screws moved(const Screws& screws, double length, int sample) {
  Screws there;
  Pose<double> X = Pose<double>::identity();
  for (std::size_t k = 0; k < screws.size(); ++k) {
    there.push_back(to_parent(X, screws[k]));
    // quasi-random angles between -1 and 1: multiples of the golden section
    const double turns = 0.6180339887498949 * double(k + 1) + 0.4142135623730950 * sample;
    const double far = 2 * (turns - std::floor(turns)) - 1;
    const bool slides = !(norm(screws[k].angular) > 0);
    X = X * exponential((slides ? far * length : far) * screws[k]);
  }
  return there;
}

struct Rank {
  int rank = 0;
  double least = 1;
};
Rank rank_of(const Screws& screws, double length) {
  if (screws.empty()) return {};
  // linear parts divided by the characteristic length
  Eigen::MatrixXd J(6, Eigen::Index(screws.size()));
  for (std::size_t k = 0; k < screws.size(); ++k) {
    const auto& [w, v] = screws[k];
    J.col(Eigen::Index(k)) << w.x, w.y, w.z, v.x / length, v.y / length, v.z / length;
    J.col(Eigen::Index(k)).normalize();
  }
  const Eigen::VectorXd singular = svd(J).values;
  Rank found;
  for (Eigen::Index k = 0; k < singular.size(); ++k)
    found.rank += singular[k] > arm_rank_tolerance * singular[0] ? 1 : 0;
  if (found.rank > 0) found.least = singular[found.rank - 1] / singular[0];
  return found;
}

// Planar: all screws rotate about one direction and translate across it, or they only translate, in
// at most two directions.
bool is_planar(const Screws& screws, double length) {
  Vec3<double> n{};
  for (const auto& [w, v] : screws)
    if (norm(w) > norm(n)) n = w;
  if (!(norm(n) > 0)) return rank_of(screws, length).rank <= 2;
  n = (1 / norm(n)) * n;
  return std::ranges::all_of(screws, [&](const Motion<double>& S) {
    return norm(cross(n, S.angular)) <= arm_rank_tolerance * norm(S.angular) &&
           std::abs(dot(n, S.linear)) <=
               arm_rank_tolerance * (length * norm(S.angular) + norm(S.linear));
  });
}

Arm judge(const Model& model, const Topology::Chain& chain, const Screws& screws) {
  const double length = model.characteristic_length();
  Arm arm;
  arm.base = model[chain.base].name;
  arm.tip = model[chain.tip].name;
  for (const auto& step : chain.steps) arm.joints.push_back(step.name);
  arm.dofs = int(screws.size());
  arm.wanted = is_planar(screws, length) ? 3 : 6;
  const Rank here = rank_of(screws, length);
  arm.rank = arm.generic_rank = here.rank;
  arm.least = here.least;
  for (int sample = 1; sample <= 3; ++sample)
    arm.generic_rank =
        std::max(arm.generic_rank, rank_of(moved(screws, length, sample), length).rank);
  return arm;
}

}  // namespace

std::string to_string(Arm::Ability ability) {
  switch (ability) {
    case Arm::Ability::redundant: return "redundant";
    case Arm::Ability::full: return "full";
    case Arm::Ability::deficient: break;
  }
  return "deficient";
}

Status arms(const Model& model, const State& state, Workspace& workspace, std::vector<Arm>& out) {
  State still = state;
  std::ranges::fill(still.v, 0.0);
  Kinematics moving(model);
  if (Status status = kinematics(model, still, {}, workspace, moving); !status) return status;
  const Topology graph = topology(model);
  ConstraintRows rows(model);
  const std::vector<double> zero(std::size_t(model.nv()));
  rows.evaluate_without_jacobian(model, moving, still.q, zero, zero, {});
  const ScrewsAt screws(model, moving, rows);
  out.clear();
  for (const auto* chains : {&graph.tree_bodies, &graph.open_arms})
    for (const Topology::Chain& chain : *chains)
      out.push_back(judge(model, chain, screws.of(chain)));
  return {};
}

}  // namespace trammel
