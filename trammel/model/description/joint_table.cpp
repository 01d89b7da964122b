#include "trammel/model/description/joint_table.hpp"

#include "trammel/model/description/frames.hpp"

namespace trammel {

std::vector<DofKind> dof_kinds(const JointDescription& joint) {
  const JointTraits of = traits(joint.kind);
  std::vector<DofKind> kinds(of.dofs.kind.begin(), of.dofs.kind.begin() + of.dofs.count);
  if (of.axes == JointAxes::per_motion)
    for (const JointStep& step : joint.options.motions) kinds.push_back(step.kind);
  return kinds;
}

int dofs(const JointDescription& joint) {
  const JointTraits of = traits(joint.kind);
  return of.axes == JointAxes::per_motion ? int(joint.options.motions.size()) : of.dofs.count;
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

Joint joint_table::free_joint(const JointDescription&, bool is_reversed) {
  return is_reversed ? Joint(FreeFromAfar{}) : Joint(Free{});
}

Joint joint_table::compound(const JointDescription& joint, bool is_reversed) {
  TRAMMEL_EXPECTS(joint.options.motions.size() <= 6);
  Compound compound;
  for (const JointStep& step : joint.options.motions)
    compound.step[compound.count++] = step_of(step);
  compound.reversed = is_reversed;
  return compound;
}

Joint make_joint(const JointDescription& joint, bool is_reversed) {
  const JointTraits of = traits(joint.kind);
  TRAMMEL_EXPECTS(of.make != nullptr);
  return of.make(joint, is_reversed);
}

int constant_count(const Joint& joint) {
  return std::visit([](const auto& j) { return constant_count(j); }, joint);
}

bool is_restricted(const Joint& joint) {
  return std::visit(
      [](const auto& j) {
        return requires(const double* q) { j.position_fault(q); };
      },
      joint);
}
const char* position_fault(const Joint& joint, const double* q) {
  return std::visit([&](const auto& j) { return position_fault(j, q); }, joint);
}

}  // namespace trammel
