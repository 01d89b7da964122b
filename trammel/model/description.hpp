// What was said of a mechanism, before anything is decided: bodies, joints, frames, and what else
// acts on them, each with the place where it was said. Every number is an Expr, so that it may be a
// formula of the parameters; plain numbers cost nothing. Format-free: readers fill it from files,
// assemblers from tables, people write it in C++:
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
#include "trammel/scalar/expr.hpp"
#include "trammel/spatial/vec3.hpp"

namespace trammel {

// Where a frame sits on a body: moved by xyz, turned about the fixed x, then y, then z axis by rpy.
struct Placement {
  Vec3<Expr> xyz = {};
  Vec3<Expr> rpy = {};
};

// What a body weighs. All zero is a massless body, and legal.
struct Solid {
  Expr mass = {};
  Vec3<Expr> com = {};         // centre of mass in the body's frame
  SymMat3<Expr> inertia = {};  // about the centre of mass, in the body's axes
};

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
  compound
};
std::string to_string(JointKind kind);

// Who decides how a joint moves: its neighbours and springs (none), an effort from outside
// (torque), a planned motion (motion), or nobody: it is held where it is (locked).
enum class Drive { none, torque, motion, locked };

// One step of a compound joint, about or along an axis of the frame the steps before it left.
struct JointStep {
  enum class Kind { turn, slide };
  Kind kind = Kind::turn;
  Vec3<Expr> axis = {};
};
inline JointStep turn(const Vec3<Expr>& axis) { return {JointStep::Kind::turn, axis}; }
inline JointStep slide(const Vec3<Expr>& axis) { return {JointStep::Kind::slide, axis}; }

// Per coordinate, or one entry for all coordinates of the joint; empty: no limit.
template <class Number> struct BasicJointLimits {
  std::vector<Number> lower = {}, upper = {};  // [rad] or [m]
  std::vector<Number> velocity = {}, effort = {};
  // Said: the limits of position are hard stops, and this much of the speed of an impact comes
  // back, 0 to 1. Not said: a motion that passes them is told of, and goes on.
  std::vector<Number> restitution = {};
};

// [rad/s] or [m/s] Below some of these dry friction is not fully there; a joint that should stick
// creeps with a part of this.
inline constexpr double default_friction_speed = 1e-3;

struct JointOptions {
  Placement at = {};                // the joint's frame F on the parent
  Placement child_at = {};          // its frame M on the child
  Vec3<Expr> axis{0.0, 0.0, 1.0};   // in the joint's frame: of the turn or slide, normal of a plane
  Vec3<Expr> axis2{1.0, 0.0, 0.0};  // universal: the second axis
  std::vector<JointStep> motions = {};  // compound: its steps
  Expr pitch = 0.0;                     // screw: metres per radian
  Drive drive = Drive::none;
  bool cut = false;  // if the joint lies in a loop, cut the loop here
  // Passive forces, per freedom, or one entry for all freedoms; empty: none.
  std::vector<Expr> stiffness = {}, rest = {};  // effort -stiffness (q - rest)
  std::vector<Expr> damping = {};  // effort -damping v, from a damper or from viscous friction
  // Dry friction [Coulomb]: effort -friction v / sqrt(v^2 + friction_speed^2), so that it is smooth
  // where the motion turns round; the second has a default (default_friction_speed).
  std::vector<Expr> friction = {}, friction_speed = {};
  BasicJointLimits<Expr> limits = {};
};

// What a body looks like: to be seen, and for some to weigh it by (solids.hpp).
struct Shape {
  enum class Kind { box, sphere, cylinder, capsule, mesh };
  Kind kind = Kind::box;
  // box: its edges; sphere: radius; cylinder and capsule, along z: radius, length between the caps
  Vec3<Expr> size = {};
  std::string mesh = {};  // file, as it was said
  Vec3<Expr> scale{1.0, 1.0, 1.0};
  Placement at = {};                                // of its centre, on the body
  std::optional<std::array<double, 4>> color = {};  // red, green, blue, opacity: 0 to 1
  bool is_collision = false;                        // said for contacts; kept for view
  std::string name = {};                            // may be empty
  ItemPlace place = {};
};

