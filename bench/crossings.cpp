// Chains of four-bars through their singular poses, with every adaptive method, at every half
// decade of tolerance from 1e-6 to 1e-12: number of runs that pass, are refused at the start, stop,
// or are wrong. The reference is the closed form of the motion (tests/support/n_four_bar.hpp).
// Prints Markdown, and to stderr each run that does not pass. `./dev validate --crossings` writes
// the table into docs/validation.md.
//
//   trammel_crossings [METHOD [N...]]
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tests/support/n_four_bar.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/closure_error.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {
namespace {

// Durations for which the table takes minutes: the cost of a step is O(N^3), that of the Jacobian
// of an implicit method O(N^4) (finite differences).
double duration_of(Method method, int n) {
  const bool is_implicit = method == Method::radau || method == Method::bdf;
  if (n <= 4) return 10;
  if (n <= 8) return is_implicit ? 3 : 10;
  return n <= 20 ? (is_implicit ? 1 : 3) : 0.8;
}

struct Tally {
  int passed = 0, refused = 0, stopped = 0, wrong = 0;
  double energy = 0, off_branch = 0, angle = 0;  // the largest over all runs that passed
};

void follow(const Model& model, int n, Method method, double tolerance, double duration,
            Tally& tally) {
  Workspace workspace(model);
  const SimulationInputs run_inputs(model);
  State state;
  if (const Status status = assembled_start(model, workspace, state); !status)
    throw std::runtime_error(status.message());
  const NFourBarMotion motion(n);
  const auto q_of = [&](const State& seen, const char* joint, int k) {
    return seen.q[std::size_t(model[*model.find_joint(fmt::format("{}{}", joint, k))].q_start)];
  };
  Energy first, now;
  double change = 0, off = 0, violation = 0;
  bool is_first = true;
  RunStatistics statistics;
  const Status status = simulate(
      model, state, run_inputs,
      {.duration = duration, .method = method, .relative = tolerance, .absolute = tolerance / 100},
      workspace,
      [&](const State& seen) {
        if (Status failed = energy(model, seen, workspace, now); !failed) return failed;
        if (std::exchange(is_first, false)) first = now;
        change = std::max(change, std::abs(now.total() - first.total()));
        violation = std::max(violation, closure_error(model, seen, workspace).position);
        const double crank = q_of(seen, "foot", 0);
        for (int k = 0; k < n; ++k)
          off = std::max({off, std::abs(q_of(seen, "foot", k + 1) - crank),
                          std::abs(q_of(seen, "left", k) + crank)});
        return Status();
      },
      statistics);
  const auto tell = [&](const std::string& what) {
    fmt::print(stderr, "{}, N = {}, {:.1e}: {}\n", to_string(method), n, tolerance, what);
  };
  if (!status.ok()) {
    ++(statistics.steps == 0 ? tally.refused : tally.stopped);
    if (statistics.steps > 0) tell(status.message());
    return;
  }
  const std::vector<double> flat = motion.flat_times(duration);
  std::vector<double> reported;
  for (const EventRecord& event_record : statistics.events)
    if (event_record.what.starts_with("singular pose, a branch"))
      reported.push_back(event_record.time);
  bool are_reported = reported.size() == flat.size();
  for (std::size_t k = 0; k < flat.size() && are_reported; ++k)
    are_reported = std::abs(reported[k] - flat[k]) < 1e-3;
  const double end = -q_of(state, "foot", 0);
  const double angle = std::abs(motion.time_to_turn(end) - duration) * motion.speed(end);
  const double by_energy = change / (tolerance * motion.largest_kinetic_energy());
  if (!are_reported || by_energy > 1e3 || off > std::max(1e3 * tolerance, 1e-11) ||
      angle > 1e4 * tolerance || violation > 1e-11) {
    ++tally.wrong;
    for (const EventRecord& event_record : statistics.events)
      tell(fmt::format("{:.9g} s: {}", event_record.time, event_record.what));
    tell(
        fmt::format("{} of {} crossings reported, energy {:.1e}, off branch {:.1e}, angle {:.1e}, "
                    "violation {:.1e}",
                    reported.size(), flat.size(), by_energy, off, angle / tolerance, violation));
    return;
  }
  ++tally.passed;
  tally.energy = std::max(tally.energy, by_energy);
  tally.off_branch = std::max(tally.off_branch, off);
  tally.angle = std::max(tally.angle, angle / tolerance);
}

void run(Method method, const std::vector<int>& chains) {
  for (const int n : chains) {
    const Model model = build_model(n_four_bar(n));
    const double duration = duration_of(method, n);
    Tally tally;
    const std::clock_t before = std::clock();
    for (int half = 12; half <= 24; ++half)
      follow(model, n, method, std::pow(10.0, -0.5 * half), duration, tally);
    fmt::print(
        "| {} | {} | {:g} s, {} | {} | {} | {} | {} | {:.1e} | {:.1e} | {:.1e} | {:.0f} s |\n",
        to_string(method), n, duration, NFourBarMotion(n).flat_times(duration).size(), tally.passed,
        tally.refused, tally.stopped, tally.wrong, tally.energy, tally.off_branch, tally.angle,
        double(std::clock() - before) / CLOCKS_PER_SEC);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace trammel

int main(int count, char** words) {
  using namespace trammel;
  try {
    std::vector<Method> methods{Method::dormand_prince, Method::extrapolation, Method::radau,
                                Method::bdf};
    std::vector<int> chains{2, 4, 8, 20, 40};
    if (count > 1) {
      const std::optional<Method> named = method_named(words[1]);
      if (!named) throw std::runtime_error(fmt::format("there is no method '{}'", words[1]));
      methods = {*named};
    }
    if (count > 2) chains.clear();
    for (int k = 2; k < count; ++k) chains.push_back(std::atoi(words[k]));
    fmt::print(
        "| method | N | duration, crossings | passed | refused | stopped | wrong | energy | "
        "off the branch [rad] | angle | CPU time "
        "|\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const Method method : methods)
      if (method_lacks(method).empty()) run(method, chains);
  } catch (const std::exception& mistake) {
    fmt::print(stderr, "crossings: {}\n", mistake.what());
    return 1;
  }
  return 0;
}
