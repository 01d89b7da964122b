// A chain so long that nobody would write it down: is it built, does it answer, what does it take?
#pragma once

#include <string>

namespace bench {

// Of so many links that hang from ground: seconds to build the model, bytes a body of the model and
// of its workspace, seconds for inverse and for forward dynamics, and how far inverse dynamics of
// forward dynamics is from where it began, measured by the largest effort of holding the chain out.
std::string large_chain(long bodies);

}  // namespace bench
