// Description of a mechanism, before it is built: bodies, joints, frames and the other items, each
// with its place in the source file. Every number is an Expr, so that it may be a formula of the
// parameters; plain numbers cost nothing. Independent of file formats: readers fill it from files,
// generators from tables, users in C++:
//
//   Description pendulum("pendulum");
//   const Expr l = pendulum.parameter("l", 0.8);
//   pendulum.body("rod", thin_rod(1.0, l, {l / 2, 0, 0}));
//   pendulum.joint("pivot", JointKind::revolute, "ground", "rod", {.axis = {0, 1, 0}});
//   const Model model = build_model(pendulum);
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trammel/base/diagnostics.hpp"
#include "trammel/force/force_elements.hpp"
#include "trammel/scalar/expr.hpp"
#include "trammel/spatial/vec3.hpp"

namespace trammel {

// Pose of a frame on a body: translation xyz, and rotation by rpy about the fixed x, then y, then z
// axis.
struct Placement {
  Vec3<Expr> xyz = {};
  Vec3<Expr> rpy = {};
};

// Mass properties of a body. All zero is a massless body, which is valid.
struct Solid {
  Expr mass = {};
  Vec3<Expr> com = {};         // center of mass in the body's frame
  SymMat3<Expr> inertia = {};  // about the center of mass, in the body's axes
};

// Joint types. Name, degrees of freedom and axes of each: description/joint_table.hpp.
enum class JointKind {
  fixed,
  revolute,
  prismatic,
  screw,
  cylindrical,
  universal,
  spherical,
  planar,
  free,
  compound,
  constant_velocity,
  plunging_constant_velocity
};
std::string to_string(JointKind kind);

// Drive of a joint: none (passive: the dynamics determine its motion), torque (an applied effort),
// motion (prescribed motion), locked (the joint does not move).
enum class Drive { none, torque, motion, locked };

// One step of a compound joint, about or along an axis of the frame that the previous steps left.
struct JointStep {
  enum class Kind { turn, slide };
  Kind kind = Kind::turn;
  Vec3<Expr> axis = {};
};
// A rotational degree of freedom has radians and newton meters, a translational one meters and
// newtons.
using DofKind = JointStep::Kind;
inline JointStep turn(const Vec3<Expr>& axis) { return {JointStep::Kind::turn, axis}; }
inline JointStep slide(const Vec3<Expr>& axis) { return {JointStep::Kind::slide, axis}; }

// Per coordinate, or one entry for all coordinates of the joint; empty: no limit.
template <class Number> struct BasicJointLimits {
  std::vector<Number> lower = {}, upper = {};  // [rad] or [m]
  std::vector<Number> velocity = {}, effort = {};
  // Given: the position limits are hard stops with this coefficient of restitution, 0 to 1. Empty:
  // a motion that exceeds the limits is reported and goes on.
  std::vector<Number> restitution = {};
};

// Options of a joint: frames, axes, drive, passive forces and limits. Rotations in rad and N m,
// translations in m and N.
struct JointOptions {
  Placement at = {};                // the joint's frame F on the parent
  Placement child_at = {};          // its frame M on the child
  Vec3<Expr> axis{0.0, 0.0, 1.0};   // in the joint's frame: of the turn or slide, normal of a plane
  Vec3<Expr> axis2{1.0, 0.0, 0.0};  // universal: the second axis
  std::vector<JointStep> motions = {};  // compound: its steps
  Expr pitch = 0.0;                     // screw: meters per radian
  Drive drive = Drive::none;
  bool cut = false;  // if the joint lies in a loop, cut the loop here
  // Passive forces, per degree of freedom, or one entry for all; empty: none.
  std::vector<Expr> stiffness = {}, rest = {};  // effort -stiffness (q - rest)
  std::vector<Expr> damping = {};  // effort -damping v, from a damper or from viscous friction
  // Dry friction [Coulomb]: effort -friction v / sqrt(v^2 + friction_speed^2), which is smooth
  // where the velocity changes sign; friction_speed has a default (default_friction_speed).
  std::vector<Expr> friction = {}, friction_speed = {};
  BasicJointLimits<Expr> limits = {};
};

// Shape of a body: drawn, and for some readers the source of its mass properties (solids.hpp).
struct Shape {
  enum class Kind { box, sphere, cylinder, capsule, mesh };
  Kind kind = Kind::box;
  // box: its edges; sphere: radius; cylinder and capsule, along z: radius, length between the caps
  Vec3<Expr> size = {};
  std::string mesh = {};  // file, as written in the source
  Vec3<Expr> scale{1.0, 1.0, 1.0};
  Placement at = {};                                // of its center, on the body
  std::optional<std::array<double, 4>> color = {};  // red, green, blue, opacity: 0 to 1
  bool is_collision = false;                        // meant for contacts; drawn only
  std::string name = {};                            // may be empty
  ItemPlace place = {};
};

// Rigid body: its name, which no other body has, mass properties in its own frame, and shapes.
struct BodyDescription {
  std::string name;
  Solid solid = {};
  ItemPlace place = {};
  std::vector<Shape> shapes = {};
};
// Joint between two bodies, given by their names; its coordinates measure the motion of the child
// relative to the parent. The joints may form loops.
struct JointDescription {
  std::string name;
  JointKind kind = JointKind::revolute;
  std::string parent, child;
  JointOptions options = {};
  ItemPlace place = {};
};
// Named frame fixed to a body: a place for results, targets, wrenches, constraints and force
// elements. It adds no degrees of freedom.
struct FrameDescription {
  std::string name;
  std::string body;
  Placement at = {};
  ItemPlace place = {};
};

// A wheel on a floor: the plane through the origin of a frame (or of a body's own), normal to its z
// axis, or a terrain. The rollers of an omni wheel are massless and turn freely. A ball rolls in
// every direction. A caster is a wheel on a fork that turns about the z axis of the wheel's frame,
// which is then a frame on the body that carries the fork; build_model makes both bodies.
struct WheelDescription {
  enum class Kind { conventional, omni, ball, knife_edge, caster };
  std::string name, body, on = "ground";
  Vec3<Expr> axis{0.0, 1.0, 0.0};  // in the wheel's frame
  Expr radius = {};
  Kind kind = Kind::conventional;
  // omni: from the wheel's axis to the axis of the touching roller, turned about the floor's normal
  Expr roller_angle = {};
  std::optional<Expr> roller_radius = {};  // omni: if given, the roller's rate is computed
  // Friction coefficient: the largest ratio of lateral to normal force. Not given: no bound.
  std::optional<Expr> friction = {};
  Expr trail = {};      // caster: distance of the wheel behind the fork's axis
  Expr mass = {};       // caster: of its wheel, a disk; the fork has none
  Placement at = {};    // the wheel's frame on its body; its origin is the center
  bool touches = true;  // false: something else carries its weight
  ItemPlace place = {};
};
// A floor that is not flat: its height over the plane of a frame (or of a body's own). Given by a
// formula of x and y in that plane, smooth where wheels go, or by heights over a grid, interpolated
// by a cubic spline with continuous curvature; outside the grid the floor goes on straight.
struct TerrainDescription {
  std::string name, on = "ground";
  std::string height = {};                              // formula; empty: the grid
  std::vector<std::pair<std::string, Expr>> with = {};  // values of the formula's other names
  std::vector<Expr> from = {}, spacing = {};    // x and y: of the first height; grid spacing
  std::vector<std::vector<Expr>> heights = {};  // one list per x, along y
  ItemPlace place = {};
};
// Linear coupling of joint coordinates.
struct CouplingDescription {
  std::string name;
  std::vector<std::pair<std::string, Expr>> terms = {};  // joint, factor
  Expr offset = {};  // the sum of factor * coordinate equals this
  ItemPlace place = {};
};
// A curve in a frame: a cubic spline through points, or formulas x(s), y(s), z(s).
struct CurveDescription {
  std::vector<Vec3<Expr>> points = {};                  // empty: the formulas
  std::string x = {}, y = {}, z = {};                   // empty: zero
  std::vector<std::pair<std::string, Expr>> with = {};  // values of the formulas' other names
  Expr from = {}, to = {};                              // of s
  bool closed = false;                                  // it returns to where it begins
};
// Constraint between two frames A and B: point (p_A = p_B), weld (A = B), distance
// (|p_A - p_B| = distance) or curve (p_B on a curve in A: a cam, a slot).
struct ConstraintDescription {
  enum class Kind { point, weld, distance, curve };
  std::string name;
  Kind kind = Kind::point;
  std::string frame = {}, other_frame = {};  // names of frames or bodies
  Expr distance = {};
  bool active = true;  // false: inactive until an event grasps it
  ItemPlace place = {};
  CurveDescription curve = {};
};
// Motor of a joint: a rotor on the joint's parent, about the joint's axis, that turns `gear` times
// as fast as the joint. The torque limit decreases with speed. Efforts of the joint act on the
// rotor, through the gear. With a rotor_inertia, build_model makes the rotor a body of its own.
struct MotorDescription {
  std::string name, joint;
  Expr gear = 1.0;
  Expr rotor_inertia = {};                 // [kg m^2] about its axis
  std::optional<Expr> stall_torque = {};   // [N m] torque limit at rest
  std::optional<Expr> no_load_speed = {};  // [rad/s] speed at which the torque limit is zero
  ItemPlace place = {};
};

// Effort of a joint over time, or, for a joint driven by motion, its position. The numbers have
// names, as in ramp: to = 2, over = 5.
struct InputDescription {
  std::string name, joint;
  std::string profile;  // constant, speed, ramp, step, sine, random, pulse, cubic, spline, table
  std::vector<std::pair<std::string, std::vector<Expr>>> numbers = {};
  ItemPlace place = {};
};

// External wrench at a frame or body, over time: a moment and a force, profiles with three numbers
// each, in the axes of the world or of that frame or body.
struct WrenchDescription {
  std::string name, at;
  bool is_in_own_axes = false;
  std::optional<InputDescription> moment = {}, force = {};
  ItemPlace place = {};
};

// Motion of the ground: position x, y, z over time, and rotation about its z, then its own y, then
// its own x. build_model moves all items on ground to a body "moving_ground", which joints driven
// by motion carry.
struct GroundMotionDescription {
  std::optional<InputDescription> position = {}, yaw_pitch_roll = {};
  ItemPlace place = {};
};

// PID controller of a joint: effort p e + i (integral of e) + d e', e = target - position.
struct ControllerDescription {
  std::string name, joint;
  Expr p = {}, i = {}, d = {};
  Expr filter = {};                // [s] time constant of the rate filter; 0: none
  std::optional<Expr> limit = {};  // of the effort
  bool is_rate_of_joint = false;   // d acts on -(joint rate) instead of e'
  InputDescription target = {};    // a profile, as for an input
  ItemPlace place = {};
};

// Event at a time, or when a coordinate crosses a value: at the first crossing, or at every one.
struct EventDescription {
  enum class Way { up, down, both };
  std::string name;
  std::optional<Expr> time = {};
  std::string joint = {};  // "elbow", "wrist.slide", or a column, "frame.tip.z"; empty for a time
  Expr value = {};
  Way way = Way::both;
  bool every = false;                                 // at every crossing; otherwise only the first
  std::vector<std::string> lock = {}, unlock = {};    // joints
  std::vector<std::string> grasp = {}, release = {};  // constraints
  bool stops = false;                                 // the run ends
  ItemPlace place = {};
};

// Default options of a simulation of this model, which the caller may override.
struct RunDescription {
  std::optional<Expr> duration = {}, step = {}, sample = {}, tolerance = {};  // [s]; tolerance: 1
  std::string method = {};
  std::vector<std::string> record = {};
  ItemPlace place = {};
};

// Initial values of one joint: its coordinates or its velocities.
struct StartDescription {
  std::string joint;
  std::vector<Expr> values = {};
  ItemPlace place = {};
};

// A section of the file stored as text: "run" (which is also parsed), or one that another module
// reads later, as "path.round".
struct RawSection {
  std::string name;
  std::string text;  // TOML, without the heading
  ItemPlace place = {};
};

// Parameter of a description: a symbol of its formulas with a nominal value, in SI units.
struct ParameterDescription {
  std::string name;
  double value = 0;  // nominal
  ItemPlace place = {};
};

// A name for a formula of the parameters. Each use of the name holds the formula itself; the
// definition is stored for output.
struct DefinitionDescription {
  std::string name;
  Expr formula = {};
  ItemPlace place = {};
};

// Description of a mechanism: lists of its items, which refer to each other by name. Items of one
// kind have different names. build_model checks all items and reports all errors at once.
struct Description : ForceElementDescriptions {
  explicit Description(std::string name_ = {}) : name(std::move(name_)) {}

