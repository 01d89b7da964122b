// Writes reports into a folder, and CSV files with the poses of their bodies, with which the
// browser test compares the display. A moving four-bar linkage, waving robots, and special cases.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <numbers>
#include <stdexcept>

#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/units.hpp"
#include "trammel/read/load.hpp"
#include "trammel/read/mesh/mesh.hpp"
#include "trammel/simulate/checks/described_run.hpp"
#include "trammel/write/report/recorded_plots.hpp"
#include "trammel/write/report/report.hpp"
#include "trammel/write/report/run_report.hpp"

namespace trammel {
namespace {

void expect(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message());
}

std::vector<Pose<double>> poses_of(const Model& model, const State& state, Workspace& workspace) {
  Kinematics seen(model);
  expect(kinematics(model, state, {}, workspace, seen));
  std::vector<Pose<double>> out;
  for (std::size_t k = 0; k < model.named_bodies().size(); ++k)
    out.push_back(pose(model, seen, {BodyId(int(k))}));
  return out;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

void write_report(const std::string& folder, const std::string& name, const Model& model,
                  const MotionReport& report) {
  write(folder + "/" + name + ".html", report_page(model, report));
  std::string csv = "sample,time,body,x,y,z\n";
  for (std::size_t k = 0; k < report.times.size(); ++k)
    for (std::size_t i = 0; i < report.poses[k].size(); ++i) {
      const Vec3<double>& p = report.poses[k][i].p;
      csv += fmt::format("{},{},{},{},{},{}\n", k, report.times[k], model.named_bodies()[i].name,
                         p.x, p.y, p.z);
    }
  write(folder + "/" + name + ".csv", csv);
}

// One column per coordinate and per degree of freedom, created before the first sample.
void add_columns(const Model& model, MotionReport& report) {
  const auto add = [&](int n, const std::string& letter, const std::string& group,
                       const std::vector<std::string>& units, auto name) {
    for (int k = 0; k < n; ++k)
      report.series.push_back({letter + "." + name(k), units[std::size_t(k)], group, {}});
  };
  const auto coordinate = [&](int k) { return model.coordinate_name(k); };
  const auto dof = [&](int k) { return model.dof_name(k); };
  add(model.nq(), "q", "positions", position_units(model), coordinate);
  add(model.nv(), "v", "velocities", velocity_units(model), dof);
  for (const char* part : {"kinetic", "gravity", "elastic", "total"})
    report.series.push_back({std::string("energy.") + part, "J", "energy", {}});
}

void record(const Model& model, const State& state, Workspace& workspace, MotionReport& report) {
  report.times.push_back(state.time);
  report.poses.push_back(poses_of(model, state, workspace));
  Energy stored;
  expect(energy(model, state, workspace, stored));
  std::vector<double> values = state.q;
  values.insert(values.end(), state.v.begin(), state.v.end());
  values.insert(values.end(), {stored.kinetic, stored.gravity, stored.elastic, stored.total()});
  for (std::size_t k = 0; k < values.size(); ++k) report.series[k].values.push_back(values[k]);
}

// Joint reactions, as arrows on the child.
void record_reactions(const Model& model, const State& state, Workspace& workspace,
                      MotionReport& report) {
  UniqueReactions carried;
  expect(constrained_reactions(model, state, {}, workspace, carried));
  for (std::size_t k = 0; k < carried.force.size(); ++k) {
    const NamedJoint& joint = model.joints()[k];
    if (report.arrows.size() <= k) report.arrows.push_back({joint.name, joint.child, {}, {}});
    const Pose<double> X_WM = report.poses.back()[std::size_t(index(joint.child))] * joint.X_CM;
    report.arrows[k].at.push_back(X_WM.p);
    report.arrows[k].force.push_back(X_WM.R * carried.force[k].force);
  }
}

// One step of the classical Runge-Kutta method (order 4), then projection onto the loops. Every q
// here is an angle or a displacement, so q' = v.
void step(const Model& model, State& state, double h, Workspace& workspace) {
  const std::size_t n = state.v.size();
  struct Slope {
    std::vector<double> v, a;
  };
  const auto slope = [&](const State& at) {
    Slope out{at.v, std::vector<double>(n)};
    expect(forward_dynamics(model, at, {}, workspace, out.a));
    return out;
  };
  const auto moved = [&](const Slope& by, double time) {
    State at = state;
    for (std::size_t k = 0; k < n; ++k) at.q[k] += time * by.v[k], at.v[k] += time * by.a[k];
    expect(project_position(model, at, workspace));
    expect(project_velocity(model, at, workspace));
    return at;
  };
  const Slope k1 = slope(state), k2 = slope(moved(k1, h / 2)), k3 = slope(moved(k2, h / 2)),
              k4 = slope(moved(k3, h));
  Slope mean = k1;
  for (std::size_t k = 0; k < n; ++k) {
    mean.v[k] = (k1.v[k] + 2 * k2.v[k] + 2 * k3.v[k] + k4.v[k]) / 6;
    mean.a[k] = (k1.a[k] + 2 * k2.a[k] + 2 * k3.a[k] + k4.a[k]) / 6;
  }
  const double time = state.time;
  state = moved(mean, h);
  state.time = time + h;
}

// A crank with an initial velocity, without drives.
void write_four_bar(const std::string& folder) {
  const Model model = load_model("@four_bar");
  Workspace workspace(model);
  State state;
  expect(assembled_start(model, workspace, state));
  const std::size_t motor = std::size_t(model[*model.find_joint("motor")].v_start);
  state.v[motor] = 9;
  AssemblyOptions keep;
  keep.keep = {*model.find_joint("motor")};
  expect(assemble(model, state, workspace, keep));

  MotionReport report;
  report.title = "Four-bar linkage, a swinging crank";
  add_columns(model, report);
  constexpr int samples = 300, steps_a_sample = 4;
  constexpr double duration = 3;
  double last_angle = 0;
  for (int k = 0; k <= samples; ++k) {
    record(model, state, workspace, report);
    record_reactions(model, state, workspace, report);
    const double angle = std::remainder(state.q[motor], 2 * std::numbers::pi);
    if (k > 0 && last_angle < 0 && angle >= 0 && angle < 1)
      report.moments.push_back({state.time, "the crank lies along x"});
    last_angle = angle;
    if (k == samples) break;
    for (int i = 0; i < steps_a_sample; ++i)
      step(model, state, duration / (samples * steps_a_sample), workspace);
    state.time = duration * (k + 1) / samples;  // without accumulated rounding
  }
  const std::vector<double>& total = report.series.back().values;
  double drift = 0;
  for (const double value : total) drift = std::max(drift, std::abs(value - total.front()));
  report.audit = {{"energy drift", fmt::format("{:.1e} J", drift), drift < 1e-6},
                  {"samples", fmt::format("{}", report.times.size()), true}};
  report.statistics = {{"bodies", fmt::format("{}", model.named_bodies().size())},
                       {"degrees of freedom of the tree", fmt::format("{}", model.nv())},
                       {"stepper", "Runge-Kutta, fourth order"},
                       {"duration", fmt::format("{} s", duration)}};
  write_report(folder, "four_bar", model, report);
  write(folder + "/plain.html", plain_report_page(model, report));
  report.times = {0}, report.poses.resize(1), report.moments.clear();
  for (MotionReport::Series& series : report.series) series.values.resize(1);
  for (MotionReport::Arrow& arrow : report.arrows) arrow.at.resize(1), arrow.force.resize(1);
  write_report(folder, "one_sample", model, report);
  report = {};
  report.title = "Nothing recorded";
  write_report(folder, "no_sample", model, report);
}

// A robot moved through smooth angles: no forces, only a visible motion.
void write_waving(const std::string& folder, const std::string& name) {
  const Model model = load_model("@" + name);
  Workspace workspace(model);
  const State start = start_state(model);
  MotionReport report;
  report.title = model.name() + ", waving";
  add_columns(model, report);
  constexpr int samples = 240;
  for (int k = 0; k <= samples; ++k) {
    State state = start;
    state.time = 4.0 * k / samples;
    std::vector<double> way(std::size_t(model.nv()));
    for (std::size_t i = 0; i < way.size(); ++i) {
      const double pace = std::numbers::pi / 2 * (1 + double(i % 2)),
                   angle = pace * state.time + 0.7 * double(i);
      way[i] = 0.45 * std::sin(angle);
      state.v[i] = 0.45 * pace * std::cos(angle);  // of a joint with one degree of freedom
    }
    integrate(model, start.q, way, state.q);
    record(model, state, workspace, report);
  }
  write_report(folder, name, model, report);
}

// A cart that drives 60 m straight on, a hundred times its size; its lateral velocity is rounding.
void write_far(const std::string& folder) {
  Description description("cart that goes far");
  description.body("cart", {1.0, {}, {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  Shape shape;
  shape.kind = Shape::Kind::box;
  shape.size = {0.5, 0.3, 0.2};
  description.bodies.back().shapes = {shape};
  description.joint("drive", JointKind::planar, "ground", "cart", {.at = {{0.0, 0.0, 0.1}}});
  const Model model = build_model(description);
  Workspace workspace(model);
  MotionReport report;
  report.title = model.name();
  add_columns(model, report);
  report.series.push_back({"sideways", "m/s", "noise", {}});
  for (int k = 0; k <= 100; ++k) {
    State state = neutral_state(model);
    state.time = 0.1 * k;
    state.q[0] = 6 * state.time;
    state.v[0] = 6;
    record(model, state, workspace, report);
    report.series.back().values.push_back(1e-15 * std::sin(double(k)));
  }
  write_report(folder, "far", model, report);
}

// A vehicle with an arm on a circle of 1 m, its yaw the time in rad; three bodies at one place, no
// potential energy, one of two drives at rest, repeated events; optionally with the path given.
void write_tour(const std::string& folder, const std::string& name, bool has_path) {
  Description description("tour");
  description.gravity = {0.0, 0.0, 0.0};
  for (const char* body : {"chassis", "mast", "sensor", "arm"})
    description.body(body, {1.0, {}, {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  Shape shape;
  shape.size = {0.5, 0.3, 0.2};
  description.bodies[0].shapes = {shape};
  description.joint("base", JointKind::free, "ground", "chassis");
  description.joint("idle", JointKind::revolute, "chassis", "mast", {.drive = Drive::torque});
  description.joint("bolt", JointKind::fixed, "chassis", "sensor");
  description.joint("shoulder", JointKind::revolute, "chassis", "arm",
                    {.axis = {0, 1, 0}, .drive = Drive::torque});
  description.frame("hand", "arm", {{0.4, 0.0, 0.0}});
  const Model model = build_model(description);
  Workspace workspace(model);
  MotionReport report;
  report.title = model.name();
  add_columns(model, report);
  const std::size_t efforts = report.series.size();
  report.series.push_back({"tau.idle", "N m", "efforts", {}});
  report.series.push_back({"tau.shoulder", "N m", "efforts", {}});
  report.arrows = {{"shoulder", BodyId(4), {}, {}}, {"idle", BodyId(2), {}, {}}};
  if (has_path) report.paths.emplace_back("desired path");
  for (int k = 0; k <= 160; ++k) {
    State state = neutral_state(model);
    const double t = state.time = 0.05 * k;
    const NamedJoint& base = model[*model.find_joint("base")];
    const std::size_t q = std::size_t(base.q_start);
    state.q[q] = std::cos(t / 2), state.q[q + 3] = std::sin(t / 2);
    state.q[q + 4] = std::cos(t), state.q[q + 5] = std::sin(t);
    state.q[std::size_t(model[*model.find_joint("shoulder")].q_start)] = 0.5 * std::sin(t);
    for (double& rate : state.v) rate = 0.1;
    record(model, state, workspace, report);
    report.series[efforts].values.push_back(0);
    report.series[efforts + 1].values.push_back(30 + std::sin(t));
    const Vec3<double> at = report.poses.back()[4].p;
    report.arrows[0].at.push_back(at), report.arrows[0].force.push_back({0, 0, 10300});
    report.arrows[1].at.push_back(at), report.arrows[1].force.push_back({0, 0, 5150});
    if (has_path) report.paths[0].points.push_back({std::cos(t), std::sin(t), 0});
  }
  for (int k = 0; k < 6; ++k)
    report.moments.push_back({1.0 + k, fmt::format("hand hits the stop: {:.3g} J lost", 0.5 + k)});
  report.moments.push_back({7.5, "the end is near"});
  write_report(folder, name, model, report);
}

// A ball with a prescribed motion over hills.
void write_hills(const std::string& folder) {
  Description description("ball on hills");
  description.terrains.push_back({.name = "hills", .height = "0.2*sin(2*x)"});
  description.body("ball", {1.0, {}, {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  Shape shape;
  shape.kind = Shape::Kind::sphere;
  shape.size = {0.1, 0.0, 0.0};
  description.bodies.back().shapes = {shape};
  description.joint("free", JointKind::free, "ground", "ball");
  description.wheels.push_back({.name = "skin",
                                .body = "ball",
                                .on = "hills",
                                .radius = 0.1,
                                .kind = WheelDescription::Kind::ball});
  const Model model = build_model(description);
  Workspace workspace(model);
  MotionReport report;
  report.title = model.name();
  add_columns(model, report);
  for (int k = 0; k <= 50; ++k) {
    State state = neutral_state(model);
    state.time = 0.04 * k;
    state.q[4] = state.time;
    state.q[6] = 0.2 * std::sin(2 * state.time) + 0.1;
    if (const Status status = assemble(model, state, workspace); !status)
      throw std::runtime_error(status.message());
    record(model, state, workspace, report);
  }
  write_report(folder, "hills", model, report);
}

// Every shape, a body without one, links, and names with markup that must be escaped.
void write_odd(const std::string& folder) {
  Description description("</script><script>alert(1)</script> \"quoted\" & Größe Ω");
  const auto body = [&](const std::string& name, Shape::Kind kind, const Vec3<Expr>& size,
                        std::array<double, 4> color) {
    description.body(name, {1.0, {}, {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
    Shape shape;
    shape.kind = kind;
    shape.size = size;
    shape.color = color;
    description.bodies.back().shapes = {shape};
  };
  body("box </script>", Shape::Kind::box, {0.3, 0.2, 0.1}, {0.8, 0.3, 0.2, 1});
  body("ball \"b\"", Shape::Kind::sphere, {0.15, 0, 0}, {0.2, 0.5, 0.8, 1});
  body("cylinder é", Shape::Kind::cylinder, {0.1, 0.4, 0}, {0.3, 0.6, 0.3, 1});
  body("capsule\\n", Shape::Kind::capsule, {0.08, 0.3, 0}, {0.9, 0.7, 0.2, 0.6});
  description.body("bare", {2.0, {0.2, 0.05, 0.0}, {0.02, 0.0, 0.0, 0.05, 0.0, 0.06}});
  for (std::size_t k = 0; k < description.bodies.size(); ++k)
    description.joint("j" + std::to_string(k),
                      k % 2 == 0 ? JointKind::revolute : JointKind::prismatic, "ground",
                      description.bodies[k].name,
                      {.at = {{0.5 * double(k), 0, 0.4}},
                       .axis = {0, k % 2 == 0 ? 1.0 : 0.0, k % 2 == 0 ? 0.0 : 1.0}});
  description.frame("left", description.bodies[0].name, {{0.0, 0.0, 0.05}});
  description.frame("right", description.bodies[1].name, {});
  SpringDescription spring;
  spring.name = "strut", spring.frame = "left", spring.other_frame = "right";
  spring.stiffness = 1.0, spring.length = 0.4;
  description.springs.push_back(spring);
  const Model model = build_model(description);
  Workspace workspace(model);
  MotionReport report;
  report.title = model.name();
  add_columns(model, report);
  report.series.push_back({"with a gap", "1", "odd </script>", {}});
  for (int k = 0; k <= 50; ++k) {
    State state = neutral_state(model);
    state.time = 0.04 * k;
    for (std::size_t i = 0; i < state.q.size(); ++i)
      state.q[i] = (i % 2 == 0 ? 1.0 : 0.15) * std::sin(3 * state.time + double(i));
    record(model, state, workspace, report);
    report.series.back().values.push_back(k == 20 ? std::nan("") : double(k));
  }
  report.audit = {{"loop violation", "2e-3 m", false}, {"energy drift </script>", "0 J", true}};
  report.moments = {{1.0, "<b>bold</b> \"event\""}};
  report.statistics = {{"</script>", "<img src=x>"}};
  write_report(folder, "odd", model, report);
}

// Meshes from files written here: a ring as binary STL in millimeters on two bodies, a roof as OBJ
// next to a box, and a broken one.
void write_meshes(const std::string& folder) {
  std::string ring(80, ' ');
  constexpr int around = 64, across = 24;
  const auto add = [&](const auto& number) {
    ring.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  add(std::uint32_t(2 * around * across));
  const auto corner = [&](int i, int j) {  // radius 300 mm, 100 mm thick, about z
    const double a = 2 * std::numbers::pi * i / around, b = 2 * std::numbers::pi * j / across;
    const double r = 300 + 50 * std::cos(b);
    for (const double x : {r * std::cos(a), r * std::sin(a), 50 * std::sin(b)}) add(float(x));
  };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j)
      for (const int half : {0, 1}) {
        for (int k = 0; k < 3; ++k) add(0.0f);  // the normal, which is not used
        corner(i, j), corner(i + 1, j + half), corner(i + 1 - half, j + 1);
        add(std::uint16_t(0));
      }
  write(folder + "/ring.stl", ring);
  write(folder + "/roof.obj",
        "# a wedge over the box\nv -0.2 -0.15 0\nv 0.2 -0.15 0\nv 0.2 0.15 0\nv -0.2 0.15 0\n"
        "v -0.2 0 0.2\nv 0.2 0 0.2\nf 1 4 3 2\nf 1 2 6 5\nf 3 4 5 6\nf 1 5 4\nf 2 3 6\n");
  write(folder + "/broken.stl", ring.substr(0, 1000));
  write(folder + "/meshes.toml", R"(trammel = 1
name = "meshes"
[body.ring]
mass = 1
inertia = [0.05, 0.05, 0.1]
shape = { mesh = "ring.stl", scale = 0.001, color = [0.85, 0.55, 0.15] }
[body.house]
mass = 1
inertia = [0.05, 0.05, 0.1]
[[body.house.shape]]
box = [0.4, 0.3, 0.3]
[[body.house.shape]]
mesh = "roof.obj"
at = { xyz = [0, 0, 0.15] }
[body.oval]
mass = 1
inertia = [0.05, 0.05, 0.1]
shape = { mesh = "ring.stl", scale = [-0.001, 0.0005, 0.001], at = { rpy = ["90 deg", 0, 0] } }
[body.bare]
mass = 1
com = [0.3, 0, 0]
inertia = [0.05, 0.05, 0.1]
shape = { mesh = "broken.stl" }
[joint.a]
type = "revolute"
parent = "ground"
child = "ring"
axis = "y"
at = { xyz = [0, 0, 0.6] }
[joint.b]
type = "revolute"
parent = "ground"
child = "house"
at = { xyz = [0.9, 0, 0.3] }
[joint.c]
type = "revolute"
parent = "ground"
child = "oval"
at = { xyz = [0, 0.9, 0.5] }
[joint.d]
type = "revolute"
parent = "ground"
child = "bare"
axis = "y"
at = { xyz = [0.9, 0.9, 0.6] }
)");
  const Model model = load_model(folder + "/meshes.toml");
  Workspace workspace(model);
  MotionReport report;
  report.title = model.name();
  Diagnostics warnings;
  report.meshes = load_meshes(model, {}, warnings);
  if (report.meshes.size() != 2 || warnings.list().size() != 1)
    throw std::runtime_error("meshes: two are sound, one is broken");
  add_columns(model, report);
  for (int k = 0; k <= 50; ++k) {
    State state = neutral_state(model);
    state.time = 0.04 * k;
    for (std::size_t i = 0; i < state.q.size(); ++i)
      state.q[i] = 0.8 * std::sin(3 * state.time + double(i));
    record(model, state, workspace, report);
  }
  write_report(folder, "meshes", model, report);
}

// A run of a pendulum, as made by `trammel simulate --report`: gravity along -y, optionally with a
// limit that it exceeds.
void write_swing(const std::string& folder, const std::string& name, bool has_limit) {
  Description description(name);
  description.gravity = {0.0, -9.81, 0.0};
  description.body("bob",
                   {.mass = 1.0, .com = {0.0, -0.5, 0.0}, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}});
  JointOptions pivot;
  if (has_limit) pivot.limits = {.lower = {-0.5}, .upper = {0.5}};
  description.joint("pivot", JointKind::revolute, "ground", "bob", pivot);
  const Model model = build_model(description);
  Workspace workspace(model);
  const SimulationInputs run_inputs(model);
  const RunOptions options = run_options(model, {.duration = 1});
  State state = neutral_state(model);
  state.v[0] = 3;
  Recorder recorder(model, run_inputs, run_record(model));
  Audit audit(model, run_inputs);
  RunReport report(model, run_inputs);
  RunStatistics statistics;
  expect(simulate(
      model, state, run_inputs, options, workspace,
      [&](const RunSnapshot& seen) {
        if (Status kept = recorder.observe(seen); !kept) return kept;
        if (Status drawn = report.observe(seen); !drawn) return drawn;
        return audit.observe(seen);
      },
      statistics));
  write_report(folder, name, model,
               report.finish(recorder.recording(), audit, options, statistics));
}

// Columns alone, without a mechanism.
void write_plots(const std::string& folder) {
  Recording recording;
  recording.columns = {{"time", "s", "time"},
                       {"q.swing", "rad", "positions"},
                       {"v.swing", "rad/s", "velocities"},
                       {"q.still", "rad", "positions"}};
  for (int k = 0; k <= 300; ++k) {
    const double t = 0.01 * k;
    recording.values.insert(recording.values.end(), {t, std::sin(2 * t), 2 * std::cos(2 * t), 0.5});
  }
  write(folder + "/plots.html", plots_page(recording, columns_like(recording, "*"), "a swing"));
  recording.columns = {
      {"time", "s", "time"}, {"</script><b>x</b>", "1", ""}, {"with a gap", "1", ""}};
  recording.values = {0, 1, std::nan("")};
  const auto all = columns_like(recording, "*");
  write(folder + "/plots_odd.html", plots_page(recording, all, "</script><b>odd</b>"));
  recording.values.clear();
  write(folder + "/plots_empty.html", plots_page(recording, all));
}

}  // namespace
}  // namespace trammel

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "usage: report_samples FOLDER\n";
    return 2;
  }
  try {
    trammel::write_four_bar(words[1]);
    for (const char* name : {"six_axis_arm", "humanoid", "puma_560"})
      trammel::write_waving(words[1], name);
    trammel::write_far(words[1]);
    trammel::write_tour(words[1], "tour", false);
    trammel::write_tour(words[1], "tour_along_path", true);
    trammel::write_hills(words[1]);
    trammel::write_odd(words[1]);
    trammel::write_meshes(words[1]);
    trammel::write_swing(words[1], "swing", false);
    trammel::write_swing(words[1], "limit_passed", true);
    trammel::write_plots(words[1]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
