#include "state_options.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "model_options.hpp"
#include "numbers.hpp"
#include "quantities.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/constraint/loop_forces.hpp"
#include "trammel/constraint/loop_motion.hpp"
#include "trammel/constraint/reach.hpp"
#include "trammel/model/units.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel::cli {

namespace {

// Where a name's values go: all entries of a joint, or one entry of it.
struct Slots {
  int start = 0, count = 0;
};

// q has one entry a coordinate; v, a and tau one a freedom.
enum class Space { coordinates, freedoms };

std::string entry_name(const Model& model, Space space, int k) {
  return space == Space::coordinates ? model.coordinate_name(k) : model.freedom_name(k);
}

Slots find(const Model& model, Space space, const std::string& name, std::string_view option) {
  std::vector<std::string> known;
  if (const auto id = model.find_joint(name)) {
    const NamedJoint& joint = model[*id];
    if (joint.role == NamedJoint::Role::tree)
      return space == Space::coordinates ? Slots{joint.q_start, joint.nq}
                                         : Slots{joint.v_start, joint.nv};
    const bool is_fixed = joint.role == NamedJoint::Role::fixed;
    throw UsageError(fmt::format("option {} names joint '{}', which {}", option, name,
                                 is_fixed ? "is fixed" : "closes a loop"),
                     is_fixed ? "it has no coordinates" : "its coordinates follow from the others");
  }
  const int count = space == Space::coordinates ? model.nq() : model.nv();
  for (int k = 0; k < count; ++k) {
    known.push_back(entry_name(model, space, k));
    if (known.back() == name) return {k, 1};
  }
  const auto near = suggest(name, known);
  throw UsageError(
      fmt::format("option {} names '{}', but no joint has that name", option, name),
      near ? fmt::format("did you mean '{}'?", *near) : "trammel info MODEL lists the joints");
}

// "rad/s^2" -> what that measures
Dimension dimension_of(const std::string& unit) {
  return unit == "1" ? dimension::none : std::get<Unit>(parse_unit(unit)).dimension;
}

// What was given for joints that close loops goes to `loop_values`; returns the rest.
std::vector<std::string> put_loops(const Model& model, const std::vector<std::string>& given,
                                   std::string_view option, const std::vector<std::string>& units,
                                   std::vector<double>& loop_values) {
  const std::vector<std::string> names = loop_freedom_names(model);
  std::vector<std::string> rest;
  for (const auto& [name, texts] : named_texts(given)) {
    const auto id = model.find_joint(name);
    const int closure = id ? model.closure_of(*id) : -1;
    int start = int(std::ranges::find(names, name) - names.begin()), count = 1;
    if (closure >= 0) {
      start = model.closures()[std::size_t(closure)].v_start;
      count = freedom_count(model.closures()[std::size_t(closure)].joint);
    } else if (name.empty() || start == int(names.size())) {
      rest.push_back((name.empty() ? "" : name + "=") + fmt::format("{}", fmt::join(texts, ",")));
      continue;
    }
    if (int(texts.size()) != count)
      throw UsageError(fmt::format("option {} has {} {}, '{}' has {}", option, texts.size(),
                                   texts.size() == 1 ? "number" : "numbers", name, count),
                       "separate them by commas");
    for (int k = 0; k < count; ++k)
      loop_values[std::size_t(start + k)] =
          number(texts[std::size_t(k)], option, dimension_of(units[std::size_t(start + k)]));
  }
  return rest;
}

// Overwrites in `values` what was given.
void put(const Model& model, Space space, const std::vector<std::string>& given,
         std::string_view option, const std::vector<std::string>& units,
         std::vector<double>& values) {
  for (const auto& [name, texts] : named_texts(given)) {
    const Slots slots =
        name.empty() ? Slots{0, int(values.size())} : find(model, space, name, option);
    if (int(texts.size()) != slots.count)
      throw UsageError(fmt::format("option {} has {} {}, {}", option, texts.size(),
                                   texts.size() == 1 ? "number" : "numbers",
                                   !name.empty() ? fmt::format("'{}' has {}", name, slots.count)
                                   : space == Space::coordinates
                                       ? fmt::format("the model has nq = {}", slots.count)
                                       : fmt::format("the model has nv = {}", slots.count)),
                       name.empty() ? "give them all, or name those you give: joint=value"
                                    : "separate them by commas");
    for (int k = 0; k < slots.count; ++k)
      values[std::size_t(slots.start + k)] =
          number(texts[std::size_t(k)], option, dimension_of(units[std::size_t(slots.start + k)]));
  }
}

// Typed with the digits of a person: a quaternion that is nearly of length 1 is meant to be.
void normalise_quaternions(const Model& model, std::vector<double>& q) {
  for (const int start : model.quaternion_starts()) {
    double* const w = q.data() + start;
    const double length = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
    if (std::abs(length - 1) > 1e-2) continue;  // the question will say so
    for (int k = 0; k < 4; ++k) w[k] /= length;
  }
}

// three of the one, three of the other
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
  app.add_flag("--assemble", assemble_,
               "close the loops from there; joints named in --q stay where they are put");
  offer_repeated(app, "--reach", reach_, "PLACE=POSE",
                 "bring a place to x,y,z, or to x,y,z,roll,pitch,yaw; may be repeated");
  app.add_option("--branch", branch_,
                 "of all ways to close the loops and to reach, the N-th nearest; eval branches "
                 "lists them")
      ->type_name("N");
  app.add_option("--starts", starts_, "guesses to try until the loops close and places are reached")
      ->type_name("N");
}

