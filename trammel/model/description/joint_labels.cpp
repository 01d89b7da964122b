#include "trammel/model/description/joint_labels.hpp"

#include <algorithm>

#include "trammel/model/description/frames.hpp"
#include "trammel/model/description/joint_table.hpp"

namespace trammel {

std::string dof_label(const JointDescription& joint, int k) {
  const std::vector<DofKind> kinds = dof_kinds(joint);
  TRAMMEL_EXPECTS(k >= 0 && k < int(kinds.size()));
  if (kinds.size() == 1) return {};
  constexpr const char* twist[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
  if (has_quaternion(joint.kind)) return twist[k];
  const Vec3<Expr>& axis = joint.options.axis;
  const bool is_level = is_constant(axis) && axis.x.constant() == 0 && axis.y.constant() == 0 &&
                        axis.z.constant() > 0;
  if (joint.kind == JointKind::planar && is_level && k < 2) return k == 0 ? "x" : "y";
  const DofKind kind = kinds[std::size_t(k)];
  const bool bends = joint.kind == JointKind::constant_velocity ||
                     joint.kind == JointKind::plunging_constant_velocity;
  const std::string word = kind == DofKind::slide ? "slide" : bends ? "bend" : "turn";
  if (std::ranges::count(kinds, kind) == 1) return word;
  return word + std::to_string(1 + std::count(kinds.begin(), kinds.begin() + k, kind));
}

std::string coordinate_label(const JointDescription& joint, int k) {
  constexpr const char* pose[] = {"qw", "qx", "qy", "qz", "x", "y", "z"};
  return has_quaternion(joint.kind) ? pose[k] : dof_label(joint, k);
}

int index_of_label(const JointDescription& joint, std::string_view label) {
  for (int k = 0; k < coordinates(joint); ++k)
    if (coordinate_label(joint, k) == label) return k;
  for (int k = 0; k < dofs(joint); ++k)
    if (dof_label(joint, k) == label) return k;
  return -1;
}

std::string name_with_label(const std::string& joint, const std::string& label) {
  return label.empty() ? joint : joint + "." + label;
}

}  // namespace trammel
