// Model of a mechanism: bodies on a spanning tree, with names and nominal values. Made by
// build_model and constant afterwards; threads may share it by const reference.
//
// There are two lists of bodies. `bodies()` are those of the recursive algorithms: body 0 is
// ground, every other body hangs from its parent by exactly one joint and has a higher index than
// its parent, so increasing indices go outward and decreasing indices inward. `named_bodies()` are
// those of the description: bodies joined by a fixed joint are merged into one tree body and keep
// their names.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/base/ids.hpp"
#include "trammel/base/status.hpp"
#include "trammel/joint/joint.hpp"
#include "trammel/model/curve.hpp"
#include "trammel/model/description/description.hpp"
#include "trammel/model/name_index.hpp"
#include "trammel/model/terrain.hpp"
#include "trammel/spatial/inertia.hpp"

namespace trammel {

template <Scalar P> struct ModelParameters;

struct Body {
  int parent = 0;
  int q_start = 0, v_start = 0;  // first index of its joint's coordinates and dof
  int constant_start = 0;        // first index of its joint's constants
  Joint joint;
  bool has_children = false, is_last_child = true;
  int v_end = 0;  // its joint's dof are v_start .. v_end - 1
  // Storage for quantities that a recursion passes from body to body. A body and its last child
  // never need theirs at the same time: a branch takes one slot, which stays in the nearest cache.
  int slot = 0, parent_slot = 0;
};

// Body of the description. The pose of its own frame in its tree body is ModelParameters::X_BU.
struct NamedBody {
  std::string name;
  int tree_body = 0;               // the body of the tree that it is merged into
  std::optional<JointId> inboard;  // the joint that carries it; none for ground
  Place place;
};

// Joint of the description. Role: `tree` has coordinates in q and v, `fixed` merges two bodies into
// one tree body, `loop` closes a loop (Closure).
struct NamedJoint {
  enum class Role { tree, fixed, loop };
  std::string name;
  JointKind kind = JointKind::revolute;
  Role role = Role::tree;
  BodyId parent{}, child{};  // as in the description
  bool is_reversed = false;  // the tree traverses it from child to parent
  int description = 0;       // index in Description::joints
  int body = -1;             // the body of the tree that it moves; -1 unless its role is tree
  int q_start = 0, nq = 0, v_start = 0, nv = 0;  // of a tree joint, in q and v
  Drive drive = Drive::none;
  BasicJointLimits<double> limits;               // at the nominal parameters
  Pose<double> X_PF = Pose<double>::identity();  // joint frame on the parent, in the user's frame
  Pose<double> X_CM = Pose<double>::identity();  // joint frame on the child, in the user's frame
  Place place;
};

// Frame of the description. frame_ref(model, name) gives its pose on its body.
struct NamedFrame {
  std::string name;
  BodyId body{};
};

// Loop closure between two bodies of the tree: a cut joint, or a constraint between two frames. A
// point constraint is a spherical joint, a weld a joint without degrees of freedom (a compound of
// no steps). Its coordinates are results, not part of q.
struct Closure {
  std::string name;              // as in messages: "loop joint 'foot'", "constraint 'grip'"
  std::optional<JointId> named;  // the joint; none for a constraint
  BodyId parent{}, child{};
  Joint joint;
  int q_start = 0, v_start = 0;  // its coordinates and dof among those of all closures
  int constant_start = 0;        // in ModelParameters::constants
  Place place;
};
// Distance constraint between two points.
struct Rod {
  std::string name;  // "constraint 'rod'"
  BodyId parent{}, child{};
  Place place;
};
// Constraint between two frames that is neither a joint nor a distance: a point on a curve.
struct FrameConstraint {
  using Kind = ConstraintDescription::Kind;
  std::string name;          // "constraint 'slot'"
  BodyId parent{}, child{};  // of its two frames
  Kind kind = Kind::curve;
  Place place;
  Curve curve;  // kind curve: in the first frame, at the nominal parameters
};
// A wheel, ball or knife edge on a floor: the plane through the origin of a frame, normal to its z
// axis, or a terrain.
struct Wheel {
  using Kind = WheelDescription::Kind;
  std::string name;          // "wheel 'left'"
  BodyId parent{}, child{};  // the floor, and the rolling body
  Kind kind = Kind::conventional;
  bool touches = true;  // its height above the floor is constrained; false: not
  Place place;
  int description = 0;  // index in Description::wheels
  int terrain = -1;     // index in Description::terrains; -1: the floor is flat
  // At the nominal parameters: friction coefficient (largest ratio of lateral to normal force), and
  // radius of the rollers, 0 if not given.
  double friction = std::numeric_limits<double>::infinity(), roller_radius = 0;
  // A knife edge slides along its heading, and the rollers of an omni wheel move across their axes.
  bool rolls_every_way() const { return kind == Kind::conventional || kind == Kind::ball; }
  int rows() const { return (touches ? 1 : 0) + (rolls_every_way() ? 2 : 1); }
};
// A force element between two bodies.
struct ElementBodies {
  std::string name;  // "spring 'strut'"
  BodyId parent{}, child{};
  Place place;
  int z_start = 0;  // its first continuous state in State::z
};
// Linear coupling: the sum of factor * coordinate equals an offset.
struct Coupling {
  // A coordinate of the tree: q[q], v[v]; of a closure, q and v count from its first.
  struct Term {
    int closure = -1;  // -1: the tree's
    int q = 0, v = 0;
  };
  std::string name;  // "coupling 'gears'"
  std::vector<Term> terms;
  int factor_start = 0;  // in ModelParameters::coupling_factors
  Place place;
};

// Model of a mechanism, constant; see the top of this file. find_body, find_joint, find_frame give
// the id of a name, model[id] the item. bodies() and named_bodies() have different indices.
class Model {
 public:
  const std::string& name() const { return description_.name; }
  int nq() const { return nq_; }  // length of a position
  int nv() const { return nv_; }  // length of a velocity

