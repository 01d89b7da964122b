#pragma once

#include <optional>
#include <span>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/prescribed_loop_motion.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Target pose of a frame, in world axes: its position, its orientation, or both.
struct Target {
  FrameRef place;
  std::optional<Vec3<double>> position = {};  // [m]
  std::optional<Mat3<double>> rotation = {};  // columns: the frame's axes
};

// Required coordinates (or velocities) of a loop joint: all of them.
struct LoopValues {
  int closure = 0;  // index in Model::closures
  std::vector<double> values = {};
};

// Options of assembly: fixed joints and dofs, additional targets, loop joint values, and how many
// guesses and Newton steps are tried. Angles in rad, lengths in m.
struct AssemblyOptions {
  std::vector<JointId> keep = {};  // joints whose positions are fixed
  // Joints whose velocities are fixed; without a value, the joints in `keep`.
  std::optional<std::vector<JointId>> keep_velocity = {};
  // Prescribed values of loop joints driven by motion; without them these joints are free.
  PrescribedLoopMotion loops = {};
  std::vector<Target> targets = {};  // target poses, satisfied as exactly as the loops
  bool within_limits = false;        // position limits of tree and loop joints are constraints
  bool nearest = false;              // find the closed position nearest to the guess
  int starts = 1;                    // initial guesses: the state, then seeded random ones
  // Seeded random perturbations of the state, of growing size, tried if the state itself does not
  // converge: a stretched linkage is singular and has no preferred side to fold to. They come
  // before the random starts.
  int nudges = 8;
  int steps = 200;  // Newton steps at most, from each guess
  // Single dofs of the tree whose positions, and whose velocities, are fixed.
  std::vector<int> keep_dofs = {}, keep_velocity_dofs = {};
  // Required coordinates and velocities of loop joints.
  std::vector<LoopValues> loop_positions = {}, loop_velocities = {};
  // Guesses for loop joints: assembly starts from the tree position that fits them best.
  std::vector<LoopValues> loop_position_guesses = {}, loop_velocity_guesses = {};
};

// Assembly (initial configuration problem): solves the position constraints from a rough guess,
// then projects the velocities onto the velocity constraints.
//
// Newton's method with minimum-norm steps (slides scaled by the characteristic length), halved
// while the violation would grow; loops that share no joint are closed each by itself. On failure
// the message names the constraint with the largest violation, its size, and the fixed joints,
// locks, prescribed motions or couplings whose removal would let it close; `state` is then the
// nearest configuration found. For inconsistent velocities it gives the nearest consistent ones.
[[nodiscard]] Status assemble(const Model& model, State& state, Workspace& workspace,
                              const AssemblyOptions& options = {});

// The same for positions only: velocities are neither read nor written.
[[nodiscard]] Status assemble_position(const Model& model, State& state, Workspace& workspace,
                                       const AssemblyOptions& options = {});

// Largest violation that is taken for rounding of decimals written by hand, as part of the
// characteristic length (an angle: in rad): a start with a smaller violation is projected.
inline constexpr double assembly_tolerance = 1e-4;

// Numerical continuation along the branch of the solution set through the closed state `start`: the
// kept tree joints go in a straight line (turns counted) to their values in `state`, kept loop
// joints to options.loop_positions; the others follow by the least motion in the mass metric
// (sqrt(dq^T M dq)), each set of connected loops by itself; joints outside the loops stay. Tangent
// predictor, Newton corrector, step halving. `state` gets a closed position, consistent velocities.
//
// If kept joints are dependent, an independent subset of them leads, and the others must arrive at
// their values: within `assembly_tolerance` the state is projected, otherwise it is refused with
// the violation and the nearest values. A dead point (fold) on the path is reported with the values
// of the kept joints there.
[[nodiscard]] Status assemble_by_continuation(const Model& model, const State& start, State& state,
                                              Workspace& workspace, const AssemblyOptions& options);

// Closed position nearest to a complete state whose violation is within `assembly_tolerance`;
// larger violations are refused, with the nearest closed position.
[[nodiscard]] Status close_rounded(const Model& model, State& state, Workspace& workspace);

// Assembly options of a model's description: the joints of [state.position] and [state.velocity]
// are fixed; guesses for loop joints are included. Guesses for tree joints are in start_state.
AssemblyOptions start_options(const Model& model);

// Initial state given by the description, assembled. The values of [state.position] and
// [state.velocity] are fixed. The other positions follow by continuation from the closed position
// nearest to [state.guess] or, without guesses, from the neutral pose; if that does not close, by
// Newton's method from the given values. Velocities are the nearest to [state.velocity_guess]. For
// a tree: start_state.
[[nodiscard]] Status assembled_start(const Model& model, Workspace& workspace, State& out);

// One assembly mode (branch) of a mechanism, at rest.
struct Branch {
  State state;
  int met = 0;  // number of starts that converged to it
};
// All assembly modes with the joints in options.keep fixed (and the targets satisfied): a four-bar
// with its crank fixed has two. Found from options.starts seeded random guesses (at least 100).
// Sorted by the distance sqrt(d^T M d) from `state`: d is the difference of the positions (angles
// within half a turn), M the mass matrix at `state`. A random search does not prove completeness:
// trust a result whose branches were all met many times. Fails if the fixed joints leave the
// mechanism mobile.
[[nodiscard]] Status assembly_branches(const Model& model, const State& state, Workspace& workspace,
                                       const AssemblyOptions& options, std::vector<Branch>& out);

}  // namespace trammel
