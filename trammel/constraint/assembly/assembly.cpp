#include "trammel/constraint/assembly/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "trammel/constraint/assembly/assembly_blockers.hpp"
#include "trammel/constraint/assembly/assembly_solver.hpp"
#include "trammel/constraint/assembly/continuation.hpp"
#include "trammel/constraint/assembly/inverse_kinematics.hpp"
#include "trammel/constraint/assembly/start_velocities.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

namespace {

// Least number of random guesses for the search of branches.
constexpr int fewest_starts = 100;

// Positions, velocities and branches of an assembly; the function's name begins every message.
class Assembler {
 public:
  Assembler(const char* context, const Model& model, Workspace& workspace,
            const AssemblyOptions& options)
      : context_(context),
        model_(model),
        workspace_(workspace),
        options_(options),
        solver_(model, workspace, options) {}

  Status close(State& state) {
    if (Status status = close_position(state); !status) return status;
    return close_velocity(state);
  }

  Status close_position(State& state) {
    if (!options_.loop_position_guesses.empty()) approach_guesses(state.q);
    const std::vector<double> guess = state.q;
    // a state beyond the end of a curve is not closed
    const auto close_at = [&](std::vector<double>& q) {
      const double violation = solver_.close(q);
      return solver_.undefined_at(q).empty() ? violation
                                             : violation + model_.characteristic_length();
    };
    double least = close_at(state.q);
    // only components that are still open start from the new guess
    const auto try_from = [&](std::vector<double> q) {
      const bool is_defined = solver_.undefined_at(state.q).empty();
      if (is_defined) solver_.copy_closed_components(state.q, q);
      const double violation = close_at(q);
      std::vector<double> joined = state.q;
      const double best = solver_.take_better_components(joined, q);
      if (is_defined && best <= least && solver_.undefined_at(joined).empty())
        least = best, state.q = joined;
      else if (violation < least)
        least = violation, state.q = q;
    };
    // before random guesses, which could raise a flat wheel by chance
    if (const std::string flat = solver_.flat_wheel_at(solver_.is_closed(least) ? state.q : guess);
        !flat.empty())
      return failure(flat + " lies flat on its floor and cannot roll: raise it");
    for (int nudge = 1; nudge <= options_.nudges && !solver_.is_closed(least); ++nudge)
      try_from(solver_.perturbed(guess, unsigned(nudge), 0.1 * nudge));
    for (int start = 1; start < options_.starts && !solver_.is_closed(least); ++start)
      try_from(solver_.somewhere(guess, unsigned(start)));
    if (!solver_.is_closed(least)) {
      if (const std::string undefined = solver_.undefined_at(state.q); !undefined.empty())
        return failure(undefined);
      solver_.settle(state.q);
      return still_open(guess, state.q);
    }
    if (options_.nearest) solver_.come_near(state.q, guess);
    return {};
  }

  Status close_velocity(State& state) {
    if (!options_.loop_velocity_guesses.empty()) approach_velocity_guesses(state);
    const State as_given = state;
    if (const std::string owner = solver_.make_consistent(state.q, state.v); !owner.empty())
      return failure(refused_velocities(model_, as_given, state, workspace_,
                                        options_.keep_velocity.value_or(options_.keep), owner));
    return {};
  }

  Status find_branches(const State& state, std::vector<Branch>& out) {
    out.clear();
    std::vector<double> nearest = state.q;
    double least = std::numeric_limits<double>::infinity();
    int ways = 0;
    bool is_isolated = false;
    const int starts = std::max(options_.starts, fewest_starts);
    for (int start = 0; start < starts; ++start) {
      Branch branch{.state = state, .met = 1};
      if (start > 0) branch.state.q = solver_.somewhere(state.q, unsigned(start));
      const double violation = solver_.close(branch.state.q);
      if (violation < least) least = violation, nearest = branch.state.q;
      if (!solver_.is_closed(violation) || !solver_.undefined_at(branch.state.q).empty()) continue;
      ways = solver_.ways_left(branch.state.q);
      is_isolated |= ways == 0;
      add(std::move(branch), out);
      if (!is_isolated && start >= 10) break;
    }
    if (out.empty()) {
      solver_.settle(nearest);
      return still_open(state.q, nearest);
    }
    if (!is_isolated) return can_still_move(ways);
    std::ranges::stable_sort(out, {}, [&](const Branch& branch) {
      return solver_.mass_distance(state.q, branch.state.q);
    });
    for (Branch& branch : out) std::ranges::fill(branch.state.v, 0.0);
    return {};
  }

