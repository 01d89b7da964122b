// A large model built through the library: time of construction, bytes per body of the model and
// of its workspace, and times of the functions that grow with the number of bodies alone. Prints
// one JSON object; `./dev growth --files` makes a table of several.
//
//   trammel_large_models chain|tree|four_bars BODIES
//
// The families are those of large_files.py. Each result is checked before it is printed: the
// efforts of the accelerations of free motion are zero.
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "bench/memory.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}
template <class Work> double seconds(const Work& work) {
  const double begin = cpu_seconds();
  work();
  return cpu_seconds() - begin;
}

void expect(const Status& status) {
  if (!status) throw std::runtime_error(status.message());
}

const Vec3<Expr> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};

// A rod of 0.1 m and 0.2 kg on a revolute joint.
void link(Description& description, const std::string& name, const std::string& joint,
          const std::string& parent, const Vec3<Expr>& at, const Vec3<Expr>& axis,
          const Vec3<Expr>& com = {0.0, 0.0, -0.05}) {
  description.body(name,
                   {.mass = 0.2, .com = com, .inertia = {1.7e-4, 0.0, 0.0, 1.7e-4, 0.0, 1.7e-4}});
  description.joint(joint, JointKind::revolute, parent, name, {.at = {at, {}}, .axis = axis});
}

void chain(Description& description, long bodies) {
  for (long k = 0; k < bodies; ++k)
    link(description, fmt::format("b{}", k), fmt::format("j{}", k),
         k > 0 ? fmt::format("b{}", k - 1) : "ground", {0.0, 0.0, -0.1}, k % 2 ? y : x);
}

void tree(Description& description, long bodies) {
  for (long k = 0; k < bodies; ++k)
    link(description, fmt::format("b{}", k), fmt::format("j{}", k),
         k > 0 ? fmt::format("b{}", (k - 1) / 2) : "ground", {0.0, 0.0, -0.1}, k % 2 ? y : x);
}

void four_bars(Description& description, long bodies) {
  const double c = 0.05, s = 0.1 * std::sqrt(0.75);
  const Vec3<Expr> end{c, s, 0.0}, middle{c / 2, s / 2, 0.0};
  for (long k = 0; k < bodies / 5; ++k) {
    const auto name = [&](const char* what) { return fmt::format("{}{}", what, k); };
    const double place = 0.2 * double(k);
    link(description, name("crank"), name("left"), "ground", {place, 0.0, 0.0}, z, middle);
    link(description, name("rocker"), name("right"), "ground", {place + 0.1, 0.0, 0.0}, z, middle);
    link(description, name("coupler"), name("knee"), name("crank"), end, z, {0.05, 0.0, 0.0});
    description.joint(name("elbow"), JointKind::revolute, name("coupler"), name("rocker"),
                      {.at = {{0.1, 0.0, 0.0}, {}}, .child_at = {end, {}}, .axis = z, .cut = true});
    link(description, name("upper"), name("shoulder"), name("coupler"), {0.05, 0.0, 0.0}, x);
    link(description, name("fore"), name("wrist"), name("upper"), {0.0, 0.0, -0.1}, y);
  }
}

Description described(const std::string& family, long bodies) {
  Description description(family);
  description.gravity = {0.0, -9.81, 0.0};
  if (family == "chain")
    chain(description, bodies);
  else if (family == "tree")
    tree(description, bodies);
  else if (family == "four_bars")
    four_bars(description, bodies);
  else
    throw std::runtime_error("the families are chain, tree and four_bars");
  return description;
}

void measure(const std::string& family, long bodies) {
  auto row = [first = true](const char* what, double number) mutable {
    fmt::print("{}\"{}\": {}", first ? "{" : ", ", what, number);
    first = false;
  };
  const double n = double(bodies);
  const std::size_t empty = bench::bytes_in_use();
  std::optional<Model> model;
  {
    Description description = described(family, bodies);
    row("build the model [s]", seconds([&] { model = build_model(std::move(description)); }));
  }
  row("model [bytes per body]", double(bench::bytes_in_use() - empty) / n);

  State state;
  std::optional<Workspace> workspace;
  const std::size_t before = bench::bytes_in_use();
  row("start state [s]", seconds([&] {
        workspace.emplace(*model);
        expect(assembled_start(*model, *workspace, state));
      }));
  Energy found;
  row("energy [s]", seconds([&] { expect(energy(*model, state, *workspace, found)); }));
  std::vector<double> a(std::size_t(model->nv())), tau(a);
  const auto forward = [&] { expect(forward_dynamics(*model, state, {}, *workspace, a)); };
  const auto inverse = [&] { expect(inverse_dynamics(*model, state, {.a = a}, *workspace, tau)); };
  row("forward dynamics, first call [s]", seconds(forward));
  row("forward dynamics [s]", seconds(forward));
  row("inverse dynamics, first call [s]", seconds(inverse));
  row("inverse dynamics [s]", seconds(inverse));
  // the efforts needed are compared with those that hold the model still
  std::vector<double> held(a.size());
  expect(inverse_dynamics(*model, state, {}, *workspace, held));
  double error = 0, scale = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    error = std::max(error, std::abs(tau[k]));
    scale = std::max(scale, std::abs(held[k]));
  }
  // rounding grows with the number of bodies that are summed up
  if (!(error <= 1e-12 * n * (scale + 1)))
    throw std::runtime_error(fmt::format("efforts of free motion: {} of {}", error, scale));
  row("workspace [bytes per body]", double(bench::bytes_in_use() - before) / n);
  const SimulationInputs run_inputs(*model);
  RunStatistics statistics;
  row("simulate one rk4 step [s]", seconds([&] {
        expect(simulate(
            *model, state, run_inputs, {.duration = 1e-3, .method = Method::rk4, .step = 1e-3},
            *workspace, [](const State&) { return Status(); }, statistics));
      }));
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  row("peak memory [MB]", double(used.ru_maxrss) / 1024);
  fmt::print("}}\n");
}

}  // namespace
}  // namespace trammel

int main(int count, char** arguments) {
  const long bodies = count == 3 ? std::atol(arguments[2]) : 0;
  if (bodies < 5) {
    std::fprintf(stderr, "trammel_large_models chain|tree|four_bars BODIES: at least 5\n");
    return 2;
  }
  try {
    trammel::measure(arguments[1], bodies);
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "%s\n", failed.what());
    return 1;
  }
}
