// The inputs, controllers, motors and wrenches of a model's description, in numbers. For this room
// only.
#pragma once

#include <vector>

#include "trammel/model/model.hpp"
#include "trammel/simulate/drives.hpp"

namespace trammel {

struct DrivenFreedom {
  int freedom = 0;  // of the tree, or of all that closes loops
  bool is_of_loop = false;
};

struct DescribedInput {
  DrivenFreedom driven;
  Signal signal;
};
// One for each freedom that an input speaks of. Throws ModelError with everything that is wrong.
std::vector<DescribedInput> described_inputs(const Model& model);

struct DescribedController {
  DrivenFreedom driven;
  PidGains gains;
  Signal target;
};
std::vector<DescribedController> described_controllers(const Model& model);

struct DescribedMotor {
  DrivenFreedom driven;
  MotorLimit limit;
};
// Those that have a limit.
std::vector<DescribedMotor> described_motors(const Model& model);

struct DescribedWrench {
  At at;
  Axes axes = Axes::world;
  std::array<Signal, 6> signals;
};
std::vector<DescribedWrench> described_wrenches(const Model& model);

}  // namespace trammel
