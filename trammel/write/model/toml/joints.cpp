// Joints with their springs, friction and limits, motors, initial values of coordinates.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "trammel/model/description/joint_table.hpp"
#include "trammel/write/model/toml/items.hpp"
#include "trammel/write/model/toml/text.hpp"

namespace trammel::toml {

namespace {

bool has_axis(JointKind kind) {
  const JointAxes axes = traits(kind).axes;
  return axes == JointAxes::one || axes == JointAxes::two;
}

std::string_view name_of(Drive drive) {
  switch (drive) {
    case Drive::none: return "none";
    case Drive::torque: return "torque";
    case Drive::motion: return "motion";
    case Drive::locked: return "locked";
  }
  return "none";
}

Table spring_table(const JointOptions& how, ValueWriter& values) {
  const std::vector<Expr> rest = how.stiffness.empty() ? std::vector<Expr>{} : how.rest;
  return values.numbers_table(
      {{"stiffness", how.stiffness}, {"rest", rest}, {"damping", how.damping}});
}

Table limits_table(const BasicJointLimits<Expr>& limits, ValueWriter& values) {
  Table table;
  const NamedLists numbers = {{"velocity", limits.velocity},
                              {"effort", limits.effort},
                              {"restitution", limits.restitution}};
  if (!limits.lower.empty() || !limits.upper.empty()) {
    const ItemScope scope(values, numbers);
    table.add("position", values.range_text(limits.lower, limits.upper));
  }
  table.append(values.numbers_table(numbers));
  return table;
}

}  // namespace

Table table_of(const JointDescription& joint, ValueWriter& values) {
  const JointOptions& how = joint.options;
  Table table;
  const bool has_pitch = traits(joint.kind).has_pitch || !is_zero(how.pitch);
  const NamedLists own = {{"pitch", has_pitch ? std::vector{how.pitch} : std::vector<Expr>{}}};
  const ItemScope scope(values, own);
  table.add("type", string_text(to_string(joint.kind)));
  table.add("parent", string_text(joint.parent));
  table.add("child", string_text(joint.child));
  if (!is_zero(how.at)) table.add("at", values.text(how.at));
  if (!is_zero(how.child_at)) table.add("child_at", values.text(how.child_at));
  if (has_axis(joint.kind) && !is_equal(how.axis, 0, 0, 1))
    table.add("axis", values.axis_text(how.axis));
  if (traits(joint.kind).axes == JointAxes::two && !is_equal(how.axis2, 1, 0, 0))
    table.add("axis2", values.axis_text(how.axis2));
  if (!how.motions.empty()) table.add("motions", values.text(how.motions));
  if (has_pitch) table.add("pitch", values.text(how.pitch, "pitch"));
  if (how.drive != Drive::none) table.add("drive", string_text(name_of(how.drive)));
  if (how.cut) table.add("cut", "true");

  if (const Table spring = spring_table(how, values); !spring.is_empty())
    table.add("spring", spring.in_line());
  if (!how.friction.empty())
    table.add(
        "friction",
        values.numbers_table({{"effort", how.friction}, {"speed", how.friction_speed}}).in_line());
  if (const Table limits = limits_table(how.limits, values); !limits.is_empty())
    table.add("limits", limits.in_line());
  return table;
}

Table table_of(const MotorDescription& motor, ValueWriter& values) {
  Table table;
  table.add("joint", string_text(motor.joint));
  table.append(values.numbers_table({{"gear", unless(motor.gear, 1)},
                                     {"rotor_inertia", unless(motor.rotor_inertia, 0)},
                                     {"stall_torque", when_given(motor.stall_torque)},
                                     {"no_load_speed", when_given(motor.no_load_speed)}}));
  return table;
}

Table positions_table(const std::vector<StartDescription>& starts, const Description& description,
                      ValueWriter& values) {
  Table table;
  for (const StartDescription& start : starts) {
    const auto joint = std::ranges::find(description.joints, start.joint, &JointDescription::name);
    const bool is_angle = joint != description.joints.end() && joint->kind == JointKind::revolute &&
                          start.values.size() == 1 && start.values[0].is_constant();
    if (is_angle && std::abs(start.values[0].constant()) > 2 * std::numbers::pi)
      table.add(start.joint, string_text(values.text(start.values[0]) + " rad"));
    else
      values.add_list(table, start.joint, start.values);
  }
  return table;
}

Table table_of(const std::vector<StartDescription>& starts, ValueWriter& values) {
  Table table;
  for (const StartDescription& start : starts) values.add_list(table, start.joint, start.values);
  return table;
}

}  // namespace trammel::toml
