// The joint table: one row per JointKind with everything that files, checks and the builder must
// know of it. The mechanics of a joint (pose, motion subspace, bias, loop rows) are in its struct,
// in trammel/joint/. A kind without a row does not compile; names in the schema, in Python and in
// the docs are compared with the table by tests/unit/model/joint_table_test.cpp.
#pragma once

#include <array>
#include <initializer_list>
#include <vector>

#include "trammel/joint/joint.hpp"
#include "trammel/model/description/description.hpp"

namespace trammel {

// Axes that a joint of the kind has in a file, in the joint's frame.
enum class JointAxes {
  none,
  one,        // `axis`; the joint's own z
  two,        // `axis` and `axis2`, perpendicular; its own z and x
  per_motion  // one for each of its `motions`
};

// Rotations and translations of the entries of v.
struct DofKinds {
  std::array<DofKind, 6> kind = {};
  int count = 0;
  constexpr DofKinds(std::initializer_list<DofKind> kinds = {}) {
    for (const DofKind each : kinds) kind[std::size_t(count++)] = each;
  }
};

struct JointTraits {
  const char* name = nullptr;  // in files, in Python and in messages
  DofKinds dofs = {};          // empty for per_motion: its motions
  JointAxes axes = JointAxes::none;
  bool has_quaternion = false;  // rotates about a point; four coordinates for three dof
  bool has_pitch = false;
  // After its axis is rotated to z, the joint traversed from child to parent is the same joint with
  // the axis flipped; otherwise its struct has a form with parent and child exchanged.
  bool flips_when_reversed = false;
  const char* urdf = nullptr;       // type of a <joint>; null: none
  const char* urdf_loop = nullptr;  // type of a <loop> of URDF+; null: none
  bool is_chain = false;            // equal to one-dof joints in series, as URDF writes it
  // The struct of the recursive algorithms. A fixed joint is merged into its body there; as a loop
  // joint it is a compound joint without motions.
  Joint (*make)(const JointDescription&, bool is_reversed) = nullptr;
};

namespace joint_table {

template <class J> Joint plain(const JointDescription&, bool) { return J{}; }
template <class J> Joint reversible(const JointDescription&, bool is_reversed) {
  J joint;
  joint.reversed = is_reversed;
  return joint;
}
Joint free_joint(const JointDescription& joint, bool is_reversed);
Joint compound(const JointDescription& joint, bool is_reversed);

}  // namespace joint_table

// The table. Every case is a row; there is no default, so that the compiler reports a missing one.
constexpr JointTraits traits(JointKind kind) {
  using namespace joint_table;
  using enum JointStep::Kind;
  switch (kind) {
    case JointKind::fixed:
      return {.name = "fixed", .urdf = "fixed", .urdf_loop = "fixed", .make = plain<Compound>};
    case JointKind::revolute:
      return {.name = "revolute",
              .dofs = {turn},
              .axes = JointAxes::one,
              .flips_when_reversed = true,
              .urdf = "revolute",
              .urdf_loop = "revolute",
              .is_chain = true,
              .make = plain<Revolute>};
    case JointKind::prismatic:
      return {.name = "prismatic",
              .dofs = {slide},
              .axes = JointAxes::one,
              .flips_when_reversed = true,
              .urdf = "prismatic",
              .urdf_loop = "prismatic",
              .is_chain = true,
              .make = plain<Prismatic>};
    case JointKind::screw:
      return {.name = "screw",
              .dofs = {turn},  // its coordinate is the angle
              .axes = JointAxes::one,
              .has_pitch = true,
              .flips_when_reversed = true,
              .make = plain<Screw>};
    case JointKind::cylindrical:
      return {.name = "cylindrical",
              .dofs = {turn, slide},
              .axes = JointAxes::one,
              .flips_when_reversed = true,
              .is_chain = true,
              .make = plain<Cylindrical>};
    case JointKind::universal:
      return {.name = "universal",
              .dofs = {turn, turn},
              .axes = JointAxes::two,
              .is_chain = true,
              .make = reversible<Universal>};
    case JointKind::spherical:
      return {.name = "spherical",
              .dofs = {turn, turn, turn},
              .has_quaternion = true,
              .urdf_loop = "spherical",
              .make = reversible<Spherical>};
    case JointKind::planar:
      return {.name = "planar",
              .dofs = {slide, slide, turn},
              .axes = JointAxes::one,
              .urdf = "planar",
              .urdf_loop = "planar",
              .is_chain = true,
              .make = reversible<Planar>};
    case JointKind::free:
      return {.name = "free",
              .dofs = {turn, turn, turn, slide, slide, slide},
              .has_quaternion = true,
              .urdf = "floating",
              .make = free_joint};
    case JointKind::compound:
      return {
          .name = "compound", .axes = JointAxes::per_motion, .is_chain = true, .make = compound};
    case JointKind::constant_velocity:
      return {.name = "constant_velocity",
              .dofs = {turn, turn},
              .axes = JointAxes::one,
              .make = reversible<ConstantVelocity>};
    case JointKind::plunging_constant_velocity:
      return {.name = "plunging_constant_velocity",
              .dofs = {turn, turn, slide},
              .axes = JointAxes::one,
              .make = [](const JointDescription&, bool is_reversed) -> Joint {
                return ConstantVelocity{.plunges = true, .reversed = is_reversed};
              }};
  }
  return {};
}

// All kinds, in the order of the enumeration.
inline constexpr int joint_kind_count = [] {
  int count = 0;
  while (traits(JointKind(count)).name) ++count;
  return count;
}();
inline constexpr std::array<JointKind, std::size_t(joint_kind_count)> joint_kinds = [] {
  std::array<JointKind, std::size_t(joint_kind_count)> kinds{};
  for (int k = 0; k < joint_kind_count; ++k) kinds[std::size_t(k)] = JointKind(k);
  return kinds;
}();

constexpr bool has_quaternion(JointKind kind) { return traits(kind).has_quaternion; }

// Rotation or translation of each degree of freedom of one joint.
std::vector<DofKind> dof_kinds(const JointDescription& joint);
int dofs(const JointDescription& joint);
int coordinates(const JointDescription& joint);

// The code of a step; a step is axis-aligned only if its axis is exactly x, y or z for all
// parameters.
Compound::Step step_of(const JointStep& step);

Joint make_joint(const JointDescription& joint, bool is_reversed);
int constant_count(const Joint& joint);

// Whether some positions are not possible; why q is one of them, or null.
bool is_restricted(const Joint& joint);
const char* position_fault(const Joint& joint, const double* q);

}  // namespace trammel
