// Units of the entries of q, v, a and tau.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/model.hpp"

namespace trammel {

// Rotation or translation of each entry of v.
std::vector<DofKind> dof_kinds(const Model& model);

// One unit per entry. Entries of quaternions have none: "1".
std::vector<std::string> position_units(const Model& model);      // rad, m
std::vector<std::string> velocity_units(const Model& model);      // rad/s, m/s
std::vector<std::string> acceleration_units(const Model& model);  // rad/s^2, m/s^2
std::vector<std::string> effort_units(const Model& model);        // N m, N

// The same for loop closures, whose coordinates are not part of q.
std::vector<std::string> loop_position_units(const Model& model);
std::vector<std::string> loop_velocity_units(const Model& model);
std::vector<std::string> loop_acceleration_units(const Model& model);
std::vector<std::string> loop_effort_units(const Model& model);

}  // namespace trammel
