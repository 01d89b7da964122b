// Growth of the functions of closed mechanisms with the number of their loops: CPU seconds per call
// for four families, each doubled in size until a call takes longer than the limit, and the
// exponent of growth between the two largest sizes. Prints Markdown. `./dev growth` writes the
// tables into docs/performance.md.
//
//   trammel_growth [MOST [LIMIT]]      number of loops at most (4096), seconds per call at most (1)
//
// Each function stops on its own: where the start or the first forward dynamics (which decides the
// rank) are over the limit the others go on, as long as each of the two is expected to take at most
// twenty times the limit.
//
// Each result is checked before its time counts: forward dynamics by inverse dynamics of its own
// result, mobility by the known number.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/lattice.hpp"
#include "tests/support/n_four_bar.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/mobility/actuation.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {
namespace {

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

void expect(const Status& status) {
  if (!status) throw std::runtime_error(status.message());
}
void expect(bool is_right, const char* what) {
  if (!is_right) throw std::runtime_error(fmt::format("wrong result: {}", what));
}

// k parallelograms of links of 1 m and 1 kg; each stands on ground, or on the coupler of the one
// before it. They start at 60 degrees from the ground, at rest.
Description parallelograms(int k, bool in_a_row) {
  Description description(fmt::format("{} four-bars", k));
  description.gravity = {0.0, -9.81, 0.0};
  const Expr c = 0.5, s = std::sqrt(0.75);
  std::string base = "ground";
  for (int i = 0; i < k; ++i) {
    const auto name = [&](const char* what) { return fmt::format("{}{}", what, i); };
    const double x = in_a_row ? 0.0 : 2.0 * i;
    for (const char* link : {"crank", "rocker"})
      description.body(name(link), {.mass = 1.0,
                                    .com = {0.5 * c, 0.5 * s, 0.0},
                                    .inertia = {1.0 / 12, 0, 0, 1.0 / 12, 0, 1.0 / 12}});
    description.body(
        name("coupler"),
        {.mass = 1.0, .com = {0.5, 0.0, 0.0}, .inertia = {1.0 / 12, 0, 0, 1.0 / 12, 0, 1.0 / 12}});
    description.joint(name("left"), JointKind::revolute, base, name("crank"),
                      {.at = {{x, 0.0, 0.0}, {}}});
    description.joint(name("right"), JointKind::revolute, base, name("rocker"),
                      {.at = {{x + 1.0, 0.0, 0.0}, {}}});
    description.joint(name("knee"), JointKind::revolute, name("crank"), name("coupler"),
                      {.at = {{c, s, 0.0}, {}}});
    description.joint(name("elbow"), JointKind::revolute, name("coupler"), name("rocker"),
                      {.at = {{1.0, 0.0, 0.0}, {}}, .child_at = {{c, s, 0.0}, {}}, .cut = true});
    if (in_a_row) base = name("coupler");
  }
  return description;
}

// Nodes along a side of a lattice of about k loops: 3 x 3, 4 x 4, 6 x 6, 8 x 8, 11 x 11, ...
int nodes(int k) { return 1 + int(std::lround(std::sqrt(double(k)))); }

struct Family {
  const char* name;
  std::function<Description(int)> describe;
  std::function<int(int)> mobility;  // expected, by the number of loops
};

const Family families[] = {
    {"four-bars in a row, each on the coupler of the one before",
     [](int k) { return parallelograms(k, true); }, [](int k) { return k; }},
    {"four-bars side by side on the ground", [](int k) { return parallelograms(k, false); },
     [](int k) { return k; }},
    {"ladder: cranks on the ground, couplers between neighbors",
     [](int k) { return n_four_bar(k); }, [](int) { return 1; }},
    {"lattice of pin-jointed links, hung from the ground (about as many loops)",
     [](int k) { return lattice(nodes(k)); }, [](int k) { return lattice_mobility(nodes(k)); }},
};

// Times of one quantity, by the number of loops.
struct Row {
  std::string name;
  bool is_needed;  // by the others: the start and the rank
  std::vector<double> seconds;
  bool is_over = false;  // the last call was longer than the limit, or failed

  // Seconds of a call of twice the size, by the last two; cubic growth at most.
  double next() const {
    const std::size_t n = seconds.size();
    if (n == 0) return 0;
    return seconds.back() * (n > 1 ? std::clamp(seconds[n - 1] / seconds[n - 2], 2.0, 8.0) : 2);
  }
};

class Measurement {
 public:
  Measurement(const Family& family, int most, double limit)
      : family_(family), most_(most), limit_(limit) {}

  void run() {
    for (int k = 8; k <= most_ && goes_on(); k *= 2) {
      sizes_.push_back(k);
      next_ = 0;
      measure(k);
    }
    print();
  }

 private:
  enum class Needed { no, yes };  // by the other functions

  // Some function is below the limit, and what all of them need does not take too long.
  bool goes_on() const {
    return !has_failed_ && !std::ranges::any_of(rows_, [&](const Row& row) {
      return row.is_needed && row.next() > 20 * limit_;
    }) && (rows_.empty() || !std::ranges::all_of(rows_, &Row::is_over));
  }