 private:
  // least-squares fit of the tree to the guesses of loop joints; loops may stay violated
  void approach_guesses(std::vector<double>& q) {
    AssemblyOptions soft = options_;
    soft.loop_positions.insert(soft.loop_positions.end(), options_.loop_position_guesses.begin(),
                               options_.loop_position_guesses.end());
    AssemblySolver(model_, workspace_, soft).settle(q);
  }
  void approach_velocity_guesses(State& state) {
    AssemblyOptions soft = options_;
    soft.loop_velocities.insert(soft.loop_velocities.end(), options_.loop_velocity_guesses.begin(),
                                options_.loop_velocity_guesses.end());
    AssemblySolver(model_, workspace_, soft).make_consistent(state.q, state.v);
  }

  Status failure(const std::string& words) const {
    return Status::failure(fmt::format("{}: {}", context_, words));
  }
  Status still_open(const std::vector<double>& guess, const std::vector<double>& q) {
    const std::string widest = solver_.widest_at(q);
    std::string next = "Start from another guess, or check the lengths";
    if (const std::string found = assembly_blockers(model_, workspace_, options_, guess);
        !found.empty())
      next = found;
    else if (!options_.targets.empty())
      next = "Start from another guess, try more starts, or bring the target nearer";
    return failure(
        fmt::format("{} cannot be closed from here: {}; the state is the nearest found. {}",
                    options_.targets.empty() ? "the loops" : "this", widest, next));
  }
  Status can_still_move(int ways) const {
    return failure(fmt::format(
        "with the joints that are kept it still has {} {} of freedom, so its closed positions are "
        "not isolated: keep joints with as many degrees of freedom more",
        ways, ways == 1 ? "degree" : "degrees"));
  }

  // branches are equal if all body poses are: whole turns and quaternion signs do not matter
  void add(Branch branch, std::vector<Branch>& out) {
    std::vector<Pose<double>> poses = poses_at(branch.state.q);
    for (std::size_t k = 0; k < out.size(); ++k)
      if (are_alike(poses, poses_[k])) {
        ++out[k].met;
        return;
      }
    if (out.empty()) poses_.clear();
    out.push_back(std::move(branch));
    poses_.push_back(std::move(poses));
  }
  std::vector<Pose<double>> poses_at(const std::vector<double>& q) {
    kernel::kernels().kinematics({model_, model_.numbers()}, q, workspace_->zero, workspace_->zero,
                                 *workspace_, workspace_->kinematics);
    return workspace_->kinematics.X_WB;
  }
  bool are_alike(const std::vector<Pose<double>>& a, const std::vector<Pose<double>>& b) const {
    // at a double root Newton's method stops where the violation is rounding, with an error of q of
    // its square root
    const double tolerance = 1e-5;
    for (std::size_t k = 0; k < a.size(); ++k)
      if (norm(a[k].p - b[k].p) > tolerance * model_.characteristic_length() ||
          norm(logarithm(quaternion(transpose(a[k].R) * b[k].R))) > tolerance)
        return false;
    return true;
  }

  const char* context_;
  const Model& model_;
  Workspace& workspace_;
  const AssemblyOptions& options_;
  AssemblySolver solver_;
  std::vector<std::vector<Pose<double>>> poses_;
};

Status check(const char* context, const Model& model, const State& state,
             const Workspace& workspace, const AssemblyOptions& options) {
  expects_same_model(context, workspace, model);
  if (state.q.size() != std::size_t(model.nq()) || state.v.size() != std::size_t(model.nv()))
    throw std::invalid_argument(
        fmt::format("{}: the state has {} positions and {} velocities, the model has nq = {}, nv = "
                    "{}",
                    context, state.q.size(), state.v.size(), model.nq(), model.nv()));
  for (const Target& target : options.targets) {
    expects_body(context, "a target", model, target.place.body);
    if (!target.position && !target.rotation)
      throw std::invalid_argument(
          fmt::format("{}: a target on body '{}' has neither position nor rotation: give one",
                      context, model[target.place.body].name));
  }
  for (const std::vector<double>* x : {&state.q, &state.v})
    for (const double value : *x)
      if (!std::isfinite(value))
        return Status::failure(
            fmt::format("{}: the guess is not finite: give it finite numbers", context));
  return answerable(context, model, Constraints::honored, Forces::apart);
}

}  // namespace

Status assemble(const Model& model, State& state, Workspace& workspace,
                const AssemblyOptions& options) {
  if (Status status = check("assemble", model, state, workspace, options); !status) return status;
  if (!model.has_constraints() && options.targets.empty()) return {};
  return Assembler("assemble", model, workspace, options).close(state);
}

Status assemble_position(const Model& model, State& state, Workspace& workspace,
                         const AssemblyOptions& options) {
  if (Status status = check("assemble", model, state, workspace, options); !status) return status;
  if (!model.has_constraints() && options.targets.empty()) return {};
  return Assembler("assemble", model, workspace, options).close_position(state);
}

