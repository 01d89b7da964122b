// A model of the gallery, or of a file, written in the neutral text format of bench/robot.hpp.
#pragma once

#include <string>

namespace bench {

// Writes the tree and the loops of a model, and 16 states: at the start in motion and at rest, then
// displaced ones in motion, all closed by assembly; with random efforts. A universal joint becomes
// two revolute joints with a massless body between them. Throws where the format cannot express the
// model: other joints, loops, drives or forces, or redundant rows in space. Returns the number of
// degrees of freedom.
std::string write_robot_of_model(const std::string& model, const std::string& path);

}  // namespace bench
