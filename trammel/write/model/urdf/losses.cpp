// Reports the parts of a model that URDF cannot express, with their places.
#include <fmt/format.h>

#include "trammel/model/description/frames.hpp"
#include "trammel/write/model/urdf/robot.hpp"

namespace trammel::urdf {

namespace {

class Losses {
 public:
  Losses(const Model& model, const Values<double>& value, Diagnostics& report)
      : model_(model), description_(model.description()), value_(value), report_(report) {}

  void report() {
    report_gravity();
    for (const ParameterDescription& parameter : description_.parameters)
      report_.warning(parameter.place,
                      fmt::format("parameter '{}' is not kept: formulas are written as numbers, "
                                  "with {} = {}",
                                  parameter.name, parameter.name, parameter.value));
    for (const BodyDescription& body : description_.bodies)
      for (const Shape& shape : body.shapes)
        if (shape.is_collision && shape.color)
          report_.warning(
              shape.place,
              fmt::format("the color of a collision shape of '{}' is not kept", body.name));
    for (const NamedJoint& joint : model_.joints()) report_joint(joint);
    report_all("wheel", description_.wheels);
    report_all("terrain", description_.terrains);
    report_all("constraint", description_.constraints);
    each_force_element_list(description_, [this]<class Element>(const std::vector<Element>& list) {
      report_all(Element::kind, list);
    });
    report_all("motor", description_.motors);
    report_all("input", description_.inputs);
    report_all("wrench", description_.wrenches);
    report_all("controller", description_.controllers);
    report_all("event", description_.events);
    for (const auto* starts : {&description_.start_positions, &description_.start_velocities,
                               &description_.position_guesses, &description_.velocity_guesses})
      for (const StartDescription& start : *starts)
        report_.warning(start.place,
                        fmt::format("the start of joint '{}' is not kept", start.joint));
    for (const RawSection& section : description_.raw_sections)
      report_.warning(section.place, fmt::format("[{}] is not kept", section.name));
  }

 private:
  void report_gravity() {
    const Vec3<double> g = value_of(description_.gravity, value_);
    if (g.x == 0 && g.y == 0 && g.z == -9.81) return;
    report_.warning(description_.source.of("gravity"),
                    fmt::format("gravity {} {} {} is not kept: readers of URDF assume 0 0 -9.81",
                                g.x, g.y, g.z));
  }
  template <class Item> void report_all(std::string_view kind, const std::vector<Item>& items) {
    for (const Item& item : items)
      report_.warning(item.place, fmt::format("{} '{}' is not kept", kind, item.name));
  }

  void report_joint(const NamedJoint& joint) {
    const JointDescription& what = description_.joints[std::size_t(joint.description)];
    const auto lose = [&](std::string_view key, std::string_view of) {
      report_.warning(what.place.of(key),
                      fmt::format("{} of joint '{}' {} not kept", of, joint.name,
                                  of == "the limits" ? "are" : "is"));
    };
    const bool is_loop = joint.role == NamedJoint::Role::loop;
    if (is_loop && loop_type(joint.kind).empty())
      return report_.warning(
          what.place,
          fmt::format("joint '{}' is {} and closes a loop: it is not kept", joint.name,
                      to_string(joint.kind)),
          "a <loop> is revolute, prismatic, fixed, planar or spherical; keep the model in TOML");
    if (!what.options.stiffness.empty()) lose("stiffness", "the spring");
    if (!what.options.friction.empty()) lose("friction", "the friction");
    if (!what.options.limits.restitution.empty())
      lose("limits.restitution", "the restitution at the limits");
    switch (what.options.drive) {
      case Drive::none: break;
      case Drive::torque: lose("drive", "drive 'torque'"); break;
      case Drive::motion: lose("drive", "drive 'motion'"); break;
      case Drive::locked: lose("drive", "drive 'locked'"); break;
    }
    if (joint.kind != JointKind::free && !is_loop) return;
    const BasicJointLimits<Expr>& limits = what.options.limits;
    const bool has_range = is_loop && (!limits.lower.empty() || !limits.upper.empty());
    if (!what.options.damping.empty()) lose("damping", "the damping");
    if (!limits.velocity.empty() || !limits.effort.empty() || has_range)
      lose("limits", "the limits");
  }

  const Model& model_;
  const Description& description_;
  const Values<double>& value_;
  Diagnostics& report_;
};

}  // namespace

void report_losses(const Model& model, const Values<double>& value, Diagnostics& report) {
  Losses(model, value, report).report();
}

}  // namespace trammel::urdf
