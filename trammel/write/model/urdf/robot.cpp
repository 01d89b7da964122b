#include "trammel/write/model/urdf/robot.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "trammel/model/description/frames.hpp"
#include "trammel/model/description/joint_table.hpp"

namespace trammel::urdf {

namespace {

constexpr double no_limit = std::numeric_limits<double>::max();  // if URDF requires a number

bool is_zero(const Vec3<double>& a) { return a.x == 0 && a.y == 0 && a.z == 0; }
bool is_identity(const Origin& origin) { return is_zero(origin.xyz) && is_zero(origin.rpy); }

Mat3<double> rotation_of(const Vec3<double>& rpy) {
  return rotation_rpy(clean_sin_cos(rpy.x), clean_sin_cos(rpy.y), clean_sin_cos(rpy.z));
}
// The inverse of a rotation about one axis is exactly its negative.
Origin inverse(const Origin& origin) {
  const auto& [xyz, rpy] = origin;
  const Mat3<double> R = rotation_of(rpy);
  const int turns = (rpy.x != 0) + (rpy.y != 0) + (rpy.z != 0);
  return {-transpose_times(R, xyz), turns <= 1 ? -rpy : roll_pitch_yaw(transpose(R))};
}

// Makes unique names.
class Names {
 public:
  void take(const std::string& name) { taken_.insert(name); }
  std::string make(std::string name) {
    while (!taken_.insert(name).second) name += "_";
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
};

// One degree of freedom of a joint.
struct Step {
  JointStep::Kind kind;
  Vec3<double> axis;
  int k;  // index of its coordinate
};

class RobotMaker {
 public:
  RobotMaker(const Model& model, const Values<double>& value, Diagnostics& report)
      : model_(model), description_(model.description()), value_(value), report_(report) {}

  Robot make() {
    for (const NamedBody& body : model_.named_bodies()) link_names_.take(body.name);
    for (const JointDescription& joint : description_.joints) joint_names_.take(joint.name);
    add_links();
    for (const JointId id : model_.outward_joints()) add_joint(model_[id]);
    for (const NamedJoint& joint : model_.joints())
      if (joint.role == NamedJoint::Role::loop) add_loop(joint);
    for (const FrameDescription& frame : description_.frames) add_frame(frame);
    for (const CouplingDescription& coupling : description_.couplings) add_coupling(coupling);
    return std::move(robot_);
  }

 private:
  // The fixed joint that the reader adds for the root of a URDF: then ground need not be written.
  bool is_made_by_reader(const NamedJoint& joint) const {
    const JointDescription& what = description_.joints[std::size_t(joint.description)];
    return joint.kind == JointKind::fixed && what.parent == "ground" &&
           what.name == what.child + "_base" && is_identity(origin(what.options.at)) &&
           is_identity(origin(what.options.child_at));
  }

  void add_links() {
    const auto from_ground = [&](const JointId id) {
      return index(model_[id].parent) == 0 || index(model_[id].child) == 0;
    };
    const auto outward = model_.outward_joints();
    has_ground_ = std::ranges::count_if(outward, from_ground) != 1 ||
                  !is_made_by_reader(model_[outward[0]]) ||
                  std::ranges::count(description_.frames, "ground", &FrameDescription::body) > 0 ||
                  std::ranges::any_of(model_.joints(), [](const NamedJoint& joint) {
                    return joint.role == NamedJoint::Role::loop &&
                           (index(joint.parent) == 0 || index(joint.child) == 0);
                  });
    for (const BodyDescription& body : description_.bodies)
      if (body.name == "world") ground_ = "ground";  // a name that no body has
    if (has_ground_) robot_.links.push_back({ground_});
    for (const BodyDescription& body : description_.bodies)
      robot_.links.push_back({body.name, &body});
  }

