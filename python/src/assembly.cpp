#include "trammel/constraint/assembly/assembly.hpp"

#include "bindings.hpp"
#include "targets.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/mobility/blocking_constraints.hpp"

namespace trammel::python {

namespace {

using Projection = Status (*)(const Model&, State&, Workspace&, const RowBasis*,
                              const PrescribedLoopMotion&);
auto returns_projected(Projection project) {
  return [=](Call& call) {
    State out = call.state();
    call.evaluate([&](Workspace& workspace) {
      return project(call.model(), out, workspace, nullptr, PrescribedLoopMotion{});
    });
    return out;
  };
}

void bind_projection(py::module_& module) {
  define(module, "blocking_constraints", in::of_state,
         returns<std::vector<std::string>>(blocking_constraints),
         "Constraints that leave a mechanism without mobility: names of loops, wheels, couplings "
         "and locked joints\n"
         "whose removal alone would let it move, or else all of them. Empty if it can move.");
  define(module, "project_position", in::of_state, returns_projected(project_position),
         "Projection of a position that violates the constraints slightly onto the constraint "
         "manifold, nearest in the mass metric.");
  define(module, "project_velocity", in::of_state, returns_projected(project_velocity),
         "Projection of velocities onto those that satisfy the constraints, nearest in the mass "
         "metric.");
}

}  // namespace

void bind_assembly(py::module_& module) {
  bind_projection(module);
  define(
      module, "assemble",
      parameters(in::state, keyword_only, in::joints("keep"),
                 parameter<bool>("within_limits", false), parameter<bool>("nearest", false),
                 parameter<int>("starts", 1), parameter<std::optional<ModelState>>("start", None()),
                 in::workspace),
      [](Call& call, const std::vector<JointId>& keep, bool within_limits, bool nearest, int starts,
         const std::optional<ModelState>& start) {
        State closed = call.state();
        const AssemblyOptions options{
            .keep = keep, .within_limits = within_limits, .nearest = nearest, .starts = starts};
        call.evaluate([&](Workspace& workspace) {
          return start ? assemble_by_continuation(call.model(), *start, closed, workspace, options)
                       : assemble(call.model(), closed, workspace, options);
        });
        return closed;
      },
      "Assembly: satisfies all loop constraints from a rough guess and makes the velocities "
      "consistent; returns a new State.\n\n"
      "keep: names of joints whose positions are fixed. within_limits: joints stay inside their "
      "position limits.\n"
      "nearest: the least change from the guess. starts: number of guesses to try, the state "
      "first, then random ones.\n"
      "start: an assembled State; the joints of keep are moved from there to their positions in "
      "state along the same\n"
      "branch (numerical continuation). Raises EvaluationError if the loops cannot be assembled "
      "from here, naming\n"
      "the loop and its constraint violation.");
  define(
      module, "assembly_branches",
      parameters(in::state, keyword_only, in::joints("keep"), position_targets(EmptyTuple()),
                 parameter<bool>("within_limits", false), parameter<int>("starts", 100),
                 in::workspace),
      [](Call& call, const std::vector<JointId>& keep, const std::vector<Target>& targets,
         bool within_limits, int starts) {
        std::vector<Branch> found;
        const AssemblyOptions options{
            .keep = keep, .targets = targets, .within_limits = within_limits, .starts = starts};
        call.evaluate([&](Workspace& workspace) {
          return assembly_branches(call.model(), call.state(), workspace, options, found);
        });
        py::list branches;
        for (const Branch& branch : found)
          branches.append(record("Branch", call.of_model(branch.state), branch.met));
        return branches;
      },
      "Assembly branches: all solutions of the loop constraints with the joints in keep fixed "
      "(and the targets reached),\n"
      "nearest first: a list of Branch(state, met), met of the random starts led there.");
}

}  // namespace trammel::python
