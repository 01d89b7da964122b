// Function table of the kernels, one per instruction set, selected once at run time.
//
// Every file in this folder is compiled for the baseline instruction set, and again for wider ones;
// each set provides its table, and kernels() selects the widest that this machine can run. The
// environment variable TRAMMEL_ISA (baseline, avx2, avx512) restricts the choice, for tests.
#pragma once

#include "trammel/dynamics/kernel/batch.hpp"
#include "trammel/dynamics/kernel/loops/closed_derivatives.hpp"
#include "trammel/dynamics/kernel/loops/closed_dynamics.hpp"
#include "trammel/dynamics/kernel/loops/closed_inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/loops/closed_reactions.hpp"
#include "trammel/dynamics/kernel/tree/derivatives.hpp"
#include "trammel/dynamics/kernel/tree/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/kinematics.hpp"
#include "trammel/dynamics/kernel/tree/mass_matrix.hpp"

namespace trammel::kernel {

struct Table {
  const char* instruction_set;
  int lanes;  // states per SIMD register in a batch

  decltype(&kernel::inverse_dynamics<double, double>) inverse_dynamics;
  decltype(&kernel::newton_euler<double, double>) newton_euler;
  decltype(&kernel::forward_dynamics<double, double>) forward_dynamics;
  decltype(&kernel::mass_matrix<double, double>) mass_matrix;
  decltype(&kernel::positions<double, double>) positions;
  decltype(&kernel::kinematics<double, double>) kinematics;

  decltype(&kernel::make_batch_workspace) make_batch_workspace;
  decltype(&kernel::all_finite) all_finite;
  decltype(&kernel::kinematics_batch) kinematics_batch;
  decltype(&kernel::inverse_dynamics_batch) inverse_dynamics_batch;
  decltype(&kernel::forward_dynamics_batch) forward_dynamics_batch;
  decltype(&kernel::mass_matrix_batch) mass_matrix_batch;

  decltype(&kernel::make_derivative_workspace) make_derivative_workspace;
  decltype(&kernel::inverse_dynamics_derivatives) inverse_dynamics_derivatives;
  decltype(&kernel::forward_dynamics_derivatives) forward_dynamics_derivatives;

  decltype(&kernel::make_closed_workspace) make_closed_workspace;
  decltype(&kernel::closed_motion) closed_motion;
  decltype(&kernel::closed_dynamics) closed_dynamics;
  decltype(&kernel::closed_correction) closed_correction;
  decltype(&kernel::make_closed_batch_workspace) make_closed_batch_workspace;
  decltype(&kernel::closed_dynamics_batch) closed_dynamics_batch;
  decltype(&kernel::closed_correction_batch) closed_correction_batch;
  decltype(&kernel::make_closed_derivative_workspace) make_closed_derivative_workspace;
  decltype(&kernel::closed_derivatives) closed_derivatives;
  decltype(&kernel::make_drive_workspace) make_drive_workspace;
  decltype(&kernel::closed_inverse_dynamics) closed_inverse_dynamics;
  decltype(&kernel::make_drive_batch_workspace) make_drive_batch_workspace;
  decltype(&kernel::closed_inverse_dynamics_batch) closed_inverse_dynamics_batch;
  decltype(&kernel::make_reaction_workspace) make_reaction_workspace;
  decltype(&kernel::closed_reactions) closed_reactions;
  decltype(&kernel::make_reaction_batch_workspace) make_reaction_batch_workspace;
  decltype(&kernel::closed_reactions_batch) closed_reactions_batch;
  decltype(&kernel::reactions_batch) reactions_batch;
};

const Table& kernels();

}  // namespace trammel::kernel
