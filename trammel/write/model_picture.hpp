// A model in one picture: who carries whom, and a stick figure beside it.
#pragma once

#include <string>

#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

// One SVG document: the tree of bodies and joints, cut joints dashed; without kinematics (a state
// that no question answers for) only the tree.
std::string model_picture(const Model& model, const Kinematics* kinematics);

}  // namespace trammel
