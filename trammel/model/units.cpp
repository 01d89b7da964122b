#include "trammel/model/units.hpp"

#include "trammel/model/description/joint_table.hpp"

namespace trammel {

namespace {

constexpr DofKind turns = DofKind::turn;

std::vector<DofKind> kinds_of(const Model& model, const NamedJoint& joint) {
  return dof_kinds(model.description().joints[std::size_t(joint.description)]);
}

std::vector<std::string> each_of(const std::vector<DofKind>& kinds, const char* of_turn,
                                 const char* of_slide) {
  std::vector<std::string> units;
  for (const DofKind kind : kinds) units.emplace_back(kind == turns ? of_turn : of_slide);
  return units;
}
std::vector<std::string> each_dof(const Model& model, const char* of_turn, const char* of_slide) {
  return each_of(dof_kinds(model), of_turn, of_slide);
}

// a closure without a joint is a point constraint, which rotates, or a weld
std::vector<DofKind> kinds_of(const Model& model, const Closure& closure) {
  if (closure.named) return kinds_of(model, model[*closure.named]);
  return std::vector<DofKind>(
      std::size_t(std::visit([](const auto& joint) { return joint.nv(); }, closure.joint)), turns);
}
std::vector<std::string> each_loop_dof(const Model& model, const char* of_turn,
                                       const char* of_slide) {
  std::vector<std::string> units;
  for (const Closure& closure : model.closures())
    for (std::string& unit : each_of(kinds_of(model, closure), of_turn, of_slide))
      units.push_back(std::move(unit));
  return units;
}

}  // namespace

std::vector<DofKind> dof_kinds(const Model& model) {
  std::vector<DofKind> kinds(std::size_t(model.nv()));
  for (const NamedJoint& joint : model.joints()) {
    if (joint.role != NamedJoint::Role::tree) continue;
    const std::vector<DofKind> own = kinds_of(model, joint);
    std::copy(own.begin(), own.end(), kinds.begin() + joint.v_start);
  }
  return kinds;
}

std::vector<std::string> position_units(const Model& model) {
  const std::vector<DofKind> kinds = dof_kinds(model);
  std::vector<std::string> units(std::size_t(model.nq()), "1");
  for (const NamedJoint& joint : model.joints()) {
    if (joint.role != NamedJoint::Role::tree) continue;
    // after a quaternion's four numbers come the coordinates of the translational dof
    const int quaternion = joint.nq - joint.nv == 1 ? 1 : 0;
    for (int k = quaternion * 4; k < joint.nq; ++k) {
      const DofKind kind = kinds[std::size_t(joint.v_start + k - quaternion)];
      units[std::size_t(joint.q_start + k)] = kind == turns ? "rad" : "m";
    }
  }
  return units;
}

std::vector<std::string> velocity_units(const Model& model) {
  return each_dof(model, "rad/s", "m/s");
}
std::vector<std::string> acceleration_units(const Model& model) {
  return each_dof(model, "rad/s^2", "m/s^2");
}
std::vector<std::string> effort_units(const Model& model) { return each_dof(model, "N m", "N"); }

std::vector<std::string> loop_position_units(const Model& model) {
  std::vector<std::string> units;
  for (const Closure& closure : model.closures()) {
    const std::vector<DofKind> kinds = kinds_of(model, closure);
    const int nq = std::visit([](const auto& joint) { return joint.nq(); }, closure.joint);
    const int quaternion = nq - int(kinds.size()) == 1 ? 1 : 0;
    for (int k = 0; k < nq; ++k)
      units.emplace_back(k < quaternion * 4                            ? "1"
                         : kinds[std::size_t(k - quaternion)] == turns ? "rad"
                                                                       : "m");
  }
  return units;
}
std::vector<std::string> loop_velocity_units(const Model& model) {
  return each_loop_dof(model, "rad/s", "m/s");
}
std::vector<std::string> loop_acceleration_units(const Model& model) {
  return each_loop_dof(model, "rad/s^2", "m/s^2");
}
std::vector<std::string> loop_effort_units(const Model& model) {
  return each_loop_dof(model, "N m", "N");
}

}  // namespace trammel