  void add_joint(const NamedJoint& joint) {
    const JointDescription& what = description_.joints[std::size_t(joint.description)];
    if (!has_ground_ && index(joint.parent) == 0) return;
    const Origin at = origin(what.options.at), child_at = origin(what.options.child_at);
    const Origin& inboard = joint.is_reversed ? child_at : at;
    const Origin after = inverse(joint.is_reversed ? at : child_at);
    const std::string& from = name_of(joint.is_reversed ? joint.child : joint.parent);
    const std::string& to = name_of(joint.is_reversed ? joint.parent : joint.child);

    // frame M of the joint: the child itself, or a separate link that carries the child
    const bool has_own_frame = !is_identity(after);
    const std::string end = has_own_frame ? add_link(to + "_at") : to;
    if (joint.kind == JointKind::fixed) {
      add({what.name, "fixed", from, end, inboard});
    } else if (joint.kind == JointKind::free) {
      add_free(what, joint.is_reversed, {what.name, "floating", from, end, inboard});
    } else if (joint.kind == JointKind::planar && is_plain_planar(joint, what)) {
      Joint planar{what.name, "planar", from, end, inboard};
      planar.axis = value_of(what.options.axis, value_);
      add(std::move(planar));
    } else if (traits(joint.kind).is_chain) {
      add_chain(joint, what, from, end, inboard);
    } else {
      refuse(what);
    }
    if (has_own_frame) add({joint_names_.make(to + "_at"), "fixed", end, to, after});
  }

  void refuse(const JointDescription& joint) {
    report_.error(joint.place,
                  fmt::format("joint '{}' is a {} joint, which URDF cannot say", joint.name,
                              to_string(joint.kind)),
                  joint.kind == JointKind::spherical
                      ? "keep the model in TOML, or make it a compound joint of three turns"
                      : "keep the model in TOML");
  }
  void add_free(const JointDescription& what, bool is_reversed, Joint joint) {
    if (is_reversed)
      report_.warning(what.place,
                      fmt::format("joint '{}' is written from '{}' to '{}': its coordinates are "
                                  "those of the opposite motion",
                                  what.name, what.child, what.parent),
                      "exchange its parent and its child");
    add(std::move(joint));
  }
  // A planar joint of URDF has neither limits nor damping, and its child moves on its parent.
  static bool is_plain_planar(const NamedJoint& joint, const JointDescription& what) {
    const BasicJointLimits<Expr>& limits = what.options.limits;
    return !joint.is_reversed && what.options.damping.empty() && limits.lower.empty() &&
           limits.upper.empty() && limits.velocity.empty() && limits.effort.empty();
  }

  // The axis of the k-th step of a joint that is a chain of steps.
  Vec3<double> axis_of(const JointDescription& joint, int k) const {
    const Vec3<double> axis = value_of(joint.options.axis, value_);
    if (joint.kind == JointKind::planar && k < 2) {
      const Mat3<double> T = turn_to(axis, start_for(axis));
      return k == 0 ? T.x : T.y;
    }
    switch (traits(joint.kind).axes) {
      case JointAxes::none:
      case JointAxes::one: break;
      case JointAxes::two: return k == 0 ? axis : value_of(joint.options.axis2, value_);
      case JointAxes::per_motion:
        return value_of(joint.options.motions[std::size_t(k)].axis, value_);
    }
    return axis;
  }
  std::vector<Step> steps_of(const JointDescription& joint) const {
    const std::vector<DofKind> kinds = dof_kinds(joint);
    std::vector<Step> steps;
    for (int k = 0; k < int(kinds.size()); ++k)
      steps.push_back({kinds[std::size_t(k)], axis_of(joint, k), k});
    return steps;
  }

