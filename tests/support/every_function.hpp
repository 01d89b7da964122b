// List of every public function of trammel/dynamics by its name, with storage for all results, so
// that a test can call them all.
#pragma once

#include <vector>

#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/contact_forces.hpp"
#include "trammel/dynamics/derivatives.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/dynamics/operators.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel {

// Arguments of the calls, and storage for their results.
struct Interview {
  explicit Interview(const Description& description, int batch_states = 5)
      : model(build_model(description)),
        state(neutral_state(model)),
        workspace(model),
        derivative_workspace(model),
        batch_workspace(model),
        place{BodyId(int(model.named_bodies().size()) - 1)},
        kinematics_(model),
        factors(model),
        a(std::size_t(model.nv())),
        tau(std::size_t(model.nv())),
        M(model.nv(), model.nv()),
        M2(model.nv(), model.nv()),
        J(6, model.nv()),
        six(6, 6),
        rows(6, 6 * (std::ptrdiff_t(model.bodies().size()) - 1)),
        q_batch(Eigen::Map<Eigen::VectorXd>(state.q.data(), model.nq()).replicate(1, batch_states)),
        v_batch(Eigen::MatrixXd::Zero(model.nv(), batch_states)),
        in_batch(v_batch),
        out_batch(v_batch),
        M_batch(std::ptrdiff_t(model.nv()) * model.nv(), batch_states),
        poses(12 * std::ptrdiff_t(model.named_bodies().size()), batch_states),
        forces_batch(6 * std::ptrdiff_t(model.joints().size()), batch_states) {}

  Inputs inputs() const {
    return {.tau = tau_in, .a = a_in, .wrenches = wrenches, .ground = ground, .loop_a = loop_a_in};
  }
  States states() const { return {q_batch, v_batch}; }

  Model model;
  State state;
  Workspace workspace;
  DerivativeWorkspace derivative_workspace;
  BatchWorkspace batch_workspace;
  std::vector<double> tau_in, a_in, loop_a_in;
  std::vector<Wrench> wrenches;
  Support ground;
  FrameRef place;

  Kinematics kinematics_;
  ArticulatedInertias factors;
  std::vector<double> a, tau;
  Eigen::MatrixXd M, M2, J, six, rows;
  Motion<double> motion;
  Energy energy_;
  Momentum momentum_;
  CenterOfMass center;
  std::vector<Force<double>> forces;
  std::vector<ContactForce> contacts;
  Derivatives derivatives;
  SpatialOperators operators;
  SpatialBias spatial_bias_;
  TransmissionForm transmission;
  Eigen::MatrixXd q_batch, v_batch, in_batch, out_batch, M_batch, poses, forces_batch;
};

enum class Takes { state, inputs, stage, states };

struct PublicFunction {
  const char* name;
  Takes takes;
  Status (*ask)(Interview&);
  bool is_for_study = false;  // may allocate
};

