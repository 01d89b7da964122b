#include "state_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "model_options.hpp"
#include "named_values.hpp"
#include "numbers.hpp"
#include "quantities.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/constraint/assembly/inverse_kinematics.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/model/build/checks.hpp"
#include "trammel/model/units.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel::cli {

namespace {

// Assembly options that change velocities only, at a position that satisfies the constraints.
AssemblyOptions velocities_alone(AssemblyOptions options) {
  options.keep.clear();
  options.keep_dofs.clear();
  options.loop_positions.clear();
  options.loop_position_guesses.clear();
  options.targets.clear();
  options.within_limits = options.nearest = false;
  options.nudges = 0;
  return options;
}

// A plain number: "90", but neither "90 deg" nor "pi/2".
bool is_plain_number(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  return std::from_chars(text.data(), end, value).ptr == end;
}

bool has_limits(const Model& model, int coordinate) {
  for (const NamedJoint& joint : model.joints())
    if (joint.q_start <= coordinate && coordinate < joint.q_start + joint.nq)
      return !joint.limits.lower.empty() || !joint.limits.upper.empty();
  return false;
}

// three values of the first dimension, three of the second
std::array<Dimension, 6> six(const Dimension& angular, const Dimension& linear) {
  return {angular, angular, angular, linear, linear, linear};
}

Motion<double> motion(const std::string& text, const std::array<Dimension, 6>& measures,
                      std::string_view option) {
  if (text.empty()) return {};
  const std::vector<double> x = numbers(text, measures, option);
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

}  // namespace

void StateOptions::offer_position(CLI::App& app) {
  app.add_option("--state", state_file_, "positions and velocities from a TOML or JSON file")
      ->type_name("FILE");
  offer_repeated(app, "--q", q_, "POSITIONS", "all in order (0.1,0.2), or elbow=0.2,wrist=1");
  offer_repeated(app, "--guess", guess_, "POSITIONS",
                 "as --q: initial guess of the loop assembly; not fixed");
  app.add_flag("--assemble", assemble_, "use a complete list of --q as a guess, too");
  offer_repeated(app, "--reach", reach_, "PLACE=POSE",
                 "inverse kinematics: bring a place to x,y,z or x,y,z,roll,pitch,yaw; may be "
                 "repeated");
  app.add_option("--branch", branch_,
                 "take the N-th nearest of all assemblies and inverse kinematics solutions; eval "
                 "branches lists them")
      ->type_name("N");
  app.add_option("--starts", starts_,
                 "number of guesses to try until the loops are assembled and "
                 "the targets reached")
      ->type_name("N");
}

void StateOptions::offer(CLI::App& app) {
  offer_position(app);
  offer_repeated(app, "--v", v_, "VELOCITIES", "as --q, of velocities");
  offer_repeated(app, "--a", a_, "ACCELERATIONS", "as --q, of accelerations; default: zero");
  offer_acting(app);
  app.add_option("--ground-velocity", ground_velocity_, "velocity of ground: wx,wy,wz,vx,vy,vz")
      ->type_name("MOTION");
  app.add_option("--ground-acceleration", ground_acceleration_,
                 "acceleration of ground: angular, "
                 "then linear")
      ->type_name("MOTION");
}

void StateOptions::offer_acting(CLI::App& app) {
  offer_repeated(app, "--tau", tau_, "EFFORTS", "as --q, of actuator efforts; default: zero");
  offer_repeated(app, "--wrench", wrenches_, "PLACE=WRENCH",
                 "external wrench, world axes: tool=mx,my,mz,fx,fy,fz; may be repeated");
}

void StateOptions::offer_over_time(CLI::App& app) {
  offer_position(app);
  offer_repeated(app, "--v", v_, "VELOCITIES", "as --q, of velocities");
  offer_acting(app);
  // hidden from the help
  offer_repeated(app, "--a", a_, "ACCELERATIONS", "");
  app.add_option("--ground-velocity", ground_velocity_);
  app.add_option("--ground-acceleration", ground_acceleration_);
  for (const char* option : {"--a", "--ground-velocity", "--ground-acceleration"})
    app.get_option(option)->group("");
}

// All entries in order, without a name.
bool StateOptions::lists_all(const std::vector<std::string>& given) const {
  return std::ranges::any_of(named_texts(given),
                             [](const NamedTexts& texts) { return texts.name.empty(); });
}

// Joints named in --q, or without --q those of the model's start, keep their positions. Velocities
// likewise: those of --v or, without it, of the model's start.
AssemblyOptions StateOptions::assembly(const Model& model) const {
  const AssemblyOptions of_start =
      state_file_.empty() ? start_options(model) : start_options(with_start_of(model, state_file_));
  AssemblyOptions options{.within_limits = !reach_.empty(), .nearest = !reach_.empty()};
  options.keep_velocity.emplace();
  const auto keep = [&](const std::string& name, Space space, std::vector<JointId>& joints,
                        std::vector<int>& dofs) {
    if (const auto id = model.find_joint(name)) {
      if (model[*id].role == NamedJoint::Role::tree) joints.push_back(*id);
      return;
    }
    for (std::size_t j = 0; j < model.joints().size(); ++j) {  // "wrist.turn2"
      const NamedJoint& joint = model.joints()[j];
      const bool is_position = space == Space::coordinates;
      for (int k = 0; k < (is_position ? joint.nq : joint.nv); ++k) {
        const int entry = (is_position ? joint.q_start : joint.v_start) + k;
        if (joint.role != NamedJoint::Role::tree || entry_name(model, space, entry) != name)
          continue;
        // one component of a quaternion fixes the whole joint
        if (is_position && joint.nq != joint.nv)
          joints.push_back(JointId(int(j)));
        else
          dofs.push_back(joint.v_start + k);
      }
    }
  };
  for (const NamedTexts& given : named_texts(q_))
    keep(with_label(model, Space::coordinates, given.name), Space::coordinates, options.keep,
         options.keep_dofs);
  options.loop_positions = loop_values(model, Space::coordinates, q_, "--q");
  options.loop_velocities = loop_values(model, Space::dofs, v_, "--v");
  for (const NamedTexts& given : named_texts(v_)) {
    keep(with_label(model, Space::dofs, given.name), Space::dofs, *options.keep_velocity,
         options.keep_velocity_dofs);
    // a complete list is taken as given, unless --assemble is set
    if (given.name.empty() && !assemble_)
      for (const JointId id : model.outward_joints())
        if (model[id].role == NamedJoint::Role::tree) options.keep_velocity->push_back(id);
  }
  if (q_.empty() && reach_.empty()) {
    options.keep = of_start.keep;
    options.loop_positions = of_start.loop_positions;
    options.loop_position_guesses = of_start.loop_position_guesses;
  }
  if (v_.empty() && reach_.empty()) {
    options.keep_velocity = of_start.keep_velocity;
    options.loop_velocities = of_start.loop_velocities;
    options.loop_velocity_guesses = of_start.loop_velocity_guesses;
  }
  if (!starts_.empty()) options.starts = checked_starts();
  for (const std::string& text : reach_) {
    const auto [where, values] = name_and_value(text, "--reach");
    Target target{.place = place(model, where, "--reach")};
    const std::array<Dimension, 6> pose{dimension::length, dimension::length, dimension::length,
                                        dimension::angle,  dimension::angle,  dimension::angle};
    const bool is_whole = split(values).size() != 3;
    const std::vector<double> x =
        numbers(values, std::span(pose).first(is_whole ? 6 : 3), "--reach");
    target.position = Vec3<double>{x[0], x[1], x[2]};
    if (is_whole) target.rotation = rotation_rpy(sin_cos(x[3]), sin_cos(x[4]), sin_cos(x[5]));
    options.targets.push_back(target);
  }
  return options;
}

// The start of the model or of --state, assembled; from --guess, if that is given.
State StateOptions::closed_start(const Model& model) const {
  State start;
  const std::optional<Model> other =
      state_file_.empty() ? std::nullopt : std::optional(with_start_of(model, state_file_));
  const Model& from = other ? *other : model;
  Workspace workspace = threads_.workspace(from);
  if (guess_.empty()) {
    expect_ok(assembled_start(from, workspace, start));
    return start;
  }
  State near = start_state(from);
  std::vector<double> loop_q(std::size_t(model.loop_nq()));
  put(model, Space::coordinates,
      put_loops(model, Space::coordinates, guess_, "--guess", loop_position_units(model), loop_q),
      "--guess", position_units(model), near.q);
  normalize_quaternions(model, near.q);
  AssemblyOptions freely{
      .starts = starts_.empty() ? 1 : checked_starts(),
      .loop_position_guesses = loop_values(model, Space::coordinates, guess_, "--guess")};
  for (const LoopValues& guess : start_options(from).loop_position_guesses)
    if (std::ranges::find(freely.loop_position_guesses, guess.closure, &LoopValues::closure) ==
        freely.loop_position_guesses.end())
      freely.loop_position_guesses.push_back(guess);
  expect_ok(assemble_position(from, near, workspace, freely));
  if (gives_position() && state_file_.empty()) return near;  // continuation to --q starts here
  start = start_state(from);
  expect_ok(assemble_by_continuation(from, near, start, workspace, start_options(from)));
  return start;
}

// Satisfies the constraints. From the assembled start, joints named in --q are moved by
// continuation along the same assembly branch. A complete list of positions is projected (it may be
// rounded by hand), or is a guess with --assemble.
void StateOptions::close(const Model& model, const AssemblyOptions& assembly, State& state) const {
  if (!branch_.empty()) return take_branch(model, assembly, state);
  const bool has_targets = !assembly.targets.empty();
  if (!has_targets && !model.has_constraints()) return;
  if (!has_targets && q_.empty() && v_.empty() && (assembly.starts <= 1 || !guess_.empty())) {
    const State start = closed_start(model);
    state.q = start.q;
    state.v = start.v;
    return;
  }
  Workspace workspace = threads_.workspace(model);
  if (has_targets)
    return expect_ok(inverse_kinematics(
        model, state, assembly.targets, workspace,
        {.keep = assembly.keep,
         .starts = starts_.empty() ? InverseKinematicsOptions().starts : assembly.starts}));
  if (lists_all(q_)) {
    if (assemble_) return expect_ok(assemble(model, state, workspace, assembly));
    expect_ok(close_rounded(model, state, workspace));
    if (lists_all(v_)) return;  // complete: the evaluation checks it
    return expect_ok(assemble(model, state, workspace, velocities_alone(assembly)));
  }
  if (assembly.starts > 1 && guess_.empty())  // any branch will do
    return expect_ok(assemble(model, state, workspace, assembly));
  const State start = closed_start(model);
  if (q_.empty()) {
    state.q = start.q;
    return expect_ok(assemble(model, state, workspace, velocities_alone(assembly)));
  }
  expect_ok(assemble_by_continuation(model, start, state, workspace, assembly));
}

void StateOptions::take_branch(const Model& model, const AssemblyOptions& assembly,
                               State& state) const {
  const double which = number(branch_, "--branch");
  std::vector<Branch> found;
  Workspace workspace = threads_.workspace(model);
  // the nearest branch is the one that continuation from the start finds
  State near = state;
  if (assembly.targets.empty() && model.has_constraints() && !lists_all(q_)) try {
      const State start = closed_start(model);
      if (!assemble_by_continuation(model, start, near, workspace, assembly).ok()) near = state;
    } catch (const WorkFailed&) { near = state; }
  expect_ok(assembly_branches(model, near, workspace, assembly, found));
  if (which < 1 || which > double(found.size()) || which != std::floor(which))
    throw UsageError(fmt::format("option --branch is '{}'", branch_),
                     fmt::format("there are branches 1 to {}", found.size()));
  state.q = found[std::size_t(which) - 1].state.q;
  if (!model.has_constraints()) return;
  expect_ok(assemble(model, state, workspace, velocities_alone(assembly)));
}

StateAndInputs StateOptions::state_and_inputs(const Model& model) const {
  StateAndInputs out = guess(model);
  close(model, out.assembly, out.state);
  return out;
}

int StateOptions::checked_starts() const {
  const double starts = number(starts_, "--starts");
  if (starts < 1 || starts > 1e6 || starts != std::floor(starts))
    throw UsageError(fmt::format("option --starts is '{}'", starts_), "it takes 1 to 1000000");
  return int(starts);
}

StateAndInputs StateOptions::guess(const Model& model) const {
  StateAndInputs out;
  out.state =
      state_file_.empty() ? start_state(model) : start_state(with_start_of(model, state_file_));
  std::vector<double> loop_q(std::size_t(model.loop_nq())), loop_v(std::size_t(model.loop_nv()));
  put(model, Space::coordinates,
      put_loops(model, Space::coordinates, q_, "--q", loop_position_units(model), loop_q), "--q",
      position_units(model), out.state.q);
  normalize_quaternions(model, out.state.q);
  put(model, Space::dofs,
      put_loops(model, Space::dofs, v_, "--v", loop_velocity_units(model), loop_v), "--v",
      velocity_units(model), out.state.v);
  out.assembly = assembly(model);
  out.a.resize(std::size_t(model.nv()));
  out.tau.resize(std::size_t(model.nv()));
  out.loop_a.resize(std::size_t(model.loop_nv()));
  out.loop_tau.resize(std::size_t(model.loop_nv()));
  put(model, Space::dofs,
      put_loops(model, Space::dofs, a_, "--a", loop_acceleration_units(model), out.loop_a), "--a",
      acceleration_units(model), out.a);
  for (const NamedTexts& given : named_texts(a_)) {
    if (!given.name.empty() && model.find_joint(given.name) &&
        model.closure_of(*model.find_joint(given.name)) >= 0)
      continue;
    const std::vector<std::string> loops = loop_dof_names(model);
    if (std::ranges::find(loops, with_label(model, Space::dofs, given.name)) != loops.end())
      continue;
    const Slots slots =
        given.name.empty() ? Slots{0, model.nv()} : find(model, Space::dofs, given.name, "--a");
    for (int k = 0; k < slots.count; ++k) out.given_a.push_back(slots.start + k);
  }
  put(model, Space::dofs,
      put_loops(model, Space::dofs, tau_, "--tau", loop_effort_units(model), out.loop_tau), "--tau",
      effort_units(model), out.tau);
  for (const std::string& text : wrenches_) {
    const auto [where, values] = name_and_value(text, "--wrench");
    const std::vector<double> w =
        numbers(values, six(dimension::torque, dimension::force), "--wrench");
    out.wrenches.push_back(
        {place(model, where, "--wrench"), {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}}});
  }
  out.ground = {motion(ground_velocity_, six(dimension::angular_velocity, dimension::velocity),
                       "--ground-velocity"),
                motion(ground_acceleration_, six({0, 0, -2, 1}, dimension::acceleration),
                       "--ground-acceleration")};
  return out;
}

