#include "trammel/read/toml/joint_dofs.hpp"

#include "trammel/model/description/joint_table.hpp"

namespace trammel::toml {

DofDimensions dof_dimensions(const JointDescription& joint) {
  DofDimensions of;
  for (const DofKind kind : dof_kinds(joint)) {
    const bool is_turn = kind == DofKind::turn;
    of.position.push_back(is_turn ? dimension::angle : dimension::length);
    of.velocity.push_back(is_turn ? dimension::angular_velocity : dimension::velocity);
    of.effort.push_back(is_turn ? dimension::torque : dimension::force);
    of.stiffness.push_back(is_turn ? dimension::angular_stiffness : dimension::stiffness);
    of.damping.push_back(is_turn ? dimension::angular_damping : dimension::damping);
  }
  of.coordinate = of.position;
  if (has_quaternion(joint.kind)) {
    // four plain numbers in the place of three angles
    of.coordinate.erase(of.coordinate.begin(), of.coordinate.begin() + 3);
    of.coordinate.insert(of.coordinate.begin(), 4, dimension::none);
  }
  return of;
}

}  // namespace trammel::toml
