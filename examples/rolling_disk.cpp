// A disk rolls on a floor: comparison of equations of motion, frames and attitude parameters. The
// twelve schemes of [Saha 1991, chapter 6], compared with the engine (docs/theory/rolling-disk.md
// has the tables that this prints).
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "examples/rolling_disk/engine.hpp"
#include "examples/rolling_disk/steady_circle.hpp"

using namespace rolling_disk;

// Called with the time and the state of the disk; returns whether to continue.
using Look = std::function<bool(double, const Seen&)>;

// One method to simulate the disk, independent of its equations.
struct Way {
  std::string name;
  int equations;
  // Runs from a start for a duration; calls `look` after every step.
  std::function<Work(const Start&, double, const Tolerance&, const Look&)> go;
};
std::vector<Way> all_ways(Engine& angles, Engine& free) {
  std::vector<Way> ways;
  for (const Scheme& scheme : all_schemes())
    ways.push_back({scheme.name, scheme.size,
                    [scheme](const Start& start, double duration, const Tolerance& tolerance,
                             const Look& look) {
                      StateVector x = scheme.start(start);
                      return go(scheme.rhs, x, duration, tolerance,
                                [&](double time, const StateVector& now) {
                                  return !look || look(time, scheme.seen(now));
                                });
                    }});
  for (Engine* engine : {&angles, &free})
    ways.push_back({engine == &angles ? "engine, angles" : "engine, free joint", 12,
                    [engine](const Start& start, double duration, const Tolerance& tolerance,
                             const Look& look) {
                      trammel::State state = engine->start(start);
                      return engine->go(state, duration, tolerance,
                                        [&](double time, const trammel::State& now) {
                                          return !look || look(time, engine->seen(now));
                                        });
                    }});
  return ways;
}

// CPU time measured as in [Saha 1991] [s]: until five readings agree within 3.5 %, their mean;
// after fifteen the least of the last five. A reading is the mean over at least 2 ms.
double reading(const std::function<void()>& run) {
  const std::clock_t begin = std::clock();
  for (int runs = 1;; ++runs) {
    run();
    const double passed = double(std::clock() - begin) / CLOCKS_PER_SEC;
    if (passed > 2e-3) return passed / runs;
  }
}
double time_of(const std::function<void()>& run) {
  std::vector<double> times;
  while (true) {
    times.push_back(reading(run));
    if (times.size() < 5) continue;
    const auto [least, most] = std::minmax_element(times.end() - 5, times.end());
    if (*most < 1.035 * *least) return std::accumulate(times.end() - 5, times.end(), 0.0) / 5;
    if (times.size() == 15) return *least;
  }
}

// The circles of [Saha 1991, table 6.1], with its tolerance and step.
void tell_circles(const std::vector<Way>& ways) {
  const Disk disk;
  std::printf(
      "| scheme | equations | A leaves its circle | energy, A | energy, D | off circle D, 70 s | "
      "evaluations | CPU time |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  const Start A = steady_start(disk, cases[0].phi_rate, cases[0].psi_rate);
  const Start D = steady_start(disk, cases[3].phi_rate, cases[3].psi_rate);
  const Circle circle_A(disk, A), circle_D(disk, D);
  for (const Way& way : ways) {
    double leaves = 0, first = 0;
    way.go(A, 3.5, {}, [&](double time, const Seen& now) {
      if (leaves == 0 && circle_A.missed(now.center) > 0.01) leaves = time;
      return leaves == 0;
    });
    const auto energy_change = [&](const Start& start) {
      double largest = 0;
      way.go(start, 2.1, {}, [&](double time, const Seen& now) {
        if (time == 0) first = now.energy;
        largest = std::max(largest, std::abs(now.energy - first));
        return true;
      });
      return largest;
    };
    const double of_A = energy_change(A), of_D = energy_change(D);
    double off = 0;
    way.go(D, 70, {}, [&](double, const Seen& now) {
      off = std::max(off, circle_D.missed(now.center));
      return true;
    });
    Work work;
    const double time = time_of([&] { work = way.go(A, 2.1, {}, {}); });
    std::printf("| %s | %d | %s | %.1e J | %.1e J | %.1e | %ld | %.0f us |\n", way.name.c_str(),
                way.equations,
                leaves > 0 ? (std::to_string(leaves).substr(0, 4) + " s").c_str() : "not in 3.5 s",
                of_A, of_D, off, work.evaluations, 1e6 * time);
  }
}

// Work-precision comparison for a general motion (S-T12), one second.
double apart(const Seen& one, const Seen& other) {
  return std::max({(one.axis() - other.axis()).norm(), (one.center - other.center).norm() / 0.05,
                   (one.omega - other.omega).norm() / other.omega.norm()});
}
Seen end_of(const Way& way, const Start& start, const Tolerance& tolerance, long& evaluations) {
  Seen last;
  evaluations = way.go(start, 1, tolerance,
                       [&](double, const Seen& now) {
                         last = now;
                         return true;
                       })
                    .evaluations;
  return last;
}
void tell_prices(const std::vector<Way>& ways) {
  const Start start{0.3, 0.2, 0.4, 0.5, 3, -8};
  long evaluations = 0;
  const Tolerance tight{1e-13, 1e-14, 1};
  const Seen truth = end_of(ways.front(), start, tight, evaluations);
  std::printf("\nThe engine's tightest run is %.1e from that of F1.\n\n",
              apart(end_of(ways.back(), start, tight, evaluations), truth));
  std::printf("| scheme | error below 1e-4 | 1e-6 | 1e-8 | 1e-10 |\n|---|---|---|---|---|\n");
  for (const Way& way : ways) {
    std::printf("| %s |", way.name.c_str());
    double relative = 1e-2;
    for (const double wanted : {1e-4, 1e-6, 1e-8, 1e-10}) {
      Tolerance tolerance{relative, relative / 100, 1};
      while (apart(end_of(way, start, tolerance, evaluations), truth) > wanted &&
             relative > 1e-14) {
        relative /= std::sqrt(10.0);
        tolerance = {relative, relative / 100, 1};
      }
      const double time = time_of([&] { way.go(start, 1, tolerance, {}); });
      std::printf(" %ld evaluations, %.0f us |", evaluations, 1e6 * time);
    }
    std::printf("\n");
  }
}

int main() {
  Engine angles(Engine::Joint::angles), free(Engine::Joint::free);
  const std::vector<Way> ways = all_ways(angles, free);
  tell_circles(ways);
  tell_prices(ways);
  std::printf("%s%s", angles.trouble.c_str(), free.trouble.c_str());
  return angles.trouble.empty() && free.trouble.empty() ? 0 : 1;
}
