"""Multibody dynamics for robots and mechanisms of any topology.

    import trammel

    pendulum = trammel.Description("pendulum")
    pendulum.body("rod", trammel.thin_rod(1.0, 0.8, com=(0.4, 0, 0)))
    pendulum.joint("pivot", "revolute", "ground", "rod", axis="y")
    model = trammel.build_model(pendulum)

    state = trammel.neutral_state(model)
    trammel.forward_dynamics(model, state)  # array([18.39375])

Names are those of the C++ library. SI units and radians; angular parts come first; quaternions are
w x y z. See docs/python.md. Topics, each with some of its names:

    models and files: the mechanism, its parts and its files (Model, load, build_model, gallery)
    descriptions: a mechanism in code, item by item (Description, box, sphere, turn, slide, add_dh_chain)
    states and assembly: positions and velocities that close all loops (State, neutral_state, assemble, project_position)
    calls: inputs, buffers and errors of every function (Workspace, Wrench, Support, Axes, EvaluationError)
    kinematics: motion without forces (kinematics, pose, velocity, jacobian, inverse_kinematics)
    dynamics: equations of motion and their derivatives (forward_dynamics, inverse_dynamics, mass_matrix, energy)
    constraints: loops, wheels and locked joints (constrained_dynamics, constrained_reactions, minimal_equations)
    analysis: properties of the mechanism at a state (mobility, actuation, reachability, linearize, equilibrium)
    simulation: motion over time (simulate, simulate_batch, Run, Event, load_run)
    paths: planar paths, and vehicles that follow them (circle_path, path_through, follow_path, replay_efforts)
    design: dimensions, drives and wheel layouts (conditioning, dexterity, allocate_efforts, isotropic_layout)
    writing: model files, pages and pictures (write_toml, write_urdf, report, plot, stick_figure)
    symbols: formulas of parameters, symbolic dynamics (Expr, Graph, derivative, symbolic)
    other engines: states in the order and axes of other engines (conventions)
"""
from typing import List

__all__: List[str] = []

# models and files
from trammel._engine import (
    Diagnostic, FrameRef, Model, build_model, frame_ref, gallery, load, read_description, read_table,
    topology)
from trammel._errors import ModelError
from trammel._names import Base, Role, Severity
from trammel._records import Body, Frame, GalleryModel, Joint, Pose, Topology
__all__ += [
    "Model", "Body", "Joint", "Frame", "Pose", "FrameRef", "frame_ref", "load", "build_model",
    "gallery", "GalleryModel", "read_description", "read_table", "Diagnostic", "Severity", "ModelError",
    "Base", "Role", "Topology", "topology",
]

# descriptions
from trammel._engine import (
    Description, add_dh_chain, add_sdof_chain, box, capsule, point_mass, slide, solid_cylinder, sphere,
    thin_rod, turn)
from trammel._names import ConstraintKind, DhConvention, Drive, JointKind, JointStepKind, ShapeKind, WheelKind
from trammel._records import (
    BodyDescription, BushingDescription, ConstraintDescription, ContactDescription, ControllerDescription,
    CouplingDescription, CurveDescription, DefinitionDescription, DhRow, EventDescription, FrameDescription,
    InputDescription, JointDescription, JointLimits, JointStep, MotorDescription, ParameterDescription, Place,
    Placement, RawSection, SdofLink, Shape, Solid, SpringDescription, StartDescription, TerrainDescription,
    WheelDescription, WrenchDescription)
__all__ += [
    "Description", "Place", "Placement", "Solid", "point_mass", "box", "sphere", "solid_cylinder", "capsule",
    "thin_rod", "turn", "slide", "add_dh_chain", "add_sdof_chain", "DhRow", "DhConvention", "SdofLink",
    "JointStep", "JointStepKind", "JointLimits", "JointKind", "Drive", "ShapeKind", "Shape", "WheelKind",
    "ConstraintKind", "BodyDescription", "JointDescription", "FrameDescription", "WheelDescription",
    "CouplingDescription", "ConstraintDescription", "CurveDescription", "SpringDescription",
    "BushingDescription", "StartDescription",
    "ParameterDescription", "DefinitionDescription", "RawSection", "ContactDescription",
    "ControllerDescription", "EventDescription", "InputDescription", "MotorDescription", "TerrainDescription",
    "WrenchDescription",
]

