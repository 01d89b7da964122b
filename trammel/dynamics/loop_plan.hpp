#pragma once

#include <span>

namespace trammel {

// Where joints that close loops and are driven by motion are to stand, and how fast to go
// (closure_nv each, of the others any number). None: where they are, and as fast as they are.
struct LoopPlan {
  std::span<const double> q = {}, v = {};
};

}  // namespace trammel
