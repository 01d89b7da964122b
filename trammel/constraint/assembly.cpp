#include "trammel/constraint/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "trammel/constraint/closing.hpp"
#include "trammel/constraint/in_the_way.hpp"
#include "trammel/constraint/reach.hpp"
#include "trammel/constraint/start_velocities.hpp"
#include "trammel/dynamics/kernel/table.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/question.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

namespace {

// Random guesses to try for branches, unless more are asked for.
constexpr int fewest_starts = 100;

// `question` begins every message.
class Assembler {
 public:
  Assembler(const char* question, const Model& model, Workspace& workspace,
            const AssemblyOptions& options)
      : question_(question),
        model_(model),
        workspace_(workspace),
        options_(options),
        closing_(model, workspace, options) {}

  Status close(State& state) {
    const std::vector<double> guess = state.q;
    double least = closing_.close(state.q);
    const auto try_from = [&](std::vector<double> q) {
      if (const double gap = closing_.close(q); gap < least) least = gap, state.q = q;
    };
    // a wheel that lies flat is not to be raised by chance
    if (const std::string flat =
            closing_.flat_wheel_at(closing_.is_closed(least) ? state.q : guess);
        !flat.empty())
      return failure(flat + " lies flat on its floor and cannot roll: raise it");
    for (int nudge = 1; nudge <= options_.nudges && !closing_.is_closed(least); ++nudge)
      try_from(closing_.beside(guess, unsigned(nudge), 0.1 * nudge));
    for (int start = 1; start < options_.starts && !closing_.is_closed(least); ++start)
      try_from(closing_.somewhere(guess, unsigned(start)));
    if (!closing_.is_closed(least)) {
      closing_.settle(state.q);
      return still_open(guess, state.q);
    }
    if (options_.nearest) closing_.come_near(state.q, guess);
    const State as_given = state;
    if (const std::string torn = closing_.make_consistent(state.q, state.v); !torn.empty())
      return failure(refused_velocities(model_, as_given, workspace_,
                                        options_.keep_velocity.value_or(options_.keep), torn));
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
      if (start > 0) branch.state.q = closing_.somewhere(state.q, unsigned(start));
      const double gap = closing_.close(branch.state.q);
      if (gap < least) least = gap, nearest = branch.state.q;
      if (!closing_.is_closed(gap)) continue;
      ways = closing_.ways_left(branch.state.q);
      is_isolated |= ways == 0;
      add(std::move(branch), out);
      if (!is_isolated && start >= 10) break;
    }
    if (out.empty()) {
      closing_.settle(nearest);
      return still_open(state.q, nearest);
    }
    if (!is_isolated) return can_still_move(ways);
    std::ranges::stable_sort(
        out, {}, [&](const Branch& branch) { return closing_.distance(branch.state.q, state.q); });
    for (Branch& branch : out) std::ranges::fill(branch.state.v, 0.0);
    return {};
  }

 private:
  Status failure(const std::string& words) const {
    return Status::failure(fmt::format("{}: {}", question_, words));
  }
  Status still_open(const std::vector<double>& guess, const std::vector<double>& q) {
    const std::string widest = closing_.widest_at(q);
    std::string next = "Start from another guess, or look at the lengths";
    if (const std::string found = in_the_way(model_, workspace_, options_, guess); !found.empty())
      next = found;
    else if (!options_.targets.empty())
      next = "Start from another guess, try more starts, or bring the target nearer";
    return failure(
        fmt::format("{} cannot be closed from here: {}; the state is the nearest found. {}",
                    options_.targets.empty() ? "the loops" : "this", widest, next));
  }
  Status can_still_move(int ways) const {
    return failure(fmt::format(
        "with the joints that are kept it can still move in {} {}, so it has no number of "
        "branches: keep joints with so many freedoms more",
        ways, ways == 1 ? "way" : "ways"));
  }

  // two are one if every body stands alike: whole turns and the sign of a quaternion do not matter
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
    kernel::kernels().kinematics({model_, model_.numbers()}, q, workspace_.zero, workspace_.zero,
                                 workspace_, workspace_.kinematics);
    return workspace_.kinematics.X_WB;
  }
  bool are_alike(const std::vector<Pose<double>>& a, const std::vector<Pose<double>>& b) const {
    // at a double root Newton stops where the gap is rounding, and q is off by its square root
    const double tolerance = 1e-5;
    for (std::size_t k = 0; k < a.size(); ++k)
      if (norm(a[k].p - b[k].p) > tolerance * model_.characteristic_length() ||
          norm(logarithm(quaternion(transpose(a[k].R) * b[k].R))) > tolerance)
        return false;
    return true;
  }

  const char* question_;
  const Model& model_;
  Workspace& workspace_;
  const AssemblyOptions& options_;
  Closing closing_;
  std::vector<std::vector<Pose<double>>> poses_;
};

Status check(const char* question, const Model& model, const State& state,
             const Workspace& workspace, const AssemblyOptions& options) {
  expects_same_model(question, workspace, model);
  if (state.q.size() != std::size_t(model.nq()) || state.v.size() != std::size_t(model.nv()))
    throw std::invalid_argument(
        fmt::format("{}: the state has {} positions and {} velocities, the model has nq = {}, nv = "
                    "{}",
                    question, state.q.size(), state.v.size(), model.nq(), model.nv()));
  for (const Target& target : options.targets) {
    expects_body(question, "a target", model, target.place.body);
    if (!target.position && !target.rotation)
      throw std::invalid_argument(
          fmt::format("{}: a target on body '{}' has neither position nor rotation: give one",
                      question, model[target.place.body].name));
  }
  for (const std::vector<double>* x : {&state.q, &state.v})
    for (const double value : *x)
      if (!std::isfinite(value))
        return Status::failure(
            fmt::format("{}: the guess is not finite: give it finite numbers", question));
  return answerable(question, model, Constraints::honoured, Forces::apart);
}

}  // namespace

Status assemble(const Model& model, State& state, Workspace& workspace,
                const AssemblyOptions& options) {
  if (Status status = check("assemble", model, state, workspace, options); !status) return status;
  if (!model.has_constraints() && options.targets.empty()) return {};
  return Assembler("assemble", model, workspace, options).close(state);
}

Status reach(const Model& model, State& state, std::span<const Target> targets,
             Workspace& workspace, const ReachOptions& options) {
  AssemblyOptions all{.keep = options.keep,
                      .targets = {targets.begin(), targets.end()},
                      .within_limits = options.within_limits,
                      .nearest = options.nearest,
                      .starts = options.starts,
                      .nudges = options.starts > 1 ? 0 : AssemblyOptions().nudges};
  if (Status status = check("reach", model, state, workspace, all); !status) return status;
  return Assembler("reach", model, workspace, all).close(state);
}

Status assembly_branches(const Model& model, const State& state, Workspace& workspace,
                         const AssemblyOptions& options, std::vector<Branch>& out) {
  if (Status status = check("assembly_branches", model, state, workspace, options); !status)
    return status;
  return Assembler("assembly_branches", model, workspace, options).find_branches(state, out);
}

Status assembled_start(const Model& model, Workspace& workspace, State& out) {
  out = start_state(model);
  const auto said = [&](const std::vector<StartDescription>& list) {
    std::vector<JointId> joints;
    for (const StartDescription& start : list)
      if (const auto id = model.find_joint(start.joint);
          id && model[*id].role == NamedJoint::Role::tree)
        joints.push_back(*id);
    return joints;
  };
  return assemble(model, out, workspace,
                  {.keep = said(model.description().start_positions),
                   .keep_velocity = said(model.description().start_velocities)});
}

}  // namespace trammel
