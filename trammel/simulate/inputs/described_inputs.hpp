// Inputs, controllers, motors and wrenches of a model's description, evaluated at the nominal
// parameters. Internal to this module.
#pragma once

#include <vector>

#include "trammel/model/model.hpp"
#include "trammel/simulate/inputs/simulation_inputs.hpp"

namespace trammel {

struct DrivenDof {
  int dof = 0;  // of the tree, or among those of all loop joints
  bool is_of_loop = false;
};

struct DescribedInput {
  DrivenDof driven;
  Signal signal;
};
// One per driven dof. Throws ModelError with all errors found.
std::vector<DescribedInput> described_inputs(const Model& model);

struct DescribedController {
  DrivenDof driven;
  PidGains gains;
  Signal target;
};
std::vector<DescribedController> described_controllers(const Model& model);

struct DescribedMotor {
  DrivenDof driven;
  MotorLimit limit;
};
// Motors with a limit.
std::vector<DescribedMotor> described_motors(const Model& model);

struct DescribedWrench {
  FrameRef at;
  Axes axes = Axes::world;
  std::array<Signal, 6> signals;
};
std::vector<DescribedWrench> described_wrenches(const Model& model);

}  // namespace trammel
