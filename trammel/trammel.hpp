// The public interface of Trammel: includes every public header, and nothing else.
//
// Headers that are not reachable from here (kernels, buffers, the parts of readers, writers and
// solvers) are internal: they are not installed and change without notice. docs/api.md lists the
// functions, docs/architecture.md the modules.
#pragma once

// formulas: expressions, their derivatives, texts and numbers of operations
#include "trammel/scalar/expr_count.hpp"
#include "trammel/scalar/expr_derivative.hpp"
#include "trammel/scalar/expr_print.hpp"

// mechanisms: description, model, state
#include "trammel/generate/chain.hpp"
#include "trammel/generate/denavit_hartenberg.hpp"
#include "trammel/generate/platform.hpp"
#include "trammel/generate/sdof.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/build/with_parameters.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/model/state.hpp"
#include "trammel/model/topology.hpp"
#include "trammel/model/units.hpp"

// files
#include "trammel/read/gallery.hpp"
#include "trammel/read/load.hpp"
#include "trammel/read/state.hpp"
#include "trammel/read/table/table.hpp"
#include "trammel/read/toml/load_path.hpp"
#include "trammel/write/model/toml.hpp"
#include "trammel/write/model/urdf.hpp"

// kinematics and dynamics
#include "trammel/dynamics/articulated_inertias.hpp"
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
#include "trammel/dynamics/symbolic.hpp"

// constraints: loops, wheels, couplings, prescribed motions
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/assembly/inverse_kinematics.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/constraint/forces/allocation.hpp"
#include "trammel/constraint/forces/locked_joints.hpp"
#include "trammel/constraint/forces/wheel_contacts.hpp"
#include "trammel/constraint/kinds/rollers.hpp"
#include "trammel/constraint/mobility/actuation.hpp"
#include "trammel/constraint/mobility/arms.hpp"
#include "trammel/constraint/mobility/blocking_constraints.hpp"
#include "trammel/constraint/mobility/constraint_nature.hpp"
#include "trammel/constraint/mobility/dof_roles.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/mobility/natural_complement.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"
#include "trammel/constraint/mobility/reachability.hpp"
#include "trammel/constraint/rank/row_condition.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/sliding_dynamics.hpp"
#include "trammel/constraint/system/constrained_derivatives.hpp"

// motion in time
#include "trammel/simulate/checks/audit.hpp"
#include "trammel/simulate/inputs/simulation_inputs.hpp"
#include "trammel/simulate/kinematic.hpp"
#include "trammel/simulate/path/described_path.hpp"
#include "trammel/simulate/path/follow_path.hpp"
#include "trammel/simulate/path/planar_path.hpp"
#include "trammel/simulate/recorder.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/simulate/simulate_batch.hpp"
#include "trammel/simulate/static.hpp"

// analysis and design
#include "trammel/analyze/equilibrium.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/analyze/linearized_dynamics.hpp"
#include "trammel/analyze/uncontrollable_modes.hpp"
#include "trammel/design/conditioning.hpp"
#include "trammel/design/dexterity.hpp"
#include "trammel/design/isotropy.hpp"
#include "trammel/design/model_layout.hpp"
#include "trammel/design/wheel_layout.hpp"

// pictures, recordings, reports
#include "trammel/write/plot/layout_picture.hpp"
#include "trammel/write/plot/model_picture.hpp"
#include "trammel/write/plot/plot.hpp"
#include "trammel/write/plot/stick_figure.hpp"
#include "trammel/write/report/mode_report.hpp"
#include "trammel/write/report/overlaid_plots.hpp"
#include "trammel/write/report/recorded_plots.hpp"
#include "trammel/write/report/recorded_report.hpp"
#include "trammel/write/report/run_report.hpp"
#include "trammel/write/run/csv.hpp"
#include "trammel/write/run/hdf5.hpp"
#include "trammel/write/run/journal.hpp"
#include "trammel/write/run/load_run.hpp"
