#include "trammel/write/units.hpp"

namespace trammel {

namespace {

constexpr FreedomKind turns = FreedomKind::turn, slides = FreedomKind::slide;

std::vector<FreedomKind> kinds_of(const Model& model, const NamedJoint& joint) {
  switch (joint.kind) {
    case JointKind::fixed: return {};
    case JointKind::revolute:
    case JointKind::screw: return {turns};  // a screw counts its angle
    case JointKind::prismatic: return {slides};
    case JointKind::cylindrical: return {turns, slides};
    case JointKind::universal: return {turns, turns};
    case JointKind::spherical: return {turns, turns, turns};
    case JointKind::planar: return {slides, slides, turns};
    case JointKind::free: return {turns, turns, turns, slides, slides, slides};
    case JointKind::compound: break;
  }
  std::vector<FreedomKind> kinds;
  for (const JointStep& step : model.description().joints[std::size_t(joint.said)].options.motions)
    kinds.push_back(step.kind);
  return kinds;
}

std::vector<std::string> each_freedom(const Model& model, const char* of_turn,
                                      const char* of_slide) {
  std::vector<std::string> units;
  for (const FreedomKind kind : freedom_kinds(model))
    units.emplace_back(kind == turns ? of_turn : of_slide);
  return units;
}

}  // namespace

std::vector<FreedomKind> freedom_kinds(const Model& model) {
  std::vector<FreedomKind> kinds(std::size_t(model.nv()));
  for (const NamedJoint& joint : model.joints()) {
    if (joint.role != NamedJoint::Role::tree) continue;
    const std::vector<FreedomKind> own = kinds_of(model, joint);
    std::copy(own.begin(), own.end(), kinds.begin() + joint.v_start);
  }
  return kinds;
}

std::vector<std::string> position_units(const Model& model) {
  const std::vector<FreedomKind> kinds = freedom_kinds(model);
  std::vector<std::string> units(std::size_t(model.nq()), "1");
  for (const NamedJoint& joint : model.joints()) {
    if (joint.role != NamedJoint::Role::tree) continue;
    // behind a quaternion's four numbers stand the coordinates of the freedoms that are no turn
    const int quaternion = joint.nq - joint.nv == 1 ? 1 : 0;
    for (int k = quaternion * 4; k < joint.nq; ++k) {
      const FreedomKind kind = kinds[std::size_t(joint.v_start + k - quaternion)];
      units[std::size_t(joint.q_start + k)] = kind == turns ? "rad" : "m";
    }
  }
  return units;
}

std::vector<std::string> velocity_units(const Model& model) {
  return each_freedom(model, "rad/s", "m/s");
}
std::vector<std::string> acceleration_units(const Model& model) {
  return each_freedom(model, "rad/s^2", "m/s^2");
}
std::vector<std::string> effort_units(const Model& model) {
  return each_freedom(model, "N m", "N");
}

}  // namespace trammel
