// Picture of a model: the tree of its bodies, and a stick figure next to it.
#pragma once

#include <string>

#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

// One SVG document: the tree of bodies and joints, cut joints dashed; without kinematics (if they
// cannot be computed at the state) only the tree.
std::string model_picture(const Model& model, const Kinematics* kinematics);

}  // namespace trammel
