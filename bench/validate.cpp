// Simulations compared with known results: errors and CPU times of public cases, the order of every
// integrator, drift over ten minutes, speed relative to real time. Prints Markdown; with a folder
// as argument it also plots the orders there. See docs/validation.md.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <memory>
#include <thread>

#include "tests/support/n_four_bar.hpp"
#include "trammel/analyze/equilibrium.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/read/load.hpp"
#include "trammel/simulate/checks/audit.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/simulate/simulate_batch.hpp"
#include "trammel/spatial/rotation.hpp"
#include "trammel/write/plot/plot.hpp"

namespace trammel {
namespace {

double cpu_now() { return double(std::clock()) / CLOCKS_PER_SEC; }

struct Moving {
  explicit Moving(Model model_) : model(std::move(model_)), workspace(model), run_inputs(model) {
    require(assembled_start(model, workspace, state));
  }
  explicit Moving(const std::string& name) : Moving(load_model("@" + name)) {}

  static void require(const Status& status) {
    if (!status) throw std::runtime_error(status.message());
  }
  // Audits energy and loops at every step if is_audited.
  void go(double until, const RunOptions& given, bool is_audited = false) {
    RunOptions options = given;
    options.duration = until - state.time;
    const double before = cpu_now();
    require(simulate(
        model, state, run_inputs, options, workspace,
        [&](const State& seen) { return is_audited ? audit.observe(seen, workspace) : Status(); },
        statistics));
    seconds += cpu_now() - before;
    steps += statistics.steps;
  }
  double q(const char* joint) const {
    return state.q[std::size_t(model[*model.find_joint(joint)].q_start)];
  }
  double v(const char* joint) const {
    return state.v[std::size_t(model[*model.find_joint(joint)].v_start)];
  }
  Vec3<double> place(const char* name) {
    Positions seen(model);
    require(positions(model, state, workspace, seen));
    return pose(model, seen, frame_ref(model, name)).p;
  }

