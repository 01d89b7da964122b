#include "quantities.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "numbers.hpp"
#include "trammel/base/suggest.hpp"

namespace trammel::cli {

std::span<const Quantity> quantities() {
  // clang-format off
  static constexpr std::array table{
    // name, function, meaning, takes, eval
    Quantity{"poses", "pose", "pose of every body and frame", "p", eval_poses},
    Quantity{"rotations", "pose", "rotation matrix of every body and frame: columns are its axes", "p", eval_rotations},
    Quantity{"velocities", "velocity", "[omega; v] of every body and frame", "vgp", eval_velocities},
    Quantity{"accelerations", "acceleration", "[alpha; a] of every body and frame; under --tau and --wrench, else with --a", "vAtwgp", eval_accelerations},
    Quantity{"jacobian", "jacobian", "[omega; v] of a place = J v", "P", eval_jacobian},
    Quantity{"jacobian_rate", "jacobian_rate", "dJ/dt v of a place: its acceleration is J a + dJ/dt v", "vP", eval_jacobian_rate},
    Quantity{"loop_motion", "loop_motion", "positions and velocities of loop joints", "v", eval_loop_motion},
    Quantity{"com", "center_of_mass", "mass, position and velocity of the center of mass", "v", eval_com},
    Quantity{"energy", "energy", "kinetic energy, potential energy of gravity and of springs", "v", eval_energy},
    Quantity{"momentum", "momentum", "angular and linear momentum about the origin of ground", "v", eval_momentum},
    Quantity{"centroidal_momentum", "centroidal_momentum", "angular and linear momentum about the center of mass", "v", eval_centroidal_momentum},
    Quantity{"centroidal_momentum_matrix", "centroidal_momentum_matrix", "A of centroidal momentum = A v", "", eval_centroidal_momentum_matrix},
    Quantity{"inverse_dynamics", "inverse_dynamics", "actuator efforts for the accelerations", "vAwg", eval_inverse_dynamics},
    Quantity{"drive_efforts", "drive_efforts", "the same, also for actuated loop joints", "vAwg", eval_drive_efforts},
    Quantity{"forward_dynamics", "forward_dynamics", "accelerations under the efforts", "vatwgr", eval_forward_dynamics},
    Quantity{"hybrid_dynamics", "hybrid_dynamics, prescribed_efforts", "accelerations, and efforts of joints driven by motion or locked", "vatwg", eval_hybrid_dynamics},
    Quantity{"bias", "bias", "C v + N: efforts for zero acceleration, without springs", "vg", eval_bias},
    Quantity{"gravity_load", "gravity_load", "N: efforts that balance gravity", "", eval_gravity_load},
    Quantity{"passive_forces", "passive_forces", "generalized forces of springs and dampers", "v", eval_passive_forces},
    Quantity{"reactions", "reactions, constrained_reactions", "wrench in every joint: parent on child, at its frame on the child, or at a place; marks values not unique", "vatwgrsp", eval_reactions},
    Quantity{"constraint_jacobian", "constraint_jacobian", "constraint Jacobian: J v = 0", "v", eval_constraint_jacobian},
    Quantity{"multipliers", "constrained_dynamics", "Lagrange multiplier of each constraint row under the efforts", "vatwgr", eval_multipliers},
    Quantity{"sliding_dynamics", "sliding_dynamics", "accelerations and multipliers with forces proportional to multipliers, as friction (--follow)", "vatwgrf", eval_sliding_dynamics},
    Quantity{"row_natures", "row_natures", "each constraint row by itself: exact, integrable, rheonomic, catastatic (1: yes)", "", eval_row_natures},
    Quantity{"wheel_contacts", "wheel_contacts", "contact points of wheels, and forces of the ground on them", "vatwg", eval_wheel_contacts},
    Quantity{"contact_forces", "contact_forces", "contact points, penetration depths, and forces of the ground", "v", eval_contact_forces},
    Quantity{"branches", "assembly_branches", "all assemblies of the loops with the joints named in --q fixed", "", eval_branches},
    Quantity{"orthogonal_complement", "orthogonal_complement", "null-space basis T and T_dot_u: v = T u, a = T u' + T_dot_u satisfy the constraints", "va", eval_complement},
    Quantity{"minimal_equations", "minimal_equations", "inertia u' + bias = effort in the independent velocities", "vatwg", eval_minimal_equations},
    Quantity{"restricted_jacobian", "restricted_jacobian", "[omega; v] of a place = J u, a = J u' + rate", "vP", eval_restricted_jacobian},
    Quantity{"locked_joints", "locked_joints", "efforts in locked joints, and whether they are unique", "vatwg", eval_locked_joints},
    Quantity{"mass_matrix", "mass_matrix", "M", "", eval_mass_matrix},
    Quantity{"mass_matrix_inverse", "mass_matrix_inverse", "M^-1", "", eval_mass_matrix_inverse},
    Quantity{"mass_matrix_factors", "mass_matrix_factors", "L, D of M = L^T D L", "", eval_mass_matrix_factors},
    Quantity{"mass_matrix_inverse_factors", "mass_matrix_inverse_factors", "L^-1, D^-1 of M^-1 = L^-1 D^-1 L^-T", "", eval_mass_matrix_inverse_factors},
    Quantity{"operational_space_inertia", "operational_space_inertia", "(J M^-1 J^T)^-1 at a place", "P", eval_operational_inertia},
    Quantity{"operational_space_inertia_inverse", "operational_space_inertia_inverse", "J M^-1 J^T at a place", "P", eval_operational_inertia_inverse},
    Quantity{"inverse_dynamics_derivatives", "inverse_dynamics_derivatives", "derivatives of efforts by q, v and a", "vAwg", eval_inverse_dynamics_derivatives},
    Quantity{"forward_dynamics_derivatives", "forward_dynamics_derivatives", "derivatives of accelerations by q, v and tau", "vatwg", eval_forward_dynamics_derivatives},
    Quantity{"spatial_operators", "spatial_operators", "spatial operators H, Phi, Psi, P, D, ... as dense matrices", "", eval_spatial_operators},
    Quantity{"spatial_bias", "spatial_bias", "velocity-dependent accelerations and forces of all bodies, stacked", "v", eval_spatial_bias},
    Quantity{"place_operator", "place_operator", "operator from the stacked bodies to a place", "P", eval_place_operator},
    Quantity{"transmission_form", "transmission_form", "G, S, M, A_1, A_2 of M, C, N in closed form", "v", eval_transmission_form},
    Quantity{"limits", "", "every coordinate and speed with its limits", "v", eval_limits},
  };
  // clang-format on
  return table;
}

const Quantity& find_quantity(const std::string& name) {
  const auto found = std::ranges::find(quantities(), name, &Quantity::name);
  if (found != quantities().end()) return *found;
  std::vector<std::string> known;
  for (const Quantity& quantity : quantities()) known.emplace_back(quantity.name);
  const auto near = suggest(name, known);
  const std::string position = hint_about_position(name);
  throw UsageError(fmt::format("there is no quantity '{}'", name),
                   !position.empty() ? position
                   : near            ? fmt::format("did you mean '{}'?", *near)
                                     : "trammel eval MODEL lists the quantities");
}

void expect_ok(const Status& status) {
  if (!status.ok()) throw WorkFailed(status.message());
}

std::vector<std::string> coordinate_names(const Model& model) {
  std::vector<std::string> names;
  for (int k = 0; k < model.nq(); ++k) names.push_back(model.coordinate_name(k));
  return names;
}

std::vector<std::string> dof_names(const Model& model) {
  std::vector<std::string> names;
  for (int k = 0; k < model.nv(); ++k) names.push_back(model.dof_name(k));
  return names;
}

std::string frame_name(const EvalRequest& request) {
  return request.axes == Axes::world ? "world" : request.place_name;
}

}  // namespace trammel::cli
