#include "trammel/model/build/expansions.hpp"

#include "trammel/model/description/solids.hpp"

namespace trammel {

void add_casters(Description& description) {
  for (WheelDescription& wheel : description.wheels) {
    if (wheel.kind != WheelDescription::Kind::caster || wheel.place.has_mistakes) continue;
    const std::string fork = wheel.name + "_fork";
    description.body(fork, {}, wheel.place);
    description.joint(fork, JointKind::revolute, wheel.body, fork, {.at = wheel.at}, wheel.place);
    Solid disk = solid_cylinder(wheel.mass, wheel.radius, 0.0);
    std::swap(disk.inertia.yy, disk.inertia.zz);  // its axis is y
    description.body(wheel.name, disk, wheel.place);
    description.joint(wheel.name, JointKind::revolute, fork, wheel.name,
                      {.at = {.xyz = {-wheel.trail, 0.0, 0.0}}, .axis = {0.0, 1.0, 0.0}},
                      wheel.place);
    // both bodies exist now
    wheel.kind = WheelDescription::Kind::conventional;
    wheel.body = wheel.name;
    wheel.axis = {0.0, 1.0, 0.0};
    wheel.at = {};
    wheel.mass = wheel.trail = 0.0;
  }
}

void add_moving_ground(Description& description) {
  if (!description.ground_motion) return;
  const GroundMotionDescription motion = *std::exchange(description.ground_motion, std::nullopt);
  if (motion.place.has_mistakes || (!motion.position && !motion.yaw_pitch_roll)) return;
  const std::string moving = "moving_ground";
  const auto move = [&](std::string& name) {
    if (name == "ground") name = moving;
  };
  for (JointDescription& joint : description.joints) move(joint.parent), move(joint.child);
  for (FrameDescription& frame : description.frames) move(frame.body);
  for (WheelDescription& wheel : description.wheels) move(wheel.on);
  for (TerrainDescription& terrain : description.terrains) move(terrain.on);
  for (ConstraintDescription& constraint : description.constraints)
    move(constraint.frame), move(constraint.other_frame);
  each_force_element_list(description, [&](auto& list) {
    for (auto& element : list)
      for (std::string* end : element.ends()) move(*end);
  });

  std::string on = "ground";
  const auto carry = [&](const std::optional<InputDescription>& profile, const std::string& name,
                         std::vector<JointStep> steps) {
    if (!profile) return;
    description.body(name, {}, motion.place);
    description.joint(name, JointKind::compound, on, name,
                      {.motions = std::move(steps), .drive = Drive::motion}, motion.place);
    InputDescription input = *profile;
    input.name = input.joint = name;
    description.inputs.push_back(std::move(input));
    on = name;
  };
  carry(motion.position, motion.yaw_pitch_roll ? moving + "_place" : moving,
        {slide({1.0, 0.0, 0.0}), slide({0.0, 1.0, 0.0}), slide({0.0, 0.0, 1.0})});
  carry(motion.yaw_pitch_roll, moving,
        {turn({0.0, 0.0, 1.0}), turn({0.0, 1.0, 0.0}), turn({1.0, 0.0, 0.0})});
}

}  // namespace trammel