# states and assembly
from trammel._engine import (
    State, assemble, assembly_branches, blocking_constraints, check_limits,
    check_loop_limits, difference, integrate, neutral_state, project_position, project_velocity, rate,
    start_state)
from trammel._records import Branch
__all__ += [
    "State", "neutral_state", "start_state", "assemble", "assembly_branches", "Branch",
    "blocking_constraints", "project_position", "project_velocity", "integrate", "difference", "rate",
    "check_limits", "check_loop_limits",
]

# calls
from trammel._arrays import JointArray
from trammel._engine import BatchWorkspace, DerivativeWorkspace, Support, Workspace, Wrench
from trammel._errors import EvaluationError
from trammel._names import Axes
__all__ += [
    "Workspace", "BatchWorkspace", "DerivativeWorkspace", "EvaluationError", "Wrench", "Support", "Axes", "JointArray",
]

# kinematics
from trammel._engine import (
    Kinematics, Positions, acceleration, center_of_mass, inverse_kinematics, inverse_kinematics_acceleration,
    inverse_kinematics_velocity, jacobian, jacobian_rate, kinematics, kinematics_batch, loop_coordinate_names,
    loop_dof_names, loop_motion, pose, positions, restricted_jacobian, velocity)
from trammel._records import CenterOfMass, LoopMotion, MotionTarget, Poses, RestrictedJacobian, Target
__all__ += [
    "positions", "kinematics", "kinematics_batch", "Positions", "Kinematics", "Poses", "pose", "velocity",
    "acceleration", "jacobian", "jacobian_rate", "center_of_mass", "CenterOfMass", "inverse_kinematics",
    "inverse_kinematics_velocity", "inverse_kinematics_acceleration", "Target", "MotionTarget", "loop_motion",
    "LoopMotion", "loop_coordinate_names", "loop_dof_names", "restricted_jacobian", "RestrictedJacobian",
]

# dynamics
from trammel._engine import (
    ArticulatedInertias, Derivatives, SpatialBias, SpatialOperators, TransmissionForm, articulated_inertias,
    bias, centroidal_momentum, centroidal_momentum_matrix, contact_forces, dof_roles, energy, flexible_form,
    forward_dynamics, forward_dynamics_batch, forward_dynamics_derivatives, gravity_load, hybrid_dynamics,
    inverse_dynamics, inverse_dynamics_batch, inverse_dynamics_derivatives, mass_matrix, mass_matrix_batch,
    mass_matrix_factors, mass_matrix_inverse, mass_matrix_inverse_factors, momentum,
    operational_space_inertia, operational_space_inertia_inverse, passive_forces, place_operator,
    project_to_manifold_batch, reactions, reactions_batch, spatial_bias, spatial_operators, transmission_form)
from trammel._records import (
    ContactForce, DofRoles, Energy, FlexibleForm, HybridMotion, MassMatrixFactors, MassMatrixInverseFactors,
    Momentum)
__all__ += [
    "forward_dynamics", "forward_dynamics_batch", "forward_dynamics_derivatives", "inverse_dynamics",
    "inverse_dynamics_batch", "inverse_dynamics_derivatives", "Derivatives", "hybrid_dynamics",
    "HybridMotion", "bias", "gravity_load", "passive_forces", "mass_matrix", "mass_matrix_batch",
    "mass_matrix_inverse", "mass_matrix_factors", "mass_matrix_inverse_factors", "MassMatrixFactors",
    "MassMatrixInverseFactors", "articulated_inertias", "ArticulatedInertias", "operational_space_inertia",
    "operational_space_inertia_inverse", "energy", "Energy", "momentum", "Momentum", "centroidal_momentum",
    "centroidal_momentum_matrix", "reactions", "reactions_batch", "project_to_manifold_batch", "contact_forces", "ContactForce", "spatial_operators",
    "SpatialOperators", "spatial_bias", "SpatialBias", "place_operator", "transmission_form",
    "TransmissionForm", "dof_roles", "DofRoles", "flexible_form", "FlexibleForm",
]

