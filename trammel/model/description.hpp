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
struct JointLimits {
  std::vector<double> lower = {}, upper = {};  // [rad] or [m]
  std::vector<double> velocity = {}, effort = {};
};

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
  JointLimits limits = {};
};

struct BodyDescription {
  std::string name;
  Solid solid = {};
  Place place = {};
};
struct JointDescription {
  std::string name;
  JointKind kind = JointKind::revolute;
  std::string parent, child;
  JointOptions options = {};
  Place place = {};
};
struct FrameDescription {
  std::string name;
  std::string body;
  Placement at = {};
  Place place = {};
};

// Kept for the rooms that answer for them; until those exist, every question on such a model fails
// and names the record.
struct WheelDescription {
  std::string name, body, on = "ground";
  Vec3<Expr> axis{0.0, 1.0, 0.0};
  Expr radius = {};
  Place place = {};
};
struct CouplingDescription {
  std::string name;
  std::vector<std::pair<std::string, Expr>> terms = {};  // joint, factor
  Expr offset = {};
  Place place = {};
};
struct ConstraintDescription {
  enum class Kind { point, weld, distance };
  std::string name;
  Kind kind = Kind::point;
  std::string frame = {}, other_frame = {};
  Expr distance = {};
  Place place = {};
};
struct SpringDescription {
  std::string name, frame, other_frame;
  Expr stiffness = {}, length = {}, damping = {};
  Place place = {};
};

struct ParameterDescription {
  std::string name;
  double value = 0;  // nominal
  Place place = {};
};

struct Description {
  explicit Description(std::string name_ = {}) : name(std::move(name_)) {}

  // A letter for a number: usable in any number of this description.
  Expr parameter(const std::string& letter, double value, const Place& place = {});
  void body(const std::string& body_name, const Solid& solid, const Place& place = {});
  void joint(const std::string& joint_name, JointKind kind, const std::string& parent,
             const std::string& child, const JointOptions& options = {}, const Place& place = {});
  void frame(const std::string& frame_name, const std::string& body_name, const Placement& at,
             const Place& place = {});

  std::string name;
  Vec3<Expr> gravity{0.0, 0.0, -9.81};  // [m/s^2] in the axes of ground
  Graph graph;                          // of the formulas; its letters are the parameters, in order
  std::vector<ParameterDescription> parameters;
  std::vector<BodyDescription> bodies;  // without ground, which is always there
  std::vector<JointDescription> joints;
  std::vector<FrameDescription> frames;
  std::vector<WheelDescription> wheels;
  std::vector<CouplingDescription> couplings;
  std::vector<ConstraintDescription> constraints;
  std::vector<SpringDescription> springs;
};

}  // namespace trammel