  std::span<const Body> bodies() const { return bodies_; }                   // [0] is ground
  std::span<const NamedBody> named_bodies() const { return named_bodies_; }  // [0] is ground
  std::span<const NamedJoint> joints() const { return joints_; }  // tree joints in order of q first
  std::span<const NamedFrame> frames() const { return frames_; }
  // Tree and fixed joints, each after its inboard joint.
  std::span<const JointId> outward_joints() const { return outward_joints_; }
  std::span<const ParameterDescription> parameters() const { return description_.parameters; }
  // Nominal parameters in the frames of the recursive algorithms (model/build/parameters.hpp).
  const ModelParameters<double>& numbers() const { return *numbers_; }
  // Gravitational acceleration in world axes [m/s^2].
  const Vec3<double>& gravity() const;
  // Nominal inertia of one body alone, about its own origin in its own axes.
  const Inertia<double>& inertia(BodyId body) const;
  const Description& description() const { return description_; }
  std::span<const Diagnostic> warnings() const { return warnings_; }

  std::optional<BodyId> find_body(std::string_view name) const;
  std::optional<JointId> find_joint(std::string_view name) const;
  std::optional<FrameId> find_frame(std::string_view name) const;
  const NamedBody& operator[](BodyId id) const { return named_bodies_[std::size_t(index(id))]; }
  const NamedJoint& operator[](JointId id) const { return joints_[std::size_t(index(id))]; }
  const NamedFrame& operator[](FrameId id) const { return frames_[std::size_t(index(id))]; }

  // The joint of q[k], or of v[k]: "elbow", or "wrist.qx" and "wrist.wx" of one with several.
  std::string coordinate_name(int k) const;
  std::string dof_name(int k) const;