  // Traversed from child to parent, a joint has its steps in reverse order.
  void add_chain(const NamedJoint& joint, const JointDescription& what, std::string from,
                 const std::string& to, Origin at) {
    std::vector<Step> steps = steps_of(what);
    if (joint.is_reversed) {
      std::ranges::reverse(steps);
      for (Step& step : steps) step.axis = -step.axis;
    }
    std::vector<std::string> names(steps.size(), what.name);
    if (steps.size() > 1) {
      for (std::size_t k = 0; k < steps.size(); ++k)
        names[k] = joint_names_.make(fmt::format("{}_{}", what.name, k + 1));
      report_.warning(what.place,
                      fmt::format("joint '{}' is {}: written as joints '{}' to '{}', with links "
                                  "between that weigh nothing",
                                  what.name, to_string(what.kind), names.front(), names.back()));
    }
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const bool is_last = s + 1 == steps.size();
      const std::string& name = names[std::size_t(steps[s].k)];
      const std::string end = is_last ? to : add_link(name);
      add(one_dof(what, steps[s], {name, "", from, end, at}));
      from = end;
      at = {};
    }
  }
  Joint one_dof(const JointDescription& what, const Step& step, Joint joint) {
    joint.axis = step.axis;
    joint.damping = entry(what.options.damping, step.k, 0);
    const BasicJointLimits<Expr>& limits = what.options.limits;
    Limit limit{entry(limits.lower, step.k, -no_limit), entry(limits.upper, step.k, no_limit),
                entry(limits.effort, step.k, no_limit), entry(limits.velocity, step.k, no_limit)};
    const bool has_range = limit.lower > -no_limit || limit.upper < no_limit;
    const bool is_turn = step.kind == JointStep::Kind::turn;
    // URDF requires limits for all joints but continuous ones
    joint.type = !is_turn ? "prismatic" : has_range ? "revolute" : "continuous";
    limit.has_range = joint.type != "continuous";
    if (limit.has_range || limit.effort < no_limit || limit.velocity < no_limit)
      joint.limit = limit;
    return joint;
  }
  // One entry may be for all; an infinite limit is none.
  double entry(const std::vector<Expr>& list, int k, double otherwise) const {
    if (list.empty()) return otherwise;
    const double x = value_(list[list.size() == 1 ? 0 : std::size_t(k)]);
    return std::clamp(x, -no_limit, no_limit);
  }

  // properties that URDF+ cannot express are reported with the other losses
  void add_loop(const NamedJoint& joint) {
    const JointDescription& what = description_.joints[std::size_t(joint.description)];
    Loop loop{what.name,
              loop_type(what.kind),
              name_of(joint.parent),
              name_of(joint.child),
              origin(what.options.at),
              origin(what.options.child_at)};
    if (loop.type.empty()) return;
    if (traits(what.kind).axes != JointAxes::none) loop.axis = value_of(what.options.axis, value_);
    robot_.loops.push_back(std::move(loop));
  }

  void add_frame(const FrameDescription& frame) {
    const std::string name = link_names_.make(frame.name);
    robot_.links.push_back({name});
    const std::string body = frame.body == "ground" ? ground_ : frame.body;
    add({joint_names_.make(name + "_at"), "fixed", body, name, origin(frame.at)});
    report_.warning(frame.place, fmt::format("frame '{}' is written as link '{}', which weighs "
                                             "nothing",
                                             frame.name, name));
  }