  // Adds a parameter: a symbol that may be used in any number of this description.
  Expr parameter(const std::string& symbol, double value, const ItemPlace& place = {});
  void body(const std::string& body_name, const Solid& solid, const ItemPlace& place = {});
  void joint(const std::string& joint_name, JointKind kind, const std::string& parent,
             const std::string& child, const JointOptions& options = {},
             const ItemPlace& place = {});
  void frame(const std::string& frame_name, const std::string& body_name, const Placement& at,
             const ItemPlace& place = {});

  std::string name;
  Vec3<Expr> gravity{0.0, 0.0, -9.81};  // [m/s^2] in the axes of ground
  Graph graph;                          // of the formulas; its symbols are the parameters, in order
  ItemPlace source = {};                // the file, with the keys "name" and "gravity"
  std::vector<ParameterDescription> parameters;
  std::vector<DefinitionDescription> definitions;
  std::vector<BodyDescription> bodies;  // without ground, which is always there
  std::vector<JointDescription> joints;
  std::vector<FrameDescription> frames;
  std::vector<WheelDescription> wheels;
  std::vector<TerrainDescription> terrains;
  std::vector<CouplingDescription> couplings;
  std::vector<ConstraintDescription> constraints;
  // and those of ForceElementDescriptions: springs, contacts, bushings, user_forces
  std::vector<MotorDescription> motors;
  std::vector<StartDescription> start_positions, start_velocities;   // exact
  std::vector<StartDescription> position_guesses, velocity_guesses;  // of the assembly
  std::vector<InputDescription> inputs;
  std::vector<WrenchDescription> wrenches;
  std::optional<GroundMotionDescription> ground_motion;
  std::vector<ControllerDescription> controllers;
  std::vector<EventDescription> events;
  std::optional<RunDescription> run;
  std::vector<RawSection> raw_sections;
};

}  // namespace trammel