  // Constraints of the tree besides its joints.
  std::span<const Closure> closures() const { return closures_; }
  std::span<const Rod> rods() const { return rods_; }
  std::span<const FrameConstraint> frame_constraints() const { return frame_constraints_; }
  std::span<const Wheel> wheels() const { return wheels_; }
  std::span<const Terrain> terrains() const { return terrains_; }  // as Description::terrains
  std::span<const Coupling> couplings() const { return couplings_; }
  bool has_constraints() const { return has_loops() || !couplings_.empty() || !wheels_.empty(); }
  // Constraints between bodies on positions that integration drifts away from: loop joints,
  // distances, points on curves.
  bool has_loops() const {
    return !closures_.empty() || !rods_.empty() || !frame_constraints_.empty();
  }
  // Names of all constraints.
  std::vector<std::string> constraint_names() const;
  // Number of coordinates and of degrees of freedom of all closures together.
  int loop_nq() const { return loop_nq_; }
  int loop_nv() const { return loop_nv_; }
  // Index of the closure made from a joint; -1 if the joint closes no loop.
  int closure_of(JointId joint) const;
  // Name of a degree of freedom of the closures, 0 <= k < loop_nv(): "foot" or "foot.slide".
  std::string closure_dof_name(int k) const;
  // Drive of a degree of freedom of the closures.
  Drive closure_drive(int dof) const { return closure_drives_[std::size_t(dof)]; }

  // Force elements between bodies, by kind in the order of force_element_lists(); the parameters of
  // each are in the list of numbers() of its kind.
  std::span<const ElementBodies> force_elements(std::size_t kind) const {
    return force_elements_[kind];
  }
  std::span<const ElementBodies> springs() const {
    return force_elements_[force_element_kind<SpringDescription>()];
  }
  std::span<const ElementBodies> contacts() const {
    return force_elements_[force_element_kind<ContactDescription>()];
  }
  // Also springs and friction of closures.
  bool has_force_elements() const { return has_force_elements_; }
  std::vector<std::string> force_element_names() const;
  // Number of continuous states of all force elements; they come first in State::z.
  int nz() const { return nz_; }

  bool has_passive_forces() const { return has_passive_forces_; }
  bool has_prescribed_joints() const { return has_prescribed_joints_; }  // drive motion or locked
  bool is_prescribed(int dof) const { return prescribed_[std::size_t(dof)] != Drive::none; }
  Drive prescription(int dof) const { return prescribed_[std::size_t(dof)]; }
  // Per degree of freedom: the next one toward ground; -1 at the end.
  std::span<const int> inboard_dofs() const { return inboard_dofs_; }
  // First indices of quaternions in q; their norm must be 1.
  std::span<const int> quaternion_starts() const { return quaternion_starts_; }
  // Bodies whose joint cannot have every position (position_fault of its type).
  std::span<const int> restricted_bodies() const { return restricted_bodies_; }
  // The same, or a loop joint is so.
  bool has_restricted_joints() const {
    return !restricted_bodies_.empty() || has_restricted_loops_;
  }
  // A length typical of the mechanism [m]: the mean distance of joints from their parents' joints.
  double characteristic_length() const { return characteristic_length_; }
  // Hash of the tree: equal for models whose trees are equal, body by body and joint by joint. A
  // workspace fits every model with the same hash.
  std::uint64_t tree_fingerprint() const { return tree_fingerprint_; }

  Model with_gravity(const Vec3<double>& gravity) const;

 private:
  friend class ModelBuilder;
  Description description_;
  std::vector<Body> bodies_;
  std::vector<NamedBody> named_bodies_;
  std::vector<NamedJoint> joints_;
  std::vector<NamedFrame> frames_;
  std::vector<JointId> outward_joints_;
  NameIndex body_names_, joint_names_, frame_names_;
  std::vector<Closure> closures_;
  std::vector<Rod> rods_;
  std::vector<FrameConstraint> frame_constraints_;
  std::vector<Wheel> wheels_;
  std::vector<Terrain> terrains_;
  std::vector<Coupling> couplings_;
  std::array<std::vector<ElementBodies>, force_element_kinds> force_elements_;
  std::vector<Drive> closure_drives_;  // per dof of the closures
  std::vector<Diagnostic> warnings_;
  std::vector<Drive> prescribed_;  // per dof: motion, locked, or none
  std::vector<int> quaternion_starts_, restricted_bodies_, inboard_dofs_;
  std::shared_ptr<const ModelParameters<double>> numbers_;
  double characteristic_length_ = 1;
  std::uint64_t tree_fingerprint_ = 0;
  bool has_passive_forces_ = false, has_prescribed_joints_ = false, has_restricted_loops_ = false,
       has_force_elements_ = false;
  int nq_ = 0, nv_ = 0, nz_ = 0, loop_nq_ = 0, loop_nv_ = 0;
};

}  // namespace trammel
