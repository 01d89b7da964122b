// A very long hanging chain: time and memory to build it and to compute its dynamics.
#pragma once

#include <string>

namespace bench {

// For a chain with this number of links, hanging from ground: seconds to build the model, bytes per
// body of the model and of its workspace, seconds for inverse and for forward dynamics, and the
// error of inverse dynamics after forward dynamics, relative to the largest effort that supports
// the chain horizontally.
std::string large_chain(long bodies);

}  // namespace bench