void StateOptions::offer(CLI::App& app) {
  offer_position(app);
  offer_repeated(app, "--v", v_, "VELOCITIES", "as --q, of velocities");
  offer_repeated(app, "--a", a_, "ACCELERATIONS", "as --q, of accelerations; zero unless given");
  offer_acting(app);
  app.add_option("--ground-velocity", ground_velocity_,
                 "of a support that moves: wx,wy,wz,vx,vy,vz")
      ->type_name("MOTION");
  app.add_option("--ground-acceleration", ground_acceleration_, "of a support that moves")
      ->type_name("MOTION");
}

void StateOptions::offer_acting(CLI::App& app) {
  offer_repeated(app, "--tau", tau_, "EFFORTS", "as --q, of actuator efforts; zero unless given");
  offer_repeated(app, "--wrench", wrenches_, "PLACE=WRENCH",
                 "from outside, world axes: tool=mx,my,mz,fx,fy,fz; may be repeated");
}

void StateOptions::offer_over_time(CLI::App& app) {
  offer_position(app);
  offer_repeated(app, "--v", v_, "VELOCITIES", "as --q, of velocities");
  offer_acting(app);
  // no help tells of these
  offer_repeated(app, "--a", a_, "ACCELERATIONS", "");
  app.add_option("--ground-velocity", ground_velocity_);
  app.add_option("--ground-acceleration", ground_acceleration_);
  for (const char* option : {"--a", "--ground-velocity", "--ground-acceleration"})
    app.get_option(option)->group("");
}