std::vector<int> StateOptions::guessed_coordinates(const Model& model) const {
  if (lists_all(q_)) return {};
  const AssemblyOptions given = assembly(model);
  const std::optional<Model> other =
      state_file_.empty() ? std::nullopt : std::optional(with_start_of(model, state_file_));
  std::vector<int> coordinates;
  for (const StartDescription& guess : (other ? *other : model).description().position_guesses) {
    const auto id = model.find_joint(guess.joint);
    if (!id || model[*id].role != NamedJoint::Role::tree ||
        std::ranges::find(given.keep, *id) != given.keep.end())
      continue;
    for (int k = 0; k < model[*id].nq; ++k) coordinates.push_back(model[*id].q_start + k);
  }
  return coordinates;
}

void StateOptions::warn_about_angles(const Model& model, const Terminal& terminal) const {
  const std::vector<std::string> units = position_units(model);
  for (const auto& [name, texts] : named_texts(q_)) {
    if (const auto id = model.find_joint(name); id && model.closure_of(*id) >= 0) continue;
    const Slots slots =
        name.empty() ? Slots{0, model.nq()} : find(model, Space::coordinates, name, "--q");
    for (int k = 0; k < std::min(slots.count, int(texts.size())); ++k) {
      const std::string& text = texts[std::size_t(k)];
      const int entry = slots.start + k;
      if (units[std::size_t(entry)] != "rad") continue;
      const double x = number(text, "--q", dimension::angle);
      const double turns = std::abs(x) / (2 * std::numbers::pi);
      const std::string joint = model.coordinate_name(entry);
      if (std::abs(x) > largest_sound_angle)
        terminal.report({Severity::warning,
                         {},
                         fmt::format("option --q puts '{}' at {:g} rad, where neighboring doubles "
                                     "are {:.2g} rad apart",
                                     joint, x, std::nextafter(std::abs(x), INFINITY) - std::abs(x)),
                         "take full turns off, or check its unit"});
      else if (turns > 1 && is_plain_number(text) && !has_limits(model, entry))
        terminal.report(
            {Severity::warning,
             {},
             fmt::format("option --q puts '{}' at {:g} rad, which is {:.3g} turns", joint, x,
                         turns),
             fmt::format("did you mean '{0}={1} deg'? If not, write '{0}={1} rad'", joint, text)});
    }
  }
}

