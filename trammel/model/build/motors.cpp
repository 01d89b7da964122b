#include "trammel/model/build/motors.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/model/description/description_parameters.hpp"
#include "trammel/model/description/frames.hpp"
#include "trammel/model/description/joint_table.hpp"

namespace trammel {

namespace {

// Massless; the moments about its diameters are half of that about its axis.
Solid thin_disk(const Expr& axial, const Vec3<Expr>& axis) {
  const Vec3<Expr> a = (1.0 / sqrt(dot(axis, axis))) * axis;
  const Expr half = 0.5 * axial;
  Solid disk;
  disk.inertia = {half * (1.0 + a.x * a.x), half * a.x * a.y, half * a.x * a.z,
                  half * (1.0 + a.y * a.y), half * a.y * a.z, half * (1.0 + a.z * a.z)};
  return disk;
}

// The initial value of the rotor follows from that of its joint.
void start_along(std::vector<StartDescription>& starts, const MotorDescription& motor) {
  const auto found = std::ranges::find(starts, motor.joint, &StartDescription::joint);
  if (found == starts.end() || found->values.size() != 1) return;
  starts.push_back({motor.name, {motor.gear * found->values[0]}, motor.place});
}

}  // namespace

void check_motor(const MotorDescription& motor, const Values<double>& value,
                 Diagnostics& diagnostics) {
  const auto error = [&](const char* key, double x, const char* hint) {
    diagnostics.error(motor.place.of(key), fmt::format("motor '{}' has {} {}", motor.name, key, x),
                      hint);
  };
  if (value(motor.gear) == 0)
    error("gear", 0, "it is how many times as fast as the joint the rotor turns");
  if (const double x = value(motor.rotor_inertia); x < 0)
    error("rotor_inertia", x, "it is zero or more");
  if (motor.stall_torque && !(value(*motor.stall_torque) > 0))
    error("stall_torque", value(*motor.stall_torque), "it is more than zero");
  if (motor.no_load_speed && !(value(*motor.no_load_speed) > 0))
    error("no_load_speed", value(*motor.no_load_speed), "it is more than zero");
}

void add_rotors(Description& description, Diagnostics& diagnostics) {
  for (MotorDescription& motor : description.motors) {
    const auto found = std::ranges::find(description.joints, motor.joint, &JointDescription::name);
    if (found == description.joints.end() || motor.place.has_mistakes) continue;  // is reported
    const JointDescription joint = *found;
    if (dofs(joint) != 1) {
      diagnostics.error(motor.place.of("joint"),
                        fmt::format("motor '{}' turns joint '{}', which has {} degrees of freedom",
                                    motor.name, joint.name, dofs(joint)),
                        "a motor turns a joint with one: revolute, prismatic or screw");
      continue;
    }
    const Expr& inertia = motor.rotor_inertia;
    if (inertia.is_constant() && !(inertia.constant() > 0)) continue;  // none, or is reported
    const Vec3<Expr> axis = traits(joint.kind).axes == JointAxes::per_motion
                                ? joint.options.motions[0].axis
                                : joint.options.axis;
    description.body(motor.name, thin_disk(motor.rotor_inertia, axis), motor.place);
    description.joint(motor.name, JointKind::revolute, joint.parent, motor.name,
                      {.at = joint.options.at, .axis = axis}, motor.place);
    description.couplings.push_back(
        {motor.name, {{motor.name, 1.0}, {joint.name, -motor.gear}}, 0.0, motor.place});
    for (auto* starts : {&description.start_positions, &description.start_velocities,
                         &description.position_guesses, &description.velocity_guesses})
      start_along(*starts, motor);
    motor.rotor_inertia = 0.0;  // the rotor is a body now
  }
}

}  // namespace trammel
