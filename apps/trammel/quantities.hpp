// Quantities of `trammel eval`: one line each in the table of quantities.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answer.hpp"
#include "state_options.hpp"
#include "trammel/constraint/solver/sliding_dynamics.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel::cli {

// A model at one state, and a place on it if one was named.
struct EvalRequest {
  const Model& model;
  const StateAndInputs& state_and_inputs;
  std::optional<FrameRef> place = {};
  std::string place_name = {};
  Axes axes = Axes::world;
  ConstraintSolver solver = ConstraintSolver::automatic;  // constraint solver of the accelerations
  std::optional<ConstraintSolver> taken = {};  // solver of the last answer, if it needed one
  std::vector<JointId> independent = {};       // joints of the minimal equations; empty: chosen
  StressWeights stress = {};  // weights of the norm that selects reactions that are not unique
  std::vector<Follower> followers = {};   // forces proportional to constraint multipliers
  bool has_tau = false;                   // --tau is given
  bool has_efforts = false;               // --tau is given, or --wrench and no --a
  std::vector<double> prescribed_a = {};  // replaces the given accelerations unless empty
  Workspace workspace = Workspace(model);

  const State& state() const { return state_and_inputs.state; }
  Inputs inputs() const {
    Inputs inputs = state_and_inputs.inputs();
    if (!prescribed_a.empty()) inputs.a = prescribed_a;
    return inputs;
  }
};

struct Quantity {
  std::string_view name;
  std::string_view function;  // function of docs/api.md; two if loops have their own
  std::string_view meaning;
  // Arguments besides positions, one letter each: v velocities, A accelerations, a accelerations of
  // joints driven by motion only, t efforts, w wrenches, g motion of ground, r constraint solver, s
  // weights of self-stress, f forces proportional to multipliers, p a place (P: required)
  std::string_view takes;
  Answers (*eval)(EvalRequest& request);

  bool takes_any(std::string_view letters) const {
    return takes.find_first_of(letters) != std::string_view::npos;
  }
};

std::span<const Quantity> quantities();
const Quantity& find_quantity(const std::string& name);  // throws UsageError with a suggestion

// Evaluations; each throws WorkFailed with the engine's message if it fails.
Answers eval_poses(EvalRequest& request);
Answers eval_rotations(EvalRequest& request);
Answers eval_velocities(EvalRequest& request);
Answers eval_accelerations(EvalRequest& request);
Answers eval_jacobian(EvalRequest& request);
Answers eval_jacobian_rate(EvalRequest& request);
Answers eval_loop_motion(EvalRequest& request);
Answers eval_com(EvalRequest& request);
Answers eval_energy(EvalRequest& request);
Answers eval_momentum(EvalRequest& request);
Answers eval_centroidal_momentum(EvalRequest& request);
Answers eval_centroidal_momentum_matrix(EvalRequest& request);
Answers eval_limits(EvalRequest& request);

Answers eval_inverse_dynamics(EvalRequest& request);
Answers eval_drive_efforts(EvalRequest& request);
Answers eval_bias(EvalRequest& request);
Answers eval_gravity_load(EvalRequest& request);
Answers eval_passive_forces(EvalRequest& request);
Answers eval_forward_dynamics(EvalRequest& request);
Answers eval_hybrid_dynamics(EvalRequest& request);
Answers eval_reactions(EvalRequest& request);
Answers eval_contact_forces(EvalRequest& request);

Answers eval_constraint_jacobian(EvalRequest& request);
Answers eval_multipliers(EvalRequest& request);
Answers eval_sliding_dynamics(EvalRequest& request);
Answers eval_row_natures(EvalRequest& request);
Answers eval_wheel_contacts(EvalRequest& request);
Answers eval_branches(EvalRequest& request);
Answers eval_complement(EvalRequest& request);
Answers eval_minimal_equations(EvalRequest& request);
Answers eval_restricted_jacobian(EvalRequest& request);
Answers eval_locked_joints(EvalRequest& request);

Answers eval_mass_matrix(EvalRequest& request);
Answers eval_mass_matrix_inverse(EvalRequest& request);
Answers eval_mass_matrix_factors(EvalRequest& request);
Answers eval_mass_matrix_inverse_factors(EvalRequest& request);
Answers eval_operational_inertia(EvalRequest& request);
Answers eval_operational_inertia_inverse(EvalRequest& request);
Answers eval_inverse_dynamics_derivatives(EvalRequest& request);
Answers eval_forward_dynamics_derivatives(EvalRequest& request);
Answers eval_spatial_operators(EvalRequest& request);
Answers eval_spatial_bias(EvalRequest& request);
Answers eval_place_operator(EvalRequest& request);
Answers eval_transmission_form(EvalRequest& request);

// shared by the files that define them
void expect_ok(const Status& status);  // throws WorkFailed
std::vector<std::string> coordinate_names(const Model& model);
std::vector<std::string> dof_names(const Model& model);
std::string frame_name(
    const EvalRequest& request);  // of an answer at the place, in the chosen axes

}  // namespace trammel::cli
