// Physical dimensions of the numbers of a joint, per degree of freedom.
#pragma once

#include <vector>

#include "trammel/model/description/description.hpp"
#include "trammel/read/toml/number.hpp"

namespace trammel::toml {

struct DofDimensions {
  std::vector<Expected> coordinate;  // of q: a quaternion is four plain numbers
  // per degree of freedom
  std::vector<Expected> position, velocity, effort, stiffness, damping;
};
DofDimensions dof_dimensions(const JointDescription& joint);

}  // namespace trammel::toml
