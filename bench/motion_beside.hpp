// One motion, simulated by Trammel and by a peer: CPU time of each at equal error. Both use a
// series of tolerances; of the runs with a sufficiently small error the fastest counts.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/plain_tree.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/read/load.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel::bench {

inline std::array<double, 3> plain(const Vec3<double>& x) { return {x.x, x.y, x.z}; }
inline ::bench::PlainPose plain(const Pose<double>& X) {
  const Vec3<double> x = X.R * Vec3<double>{1, 0, 0}, y = X.R * Vec3<double>{0, 1, 0},
                     z = X.R * Vec3<double>{0, 0, 1};
  return {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}, plain(X.p)};
}

struct Task {
  Task(const std::string& gallery, double duration_)
      : model(load_model("@" + gallery)), name(gallery), duration(duration_), run_inputs(model) {
    Workspace workspace(model);
    require(assembled_start(model, workspace, start));
    tell();
    end = follow(1e-13).end;
  }
  static void require(const Status& status) {
    if (!status) throw std::runtime_error(status.message());
  }

  struct Arrival {
    State end;
    double seconds;
  };
  Arrival follow(double tolerance) const {
    Workspace workspace(model);
    State state = start;
    RunStatistics statistics;
    const std::clock_t before = std::clock();
    require(simulate(
        model, state, run_inputs,
        {.duration = duration, .relative = tolerance, .absolute = tolerance / 100}, workspace,
        [](const State&) { return Status(); }, statistics));
    return {state, double(std::clock() - before) / CLOCKS_PER_SEC};
  }
  // The largest error of all positions and velocities.
  double error(std::span<const double> q, std::span<const double> v) const {
    double largest = 0;
    for (std::size_t k = 0; k < v.size(); ++k)
      largest = std::max({largest, std::abs(q[k] - end.q[k]), std::abs(v[k] - end.v[k])});
    return largest;
  }

  // Fills the plain numbers for the peer; throws if the model has parts they cannot express.
  void tell() {
    const auto refuse = [&](const char* what) {
      throw std::runtime_error(name + ": the plain form for peers cannot express " + what);
    };
    if (model.has_prescribed_joints() || model.has_force_elements() || !model.rods().empty() ||
        !model.frame_constraints().empty() || !model.wheels().empty() || !model.couplings().empty())
      refuse("what this model has");
    const ModelParameters<double>& numbers = model.numbers();
    SimulationInputs::Acting acting(model);
    run_inputs.evaluate(start, acting);
    told.gravity = plain(numbers.gravity);
    for (std::size_t i = 1; i < model.bodies().size(); ++i) {
      const Body& body = model.bodies()[i];
      if (!std::holds_alternative<Revolute>(body.joint)) refuse("joints that do not turn");
      const Inertia<double>& I = numbers.bodies[i].inertia;
      const SymMat3<double>& J = I.rotational;
      told.bodies.push_back({.parent = body.parent - 1,
                             .X_PF = plain(numbers.bodies[i].X_PF),
                             .mass = I.mass,
                             .com = plain(1 / I.mass * I.first_moment),
                             .inertia = {J.xx, J.yy, J.zz, J.xy, J.xz, J.yz},
                             .damping = 0,
                             .effort = acting.tau[i - 1],
                             .q = start.q[i - 1],
                             .v = start.v[i - 1]});
    }
    for (const PassiveNumbers<double>& passive : numbers.passive) {
      if (passive.stiffness != 0 || passive.friction != 0) refuse("springs and dry friction");
      told.bodies[std::size_t(passive.v)].damping = passive.damping;
    }
    for (std::size_t k = 0; k < model.closures().size(); ++k) {
      const Closure& closure = model.closures()[k];
      if (std::visit([](const auto& joint) { return joint.nv(); }, closure.joint) != 0)
        refuse("loops that are not closed by welds");
      const auto tree_body = [&](BodyId body) {
        return model.named_bodies()[std::size_t(index(body))].tree_body - 1;
      };
      told.welds.push_back({tree_body(closure.parent), tree_body(closure.child),
                            plain(numbers.closures[k].X_PF), plain(numbers.closures[k].X_CM)});
    }
  }

  Model model;
  std::string name;
  double duration;
  SimulationInputs run_inputs;
  // the end state of our run with the smallest tolerance is the reference; a peer that reaches it
  // agrees
  State start, end;
  ::bench::PlainTree told;
};

struct Outcome {
  std::string how;
  double error, seconds;
};
inline std::vector<Outcome> ours(const Task& task) {
  std::vector<Outcome> outcomes;
  for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    const Task::Arrival found = task.follow(tolerance);
    outcomes.push_back({fmt::format("dormand-prince, {:.0e}", tolerance),
                        task.error(found.end.q, found.end.v), found.seconds});
  }
  return outcomes;
}
inline const Outcome* quickest(const std::vector<Outcome>& outcomes, double error) {
  const Outcome* best = nullptr;
  for (const Outcome& outcome : outcomes)
    if (outcome.error <= error && (best == nullptr || outcome.seconds < best->seconds))
      best = &outcome;
  return best;
}

inline void print_header() {
  fmt::print(
      "| motion | error below | Trammel | CPU time | peer | CPU time | times Trammel's |\n"
      "|---|---|---|---|---|---|---|\n");
}
inline void print_beside(const Task& task, const std::string& peer,
                         const std::vector<Outcome>& theirs) {
  const std::vector<Outcome> mine = ours(task);
  for (const double error : {1e-3, 1e-5, 1e-7}) {
    const Outcome *a = quickest(mine, error), *b = quickest(theirs, error);
    if (a == nullptr) continue;
    fmt::print("| {}, {} s | {:.0e} | {} | {:.2f} ms | ", task.name, task.duration, error, a->how,
               1e3 * a->seconds);
    if (b == nullptr)
      fmt::print("{}: not reached | | |\n", peer);
    else
      fmt::print("{}, {} | {:.2f} ms | {:.1f} |\n", peer, b->how, 1e3 * b->seconds,
                 b->seconds / a->seconds);
  }
}

}  // namespace trammel::bench
