#include "trammel/model/build/joint_kinds.hpp"

#include "trammel/model/description/frames.hpp"

namespace trammel {

int dofs(const JointDescription& joint) {
  switch (joint.kind) {
    case JointKind::fixed: return 0;
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::screw: return 1;
    case JointKind::cylindrical:
    case JointKind::universal: return 2;
    case JointKind::spherical:
    case JointKind::planar: return 3;
    case JointKind::free: return 6;
    case JointKind::compound: return int(joint.options.motions.size());
  }
  return 0;
}

int coordinates(const JointDescription& joint) {
  return dofs(joint) + (has_quaternion(joint.kind) ? 1 : 0);
}

Compound::Step step_of(const JointStep& step) {
  using Step = Compound::Step;
  const bool is_turn = step.kind == JointStep::Kind::turn;
  const Vec3<Expr>& axis = step.axis;
  if (!is_constant(axis)) return is_turn ? Step::turn_oblique : Step::slide_oblique;

  const double x = axis.x.constant(), y = axis.y.constant(), z = axis.z.constant();
  if (x > 0 && y == 0 && z == 0) return is_turn ? Step::turn_x : Step::slide_x;
  if (x == 0 && y > 0 && z == 0) return is_turn ? Step::turn_y : Step::slide_y;
  if (x == 0 && y == 0 && z > 0) return is_turn ? Step::turn_z : Step::slide_z;
  return is_turn ? Step::turn_oblique : Step::slide_oblique;
}

namespace {

Compound make_compound(const JointDescription& joint) {
  TRAMMEL_EXPECTS(joint.options.motions.size() <= 6);
  Compound compound;
  for (const JointStep& step : joint.options.motions)
    compound.step[compound.count++] = step_of(step);
  return compound;
}

template <class J> J seen(J joint, bool is_reversed) {
  joint.reversed = is_reversed;
  return joint;
}

}  // namespace

Joint make_joint(const JointDescription& joint, bool is_reversed) {
  TRAMMEL_EXPECTS(joint.kind != JointKind::fixed);
  switch (joint.kind) {
    case JointKind::prismatic: return Prismatic{};
    case JointKind::screw: return Screw{};
    case JointKind::cylindrical: return Cylindrical{};
    case JointKind::universal: return seen(Universal{}, is_reversed);
    case JointKind::spherical: return seen(Spherical{}, is_reversed);
    case JointKind::planar: return seen(Planar{}, is_reversed);
    case JointKind::free: return is_reversed ? Joint(FreeFromAfar{}) : Joint(Free{});
    case JointKind::compound: return seen(make_compound(joint), is_reversed);
    default: return Revolute{};
  }
}

int constant_count(const Joint& joint) {
  if (std::holds_alternative<Screw>(joint)) return 1;
  const Compound* compound = std::get_if<Compound>(&joint);
  int count = 0;
  if (compound)
    for (int k = 0; k < compound->count; ++k) count += is_oblique(compound->step[k]) ? 3 : 0;
  return count;
}

}  // namespace trammel
