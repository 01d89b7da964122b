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
struct Moment {
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
  std::vector<double> planned_a = {};     // replaces the given accelerations unless empty
  Workspace workspace = Workspace(model);

  const State& state() const { return situation.state; }
  Inputs inputs() const {
    Inputs inputs = situation.inputs();
    if (!planned_a.empty()) inputs.a = planned_a;
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
  Answers (*ask)(Moment& moment);

  bool takes_any(std::string_view letters) const {
    return takes.find_first_of(letters) != std::string_view::npos;
  }
};

std::span<const Quantity> quantities();
const Quantity& find_quantity(const std::string& name);  // throws UsageError with a suggestion

// Evaluations; each throws WorkFailed with the engine's message if it fails.
Answers ask_poses(Moment& moment);
Answers ask_rotations(Moment& moment);
Answers ask_velocities(Moment& moment);
Answers ask_accelerations(Moment& moment);
Answers ask_jacobian(Moment& moment);
Answers ask_jacobian_rate(Moment& moment);
Answers ask_loop_motion(Moment& moment);
Answers ask_com(Moment& moment);
Answers ask_energy(Moment& moment);
Answers ask_momentum(Moment& moment);
Answers ask_centroidal_momentum(Moment& moment);
Answers ask_centroidal_momentum_matrix(Moment& moment);
Answers ask_limits(Moment& moment);

Answers ask_inverse_dynamics(Moment& moment);
Answers ask_drive_efforts(Moment& moment);
Answers ask_bias(Moment& moment);
Answers ask_gravity_load(Moment& moment);
Answers ask_passive_forces(Moment& moment);
Answers ask_forward_dynamics(Moment& moment);
Answers ask_hybrid_dynamics(Moment& moment);
Answers ask_reactions(Moment& moment);
Answers ask_contact_forces(Moment& moment);

Answers ask_constraint_jacobian(Moment& moment);
Answers ask_multipliers(Moment& moment);
Answers ask_sliding_dynamics(Moment& moment);
Answers ask_row_natures(Moment& moment);
Answers ask_wheel_contacts(Moment& moment);
Answers ask_branches(Moment& moment);
Answers ask_complement(Moment& moment);
Answers ask_minimal_equations(Moment& moment);
Answers ask_restricted_jacobian(Moment& moment);
Answers ask_locked_joints(Moment& moment);

Answers ask_mass_matrix(Moment& moment);
Answers ask_mass_matrix_inverse(Moment& moment);
Answers ask_mass_matrix_factors(Moment& moment);
Answers ask_mass_matrix_inverse_factors(Moment& moment);
Answers ask_operational_inertia(Moment& moment);
Answers ask_operational_inertia_inverse(Moment& moment);
Answers ask_inverse_dynamics_derivatives(Moment& moment);
Answers ask_forward_dynamics_derivatives(Moment& moment);
Answers ask_spatial_operators(Moment& moment);
Answers ask_spatial_bias(Moment& moment);
Answers ask_place_operator(Moment& moment);
Answers ask_transmission_form(Moment& moment);

// shared by the files that define them
void expect_ok(const Status& status);  // throws WorkFailed
std::vector<std::string> coordinate_names(const Model& model);
std::vector<std::string> freedom_names(const Model& model);
std::string frame_name(const Moment& moment);  // of an answer at the place, in the chosen axes

}  // namespace trammel::cli