// Stages (such as kinematics) come before the functions that take their results.
inline const std::vector<PublicFunction>& every_function() {
  using enum Takes;
  static const std::vector<PublicFunction> list = {
      {"positions", state,
       [](Interview& x) { return positions(x.model, x.state, x.workspace, x.kinematics_); }},
      {"kinematics", inputs,
       [](Interview& x) {
         return kinematics(x.model, x.state, x.inputs(), x.workspace, x.kinematics_);
       }},
      {"jacobian", stage,
       [](Interview& x) { return jacobian(x.model, x.kinematics_, x.place, Axes::world, x.J); }},
      {"jacobian_rate", state,
       [](Interview& x) {
         return jacobian_rate(x.model, x.state, x.place, Axes::world, x.workspace, x.motion);
       }},
      {"inverse_dynamics", inputs,
       [](Interview& x) {
         return inverse_dynamics(x.model, x.state, x.inputs(), x.workspace, x.tau);
       }},
      {"bias", inputs,
       [](Interview& x) { return bias(x.model, x.state, x.inputs(), x.workspace, x.tau); }},
      {"gravity_load", state,
       [](Interview& x) { return gravity_load(x.model, x.state, x.workspace, x.tau); }},
      {"passive_forces", state,
       [](Interview& x) { return passive_forces(x.model, x.state, x.workspace, x.tau); }},
      {"forward_dynamics", inputs,
       [](Interview& x) {
         return forward_dynamics(x.model, x.state, x.inputs(), x.workspace, x.a);
       }},
      {"hybrid_dynamics", inputs,
       [](Interview& x) {
         return hybrid_dynamics(x.model, x.state, x.inputs(), x.workspace, x.a, x.tau);
       }},
      {"mass_matrix", state,
       [](Interview& x) { return mass_matrix(x.model, x.state, x.workspace, x.M); }},
      {"articulated_inertias", state,
       [](Interview& x) { return articulated_inertias(x.model, x.state, x.workspace, x.factors); }},
      {"mass_matrix_inverse", stage,
       [](Interview& x) { return mass_matrix_inverse(x.model, x.factors, x.workspace, x.M); }},
      {"mass_matrix_factors", stage,
       [](Interview& x) { return mass_matrix_factors(x.model, x.factors, x.M, x.M2); }},
      {"mass_matrix_inverse_factors", stage,
       [](Interview& x) { return mass_matrix_inverse_factors(x.model, x.factors, x.M, x.M2); }},
      {"operational_space_inertia_inverse", state,
       [](Interview& x) {
         return operational_space_inertia_inverse(x.model, x.state, x.factors, x.place, Axes::world,
                                                  x.workspace, x.six);
       }},
      {"operational_space_inertia", state,
       [](Interview& x) {
         return operational_space_inertia(x.model, x.state, x.factors, x.place, Axes::world,
                                          x.workspace, x.six);
       },
       true},
      {"energy", state,
       [](Interview& x) { return energy(x.model, x.state, x.workspace, x.energy_); }},
      {"momentum", state,
       [](Interview& x) { return momentum(x.model, x.state, x.workspace, x.momentum_); }},
      {"centroidal_momentum", state,
       [](Interview& x) {
         return centroidal_momentum(x.model, x.state, x.workspace, x.momentum_);
       }},
      {"centroidal_momentum_matrix", state,
       [](Interview& x) { return centroidal_momentum_matrix(x.model, x.state, x.workspace, x.J); }},
      {"center_of_mass", state,
       [](Interview& x) { return center_of_mass(x.model, x.state, x.workspace, x.center); }},
      {"reactions", inputs,
       [](Interview& x) { return reactions(x.model, x.state, x.inputs(), x.workspace, x.forces); }},
      {"contact_forces", state,
       [](Interview& x) { return contact_forces(x.model, x.state, x.workspace, x.contacts); },
       true},
      {"inverse_dynamics_derivatives", inputs,
       [](Interview& x) {
         return inverse_dynamics_derivatives(x.model, x.state, x.inputs(), x.workspace,
                                             x.derivative_workspace, x.derivatives);
       }},
      {"forward_dynamics_derivatives", inputs,
       [](Interview& x) {
         return forward_dynamics_derivatives(x.model, x.state, x.inputs(), x.workspace,
                                             x.derivative_workspace, x.derivatives);
       }},
      {"kinematics_batch", states,
       [](Interview& x) {
         return kinematics_batch(x.model, x.states(), x.batch_workspace, x.poses);
       }},
      {"inverse_dynamics_batch", states,
       [](Interview& x) {
         return inverse_dynamics_batch(x.model, x.states(), x.in_batch, x.batch_workspace,
                                       x.out_batch);
       }},
      {"forward_dynamics_batch", states,
       [](Interview& x) {
         return forward_dynamics_batch(x.model, x.states(), x.in_batch, x.batch_workspace,
                                       x.out_batch);
       }},
      {"mass_matrix_batch", states,
       [](Interview& x) {
         return mass_matrix_batch(x.model, x.states(), x.batch_workspace, x.M_batch);
       }},
      {"reactions_batch", states,
       [](Interview& x) {
         return reactions_batch(x.model, x.states(), x.in_batch, x.batch_workspace, x.forces_batch);
       }},
      {"project_to_manifold_batch", states,
       [](Interview& x) {
         return project_to_manifold_batch(x.model, x.q_batch, x.v_batch, x.batch_workspace);
       }},
      {"spatial_operators", state,
       [](Interview& x) { return spatial_operators(x.model, x.state, x.workspace, x.operators); },
       true},
      {"spatial_bias", state,
       [](Interview& x) { return spatial_bias(x.model, x.state, x.workspace, x.spatial_bias_); },
       true},
      {"place_operator", state,
       [](Interview& x) { return place_operator(x.model, x.state, x.place, x.workspace, x.rows); },
       true},
      {"transmission_form", state,
       [](Interview& x) {
         return transmission_form(x.model, x.state, x.workspace, x.transmission);
       },
       true},
  };
  return list;
}

}  // namespace trammel
