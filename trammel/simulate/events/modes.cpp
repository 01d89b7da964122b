#include "trammel/simulate/events/modes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

struct Modes::Mode {
  Mode(Model of, const SimulationInputs& driven)
      : model(std::move(of)), run_inputs(driven, model), workspace(model) {}
  Model model;
  SimulationInputs run_inputs;
  Workspace workspace;
};

namespace {

// Name of the coupling that represents a closed stop: sign q = sign at, so that a positive
// multiplier pushes away from the limit.
std::string coupling_name(const Model& model, const Stop& stop) {
  return fmt::format("{} holds", name_of(model, stop));
}

// The item of a list of the description with this name.
template <class Item> Item& named(std::vector<Item>& items, const std::string& name) {
  return *std::ranges::find(items, name, &Item::name);
}

Pose<double> pose_of(const Model& model, const Positions& seen, const std::string& frame_or_body) {
  if (const auto frame = model.find_frame(frame_or_body))
    return pose(model, seen,
                {model[*frame].body, model.numbers().X_UF[std::size_t(index(*frame))]});
  return pose(model, seen, {*model.find_body(frame_or_body)});
}
BodyId body_of(const Model& model, const std::string& frame_or_body) {
  if (const auto frame = model.find_frame(frame_or_body)) return model[*frame].body;
  return *model.find_body(frame_or_body);
}
Vec3<Expr> numbers_of(const Vec3<double>& x) { return {x.x, x.y, x.z}; }

}  // namespace

Modes::Modes(const Model& model, const SimulationInputs& run_inputs, Workspace& workspace)
    : model_(model), run_inputs_(run_inputs), workspace_(workspace) {}
Modes::~Modes() = default;

RunSnapshot Modes::at(const State& state, Mode* mode) {
  if (mode == nullptr) return {state, model_, run_inputs_, workspace_};
  return {state, mode->model, mode->run_inputs, mode->workspace};
}

std::unique_ptr<Modes::Mode> Modes::make(const Description& description) const {
  return std::make_unique<Mode>(rebuild_model(description), run_inputs_);
}

// Activates a constraint in the relative pose found: the second frame is replaced by one that
// coincides with the first; a distance constraint takes the distance found.
void Modes::grasp_as_found(const std::string& constraint, const State& state,
                           Description& description) {
  const RunSnapshot snapshot = released(state);
  ConstraintDescription& what = named(description.constraints, constraint);
  what.active = true;
  Positions seen(snapshot.model);
  if (!positions(snapshot.model, state, snapshot.workspace, seen).ok()) return;
  const Pose<double> X_WF = pose_of(snapshot.model, seen, what.frame);
  if (what.kind == ConstraintDescription::Kind::distance) {
    what.distance = norm(pose_of(snapshot.model, seen, what.other_frame).p - X_WF.p);
    return;
  }
  const BodyId body = body_of(snapshot.model, what.other_frame);
  const Pose<double> X_UF = inverse(pose(snapshot.model, seen, {body})) * X_WF;
  std::string found = constraint + " as found";
  while (snapshot.model.find_frame(found)) found += " again";
  description.frame(found, snapshot.model[body].name,
                    {numbers_of(X_UF.p), numbers_of(roll_pitch_yaw(X_UF.R))});
  what.other_frame = found;
}

