#pragma once

#include <optional>
#include <span>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/loop_plan.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Where a place is to come: its origin, or the way its axes point, or both. In world axes.
struct Target {
  At place;
  std::optional<Vec3<double>> position = {};  // [m]
  std::optional<Mat3<double>> rotation = {};  // its columns: the place's axes
};

// Coordinates (or velocities) that a joint that closes a loop is to have: all of them.
struct LoopValues {
  int closure = 0;  // index in Model::closures
  std::vector<double> values = {};
};

struct AssemblyOptions {
  std::vector<JointId> keep = {};  // joints that stay where they are
  // Joints that stay as fast as they are; unless it is said, those that stay where they are.
  std::optional<std::vector<JointId>> keep_velocity = {};
  // Where planned joints that close loops come; without it, wherever the others put them.
  LoopPlan loops = {};
  std::vector<Target> targets = {};  // places that come somewhere, as exactly as loops close
  bool within_limits = false;        // joints stay inside their position limits, loop joints too
  bool nearest = false;              // of all ways to close, the least change from the guess
  int starts = 1;                    // guesses to try: the state, then seeded random ones
  // Seeded guesses beside the state, further and further, tried where it leads nowhere: stretched
  // out, a linkage does not know which way to fold. They come before random ones.
  int nudges = 8;
  int steps = 200;  // at most, from each
  // Single freedoms of the tree that stay where they are, and as fast as they are.
  std::vector<int> keep_freedoms = {}, keep_velocity_freedoms = {};
  // Joints that close loops come to these coordinates and velocities.
  std::vector<LoopValues> loop_positions = {}, loop_velocities = {};
  // Guesses of joints that close loops: assembly begins as near to them as the tree allows.
  std::vector<LoopValues> loop_position_guesses = {}, loop_velocity_guesses = {};
};

// Closes all loops from a rough guess, then makes the velocities keep them closed.
//
// By Newton's method on the position, the smallest step first (slides measured in the mechanism's
// length), halved while the gap would grow. What cannot be closed is told: which loop, how wide the
// gap stays, and whether it would close without joints that are kept, locked or planned, or without
// a coupling; `state` is then the nearest configuration found. Of velocities that cannot be kept,
// the nearest that can are told.
[[nodiscard]] Status assemble(const Model& model, State& state, Workspace& workspace,
                              const AssemblyOptions& options = {});

// The same for the position alone: velocities are neither read nor written.
[[nodiscard]] Status assemble_position(const Model& model, State& state, Workspace& workspace,
                                       const AssemblyOptions& options = {});

// Largest violation that counts as digits left out by hand, as part of the characteristic length
// (an angle: in rad): a start that violates its loops by less is projected onto them.
inline constexpr double assembly_tolerance = 1e-4;

// Numerical continuation along the branch of the solution set that holds the closed state `start`:
// the kept joints go in a straight line (turns counted) to where they are in `state`, kept joints
// that close loops to options.loop_positions; the others follow by the least motion in the mass
// metric (sqrt(dq^T M dq)), those that no loop needs stay. Tangent predictor, Newton corrector,
// step halving. `state` gets the closed position and consistent velocities.
//
// Of kept joints that depend on each other, as many as are independent lead, and the others must
// arrive where they are to be: within `assembly_tolerance` the state is projected, otherwise it is
// refused with the violation and the nearest values. A dead point (fold) on the way is reported
// with the values of the kept joints there.
[[nodiscard]] Status assemble_by_continuation(const Model& model, const State& start, State& state,
                                              Workspace& workspace, const AssemblyOptions& options);

// Closed position nearest to a complete state whose loops are violated by digits left out by hand
// (`assembly_tolerance`); larger violations are refused, with the nearest closed position.
[[nodiscard]] Status close_rounded(const Model& model, State& state, Workspace& workspace);

// What a description keeps of its start: joints of [state.position] and [state.velocity]; with the
// guesses of joints that close loops. Those of the tree are in start_state.
AssemblyOptions start_options(const Model& model);

// Start of the motion that the description gives, assembled. The values of [state.position] and
// [state.velocity] are kept. The other positions follow by continuation from the closed position
// nearest to [state.guess] or, without guesses, from the neutral pose; where that does not close,
// from the given values. Velocities are the nearest to [state.velocity_guess]. On a tree:
// start_state.
[[nodiscard]] Status assembled_start(const Model& model, Workspace& workspace, State& out);

// One way to put a mechanism together, at rest.
struct Branch {
  State state;
  int met = 0;  // how many of the starts led here
};
// All ways to close the loops with the kept joints where they are (and the targets reached): a
// four-bar with its crank kept has two. Found from options.starts seeded random guesses (at least
// 100). The nearest to `state` first, by sqrt(d^T M d): d leads from one position to the other
// (angles within half a turn), M is the mass matrix at `state`. No search proves that it found all:
// trust one whose branches were all met many times. Fails where the joints that are kept leave it a
// way to move.
[[nodiscard]] Status assembly_branches(const Model& model, const State& state, Workspace& workspace,
                                       const AssemblyOptions& options, std::vector<Branch>& out);

}  // namespace trammel
