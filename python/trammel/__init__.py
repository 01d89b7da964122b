"""Multibody dynamics for robots and mechanisms of any topology.

    import trammel

    pendulum = trammel.Description("pendulum")
    pendulum.body("rod", trammel.thin_rod(1.0, 0.8, com=(0.4, 0, 0)))
    pendulum.joint("pivot", "revolute", "ground", "rod", axis="y")
    model = trammel.build_model(pendulum)

    state = trammel.neutral_state(model)
    trammel.forward_dynamics(model, state)  # array([18.39375])

Names are those of the C++ library. SI units and radians; angular parts come first; quaternions are
w x y z. See docs/python.md.
"""
from trammel import conventions, kernel
from trammel._engine import (
    ArticulatedInertias, FrameRef, BatchWorkspace, DerivativeWorkspace, Derivatives, Description,
    Diagnostic, Expr, Graph, Kinematics, Model, Positions, SpatialBias, SpatialOperators, State, Support,
    TransmissionForm, Workspace, Wrench, acceleration, add_dh_chain, add_sdof_chain,
    articulated_inertias, assemble, assembled_start, frame_ref, bias, box, build_model, capsule, centroidal_momentum,
    centroidal_momentum_matrix, check_limits, check_loop_limits, constrained_dynamics, constrained_reactions,
    constraint_jacobian, derivative, difference, drive_efforts, energy, forward_dynamics,
    forward_dynamics_batch, forward_dynamics_derivatives, gallery, gravity_load, hybrid_dynamics,
    integrate, inverse_dynamics, inverse_dynamics_batch, inverse_dynamics_derivatives, jacobian,
    jacobian_rate, kinematics, kinematics_batch, load, load_model, load_run, loop_coordinate_names,
    loop_dof_names, loop_motion, center_of_mass, mass_matrix,
    mass_matrix_batch, mass_matrix_factors, mass_matrix_inverse, mass_matrix_inverse_factors,
    actuation, arms, constraint_nature, reachability, row_natures, topology,
    Followed, PlanarPath, allocate_efforts, best_layout, best_length, circle_path, conditioning, dexterity,
    dexterity_picture, drive_demand, find_path, layout_picture, model_layout, path_from_file, path_names, follow_path, hub_jacobian, isotropic_layout, path_through, replay_efforts, roller_jacobian, scaled,
    singular_because, straight_path, two_straights_path,
    mobility, model_picture, momentum, neutral_state, operational_space_inertia, operational_space_inertia_inverse,
    operations, passive_forces, place_operator, point_mass, pose, positions, row_basis, rate, reactions, read_description,
    read_table, row_names, row_units, slide, sliding_dynamics, solid_cylinder, spatial_bias, spatial_operators, sphere, start_state,
    stick_figure, thin_rod, transmission_form, turn, velocity, write_toml,
    write_urdf,
    assembly_branches, orthogonal_complement, flexible_form, free_and_correction, dof_roles,
    constrained_derivatives, locked_joints, minimal_equations, natural_complement, project_position, project_velocity,
    inverse_kinematics, inverse_kinematics_acceleration, inverse_kinematics_velocity, remaining_digits, restricted_jacobian, equilibrium, linearize, contact_forces, prescribed_efforts, blocking_constraints, wheel_contacts, plot, report, simulate,
    simulate_batch)
from trammel._errors import ModelError, EvaluationError, RunStopped
from trammel._names import (
    Axes, Base, ConstraintKind, DhConvention, Drive, JointKind, JointStepKind, Role, Severity,
    ShapeKind, WheelKind)
from trammel._records import (
    Actuation, Arm, ConstraintNature, Reachability, RowNature, Topology,
    Allocation, Conditioning, Dexterity, DriveDemand, Ellipsoid, FollowErrors, LayoutSearch, PlanarMotion, WheelPlacing, WheelRange,
    Body, BodyDescription, ConstrainedMotion, ConstraintDescription, CouplingDescription, CurveDescription, DefinitionDescription, DhRow,
    DriveEfforts, Energy, Frame, FrameDescription, GalleryModel, HybridMotion, InputDescription, Joint,
    JointDescription, JointLimits, JointStep, RawSection, LengthChange, LoopMotion, CenterOfMass, MassMatrixFactors,
    MassMatrixInverseFactors, Mobility, Momentum, OperationCount, ParameterDescription, Place, Placement,
    Pose, Poses, RowBasis, SdofLink, Shape, Solid, SpringDescription, BushingDescription, StartDescription, UniqueReactions, WheelDescription,
    ContactDescription, ControllerDescription, EventDescription, MotorDescription, TerrainDescription, ContactForce, WheelContact,
    WrenchDescription,
    Branch, OrthogonalComplement, FlexibleForm, FreeAndCorrection, DofRoles, LockedJoints,
    ConstrainedDerivatives, Linearization, MinimalEquations, MotionTarget, NaturalComplement, RestrictedJacobian, Run, Target,
    BatchRun, Event, EventRecord, MovingPlace, ContactState, UndecidedRow, UncontrollableMode)

