// Labels of the coordinates and degrees of freedom of a joint with several, as in "base.qw" and
// "quill.slide".
#pragma once

#include <string>
#include <string_view>

#include "trammel/model/description/description.hpp"

namespace trammel {

// "qw" "qx" "qy" "qz" "x" "y" "z" are coordinates of a free joint, "wx" "wy" "wz" "vx" "vy" "vz"
// its degrees of freedom; a spherical joint has the rotational ones. Others: "turn" and "slide",
// numbered from 1 where there are several; "x" and "y" of a planar joint with the axis z; "bend1",
// "bend2" of a constant-velocity joint. Empty for a joint with one degree of freedom.
std::string coordinate_label(const JointDescription& joint, int k);
std::string dof_label(const JointDescription& joint, int k);
// The coordinate or degree of freedom with this label; -1: none.
int index_of_label(const JointDescription& joint, std::string_view label);
// "elbow", "wrist.qx"
std::string name_with_label(const std::string& joint, const std::string& label);

// A point constraint that closes a loop is a spherical joint.
inline JointDescription point_as_joint() {
  JointDescription joint;
  joint.kind = JointKind::spherical;
  return joint;
}

}  // namespace trammel