struct BodyDescription {
  std::string name;
  Solid solid = {};
  ItemPlace place = {};
  std::vector<Shape> shapes = {};
};
struct JointDescription {
  std::string name;
  JointKind kind = JointKind::revolute;
  std::string parent, child;
  JointOptions options = {};
  ItemPlace place = {};
};
struct FrameDescription {
  std::string name;
  std::string body;
  Placement at = {};
  ItemPlace place = {};
};

// A wheel on a floor: the plane through the origin of a frame (or of a body's own), across its z
// axis, or a terrain. The rollers of an omni wheel are massless and turn freely. A ball rolls every
// way. A caster is a wheel on a fork that turns about the z axis of the wheel's frame, which is
// then a frame on the body that the fork is on: both are made when the model is built.
struct WheelDescription {
  enum class Kind { conventional, omni, ball, knife_edge, caster };
  std::string name, body, on = "ground";
  Vec3<Expr> axis{0.0, 1.0, 0.0};  // in the wheel's frame
  Expr radius = {};
  Kind kind = Kind::conventional;
  // omni: from the wheel's axis to that of the roller that touches, turned about the floor's normal
  Expr roller_angle = {};
  std::optional<Expr> roller_radius = {};  // omni: then the rate of the roller is told, too
  // Of the force sideways to the force up: how much the floor can hold. Not said: any.
  std::optional<Expr> friction = {};
  Expr trail = {};      // caster: how far its wheel runs behind the fork's axis
  Expr mass = {};       // caster: of its wheel, a disk; the fork has none
  Placement at = {};    // the wheel's frame on its body; its origin is the centre
  bool touches = true;  // false: something else carries its weight
  ItemPlace place = {};
};
// A floor that is not flat: how high it is above the plane of a frame (or of a body's own). Said by
// a formula of x and y in that plane, smooth where wheels go, or by heights over a grid, through
// which it is smooth (cubic, with curvatures that are steady); beyond its edges the ground goes on
// straight.
struct TerrainDescription {
  std::string name, on = "ground";
  std::string height = {};                              // formula; empty: the grid
  std::vector<std::pair<std::string, Expr>> with = {};  // what the formula's other names are worth
  std::vector<Expr> from = {}, spacing = {};    // x and y of the first height, and to the next
  std::vector<std::vector<Expr>> heights = {};  // a list for each x, along y
  ItemPlace place = {};
};
struct CouplingDescription {
  std::string name;
  std::vector<std::pair<std::string, Expr>> terms = {};  // joint, factor
  Expr offset = {};  // the sum of factor times coordinate is this
  ItemPlace place = {};
};
struct ConstraintDescription {
  enum class Kind { point, weld, distance };
  std::string name;
  Kind kind = Kind::point;
  std::string frame = {}, other_frame = {};  // of frames or bodies
  Expr distance = {};
  bool active = true;  // false: it holds nothing until an event grasps it
  ItemPlace place = {};
};
struct SpringDescription {
  std::string name, frame, other_frame;
  Expr stiffness = {}, length = {}, damping = {};
  ItemPlace place = {};
};

// A ball, or with radius 0 a point, that may touch a floor (as a wheel's) and is pushed back:
// stiffness d^(3/2) (1 + 3/2 dissipation d'), d how deep it is in, never pulling [Hunt, Crossley
// 1975]; across, friction times that against the sliding v, times v / sqrt(v^2 + slip_speed^2).
struct ContactDescription {
  std::string name, body, on = "ground";
  Vec3<Expr> at = {};  // its centre, on the body
  Expr radius = {};
  Expr stiffness = {};    // [N/m^1.5]
  Expr dissipation = {};  // [s/m]
  Expr friction = {};
  Expr slip_speed = default_friction_speed;
  ItemPlace place = {};
};

// What turns a joint: a rotor on the joint's parent, about its axis, that turns `gear` times as
// fast; the faster it turns the less it can pull. Efforts of the joint act on the rotor, through
// the gear. With a rotor_inertia the rotor is a body of its own when the model is built.
struct MotorDescription {
  std::string name, joint;
  Expr gear = 1.0;
  Expr rotor_inertia = {};                 // [kg m^2] about its axis
  std::optional<Expr> stall_torque = {};   // [N m] at rest, at most
  std::optional<Expr> no_load_speed = {};  // [rad/s] at which nothing is left
  ItemPlace place = {};
};

