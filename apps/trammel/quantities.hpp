// Quantities of `trammel eval`: one line each in the table of quantities.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answer.hpp"
#include "state_options.hpp"
#include "trammel/constraint/sliding_dynamics.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel::cli {

// A model at one state, and a place on it if one was named.
struct EvalPoint {
  const Model& model;
  const StateAndInputs& situation;
  std::optional<FrameRef> place = {};
  std::string place_name = {};
  Axes axes = Axes::world;
  ConstraintSolver solver = ConstraintSolver::automatic;            // constraint solver of the accelerations
  std::optional<ConstraintSolver> taken = {};         // solver of the last answer, if it needed one
  std::vector<JointId> independent = {};  // joints of the minimal equations; empty: chosen
  StressWeights stress = {};  // weights of the norm that selects reactions that are not unique
  std::vector<Follower> followers = {};   // forces proportional to constraint multipliers
  bool has_tau = false;                   // --tau is given
  bool has_efforts = false;               // --tau is given, or --wrench and no --a
  std::vector<double> prescribed_a = {};     // replaces the given accelerations unless empty
  Workspace workspace = Workspace(model);

  const State& state() const { return situation.state; }
  Inputs inputs() const {
    Inputs inputs = situation.inputs();
    if (!prescribed_a.empty()) inputs.a = prescribed_a;
    return inputs;
  }
};

struct Quantity {
  std::string_view name;
  std::string_view
      question;  // function of docs/api.md; two if loops have their own
  std::string_view meaning;
  // Arguments besides positions, one letter each: v velocities, A accelerations, a accelerations of
  // joints driven by motion only, t efforts, w wrenches, g motion of ground, r constraint solver, s
  // weights of self-stress, f forces proportional to multipliers, p a place (P: required)
  std::string_view takes;
  Answers (*ask)(EvalPoint& moment);

  bool takes_any(std::string_view letters) const {
    return takes.find_first_of(letters) != std::string_view::npos;
  }
};

std::span<const Quantity> quantities();
const Quantity& find_quantity(const std::string& name);  // throws UsageError with a suggestion

// Evaluations; each throws WorkFailed with the engine's message if it fails.
Answers ask_poses(EvalPoint& moment);
Answers ask_rotations(EvalPoint& moment);
Answers ask_velocities(EvalPoint& moment);
Answers ask_accelerations(EvalPoint& moment);
Answers ask_jacobian(EvalPoint& moment);
Answers ask_jacobian_rate(EvalPoint& moment);
Answers ask_loop_motion(EvalPoint& moment);
Answers ask_com(EvalPoint& moment);
Answers ask_energy(EvalPoint& moment);
Answers ask_momentum(EvalPoint& moment);
Answers ask_centroidal_momentum(EvalPoint& moment);
Answers ask_centroidal_momentum_matrix(EvalPoint& moment);
Answers ask_limits(EvalPoint& moment);

Answers ask_inverse_dynamics(EvalPoint& moment);
Answers ask_drive_efforts(EvalPoint& moment);
Answers ask_bias(EvalPoint& moment);
Answers ask_gravity_load(EvalPoint& moment);
Answers ask_passive_forces(EvalPoint& moment);
Answers ask_forward_dynamics(EvalPoint& moment);
Answers ask_hybrid_dynamics(EvalPoint& moment);
Answers ask_reactions(EvalPoint& moment);
Answers ask_contact_forces(EvalPoint& moment);

Answers ask_constraint_jacobian(EvalPoint& moment);
Answers ask_multipliers(EvalPoint& moment);
Answers ask_sliding_dynamics(EvalPoint& moment);
Answers ask_row_natures(EvalPoint& moment);
Answers ask_wheel_contacts(EvalPoint& moment);
Answers ask_branches(EvalPoint& moment);
Answers ask_complement(EvalPoint& moment);
Answers ask_minimal_equations(EvalPoint& moment);
Answers ask_restricted_jacobian(EvalPoint& moment);
Answers ask_locked_joints(EvalPoint& moment);

Answers ask_mass_matrix(EvalPoint& moment);
Answers ask_mass_matrix_inverse(EvalPoint& moment);
Answers ask_mass_matrix_factors(EvalPoint& moment);
Answers ask_mass_matrix_inverse_factors(EvalPoint& moment);
Answers ask_operational_inertia(EvalPoint& moment);
Answers ask_operational_inertia_inverse(EvalPoint& moment);
Answers ask_inverse_dynamics_derivatives(EvalPoint& moment);
Answers ask_forward_dynamics_derivatives(EvalPoint& moment);
Answers ask_spatial_operators(EvalPoint& moment);
Answers ask_spatial_bias(EvalPoint& moment);
Answers ask_place_operator(EvalPoint& moment);
Answers ask_transmission_form(EvalPoint& moment);

// shared by the files that define them
void expect_ok(const Status& status);  // throws WorkFailed
std::vector<std::string> coordinate_names(const Model& model);
std::vector<std::string> freedom_names(const Model& model);
std::string frame_name(const EvalPoint& moment);  // of an answer at the place, in the chosen axes

}  // namespace trammel::cli
