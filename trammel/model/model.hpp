// A mechanism: bodies on a tree, with names and nominal values. Made by build_model, never changed
// after; share it between threads by const reference.
//
// Two lists of bodies. `bodies()` is what the sweeps walk: body 0 is ground, every other body hangs
// from its parent by exactly one joint and has a higher number than its parent, so counting up
// walks outward and counting down walks inward. `named_bodies()` is what the user said: bodies
// joined by a fixed joint are carried by one of the former and still answer by name.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/base/ids.hpp"
#include "trammel/base/status.hpp"
#include "trammel/joint/joint.hpp"
#include "trammel/model/description.hpp"
#include "trammel/model/name_index.hpp"
#include "trammel/model/numbers.hpp"
#include "trammel/model/terrain.hpp"
#include "trammel/scalar/dual.hpp"

namespace trammel {

struct Body {
  int parent = 0;
  int q_start = 0, v_start = 0;  // where its joint's coordinates and freedoms begin
  int constant_start = 0;        // where its joint's constants begin
  Joint joint;
  bool has_children = false, is_last_child = true;
  int v_end = 0;  // its joint's freedoms are v_start .. v_end - 1
  // Room for what a sweep hands on from body to body. A body and its last child never need theirs
  // at the same time: a branch takes one slot, which stays in the nearest cache.
  int slot = 0, parent_slot = 0;
};

struct NamedBody {
  std::string name;
  int carrier = 0;                 // the body of the tree it is part of
  std::optional<JointId> inboard;  // the joint it hangs from; none for ground
  Place place;
};

struct NamedJoint {
  enum class Role { tree, fixed, loop };
  std::string name;
  JointKind kind = JointKind::revolute;
  Role role = Role::tree;
  BodyId parent{}, child{};  // as the user said
  bool is_reversed = false;  // the tree walks it from child to parent
  int said = 0;              // which of Description::joints it is
  int body = -1;             // the body of the tree that it moves; -1 unless its role is tree
  int q_start = 0, nq = 0, v_start = 0, nv = 0;  // of a tree joint, in q and v
  Drive drive = Drive::none;
  BasicJointLimits<double> limits;               // at the nominal parameters
  Pose<double> X_PF = Pose<double>::identity();  // its frame on the parent, in the user's frame
  Pose<double> X_CM = Pose<double>::identity();  // its frame on the child, in the user's frame
  Place place;
};

struct NamedFrame {
  std::string name;
  BodyId body{};
};

// What holds two bodies of the tree together beside the tree's own joints: a joint that closes a
// loop, or a constraint between two places. A point is a ball joint, a weld a joint without
// freedoms (a compound of no steps). Its coordinates are answers, not part of q.
struct Closure {
  std::string name;              // as messages call it: "loop joint 'foot'", "constraint 'grip'"
  std::optional<JointId> named;  // the joint, if it is one
  BodyId parent{}, child{};
  Joint joint;
  int q_start = 0, v_start = 0;  // its coordinates and freedoms among those of all closures
  int constant_start = 0;        // in Numbers::constants
  Place place;
};
// Two points a given distance apart.
struct Rod {
  std::string name;  // "constraint 'rod'"
  BodyId parent{}, child{};
  Place place;
};
// What rolls or slides along on a floor: the plane through the origin of a frame, across its z.
struct Wheel {
  using Kind = WheelDescription::Kind;
  std::string name;          // "wheel 'left'"
  BodyId parent{}, child{};  // the floor, and what rolls on it
  Kind kind = Kind::conventional;
  bool touches = true;  // stays at its height above the floor; false: something else carries it
  Place place;
  int said = 0;      // which of Description::wheels it is
  int terrain = -1;  // which of Description::terrains it is on; -1: the floor is flat
  // At the nominal parameters: what the floor can hold sideways, as a part of the force up; the
  // radius of its rollers, 0 if that was not said.
  double friction = std::numeric_limits<double>::infinity(), roller_radius = 0;
  // A knife edge slides along, the rollers of an omni wheel let it go across their axes.
  bool rolls_every_way() const { return kind == Kind::conventional || kind == Kind::ball; }
  int rows() const { return (touches ? 1 : 0) + (rolls_every_way() ? 2 : 1); }
};
// A spring and damper between two points.
struct Spring {
  std::string name;  // "spring 'strut'"
  BodyId parent{}, child{};
  Place place;
};
// A ball that may touch a floor and is pushed back.
struct Contact {
  std::string name;          // "contact 'toe'"
  BodyId parent{}, child{};  // the floor, and what may touch it
  Place place;
};
// The sum of factor times coordinate is an offset.
struct Coupling {
  // A coordinate of the tree: q[q], v[v]; or, of a closure, q and v count from its first.
  struct Term {
    int closure = -1;  // -1: the tree's
    int q = 0, v = 0;
  };
  std::string name;  // "coupling 'gears'"
  std::vector<Term> terms;
  int factor_start = 0;  // in Numbers::coupling_factors
  Place place;
};

class Model {
 public:
  const std::string& name() const { return description_.name; }
  int nq() const { return nq_; }  // length of a position
  int nv() const { return nv_; }  // length of a velocity

