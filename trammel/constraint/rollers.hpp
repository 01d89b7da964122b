// The rollers of omni wheels, which nobody drives [seed 001, S-39].
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Of which wheels: those with rollers whose radius was said.
std::vector<std::string> roller_names(const Model& model);

// How fast do the rollers that touch turn about their axes [rad/s]? In the order of the names.
// Cost O(bodies).
[[nodiscard]] Status roller_rates(const Model& model, const State& state, Workspace& workspace,
                                  Eigen::VectorXd& out);
// And how do these rates change when all joints accelerate as inputs.a says [rad/s^2]?
[[nodiscard]] Status roller_accelerations(const Model& model, const State& state,
                                          const Inputs& inputs, Workspace& workspace,
                                          Eigen::VectorXd& out);

}  // namespace trammel
