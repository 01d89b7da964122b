#include "trammel/dynamics/kernel/dispatch/table.hpp"

#include "trammel/scalar/pack.hpp"

#define TRAMMEL_TEXT(x) #x
#define TRAMMEL_NAME(x) TRAMMEL_TEXT(x)
#define TRAMMEL_JOIN(a, b) a##b
#define TRAMMEL_ENTRY(isa) TRAMMEL_JOIN(trammel_kernels_, isa)

// The only symbol of a wider instruction set that the rest of the library sees.
extern "C" const trammel::kernel::Table* TRAMMEL_ENTRY(TRAMMEL_ISA)() {
  using namespace trammel::kernel;
  static constexpr Table table{
      .instruction_set = TRAMMEL_NAME(TRAMMEL_ISA),
      .lanes = trammel::native_lanes,
      .inverse_dynamics = &inverse_dynamics<double, double>,
      .newton_euler = &newton_euler<double, double>,
      .forward_dynamics = &forward_dynamics<double, double>,
      .mass_matrix = &mass_matrix<double, double>,
      .positions = &positions<double, double>,
      .kinematics = &kinematics<double, double>,
      .make_batch_workspace = &make_batch_workspace,
      .all_finite = &all_finite,
      .kinematics_batch = &kinematics_batch,
      .inverse_dynamics_batch = &inverse_dynamics_batch,
      .forward_dynamics_batch = &forward_dynamics_batch,
      .mass_matrix_batch = &mass_matrix_batch,
      .make_derivative_workspace = &make_derivative_workspace,
      .inverse_dynamics_derivatives = &inverse_dynamics_derivatives,
      .forward_dynamics_derivatives = &forward_dynamics_derivatives,
      .make_closed_workspace = &make_closed_workspace,
      .closed_motion = &closed_motion,
      .closed_dynamics = &closed_dynamics,
      .closed_correction = &closed_correction,
      .make_closed_batch_workspace = &make_closed_batch_workspace,
      .closed_dynamics_batch = &closed_dynamics_batch,
      .closed_correction_batch = &closed_correction_batch,
      .make_closed_derivative_workspace = &make_closed_derivative_workspace,
      .closed_derivatives = &closed_derivatives,
      .make_drive_workspace = &make_drive_workspace,
      .closed_inverse_dynamics = &closed_inverse_dynamics,
      .make_drive_batch_workspace = &make_drive_batch_workspace,
      .closed_inverse_dynamics_batch = &closed_inverse_dynamics_batch,
      .make_reaction_workspace = &make_reaction_workspace,
      .closed_reactions = &closed_reactions,
      .make_reaction_batch_workspace = &make_reaction_batch_workspace,
      .closed_reactions_batch = &closed_reactions_batch,
      .reactions_batch = &reactions_batch,
  };
  return &table;
}