  std::span<const Body> bodies() const { return bodies_; }                   // [0] is ground
  std::span<const NamedBody> named_bodies() const { return named_bodies_; }  // [0] is ground
  std::span<const NamedJoint> joints() const { return joints_; }  // tree joints in order of q first
  std::span<const NamedFrame> frames() const { return frames_; }
  // Tree and fixed joints, each after the one that carries it.
  std::span<const JointId> outward_joints() const { return outward_joints_; }
  std::span<const ParameterDescription> parameters() const { return description_.parameters; }
  const Numbers<double>& numbers() const { return numbers_; }
  const Description& description() const { return description_; }
  std::span<const Diagnostic> warnings() const { return warnings_; }

  std::optional<BodyId> find_body(std::string_view name) const;
  std::optional<JointId> find_joint(std::string_view name) const;
  std::optional<FrameId> find_frame(std::string_view name) const;
  const NamedBody& operator[](BodyId id) const { return named_bodies_[std::size_t(index(id))]; }
  const NamedJoint& operator[](JointId id) const { return joints_[std::size_t(index(id))]; }
  const NamedFrame& operator[](FrameId id) const { return frames_[std::size_t(index(id))]; }

  // The joint whose coordinate q[k], or whose freedom v[k], this is; "elbow" or "wrist[2]".
  std::string coordinate_name(int k) const;
  std::string freedom_name(int k) const;

  // What holds the tree together beside its joints.
  std::span<const Closure> closures() const { return closures_; }
  std::span<const Rod> rods() const { return rods_; }
  std::span<const Wheel> wheels() const { return wheels_; }
  std::span<const Terrain> terrains() const { return terrains_; }  // as Description::terrains
  std::span<const Coupling> couplings() const { return couplings_; }
  bool has_constraints() const {
    return !closures_.empty() || !rods_.empty() || !couplings_.empty() || !wheels_.empty();
  }
  // Those, by name.
  std::vector<std::string> constraint_names() const;
  // How many coordinates and freedoms the closures have together.
  int closure_nq() const { return closure_nq_; }
  int closure_nv() const { return closure_nv_; }
  // The closure that a joint is, -1 if it closes no loop.
  int closure_of(JointId joint) const;
  // The name of one of the closures' freedoms, 0 <= k < closure_nv(): "foot" or "foot[1]".
  std::string closure_freedom_name(int k) const;
  // Who decides how one of the closures' freedoms moves.
  Drive closure_drive(int freedom) const { return closure_drives_[std::size_t(freedom)]; }

  // What pulls and pushes between bodies: springs between points, contacts, and springs and
  // friction of closures.
  std::span<const Spring> springs() const { return springs_; }
  std::span<const Contact> contacts() const { return contacts_; }
  bool has_force_elements() const {
    return !springs_.empty() || !contacts_.empty() || !numbers_.closure_passive.empty();
  }
  std::vector<std::string> force_element_names() const;

