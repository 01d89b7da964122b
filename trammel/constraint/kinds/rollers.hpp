// Passive rollers of omni wheels: rotation rates and accelerations [Saha 1991, S-39].
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Names of the omni wheels whose roller radius is given.
std::vector<std::string> roller_names(const Model& model);

// Rates of the rollers in contact about their axes [rad/s], in the order of roller_names.
// Cost O(bodies).
[[nodiscard]] Status roller_rates(const Model& model, const State& state, Workspace& workspace,
                                  Eigen::VectorXd& out);
// Accelerations of these rollers for the joint accelerations inputs.a [rad/s^2].
[[nodiscard]] Status roller_accelerations(const Model& model, const State& state,
                                          const Inputs& inputs, Workspace& workspace,
                                          Eigen::VectorXd& out);

}  // namespace trammel