  Model model;
  Workspace workspace;
  SimulationInputs run_inputs;
  State state;
  RunStatistics statistics;
  Audit audit{model, run_inputs};
  double seconds = 0;
  long steps = 0;
};

RunOptions with(double tolerance, Method method = Method::dormand_prince, double step = 0) {
  return {.method = method, .relative = tolerance, .absolute = tolerance / 100, .step = step};
}

void row(const char* name, const std::string& what, double ours, double reference,
         const Moving& run) {
  fmt::print("| {} | {} | {:.13g} | {:.13g} | {:.1e} | {} | {:.2f} ms |\n", name, what, ours,
             reference, std::abs(ours - reference), run.steps, 1000 * run.seconds);
}

// Sum of the absolute values of position and quaternion of a body.
double sizes(Moving& run, const char* body) {
  Positions seen(run.model);
  Moving::require(positions(run.model, run.state, run.workspace, seen));
  const Pose<double> X = pose(run.model, seen, frame_ref(run.model, body));
  const Quaternion<double> w = quaternion(X.R);
  double sum = 0;
  for (const double x : {X.p.x, X.p.y, X.p.z, w.w, w.x, w.y, w.z}) sum += std::abs(x);
  return sum;
}

// The N-four-bar, N = 40, through twenty singular poses. All cranks parallel, it moves as theta'' =
// c sin(theta), c = ((N + 1) / 2 + N) g / ((N + 1) / 3 + N): by classical Runge-Kutta in long
// double, steps of 1e-4 s.
void many_four_bars() {
  constexpr int n = 40;
  constexpr double duration = 20;
  const long double c = ((n + 1) / 2.0L + n) * 9.81L / ((n + 1) / 3.0L + n);
  long double theta = 0, speed = 1;
  const int steps = 200000;
  const long double h = duration / (long double)(steps);
  for (int k = 0; k < steps; ++k) {
    const long double a1 = c * std::sin(theta), v2 = speed + h / 2 * a1;
    const long double a2 = c * std::sin(theta + h / 2 * speed), v3 = speed + h / 2 * a2;
    const long double a3 = c * std::sin(theta + h / 2 * v2), v4 = speed + h * a3;
    const long double a4 = c * std::sin(theta + h * v3);
    theta += h / 6 * (speed + 2 * v2 + 2 * v3 + v4);
    speed += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  Moving bars(build_model(n_four_bar(n)));
  bars.go(duration, with(1e-8), true);
  const char* const name = "N-four-bar (IFToMM A02), N = 40, tolerance 1e-8";
  row(name, "angle at 20 s [rad]", -bars.q("foot0"), double(theta), bars);
  row(name, "change of energy over the largest kinetic one",
      bars.audit.energy_change() / NFourBarMotion(n).largest_kinetic_energy(), 0, bars);
}

void field_cases() {
  fmt::print(
      "| case | quantity | ours | reference | error | steps | CPU time |\n"
      "|---|---|---|---|---|---|---|\n");
  Moving pendulum("f1");
  for (const auto& [t, y] :
       {std::pair(1.0, -0.1650108531255), {5.0, -0.334754338414}, {10.0, -0.9614192050991}}) {
    pendulum.go(t, with(1e-11));
    row("F1, simple pendulum", fmt::format("y at {} s", t), pendulum.place("end").y, y, pendulum);
  }
  Moving bars("f2");
  for (const auto& [t, y] : {std::pair(4.0, 0.9930591384513), {10.0, 0.9445185381786}}) {
    bars.go(t, with(1e-11), true);
    row("F2, through singular poses", fmt::format("y of B0 at {} s", t), std::cos(bars.q("foot0")),
        y, bars);
  }
  row("F2", "change of energy [J]", bars.audit.energy_change(), 0, bars);
  many_four_bars();
  Moving squeezer("f3");
  squeezer.go(0.03, with(1e-12));
  row("F3, Andrews' squeezer", "beta at 0.03 s", squeezer.q("beta"), 15.810771195, squeezer);
  row("F3", "rate of beta at 0.03 s", squeezer.v("beta"), 1139.920302, squeezer);
  Moving spring("f7");
  Moving::require(equilibrium(spring.model, spring.state, {}, spring.workspace));
  Linearization near;
  Moving::require(linearize(spring.model, spring.state, {}, spring.workspace, near));
  row("F7, four-bar with a spring", "angle at rest", spring.q("left_foot"), 2.23433101901759,
      spring);
  row("F7", "eigenvalue, real part", near.eigenvalues[0].real(), -.24238580931051, spring);
  row("F7", "eigenvalue, imaginary part", std::abs(near.eigenvalues[0].imag()), 2.1339550283484,
      spring);
  Moving chain("f10");
  chain.go(1, with(1e-11));
  double sum = 0;
  for (const double angle : chain.state.q) sum += angle;
  row("F10, five skew boxes", "sum of angles at 1 s", sum, -1.3093839514061, chain);
  Moving top("f12");
  top.go(2, with(1e-8, Method::rk4, 1e-4), true);
  row("F12, heavy top, rk4 of 1e-4 s", "change of energy [J]", top.audit.energy_change(), 0, top);
  Moving slider("f13");
  slider.go(0.2, with(1e-11));
  row("F13, spatial slider-crank", "sum of places and quaternions at 0.2 s",
      sizes(slider, "crank") + sizes(slider, "rod"), 3.36427617809219, slider);
  Moving closed("me_3b");
  closed.go(10, with(1e-11));
  row("ME-3b, closed chain", "joint 2 at 10 s", closed.q("chain_joint2"), -2.996116, closed);
  Moving arms("e_05");
  arms.go(10, with(1e-10));
  row("E-05, two arms in space", "left2 at 10 s", arms.q("left2"), 0.410805116, arms);
}

double apart(const Model& model, const State& one, const State& other) {
  std::vector<double> d(one.v.size());
  difference(model, one.q, other.q, d);
  double largest = 0;
  for (std::size_t k = 0; k < d.size(); ++k)
    largest = std::max({largest, std::abs(d[k]), std::abs(one.v[k] - other.v[k])});
  return largest;
}

// A floating body with two others on ball joints, with an initial spin.
Moving thrown() {
  Description description("thrown");
  const Vec3<Expr> com{0.1, -0.05, 0.2};
  for (const char* name : {"trunk", "arm", "leg"})
    description.body(name,
                     {.mass = 1.5, .com = com, .inertia = {0.05, 0.01, 0.0, 0.08, 0.005, 0.06}});
  description.joint("float", JointKind::free, "ground", "trunk");
  description.joint("shoulder", JointKind::spherical, "trunk", "arm",
                    {.at = {{0.3, 0.1, 0.0}, {}}});
  description.joint("hip", JointKind::spherical, "trunk", "leg", {.at = {{-0.3, 0.1, 0.1}, {}}});
  Moving run(build_model(description));
  for (std::size_t k = 0; k < run.state.v.size(); ++k)
    run.state.v[k] = 1.5 * std::cos(1.0 + 2.4 * double(k));
  return run;
}
Moving four_bar() { return Moving(std::string("four_bar")); }

// The two mechanisms on which integrators are measured, for 0.8 s.
struct Measured {
  const char *what, *title, *file;
  Moving (*make)();
};
constexpr Measured measured[] = {
    {"a closed loop", "Four-bar", "", four_bar},
    {"a floating tree", "Floating tree with ball joints", "-floating", thrown}};
constexpr double measured_for = 0.8;

State end_of(const Measured& mechanism) {
  Moving reference = mechanism.make();
  reference.go(measured_for, with(1e-13, Method::extrapolation));
  return reference.state;
}
// log10 of the error of one run.
double error_of(const Measured& mechanism, const RunOptions& options, const State& end) {
  Moving run = mechanism.make();
  run.go(measured_for, options);
  return std::log10(std::max(apart(run.model, run.state, end), 1e-16));
}
void draw(const char* folder, const std::string& file, const std::string& title,
          const std::string& over, const std::vector<double>& x,
          const std::vector<PlotLine>& lines) {
  if (folder != nullptr)
    std::ofstream(std::string(folder) + "/" + file + ".svg")
        << plot(x, lines, {.title = title, .x_label = over, .y_label = "log10 of the error"});
}

// Error against the length of the step.
void orders(const char* folder) {
  std::vector<double> lengths, logs;
  for (int k = 0; k < 7; ++k) lengths.push_back(0.1 / std::pow(2, 6 - k));
  for (const double h : lengths) logs.push_back(std::log10(h));
  const std::pair<Method, int> methods[] = {{Method::semi_implicit_euler, 1},
                                            {Method::rk4, 4},
                                            {Method::dormand_prince, 5},
                                            {Method::extrapolation, 8},
                                            {Method::radau, 5}};
  std::vector<std::string> rows;
  for (const auto& [method, order] : methods)
    rows.push_back(fmt::format("| {} | {} |", to_string(method), order));
  for (const Measured& mechanism : measured) {
    const State end = end_of(mechanism);
    std::vector<std::vector<double>> kept;  // the plot lines refer to them
    std::vector<PlotLine> lines;
    for (std::size_t m = 0; m < std::size(methods); ++m) {
      std::vector<double> errors;
      for (const double h : lengths) {
        RunOptions options = with(1e-11, methods[m].first, h);
        options.absolute = 1e3;  // so that the step limit determines all steps
        errors.push_back(error_of(mechanism, options, end));
      }
      std::size_t k = errors.size() - 2;  // the shortest steps whose error is not rounding
      while (k > 0 && errors[k - 1] > -10.5 && errors[k - 1] < errors[k]) --k;
      rows[m] += fmt::format(" {:.2f} |", (errors[k + 1] - errors[k]) / std::log10(2.0));
      kept.push_back(std::move(errors));
      lines.push_back({to_string(methods[m].first), kept.back()});
    }
    draw(folder, fmt::format("integrator-orders{}", mechanism.file),
         fmt::format("{}, 0.8 s: error against the step", mechanism.title), "log10 of the step [s]",
         logs, lines);
  }
  fmt::print(
      "\n| method | order | measured on {}, where the error is above 3e-11 | on {} |\n"
      "|---|---|---|---|\n",
      measured[0].what, measured[1].what);
  for (const std::string& row : rows) fmt::print("{}\n", row);
}

// Error against the tolerance, for adaptive methods. Steps are proportional to tolerance^(1/(r+1)),
// with r the order of the error estimate, and the error to the step^p, with p the order of the
// method.
void tolerances(const char* folder) {
  struct Chooses {
    Method method;
    const char* expected;
  };
  std::vector<double> logs;
  for (int k = -10; k <= -4; ++k) logs.push_back(k);
  fmt::print(
      "\n| method | on | error at 1e-4 | 1e-6 | 1e-8 | 1e-10 | goes with the tolerance to the | "
      "expected |\n|---|---|---|---|---|---|---|---|\n");
  for (const Measured& mechanism : measured) {
    const State end = end_of(mechanism);
    std::vector<std::vector<double>> kept;  // the plot lines refer to them
    std::vector<PlotLine> lines;
    for (const auto& [method, expected] :
         {Chooses{Method::dormand_prince, "1"}, Chooses{Method::extrapolation, "8/7"},
          Chooses{Method::radau, "5/4"}, Chooses{Method::bdf, "5/6"}}) {
      if (!method_lacks(method).empty()) continue;
      std::vector<double> errors;
      for (const double log : logs)
        errors.push_back(error_of(mechanism, with(std::pow(10, log), method), end));
      fmt::print("| {} | {} | {:.1e} | {:.1e} | {:.1e} | {:.1e} | {:.2f} | {} |\n",
                 to_string(method), mechanism.what, std::pow(10, errors[6]),
                 std::pow(10, errors[4]), std::pow(10, errors[2]), std::pow(10, errors[0]),
                 (errors[6] - errors[0]) / 6, expected);
      kept.push_back(std::move(errors));
      lines.push_back({to_string(method), kept.back()});
    }
    draw(folder, fmt::format("integrator-tolerances{}", mechanism.file),
         fmt::format("{}, 0.8 s: error against the tolerance", mechanism.title),
         "log10 of the tolerance", logs, lines);
  }
}

void drift() {
  fmt::print(
      "\n| ten minutes of | steps | CPU time | loops open by | come apart with | energy changes by "
      "|\n"
      "|---|---|---|---|---|---|\n");
  for (const auto& [name, what] :
       {std::pair("four_bar", "the four-bar"), {"r_ex2", "two arms on one object, falling"}}) {
    Description description = load_model(std::string("@") + name).description();
    description.inputs.clear();
    Moving run(build_model(description));
    RunOptions options = with(1e-8);
    options.sample = 0.1;
    run.go(600, options, true);
    fmt::print("| {} | {} | {:.1f} s | {:.1e} m | {:.1e} m/s | {:.1e} J of {:.3g} J |\n", what,
               run.steps, run.seconds, run.audit.largest_violation(),
               run.audit.largest_violation_rate(), run.audit.energy_change(),
               run.audit.largest_kinetic());
  }
}

// At equal error against a reference run.
void speed() {
  fmt::print(
      "\n| model | tolerance | error after 10 s | steps a second | CPU time | times real time |\n"
      "|---|---|---|---|---|---|\n");
  for (const char* name : {"seven_axis_arm", "four_bar", "r_ex2", "e_05"}) {
    Description description = load_model(std::string("@") + name).description();
    Moving reference(build_model(description)), run(build_model(description));
    const double duration = std::string(name) == "r_ex2" ? 1 : 10;
    reference.go(duration, with(1e-12));
    run.go(duration, with(1e-8));
    fmt::print("| {} | 1e-8 | {:.1e} | {:.0f} | {:.2f} ms | {:.0f} |\n", name,
               apart(run.model, run.state, reference.state), double(run.steps) / duration,
               1000 * run.seconds, duration / run.seconds);
  }
}

// The vehicles of the theses in motion, not at rest: with uneven torques, steering, disturbed from
// balance.
std::vector<std::unique_ptr<Moving>> vehicles_under_way() {
  std::vector<std::unique_ptr<Moving>> all;
  using Settings = std::vector<std::pair<std::string, double>>;
  const auto described = [](const char* name, const Settings& set = {}) {
    return load_model(name, {.set = set}).description();
  };
  const auto add = [&](Description description, const char* how = "") {
    description.name += how;
    all.push_back(std::make_unique<Moving>(build_model(description)));
  };
  add(described("@e_06"));
  add(described("@e_06_rider"));
  add(described("@e_07", {{"left_torque", 0.2}, {"right_torque", 0.1}}), ", torques that differ");
  add(described("@e_09", {{"drive", 2.0}}), ", driving");
  add(described("@e_09", {{"drive", 2.0}, {"steer", 0.3}}), ", driving and steering");
  add(described("@e_12a", {{"drive", 2.0}}), ", locked, driving");
  Description free_arm = described("@e_12a", {{"drive", 2.0}});
  for (JointDescription& joint : free_arm.joints)
    if (joint.options.drive == Drive::locked) joint.options.drive = Drive::none;
  add(free_arm, ", hanging free, driving");
  for (const char* name : {"@s_t01", "@s_t02", "@s_t03", "@s_t07", "@s_t08", "@s_t09", "@s_t11"})
    add(described(name));
  add(described("@y_73"), ", pushed by 0.5 rad/s");
  Moving& pushed = *all.back();
  pushed.state.v[0] = 0.5;
  Moving::require(assemble(pushed.model, pushed.state, pushed.workspace));
  return all;
}

double duration_of(const Model& model) {
  const auto& description = model.description().run;
  return description && description->duration && description->duration->is_constant()
             ? description->duration->constant()
             : 10;
}

// For the duration of its model, with a hundred samples, from its start; CPU time, the best of
// three, because the first warms up. `state` ends at the end of the motion.
double quickest_run(Moving& run, RunOptions options) {
  options.sample = duration_of(run.model) / 100;
  const State start = run.state;
  double seconds = 1e9;
  for (int again = 0; again < 3; ++again) {
    run.state = start;
    run.seconds = 0;
    run.steps = 0;
    run.go(duration_of(run.model), options);
    seconds = std::min(seconds, run.seconds);
  }
  return seconds;
}

// CPU time of one call of forward dynamics.
void vehicles() {
  fmt::print(
      "\n| vehicle | degrees of freedom, rows | forward dynamics | lasts | steps | CPU time | "
      "times real "
      "time |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const std::unique_ptr<Moving>& vehicle : vehicles_under_way()) {
    Moving& run = *vehicle;
    std::vector<double> a(run.state.v.size());
    const int calls = 2000;
    double best = 1e9;
    for (int again = 0; again < 5; ++again) {
      const double before = cpu_now();
      for (int k = 0; k < calls; ++k)
        Moving::require(forward_dynamics(run.model, run.state, {}, run.workspace, a));
      best = std::min(best, (cpu_now() - before) / calls);
    }
    int rows = 0;
    for (const Wheel& wheel : run.model.wheels()) rows += wheel.rows();
    const double duration = duration_of(run.model), seconds = quickest_run(run, with(1e-8));
    fmt::print("| {} | {}, {} | {:.0f} ns | {:g} s | {} | {:.2f} ms | {:.0f} |\n", run.model.name(),
               run.model.nv(), rows, 1e9 * best, duration, run.steps, 1000 * seconds,
               duration / seconds);
  }
}

// Vehicles with many steps, by two methods: errors of the final state against a run with tolerance
// 1e-12.
void vehicles_by_method() {
  fmt::print(
      "\n| vehicle | method, tolerance | steps | error at the end | times real time |\n"
      "|---|---|---|---|---|\n");
  const std::pair<const char*, double> many_steps[] = {
      {"(S-T11)", 1e-4}, {"(Y-73)", 1e-5}, {"and steering", 1e-4}, {"hanging free", 1e-8}};
  for (const auto& [which, loose] : many_steps)
    for (const std::unique_ptr<Moving>& vehicle : vehicles_under_way()) {
      Moving& run = *vehicle;
      if (run.model.name().find(which) == std::string::npos) continue;
      const State start = run.state;
      const double duration = duration_of(run.model);
      run.go(duration, with(1e-12));
      const State right = run.state;
      for (const auto& [method, name, tolerance] :
           {std::tuple(Method::dormand_prince, "dormand-prince", 1e-8),
            {Method::extrapolation, "extrapolation", loose}}) {
        run.state = start;
        const double seconds = quickest_run(run, with(tolerance, method));
        fmt::print("| {} | {}, {:.0e} | {} | {:.1e} | {:.0f} |\n", run.model.name(), name,
                   tolerance, run.steps, apart(run.model, run.state, right), duration / seconds);
      }
    }
}

// Many runs of one model by rk4 for a second, each from another pose.
void batch(const std::string& name, const char* what, double step) {
  constexpr int runs = 1024;
  const BatchRunOptions options{.duration = 1, .method = Method::rk4, .step = step};
  Moving one(name);
  Eigen::MatrixXd q(one.model.nq(), runs), v(one.model.nv(), runs);
  const State start = one.state;
  for (int run = 0; run < runs; ++run) {
    State each = start;
    std::vector<double> by(each.v.size());
    for (std::size_t k = 0; k < by.size(); ++k) by[k] = 0.1 * std::sin(1.0 + run + 3.7 * double(k));
    integrate(one.model, start.q, by, each.q);
    Moving::require(assemble(one.model, each, one.workspace));
    q.col(run) = Eigen::Map<Eigen::VectorXd>(each.q.data(), one.model.nq());
    v.col(run) = Eigen::Map<Eigen::VectorXd>(each.v.data(), one.model.nv());
  }
  fmt::print(
      "\n| {}, rk4 of {:g} ms, 1 s | time | runs a second | apart from one by itself |\n"
      "|---|---|---|---|\n",
      what, 1000 * step);
  const auto seconds_since = [](std::chrono::steady_clock::time_point before) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  };
  auto before = std::chrono::steady_clock::now();
  one.state.q.assign(q.col(0).begin(), q.col(0).end());
  one.state.v.assign(v.col(0).begin(), v.col(0).end());
  one.go(1, with(1e-8, Method::rk4, step));
  const double alone = seconds_since(before);
  fmt::print("| one run by itself | {:.1f} ms | {:.0f} | |\n", 1e3 * alone, 1 / alone);
  std::vector<int> counts{1};
  if (std::thread::hardware_concurrency() > 1) counts.push_back(0);
  for (const int threads : counts) {
    BatchWorkspace workspace(one.model, threads);
    BatchMotion out;
    before = std::chrono::steady_clock::now();
    Moving::require(
        simulate_batch(one.model, {q, v}, SimulationInputs(one.model), options, workspace, out));
    const double spent = seconds_since(before);
    State first = one.state;
    first.q.assign(out.q.back().col(0).begin(), out.q.back().col(0).end());
    first.v.assign(out.v.back().col(0).begin(), out.v.back().col(0).end());
    fmt::print("| {} runs, {} thread{} | {:.0f} ms | {:.0f} | {:.1e} |\n", runs,
               workspace.threads(), workspace.threads() == 1 ? "" : "s", 1e3 * spent, runs / spent,
               apart(one.model, first, one.state));
  }
}

}  // namespace
}  // namespace trammel

int main(int count, char** words) {
  using namespace trammel;
  try {
    field_cases();
    orders(count > 1 ? words[1] : nullptr);
    tolerances(count > 1 ? words[1] : nullptr);
    drift();
    speed();
    batch("seven_axis_arm", "seven-axis arm", 1e-3);
    vehicles();
    vehicles_by_method();
    batch("s_t08", "platform with four Mecanum wheels", 1e-2);
  } catch (const std::exception& mistake) {
    fmt::print(stderr, "validate: {}\n", mistake.what());
    return 1;
  }
  return 0;
}