  bool has_passive_forces() const { return !numbers_.passive.empty(); }
  bool has_prescribed_joints() const { return has_prescribed_joints_; }  // drive motion or locked
  bool is_prescribed(int freedom) const { return prescribed_[std::size_t(freedom)] != Drive::none; }
  Drive prescription(int freedom) const { return prescribed_[std::size_t(freedom)]; }
  // Per freedom: the next one on the way to ground, none (-1) at the end.
  std::span<const int> inboard_freedoms() const { return inboard_freedoms_; }
  // Where quaternions begin in q: they must have length 1.
  std::span<const int> quaternion_starts() const { return quaternion_starts_; }
  // A length typical of the mechanism [m]: the mean distance of joints from their parents' joints.
  double characteristic_length() const { return characteristic_length_; }
  // The same for models whose trees are the same, body by body and joint by joint: what a workspace
  // is made for.
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
  std::vector<Wheel> wheels_;
  std::vector<Terrain> terrains_;
  std::vector<Coupling> couplings_;
  std::vector<Spring> springs_;
  std::vector<Contact> contacts_;
  std::vector<Drive> closure_drives_;  // per freedom of the closures
  std::vector<Diagnostic> warnings_;
  std::vector<Drive> prescribed_;  // per freedom: motion, locked, or none
  std::vector<int> quaternion_starts_, inboard_freedoms_;
  Numbers<double> numbers_;
  double characteristic_length_ = 1;
  std::uint64_t tree_fingerprint_ = 0;
  bool has_prescribed_joints_ = false;
  int nq_ = 0, nv_ = 0, closure_nq_ = 0, closure_nv_ = 0;
};

// Walk the tree, calling visit(i, body, joint) with the joint's own type. Neighbours of one kind
// share a loop, so a chain of revolutes pays for one dispatch, not for one a body.
//
// For plain numbers everything called inside is inlined into the loop (flatten): a sweep is made of
// many small functions, and gcc left to itself calls them. Symbols and slopes would only compile
// longer, and sanitizers would drown in what they add to every access.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
template <Scalar S> inline constexpr bool is_inlined_whole = false;
#else
template <Scalar S> inline constexpr bool is_inlined_whole = true;
template <int N> inline constexpr bool is_inlined_whole<Dual<N>> = false;
template <> inline constexpr bool is_inlined_whole<Expr> = false;
#endif

// One run of neighbours of the kind that `joint` is.
template <class Run> struct InlinedRun {
  const Run& run;
  int& i;
  template <class J> [[gnu::flatten]] void operator()(const J&) const {
    run.template operator()<J>(i);
  }
};
template <Scalar S, class Run> void walk_run(const Run& run, const Joint& joint, int& i) {
  if constexpr (is_inlined_whole<S>)
    std::visit(InlinedRun<Run>{run, i}, joint);
  else
    std::visit([&]<class J>(const J&) { run.template operator()<J>(i); }, joint);
}

inline BodyRun all_bodies(const Model& model) { return {1, int(model.bodies().size()) - 1}; }

// Some of them, run after run; or all.
template <Scalar S, class Visit>
void outward(const Model& model, std::span<const BodyRun> runs, Visit&& visit) {
  const Body* const bodies = model.bodies().data();
  for (const BodyRun& some : runs) {
    const int n = some.end();
    const auto run = [&]<class J>(int& i) {
      do visit(i, bodies[i], *std::get_if<J>(&bodies[i].joint));
      while (++i < n && std::holds_alternative<J>(bodies[i].joint));
    };
    for (int i = some.first; i < n;) walk_run<S>(run, bodies[i].joint, i);
  }
}
template <Scalar S, class Visit> void outward(const Model& model, Visit&& visit) {
  const BodyRun all = all_bodies(model);
  outward<S>(model, {&all, 1}, visit);
}
template <Scalar S, class Visit>
void inward(const Model& model, std::span<const BodyRun> runs, Visit&& visit) {
  const Body* const bodies = model.bodies().data();
  for (std::size_t k = runs.size(); k-- > 0;) {
    const int first = runs[k].first;
    const auto run = [&]<class J>(int& i) {
      do visit(i, bodies[i], *std::get_if<J>(&bodies[i].joint));
      while (--i >= first && std::holds_alternative<J>(bodies[i].joint));
    };
    for (int i = runs[k].end() - 1; i >= first;) walk_run<S>(run, bodies[i].joint, i);
  }
}
template <Scalar S, class Visit> void inward(const Model& model, Visit&& visit) {
  const BodyRun all = all_bodies(model);
  inward<S>(model, {&all, 1}, visit);
}

}  // namespace trammel
