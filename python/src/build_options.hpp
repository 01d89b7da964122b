// strict and allow_nonphysical of load and build_model.
#pragma once

#include <stdexcept>

#include "trammel/model/build/builder.hpp"

namespace trammel::python {

inline BuildOptions to_build_options(bool strict, bool allow_nonphysical) {
  if (strict && allow_nonphysical)
    throw std::invalid_argument(
        "strict and allow_nonphysical contradict each other; leave one out");
  return {.strict = strict, .allow_nonphysical = allow_nonphysical};
}

}  // namespace trammel::python