  // a q1 + b q2 = c is q1 = (-b/a) q2 + c/a
  void add_coupling(const CouplingDescription& coupling) {
    if (coupling.terms.size() == 2)
      for (const std::size_t follower : {0, 1}) {
        const auto& [joint, a] = coupling.terms[follower];
        const auto& [other, b] = coupling.terms[1 - follower];
        Joint* found = find(joint);
        if (!found || !find(other) || found->mimic || joint == other || value_(a) == 0) continue;
        found->mimic = {other, -value_(b) / value_(a), value_(coupling.offset) / value_(a)};
        if (coupling.name != joint + "_mimic")
          report_.warning(coupling.place,
                          fmt::format("coupling '{}' is written as a <mimic> of joint '{}', which "
                                      "has no name of its own",
                                      coupling.name, joint));
        return;
      }
    if (add_as_paths(coupling)) return;
    report_.warning(coupling.place, fmt::format("coupling '{}' is not kept", coupling.name),
                    "in URDF a joint of one degree of freedom may follow one other");
  }
  // r (q1 + q2 + ...) - (q3 + ...) = 0, where each bracket is the path to one link from the nearest
  // common ancestor
  bool add_as_paths(const CouplingDescription& coupling) {
    if (coupling.terms.empty() || value_(coupling.offset) != 0) return false;
    const double first = value_(coupling.terms[0].second);
    Path there, back;
    std::optional<double> second;
    for (const auto& [name, factor] : coupling.terms) {
      const double x = value_(factor);
      if (x == 0 || !model_.find_joint(name)) return false;
      if (x != first && x != second.value_or(x)) return false;
      if (x != first) second = x;
      (x == first ? there : back).insert(index(*model_.find_joint(name)));
    }
    const std::optional<BodyId> predecessor = tip_of(there);
    if (!predecessor || (second && !tip_of(back))) return false;
    const BodyId successor = second ? *tip_of(back) : inboard_of(top_of(there));
    if (ways(*predecessor, successor) != std::pair(there, back)) return false;
    robot_.couplings.push_back(
        {coupling.name, name_of(*predecessor), name_of(successor), second ? -first / *second : 1});
    return true;
  }
  using Path = std::set<int>;  // of tree joints that are not fixed
  BodyId inboard_of(JointId id) const {
    return model_[id].is_reversed ? model_[id].child : model_[id].parent;
  }
  BodyId outboard_of(JointId id) const {
    return model_[id].is_reversed ? model_[id].parent : model_[id].child;
  }
  // tree joints are numbered outward
  static JointId top_of(const Path& path) { return JointId(*path.begin()); }
  std::optional<BodyId> tip_of(const Path& path) const {
    if (path.empty()) return std::nullopt;
    const JointId last{*path.rbegin()};
    if (model_[last].role != NamedJoint::Role::tree) return std::nullopt;
    return outboard_of(last);
  }
  std::pair<Path, Path> ways(BodyId a, BodyId b) const {
    Path there = to_ground(a), back = to_ground(b), only_there, only_back;
    std::ranges::set_difference(there, back, std::inserter(only_there, only_there.end()));
    std::ranges::set_difference(back, there, std::inserter(only_back, only_back.end()));
    return {only_there, only_back};
  }
  Path to_ground(BodyId body) const {
    Path path;
    while (const auto id = model_[body].inboard) {
      if (model_[*id].role == NamedJoint::Role::tree) path.insert(index(*id));
      body = inboard_of(*id);
    }
    return path;
  }
  // a joint with one degree of freedom
  Joint* find(const std::string& name) {
    const auto found = number_.find(name);
    if (found == number_.end()) return nullptr;
    Joint& joint = robot_.joints[found->second];
    const bool is_one =
        joint.type == "revolute" || joint.type == "continuous" || joint.type == "prismatic";
    return is_one ? &joint : nullptr;
  }

  void add(Joint joint) {
    number_.emplace(joint.name, robot_.joints.size());
    robot_.joints.push_back(std::move(joint));
  }
  std::string add_link(const std::string& wish) {
    robot_.links.push_back({link_names_.make(wish)});
    return robot_.links.back().name;
  }
  const std::string& name_of(BodyId body) const {
    return index(body) == 0 ? ground_ : model_[body].name;
  }
  Origin origin(const Placement& at) const {
    return {value_of(at.xyz, value_), value_of(at.rpy, value_)};
  }

  const Model& model_;
  const Description& description_;
  const Values<double>& value_;
  Diagnostics& report_;
  Names link_names_, joint_names_;
  std::unordered_map<std::string, std::size_t> number_;  // of joints
  std::string ground_ = "world";
  bool has_ground_ = true;
  Robot robot_;
};

}  // namespace

std::string loop_type(JointKind kind) {
  const char* const type = traits(kind).urdf_loop;
  return type ? type : "";
}

Robot make_robot(const Model& model, const Values<double>& value, Diagnostics& report) {
  return RobotMaker(model, value, report).make();
}

}  // namespace trammel::urdf