Status assemble_by_continuation(const Model& model, const State& start, State& state,
                                Workspace& workspace, const AssemblyOptions& options) {
  if (Status status = check("assemble", model, start, workspace, options); !status) return status;
  if (Status status = check("assemble", model, state, workspace, options); !status) return status;
  if (!model.has_constraints()) return {};
  if (Status status = Continuation(model, workspace, options).lead(start.q, state.q); !status)
    return status;
  return Assembler("assemble", model, workspace, options).close_velocity(state);
}

Status close_rounded(const Model& model, State& state, Workspace& workspace) {
  if (Status status = check("assemble", model, state, workspace, {}); !status) return status;
  if (!model.has_constraints()) return {};
  return Continuation(model, workspace, {}).close_rounded(state.q);
}

Status inverse_kinematics(const Model& model, State& state, std::span<const Target> targets,
                          Workspace& workspace, const InverseKinematicsOptions& options) {
  AssemblyOptions all{.keep = options.keep,
                      .targets = {targets.begin(), targets.end()},
                      .within_limits = options.within_limits,
                      .nearest = options.nearest,
                      .starts = options.starts,
                      .nudges = options.starts > 1 ? 0 : AssemblyOptions().nudges};
  if (Status status = check("inverse_kinematics", model, state, workspace, all); !status)
    return status;
  return Assembler("inverse_kinematics", model, workspace, all).close(state);
}

Status assembly_branches(const Model& model, const State& state, Workspace& workspace,
                         const AssemblyOptions& options, std::vector<Branch>& out) {
  if (Status status = check("assembly_branches", model, state, workspace, options); !status)
    return status;
  return Assembler("assembly_branches", model, workspace, options).find_branches(state, out);
}

AssemblyOptions start_options(const Model& model) {
  const Description& description = model.description();
  const Values<double> value = evaluate_at_nominal(description);
  AssemblyOptions options;
  options.keep_velocity.emplace();
  std::vector<int> closure_of(model.joints().size(), -1);
  for (std::size_t c = 0; c < model.closures().size(); ++c)
    if (const auto& named = model.closures()[c].named) closure_of[std::size_t(*named)] = int(c);
  const auto add = [&](const std::vector<StartDescription>& starts, std::vector<JointId>& joints,
                       std::vector<LoopValues>& loops) {
    for (const StartDescription& start : starts) {
      const auto id = model.find_joint(start.joint);
      if (!id) continue;
      if (model[*id].role == NamedJoint::Role::tree) joints.push_back(*id);
      if (model[*id].role != NamedJoint::Role::loop) continue;
      LoopValues given{.closure = closure_of[std::size_t(*id)]};
      for (const Expr& one : start.values) given.values.push_back(value(one));
      loops.push_back(std::move(given));
    }
  };
  add(description.start_positions, options.keep, options.loop_positions);
  add(description.start_velocities, *options.keep_velocity, options.loop_velocities);
  std::vector<JointId> of_tree;  // in start_state
  add(description.position_guesses, of_tree, options.loop_position_guesses);
  add(description.velocity_guesses, of_tree, options.loop_velocity_guesses);
  return options;
}

Status assembled_start(const Model& model, Workspace& workspace, State& out) {
  out = start_state(model);
  const AssemblyOptions options = start_options(model);
  if (options.keep.empty() && options.loop_positions.empty())
    return assemble(model, out, workspace, options);
  if (Status status = check("assemble", model, out, workspace, options); !status) return status;
  if (!model.has_constraints()) return {};
  const bool has_guess = !model.description().position_guesses.empty();
  const AssemblyOptions freely{.loop_position_guesses = options.loop_position_guesses};
  const std::vector<double> given = out.q;
  State base = has_guess ? out : neutral_state(model);
  Continuation continuation(model, workspace, options);
  Assembler assembler("assemble", model, workspace, options);
  Status led;
  if (has_guess ? Assembler("assemble", model, workspace, freely).close_position(base).ok()
                : continuation.find_base(out.q, base.q)) {
    led = continuation.lead(base.q, out.q);
    if (led.ok()) return assembler.close_velocity(out);
    // if the path ends at once, its first pose is singular and has no branch of its own; a guess
    // may be just as far away, and Newton's method may still close the kept values
    if (continuation.part() > 1e-3 && !has_guess) return led;
    out.q = given;
  }
  if (const Status status = assembler.close_position(out); !status) {
    if (!led.ok() && has_guess) {
      out.q = given;
      return led;
    }
    std::string possible;
    std::vector<double> near = given;
    if (!continuation.close_nearly(near, possible))
      return possible.empty()
                 ? status
                 : Status::failure(status.message() + "; possible near it: " + possible);
    out.q = near;
  }
  return assembler.close_velocity(out);
}

}  // namespace trammel
