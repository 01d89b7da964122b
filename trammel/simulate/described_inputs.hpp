// The inputs of a model's description as signals. For this room only.
#pragma once

#include <vector>

#include "trammel/model/model.hpp"
#include "trammel/simulate/signal.hpp"

namespace trammel {

struct DescribedInput {
  int freedom = 0;  // of the tree, or of all that closes loops
  bool is_of_loop = false;
  Signal signal;
};
// One for each freedom that an input speaks of. Throws ModelError with everything that is wrong.
std::vector<DescribedInput> described_inputs(const Model& model);

}  // namespace trammel