bool StateOptions::gives(std::string_view option) const {
  if (option == "--v") return !v_.empty();
  if (option == "--a") return !a_.empty();
  if (option == "--tau") return !tau_.empty();
  if (option == "--wrench") return !wrenches_.empty();
  if (option == "--ground-velocity") return !ground_velocity_.empty();
  if (option == "--ground-acceleration") return !ground_acceleration_.empty();
  return false;
}

FrameRef place(const Model& model, const std::string& text, std::string_view option) {
  const std::size_t colon = text.rfind(':');
  // a name may contain a colon
  const bool has_point =
      colon != std::string::npos && !model.find_body(text) && !model.find_frame(text);
  const std::string name = has_point ? text.substr(0, colon) : text;
  if (!model.find_body(name) && !model.find_frame(name)) {
    std::vector<std::string> known;
    for (const NamedBody& body : model.named_bodies()) known.push_back(body.name);
    for (const NamedFrame& frame : model.frames()) known.push_back(frame.name);
    const auto near = suggest(name, known);
    throw UsageError(
        fmt::format("option {} names '{}', but no body or frame has that name", option, name),
        near ? fmt::format("did you mean '{}'?", *near) : "trammel info MODEL lists them");
  }
  FrameRef at = trammel::frame_ref(model, name);
  if (has_point)
    at.X_UA = at.X_UA * Pose<double>{Mat3<double>::identity(),
                                     vector(text.substr(colon + 1), dimension::length, option)};
  return at;
}

}  // namespace trammel::cli
