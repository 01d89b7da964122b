#pragma once

#include <span>

namespace trammel {

// Where joints that close loops and are driven by motion are to stand, and how fast to go
// (closure_nv each, of the others any number). A ball stands turned by a vector, axis times angle;
// a free body by that, and is moved by the three numbers after. None: where they are, and as fast
// as they are.
struct LoopPlan {
  std::span<const double> q = {}, v = {};
};

}  // namespace trammel