// Joints that were named stay where they were put: those of --q or, without it, of the model's
// start.
AssemblyOptions StateOptions::assembly(const Model& model) const {
  AssemblyOptions options{.within_limits = !reach_.empty(), .nearest = !reach_.empty()};
  options.keep_velocity.emplace();
  const auto keep = [&](const std::string& name, std::vector<JointId>& joints) {
    const auto id = model.find_joint(name);
    if (id && model[*id].role == NamedJoint::Role::tree) joints.push_back(*id);
  };
  for (const auto& [name, texts] : named_texts(q_)) keep(name, options.keep);
  for (const auto& [name, texts] : named_texts(v_)) {
    keep(name, *options.keep_velocity);
    // all in order: those are meant, unless they are to be made to fit
    if (name.empty() && !assemble_)
      for (const JointId id : model.outward_joints()) keep(model[id].name, *options.keep_velocity);
  }
  if (!gives_position() && reach_.empty()) {
    for (const StartDescription& start : model.description().start_positions)
      keep(start.joint, options.keep);
    if (v_.empty())
      for (const StartDescription& start : model.description().start_velocities)
        keep(start.joint, *options.keep_velocity);
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

// Where a model starts it is put together; what a person gives is closed only if asked for.
void StateOptions::close(const Model& model, const AssemblyOptions& assembly, State& state) const {
  if (!branch_.empty()) return take_branch(model, assembly, state);
  Workspace workspace(model);
  if (!assembly.targets.empty())
    return expect_ok(reach(model, state, assembly.targets, workspace,
                           {.keep = assembly.keep,
                            .starts = starts_.empty() ? ReachOptions().starts : assembly.starts}));
  if (model.has_constraints() && (!gives_position() || assemble_))
    expect_ok(assemble(model, state, workspace, assembly));
}

void StateOptions::take_branch(const Model& model, const AssemblyOptions& assembly,
                               State& state) const {
  const double which = number(branch_, "--branch");
  std::vector<Branch> found;
  Workspace workspace(model);
  expect_ok(assembly_branches(model, state, workspace, assembly, found));
  if (which < 1 || which > double(found.size()) || which != std::floor(which))
    throw UsageError(fmt::format("option --branch is '{}'", branch_),
                     fmt::format("there are branches 1 to {}", found.size()));
  state.q = found[std::size_t(which) - 1].state.q;
  if (model.has_constraints())
    expect_ok(assemble(model, state, workspace,
                       {.keep = assembly.keep, .keep_velocity = assembly.keep_velocity}));
}

Situation StateOptions::situation(const Model& model) const {
  Situation out = guess(model);
  close(model, out.assembly, out.state);
  return out;
}

int StateOptions::checked_starts() const {
  const double starts = number(starts_, "--starts");
  if (starts < 1 || starts > 1e6 || starts != std::floor(starts))
    throw UsageError(fmt::format("option --starts is '{}'", starts_), "it takes 1 to 1000000");
  return int(starts);
}

Situation StateOptions::guess(const Model& model) const {
  Situation out;
  out.state = state_file_.empty() ? start_state(model) : read_state(model, state_file_);
  put(model, Space::coordinates, q_, "--q", position_units(model), out.state.q);
  normalise_quaternions(model, out.state.q);
  put(model, Space::freedoms, v_, "--v", velocity_units(model), out.state.v);
  out.assembly = assembly(model);
  out.a.resize(std::size_t(model.nv()));
  out.tau.resize(std::size_t(model.nv()));
  out.loop_a.resize(std::size_t(model.closure_nv()));
  out.loop_tau.resize(std::size_t(model.closure_nv()));
  put(model, Space::freedoms,
      put_loops(model, a_, "--a", loop_acceleration_units(model), out.loop_a), "--a",
      acceleration_units(model), out.a);
  put(model, Space::freedoms,
      put_loops(model, tau_, "--tau", loop_effort_units(model), out.loop_tau), "--tau",
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

bool StateOptions::gives(std::string_view option) const {
  if (option == "--v") return !v_.empty();
  if (option == "--a") return !a_.empty();
  if (option == "--tau") return !tau_.empty();
  if (option == "--wrench") return !wrenches_.empty();
  if (option == "--ground-velocity") return !ground_velocity_.empty();
  if (option == "--ground-acceleration") return !ground_acceleration_.empty();
  return false;
}

At place(const Model& model, const std::string& text, std::string_view option) {
  const std::size_t colon = text.rfind(':');
  // a name may hold a colon itself
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
  At at = trammel::at(model, name);
  if (has_point)
    at.X_UA = at.X_UA * Pose<double>{Mat3<double>::identity(),
                                     vector(text.substr(colon + 1), dimension::length, option)};
  return at;
}

}  // namespace trammel::cli
