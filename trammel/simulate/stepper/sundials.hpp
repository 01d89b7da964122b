// Backward differences of orders 1 to 5 by CVODE of SUNDIALS, in our norm, brought back onto the
// loops after every step by its projection.
// [Hindmarsh et al.: SUNDIALS, 2005; Eich: Convergence results for a coordinate projection method,
// 1993]
#pragma once

#include "trammel/simulate/stepper.hpp"

namespace trammel {

// What to do where this build has no SUNDIALS; empty: it has.
std::string bdf_lacks();
std::unique_ptr<Stepper> make_bdf(int size);

}  // namespace trammel
