// Backward differentiation formulas (BDF) of orders 1 to 5: CVODE of SUNDIALS, with weights for the
// error norm of this module, projected onto the constraints after every step. [Hindmarsh et al.
// 2005; Eich 1993]
#pragma once

#include "trammel/simulate/integrate/integrator.hpp"

namespace trammel {

// Remedy if this build has no SUNDIALS; empty if it has.
std::string bdf_lacks();
std::unique_ptr<Integrator> make_bdf(int size);

}  // namespace trammel