Status Modes::check(const EventDescription& event) const {
  std::string missing;
  const auto expect = [&](const char* what, const std::string& name, bool is_there) {
    if (!is_there) missing += fmt::format("{}no {} '{}'", missing.empty() ? "" : ", ", what, name);
  };
  for (const auto* names : {&event.lock, &event.unlock})
    for (const std::string& name : *names)
      expect("joint", name, model_.find_joint(name).has_value());
  for (const std::string& name : event.unlock)
    if (const auto joint = model_.find_joint(name))
      if (model_[*joint].role == NamedJoint::Role::fixed)
        return Status::failure(
            fmt::format("event '{}' unlocks '{}', but a fixed joint has nothing to unlock: give it "
                        "the type it has when unlocked and drive it as locked",
                        event.name, name));
  const auto& constraints = model_.description().constraints;
  for (const auto* names : {&event.grasp, &event.release})
    for (const std::string& name : *names)
      expect(
          "constraint", name,
          std::ranges::find(constraints, name, &ConstraintDescription::name) != constraints.end());
  if (!missing.empty())
    return Status::failure(fmt::format("event '{}': the model has {}", event.name, missing));
  for (const std::string& name : event.grasp)
    if (const auto found = std::ranges::find(constraints, name, &ConstraintDescription::name);
        found->kind == ConstraintDescription::Kind::curve)
      return Status::failure(
          fmt::format("event '{}' grasps with '{}', a point on a curve, which cannot begin where "
                      "the point happens to be: let it be active from the start",
                      event.name, name));
  return {};
}

Status Modes::handle_events(const EventDescription& event, State& state, double& lost) {
  if (!changes(event)) return {};
  Description description = released(state).model.description();
  for (const NamedJoint& joint : model_.joints())  // loops stay cut at the same joints
    if (joint.role == NamedJoint::Role::loop)
      description.joints[std::size_t(joint.description)].options.cut = true;
  const auto set_drive = [&](const std::vector<std::string>& joints, bool is_locked) {
    for (const std::string& name : joints) {
      Drive& drive = named(description.joints, name).options.drive;
      const Drive given = model_[*model_.find_joint(name)].drive;
      drive = is_locked ? Drive::locked : given == Drive::locked ? Drive::none : given;
    }
  };
  set_drive(event.lock, true);
  set_drive(event.unlock, false);
  for (const std::string& name : event.grasp) grasp_as_found(name, state, description);
  for (const std::string& name : event.release) named(description.constraints, name).active = false;

  try {
    auto mode = make(description);
    Energy before, after;
    if (Status status = energy(model_, state, workspace_, before); !status) return status;
    if (mode->model.has_constraints() || mode->model.has_prescribed_joints())
      if (Status status = project_velocity(mode->model, state, mode->workspace); !status)
        return status;
    if (Status status = energy(model_, state, workspace_, after); !status) return status;
    lost += before.kinetic - after.kinetic;
    released_ = std::move(mode);
    with_stops_.reset();
  } catch (const ModelError& error) {
    return Status::failure(fmt::format("event '{}': {}", event.name, error.what()));
  }
  return hold(std::exchange(holding_, {}));
}

Status Modes::hold(const std::vector<Stop>& stops) {
  with_stops_.reset();
  holding_ = stops;
  if (stops.empty()) return {};
  const Model& model = released_ ? released_->model : model_;
  Description description = model.description();
  for (const Stop& stop : stops)
    description.couplings.push_back({coupling_name(model_, stop),
                                     {{coordinate_of(model_, stop), stop.sign}},
                                     stop.sign * stop.at});
  try {
    with_stops_ = make(description);
  } catch (const ModelError& error) { return Status::failure(error.what()); }
  return {};
}

Status Modes::pushes(const State& state, std::vector<double>& out) {
  out.assign(holding_.size(), 0.0);
  if (!with_stops_) return {};
  SimulationInputs::Acting acting(with_stops_->model);
  with_stops_->run_inputs.evaluate(state, acting);
  ConstrainedAnswer answer;
  if (Status status =
          constrained_dynamics(with_stops_->model, state, with_stops_->run_inputs.inputs(acting),
                               with_stops_->workspace, answer);
      !status)
    return status;
  const std::vector<std::string> names = row_names(with_stops_->model);
  for (std::size_t k = 0; k < holding_.size(); ++k) {
    const auto row =
        std::ranges::find(names, fmt::format("coupling '{}'", coupling_name(model_, holding_[k])));
    out[k] = answer.lambda[row - names.begin()];
  }
  return {};
}

}  // namespace trammel