// An effort over time, or, of a joint driven by motion, its position. The numbers have names, as in
// ramp: to = 2, over = 5.
struct InputDescription {
  std::string name, joint;
  std::string profile;  // constant, ramp, step, sine, pulse, cubic, spline, table
  std::vector<std::pair<std::string, std::vector<Expr>>> numbers = {};
  ItemPlace place = {};
};

// A moment and a force from outside, at a frame or body, over time: profiles with three numbers
// each, in the axes of the world, or in those of the place.
struct WrenchDescription {
  std::string name, at;
  bool is_in_own_axes = false;
  std::optional<InputDescription> moment = {}, force = {};
  ItemPlace place = {};
};

// How ground moves: where it is, x, y and z over time, and how it is turned, about its z, then its
// own y, then its own x. When the model is built all that stands on ground stands on a body
// "moving_ground", which a joint driven by motion carries.
struct GroundMotionDescription {
  std::optional<InputDescription> position = {}, yaw_pitch_roll = {};
  ItemPlace place = {};
};

// Holds a joint where its target is: p e + i (integral of e) + d e', e = target - position.
struct ControllerDescription {
  std::string name, joint;
  Expr p = {}, i = {}, d = {};
  Expr filter = {};                // [s] of the rate; 0: none
  std::optional<Expr> limit = {};  // of the effort
  bool is_rate_of_joint = false;   // or of the error
  InputDescription target = {};    // a profile, as of an input
  ItemPlace place = {};
};

// Something that happens at a time, or when a coordinate crosses a value: the first time, or every
// time.
struct EventDescription {
  enum class Way { up, down, both };
  std::string name;
  std::optional<Expr> time = {};
  std::string joint = {};  // "elbow", "wrist[1]", or a column, "frame.tip.z"; unless it is the time
  Expr value = {};
  Way way = Way::both;
  bool every = false;                                 // time that it crosses; otherwise the first
  std::vector<std::string> lock = {}, unlock = {};    // joints
  std::vector<std::string> grasp = {}, release = {};  // constraints
  bool stops = false;                                 // the run ends
  ItemPlace place = {};
};

// How the motion is to be followed, unless whoever asks says otherwise.
struct RunDescription {
  std::optional<Expr> duration = {}, step = {}, sample = {}, tolerance = {};  // [s], the last: 1
  std::string method = {};
  std::vector<std::string> record = {};
  ItemPlace place = {};
};

// Where the motion starts: of one joint, the coordinates or the velocities.
struct StartDescription {
  std::string joint;
  std::vector<Expr> values = {};
  ItemPlace place = {};
};

// A section that is kept as it was written: "run" (which is read, too), or one that a room to come
// will read, as "path.round".
struct KeptSection {
  std::string name;
  std::string text;  // TOML, without the heading
  ItemPlace place = {};
};

struct ParameterDescription {
  std::string name;
  double value = 0;  // nominal
  ItemPlace place = {};
};

// A name for a formula of the parameters. Whoever uses it has the formula; kept to be told.
struct DefinitionDescription {
  std::string name;
  Expr formula = {};
  ItemPlace place = {};
};

struct Description {
  explicit Description(std::string name_ = {}) : name(std::move(name_)) {}

  // A letter for a number: usable in any number of this description.
  Expr parameter(const std::string& letter, double value, const ItemPlace& place = {});
  void body(const std::string& body_name, const Solid& solid, const ItemPlace& place = {});
  void joint(const std::string& joint_name, JointKind kind, const std::string& parent,
             const std::string& child, const JointOptions& options = {},
             const ItemPlace& place = {});
  void frame(const std::string& frame_name, const std::string& body_name, const Placement& at,
             const ItemPlace& place = {});

  std::string name;
  Vec3<Expr> gravity{0.0, 0.0, -9.81};  // [m/s^2] in the axes of ground
  Graph graph;                          // of the formulas; its letters are the parameters, in order
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
  std::vector<SpringDescription> springs;
  std::vector<ContactDescription> contacts;
  std::vector<MotorDescription> motors;
  std::vector<StartDescription> start_positions, start_velocities;   // kept
  std::vector<StartDescription> position_guesses, velocity_guesses;  // where assembly begins
  std::vector<InputDescription> inputs;
  std::vector<WrenchDescription> wrenches;
  std::optional<GroundMotionDescription> ground_motion;
  std::vector<ControllerDescription> controllers;
  std::vector<EventDescription> events;
  std::optional<RunDescription> run;
  std::vector<KeptSection> kept;
};

}  // namespace trammel
