#include "trammel/constraint/arms.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "trammel/constraint/closure.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

namespace {

// A singular pose, given as decimals, is met to rounding; poses beside it are not.
constexpr double tolerance = 1e-9;

// The arm's screws from base to tip, in the world's axes at the origin of the body at the tip.
using Screws = std::vector<Motion<double>>;

class ScrewsAt {
 public:
  ScrewsAt(const Model& model, const Kinematics& kinematics)
      : model_(model), kinematics_(kinematics) {}

  Screws of(const Topology::Chain& chain) const {
    const Vec3<double> p_tip = kinematics_.X_WB[std::size_t(model_[chain.tip].carrier)].p;
    Screws all;
    for (const auto& [id, is_backward] : chain.joints) {
      Screws own =
          model_[id].role == NamedJoint::Role::loop ? of_closure(id, p_tip) : of_tree(id, p_tip);
      if (is_backward) std::ranges::reverse(own);
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }

 private:
  Screws of_tree(JointId id, const Vec3<double>& p_tip) const {
    const NamedJoint& joint = model_[id];
    const Vec3<double>& p = kinematics_.X_WB[std::size_t(joint.body)].p;
    Screws own;
    for (int f = joint.v_start; f < joint.v_start + joint.nv; ++f)
      own.push_back(felt_at(p_tip - p, kinematics_.axes[std::size_t(f)]));
    return own;
  }
  Screws of_closure(JointId id, const Vec3<double>& p_tip) const {
    Screws own;
    for (std::size_t c = 0; c < model_.closures().size(); ++c) {
      const Closure& closure = model_.closures()[c];
      if (closure.named != id) continue;
      double near[7] = {};
      std::visit([&](const auto& joint) { joint.neutral(near); }, closure.joint);
      const ClosureAt at = look_at(model_, int(c), kinematics_, near);
      const int count = std::visit([](const auto& joint) { return joint.nv(); }, closure.joint);
      for (int k = 0; k < count; ++k)
        own.push_back(to_parent(Pose<double>{at.X_WM.R, at.X_WM.p - p_tip}, at.columns[k]));
    }
    return own;
  }

  const Model& model_;
  const Kinematics& kinematics_;
};

// The same arm with every joint moved on: each screw is carried by those before it.
Screws moved(const Screws& screws, double length, int sample) {
  Screws there;
  Pose<double> X = Pose<double>::identity();
  for (std::size_t k = 0; k < screws.size(); ++k) {
    there.push_back(to_parent(X, screws[k]));
    // angles without pattern, between -1 and 1: multiples of the golden section
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
  // linear parts in lengths of the mechanism
  Eigen::MatrixXd J(6, Eigen::Index(screws.size()));
  for (std::size_t k = 0; k < screws.size(); ++k) {
    const auto& [w, v] = screws[k];
    J.col(Eigen::Index(k)) << w.x, w.y, w.z, v.x / length, v.y / length, v.z / length;
    J.col(Eigen::Index(k)).normalize();
  }
  const Eigen::VectorXd singular = J.jacobiSvd().singularValues();
  Rank found;
  for (Eigen::Index k = 0; k < singular.size(); ++k)
    found.rank += singular[k] > tolerance * singular[0] ? 1 : 0;
  found.least = singular[found.rank - 1] / singular[0];
  return found;
}

// All turn about one direction and slide across it; or only slide, in at most two directions.
bool is_planar(const Screws& screws, double length) {
  Vec3<double> n{};
  for (const auto& [w, v] : screws)
    if (norm(w) > norm(n)) n = w;
  if (!(norm(n) > 0)) return rank_of(screws, length).rank <= 2;
  n = (1 / norm(n)) * n;
  return std::ranges::all_of(screws, [&](const Motion<double>& S) {
    return norm(cross(n, S.angular)) <= tolerance * norm(S.angular) &&
           std::abs(dot(n, S.linear)) <= tolerance * (length * norm(S.angular) + norm(S.linear));
  });
}

Arm judge(const Model& model, const Topology::Chain& chain, const Screws& screws) {
  const double length = model.characteristic_length();
  Arm arm;
  arm.base = model[chain.base].name;
  arm.tip = model[chain.tip].name;
  for (const auto& step : chain.joints) arm.joints.push_back(model[step.joint].name);
  arm.freedoms = int(screws.size());
  arm.wanted = is_planar(screws, length) ? 3 : 6;
  const Rank here = rank_of(screws, length);
  arm.rank = arm.usual_rank = here.rank;
  arm.least = here.least;
  for (int sample = 1; sample <= 3; ++sample)
    arm.usual_rank = std::max(arm.usual_rank, rank_of(moved(screws, length, sample), length).rank);
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
  Kinematics seen(model);
  if (Status status = kinematics(model, still, {}, workspace, seen); !status) return status;
  const Topology graph = topology(model);
  const ScrewsAt screws(model, seen);
  out.clear();
  for (const auto* chains : {&graph.carriers, &graph.open_arms})
    for (const Topology::Chain& chain : *chains)
      if (!chain.has_other_edges) out.push_back(judge(model, chain, screws.of(chain)));
  return {};
}

}  // namespace trammel
