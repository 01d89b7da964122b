#include "trammel/read/toml/prefixed.hpp"

#include <filesystem>

#include "trammel/model/column_name.hpp"

namespace trammel::toml {

namespace {

class Prefixer {
 public:
  explicit Prefixer(const Transplant& transplant) : transplant_(transplant) {}

  void rename(std::string& name) const {
    if (!name.empty()) name = transplant_.prefix + name;  // an empty name stays empty
  }
  void move(Expr& number) const { number = transplant_.value(number); }
  void move(Vec3<Expr>& a) const { a = {moved(a.x), moved(a.y), moved(a.z)}; }
  void move(Placement& at) const {
    move(at.xyz);
    move(at.rpy);
  }
  void move(std::vector<Expr>& list) const {
    for (Expr& number : list) move(number);
  }

  void move(BodyDescription& body) const {
    rename(body.name);
    move(body.solid.mass);
    move(body.solid.com);
    SymMat3<Expr>& I = body.solid.inertia;
    I = {moved(I.xx), moved(I.xy), moved(I.xz), moved(I.yy), moved(I.yz), moved(I.zz)};
    for (Shape& shape : body.shapes) {
      move(shape.size);
      move(shape.scale);
      move(shape.at);
      shape.mesh = relative_to_target(shape.mesh);
    }
  }
  void move(JointDescription& joint) const {
    rename(joint.name);
    rename(joint.parent);
    rename(joint.child);
    JointOptions& options = joint.options;
    move(options.at);
    move(options.child_at);
    move(options.axis);
    move(options.axis2);
    for (JointStep& step : options.motions) move(step.axis);
    move(options.pitch);
    for (auto* list :
         {&options.stiffness, &options.rest, &options.damping, &options.friction,
          &options.friction_speed, &options.limits.lower, &options.limits.upper,
          &options.limits.velocity, &options.limits.effort, &options.limits.restitution})
      move(*list);
  }
  void move(FrameDescription& frame) const {
    rename(frame.name);
    rename(frame.body);
    move(frame.at);
  }
  void move(WheelDescription& wheel) const {
    rename(wheel.name);
    rename(wheel.body);
    rename(wheel.on);
    move(wheel.axis);
    move(wheel.radius);
    move(wheel.roller_angle);
    for (std::optional<Expr>* number : {&wheel.roller_radius, &wheel.friction})
      if (*number) move(**number);
    move(wheel.trail);
    move(wheel.mass);
    move(wheel.at);
  }
  void move(TerrainDescription& terrain) const {
    rename(terrain.name);
    rename(terrain.on);
    for (auto& [name, number] : terrain.with) move(number);
    move(terrain.from);
    move(terrain.spacing);
    for (std::vector<Expr>& line : terrain.heights) move(line);
  }
  void move(CouplingDescription& coupling) const {
    rename(coupling.name);
    for (auto& [joint, factor] : coupling.terms) {
      rename(joint);
      move(factor);
    }
    move(coupling.offset);
  }
  void move(ConstraintDescription& constraint) const {
    rename(constraint.name);
    rename(constraint.frame);
    rename(constraint.other_frame);
    move(constraint.distance);
    CurveDescription& curve = constraint.curve;
    for (Vec3<Expr>& point : curve.points) move(point);
    for (auto& [name, number] : curve.with) move(number);
    move(curve.from);
    move(curve.to);
  }
  template <class Element> void move(Element& element) const requires requires { element.ends(); }
  {
    rename(element.name);
    for (std::string* end : element.ends()) rename(*end);
    each_number(element, [&](const NumberLabel&, Expr& number) { move(number); });
  }
  void move(MotorDescription& motor) const {
    rename(motor.name);
    rename(motor.joint);
    move(motor.gear);
    move(motor.rotor_inertia);
    for (std::optional<Expr>* number : {&motor.stall_torque, &motor.no_load_speed})
      if (*number) move(**number);
  }
  void move(InputDescription& input) const {
    rename(input.name);
    rename(input.joint);
    for (auto& [name, values] : input.numbers) move(values);
  }
  void move(WrenchDescription& wrench) const {
    rename(wrench.name);
    rename(wrench.at);
    for (std::optional<InputDescription>* profile : {&wrench.moment, &wrench.force})
      if (*profile) move(**profile);
  }
  void move(ControllerDescription& controller) const {
    rename(controller.name);
    rename(controller.joint);
    for (Expr* number : {&controller.p, &controller.i, &controller.d, &controller.filter})
      move(*number);
    if (controller.limit) move(*controller.limit);
    move(controller.target);
  }
  void move(EventDescription& event) const {
    rename(event.name);
    if (!event.joint.empty()) event.joint = with_prefix(event.joint, transplant_.prefix);
    if (event.time) move(*event.time);
    move(event.value);
    for (auto* names : {&event.lock, &event.unlock, &event.grasp, &event.release})
      for (std::string& name : *names) rename(name);
  }
  void move(StartDescription& start) const {
    rename(start.joint);
    move(start.values);
  }

  template <class Item> void append(const std::vector<Item>& from, std::vector<Item>& to) const {
    to.reserve(to.size() + from.size());
    for (Item item : from) {
      move(item);
      to.push_back(std::move(item));
    }
  }

 private:
  Expr moved(const Expr& number) const { return transplant_.value(number); }

  std::string relative_to_target(const std::string& mesh) const {
    const std::filesystem::path path = mesh;
    const bool is_anywhere = mesh.empty() || path.is_absolute() || mesh.find("://") != mesh.npos;
    if (is_anywhere || transplant_.folder.empty()) return mesh;
    return (std::filesystem::path(transplant_.folder) / path).lexically_normal().generic_string();
  }

  const Transplant& transplant_;
};

}  // namespace

void append_prefixed(const Description& from, const Transplant& transplant, Description& to) {
  const Prefixer prefixer(transplant);
  prefixer.append(from.bodies, to.bodies);
  prefixer.append(from.joints, to.joints);
  prefixer.append(from.frames, to.frames);
  prefixer.append(from.wheels, to.wheels);
  prefixer.append(from.terrains, to.terrains);
  prefixer.append(from.couplings, to.couplings);
  prefixer.append(from.constraints, to.constraints);
  each_force_element_kind(from, [&](auto kind, const auto& list) {
    prefixer.append(list, std::get<kind>(force_element_lists(to)));
  });
  prefixer.append(from.motors, to.motors);
  prefixer.append(from.inputs, to.inputs);
  prefixer.append(from.wrenches, to.wrenches);
  prefixer.append(from.controllers, to.controllers);
  prefixer.append(from.events, to.events);
  prefixer.append(from.start_positions, to.start_positions);
  prefixer.append(from.start_velocities, to.start_velocities);
  prefixer.append(from.position_guesses, to.position_guesses);
  prefixer.append(from.velocity_guesses, to.velocity_guesses);
}

}  // namespace trammel::toml