  // Time of a call; the mean of several if it is short. The first call counts only if `is_first`.
  // False if it failed.
  bool time(const char* name, const std::function<void()>& call, bool is_first = false,
            Needed needed = Needed::no) {
    if (next_ == rows_.size()) { rows_.push_back({name, needed == Needed::yes, {}, false}); }
    Row& row = rows_[next_++];
    if (row.is_over && needed == Needed::no) return false;
    try {
      if (!is_first) call();
      const double begin = cpu_seconds();
      int calls = 0;
      double spent = 0;
      do {
        call();
        ++calls;
        spent = cpu_seconds() - begin;
      } while (!is_first && spent < 0.02);
      row.seconds.push_back(spent / calls);
      // a call of twice the size would be much longer than the limit
      row.is_over = row.seconds.back() > limit_ || row.next() > 4 * limit_;
      return true;
    } catch (const std::exception& failed) {
      std::fprintf(stderr, "%s, %d loops, %s: %s\n", family_.name, sizes_.back(), name,
                   failed.what());
      row.is_over = true;
      has_failed_ = has_failed_ || row.is_needed;
      return false;
    }
  }

  void measure(int k) {
    std::optional<Model> model;
    time(
        "build the model", [&] { model = build_model(family_.describe(k)); }, true);
    if (!model) model = build_model(family_.describe(k));
    std::optional<Workspace> workspace;
    State state;
    const auto start = [&] {
      workspace.emplace(*model);
      expect(assembled_start(*model, *workspace, state));
    };
    if (!time("assembled start", start, true, Needed::yes)) return;
    const std::size_t nv = std::size_t(model->nv());
    std::vector<double> a(nv), tau(nv), back(nv);
    const auto forward = [&] { expect(forward_dynamics(*model, state, {}, *workspace, a)); };
    const bool has_a = time("forward dynamics, first call", forward, true, Needed::yes);
    time("forward dynamics", forward);
    const auto inverse = [&] {
      if (!has_a) throw std::runtime_error("there are no accelerations to begin with");
      expect(inverse_dynamics(*model, state, {.a = a}, *workspace, back));
      for (const double effort : back) expect(std::abs(effort) < 1e-6, "effort of a free motion");
    };
    time("inverse dynamics", inverse);
    std::vector<Force<double>> forces;
    time("reactions", [&] { expect(reactions(*model, state, {}, *workspace, forces)); });
    Energy found;
    time("energy", [&] { expect(energy(*model, state, *workspace, found)); });
    Mobility mobile;
    time("mobility", [&] {
      State still = state;
      std::ranges::fill(still.v, 0.0);
      expect(mobility(*model, still, *workspace, mobile));
      expect(mobile.instantaneous == family_.mobility(k), "mobility");
    });
    Actuation actuated;
    time("actuation", [&] {
      State still = state;
      std::ranges::fill(still.v, 0.0);
      expect(actuation(*model, still, *workspace, actuated));
    });
    const SimulationInputs run_inputs(*model);
    const auto steps = [&](int count) {
      State moving = state;
      RunStatistics statistics;
      expect(simulate(
          *model, moving, run_inputs,
          {.duration = 1e-3 * count, .method = Method::rk4, .step = 1e-3}, *workspace,
          [](const State&) { return Status(); }, statistics));
    };
    // start of a run and its first step; then each further step
    time(
        "simulate one rk4 step", [&] { steps(1); }, true);
    time(
        "simulate eleven rk4 steps", [&] { steps(11); }, true);
    Linearization linear;
    time(
        "linearize", [&] { expect(linearize(*model, state, {}, *workspace, linear)); }, true);
  }

  void print() const {
    fmt::print("**{}**\n\n| CPU seconds |", family_.name);
    for (const int k : sizes_) fmt::print(" {} |", k);
    fmt::print(" exponent |\n|---|");
    for (std::size_t k = 0; k <= sizes_.size(); ++k) fmt::print("---:|");
    fmt::print("\n");
    for (const Row& row : rows_) {
      fmt::print("| {} |", row.name);
      for (std::size_t k = 0; k < sizes_.size(); ++k)
        fmt::print("{}", k < row.seconds.size() ? fmt::format(" {:.2g} |", row.seconds[k]) : " |");
      const std::size_t n = row.seconds.size();
      fmt::print("{}\n", n > 2 ? fmt::format(" {:.1f} |",
                                             std::log2(row.seconds[n - 1] / row.seconds[n - 3]) / 2)
                               : " |");
    }
    fmt::print("\n");
  }

  const Family& family_;
  int most_;
  double limit_;
  std::vector<int> sizes_;
  std::vector<Row> rows_;
  bool has_failed_ = false;  // what all functions need
  std::size_t next_ = 0;
};

}  // namespace
}  // namespace trammel

int main(int count, char** arguments) {
  const int most = count > 1 ? std::atoi(arguments[1]) : 4096;
  const double limit = count > 2 ? std::atof(arguments[2]) : 1;
  if (most < 8 || !(limit > 0)) {
    std::fprintf(stderr, "trammel_growth [MOST [LIMIT]]: at least 8 loops, a limit above 0 s\n");
    return 2;
  }
  for (const trammel::Family& family : trammel::families)
    trammel::Measurement(family, most, limit).run();
}