__all__ = [
    "BatchRun", "Event", "EventRecord", "MovingPlace", "ContactState", "UndecidedRow", "UncontrollableMode", "plot", "report", "simulate_batch",
    "ContactDescription", "ControllerDescription", "EventDescription", "MotorDescription", "TerrainDescription",
    "WrenchDescription",
    "ContactForce", "WheelContact", "contact_forces", "prescribed_efforts", "remaining_digits", "blocking_constraints", "wheel_contacts",
    "Actuation", "Arm", "ConstraintNature", "Reachability", "RowNature", "Topology", "actuation", "arms", "constraint_nature",
    "reachability", "row_natures", "topology",
    "Dexterity", "Ellipsoid", "dexterity", "dexterity_picture", "find_path", "layout_picture", "model_layout",
    "path_from_file", "path_names",
    "Followed", "PlanarPath", "Allocation", "Conditioning", "DriveDemand", "FollowErrors", "LayoutSearch",
    "PlanarMotion", "WheelPlacing", "WheelRange", "allocate_efforts", "best_layout", "best_length",
    "circle_path", "conditioning", "drive_demand", "follow_path", "hub_jacobian", "isotropic_layout",
    "path_through", "replay_efforts", "roller_jacobian", "scaled", "singular_because", "straight_path",
    "two_straights_path",
    "ArticulatedInertias", "FrameRef", "Axes", "Base", "BatchWorkspace", "Body", "BodyDescription",
    "ConstrainedMotion", "ConstraintDescription", "ConstraintKind", "CouplingDescription", "CurveDescription",
    "DefinitionDescription", "DerivativeWorkspace", "Derivatives", "Description",
    "DhConvention", "DhRow", "Diagnostic", "Drive", "DriveEfforts", "Energy", "Expr", "Frame",
    "FrameDescription", "GalleryModel", "Graph", "HybridMotion", "InputDescription", "Joint",
    "JointDescription", "JointKind", "JointLimits", "JointStep", "JointStepKind", "RawSection",
    "Kinematics", "LengthChange", "LoopMotion", "CenterOfMass", "MassMatrixFactors", "MassMatrixInverseFactors", "Mobility",
    "Model", "ModelError", "Momentum", "OperationCount", "ParameterDescription", "Place",
    "Placement", "Pose", "Poses", "Positions", "EvaluationError", "RowBasis", "Role", "SdofLink",
    "Severity", "Shape", "ShapeKind", "Solid", "SpatialBias", "SpatialOperators",
    "SpringDescription", "BushingDescription", "StartDescription", "State", "Support", "TransmissionForm",
    "UniqueReactions", "WheelDescription", "WheelKind", "Workspace", "Wrench", "acceleration",
    "add_dh_chain", "add_sdof_chain", "articulated_inertias", "assemble", "assembled_start", "frame_ref", "bias", "box",
    "build_model", "capsule", "centroidal_momentum", "centroidal_momentum_matrix",
    "check_limits", "check_loop_limits", "constrained_dynamics", "constrained_reactions", "constraint_jacobian",
    "conventions", "derivative", "difference", "drive_efforts", "energy", "forward_dynamics",
    "forward_dynamics_batch", "forward_dynamics_derivatives", "gallery", "gravity_load",
    "hybrid_dynamics", "integrate", "inverse_dynamics", "inverse_dynamics_batch",
    "inverse_dynamics_derivatives", "jacobian", "jacobian_rate", "kernel", "kinematics",
    "kinematics_batch", "load", "load_model", "load_run", "loop_coordinate_names", "loop_dof_names", "loop_motion", "center_of_mass", "mass_matrix", "mass_matrix_batch",
    "mass_matrix_factors", "mass_matrix_inverse", "mass_matrix_inverse_factors", "mobility",
    "model_picture", "momentum", "neutral_state", "operational_space_inertia",
    "operational_space_inertia_inverse", "operations", "passive_forces", "place_operator",
    "point_mass", "pose", "positions", "row_basis", "rate", "reactions", "read_description",
    "read_table", "row_names", "row_units", "slide", "sliding_dynamics", "solid_cylinder", "spatial_bias", "spatial_operators",
    "sphere", "start_state", "stick_figure", "thin_rod", "transmission_form", "turn",
    "velocity", "write_toml", "write_urdf",
    "Branch", "OrthogonalComplement", "FlexibleForm", "FreeAndCorrection", "DofRoles", "LockedJoints",
    "ConstrainedDerivatives", "MinimalEquations", "MotionTarget", "NaturalComplement", "RestrictedJacobian", "Run", "RunStopped", "Target",
    "assembly_branches", "orthogonal_complement", "flexible_form", "free_and_correction", "dof_roles",
    "constrained_derivatives", "locked_joints", "minimal_equations", "natural_complement", "project_position",
    "project_velocity", "inverse_kinematics", "inverse_kinematics_acceleration", "inverse_kinematics_velocity", "restricted_jacobian", "simulate", "Linearization", "equilibrium", "linearize",
]