# constraints
from trammel._engine import (
    constrained_derivatives, constrained_dynamics, constrained_reactions, constraint_jacobian, drive_efforts,
    free_and_correction, locked_joints, minimal_equations, natural_complement, orthogonal_complement,
    prescribed_efforts, remaining_digits, row_basis, row_names, row_units, sliding_dynamics, wheel_contacts)
from trammel._records import (
    ConstrainedDerivatives, ConstrainedMotion, DriveEfforts, FreeAndCorrection, LockedJoints,
    MinimalEquations, NaturalComplement, OrthogonalComplement, RowBasis, UniqueReactions, WheelContact)
__all__ += [
    "constrained_dynamics", "ConstrainedMotion", "sliding_dynamics", "constrained_derivatives",
    "ConstrainedDerivatives", "free_and_correction", "FreeAndCorrection", "constraint_jacobian", "row_names",
    "row_units", "row_basis", "RowBasis", "remaining_digits", "drive_efforts", "prescribed_efforts",
    "DriveEfforts", "constrained_reactions", "UniqueReactions", "wheel_contacts", "WheelContact",
    "locked_joints", "LockedJoints", "orthogonal_complement", "OrthogonalComplement", "minimal_equations",
    "MinimalEquations", "natural_complement", "NaturalComplement",
]

# analysis
from trammel._engine import (
    LinearizedDynamics, actuation, arms, constraint_nature, equilibrium, linearize, linearized_dynamics, mobility,
    reachability, row_natures)
from trammel._records import (
    Actuation, Arm, ConstraintNature, LengthChange, Linearization, Mobility, Reachability, RowNature,
    UncontrollableMode, UndecidedRow)
__all__ += [
    "mobility", "Mobility", "LengthChange", "UndecidedRow", "actuation", "Actuation", "arms", "Arm",
    "constraint_nature", "ConstraintNature", "reachability", "Reachability", "row_natures", "RowNature",
    "linearize", "Linearization", "UncontrollableMode", "linearized_dynamics", "LinearizedDynamics", "equilibrium",
]

# simulation
from trammel._engine import load_run, simulate, simulate_batch
from trammel._errors import RunStopped
from trammel._records import BatchRun, ContactState, Event, EventRecord, MovingPlace, Run
__all__ += [
    "simulate", "simulate_batch", "Run", "BatchRun", "RunStopped", "Event", "EventRecord", "MovingPlace",
    "ContactState", "load_run",
]

# paths
from trammel._engine import (
    PlanarPath, Trajectory, circle_path, find_path, follow_path, path_from_file, path_names, path_through,
    replay_efforts, straight_path, two_straights_path)
from trammel._records import PlanarMotion, TrackingErrors
__all__ += [
    "PlanarPath", "PlanarMotion", "circle_path", "straight_path", "two_straights_path", "path_through",
    "path_names", "path_from_file", "find_path", "follow_path", "Trajectory", "replay_efforts", "TrackingErrors",
]

# design
from trammel._engine import (
    allocate_efforts, best_layout, best_length, conditioning, dexterity, drive_demand, hub_jacobian,
    isotropic_layout, model_layout, roller_jacobian, scaled, singular_because)
from trammel._records import (
    Allocation, Conditioning, Dexterity, DriveDemand, Ellipsoid, LayoutSearch, WheelPlacing, WheelRange)
__all__ += [
    "conditioning", "Conditioning", "scaled", "best_length", "dexterity", "Dexterity", "Ellipsoid",
    "allocate_efforts", "Allocation", "drive_demand", "DriveDemand", "hub_jacobian", "roller_jacobian",
    "singular_because", "isotropic_layout", "best_layout", "LayoutSearch", "model_layout", "WheelPlacing",
    "WheelRange",
]

# writing
from trammel._engine import (
    dexterity_picture, layout_picture, model_picture, plot, report, stick_figure, write_toml, write_urdf)
__all__ += [
    "write_toml", "write_urdf", "report", "plot", "stick_figure", "model_picture", "layout_picture",
    "dexterity_picture",
]

# symbols
from trammel import symbolic
from trammel._engine import Expr, Graph, derivative, operations
from trammel._records import OperationCount
__all__ += ["Expr", "Graph", "derivative", "operations", "OperationCount", "symbolic"]

# other engines
from trammel import conventions
__all__ += ["conventions"]
