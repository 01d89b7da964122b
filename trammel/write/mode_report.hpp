// A mode of small motions, large enough to be seen.
#pragma once

#include <Eigen/Core>
#include <complex>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/write/report.hpp"

namespace trammel {

// How the mechanism moves in one mode about a state: q [+] Re(shape exp(eigenvalue t)), loops kept
// closed; `shape` has an entry for each freedom (nv). The largest turn is drawn as 0.3 rad, the
// largest slide as 0.3 characteristic lengths, whichever is reached first. Two periods, or three
// time constants of what does not swing. Throws std::invalid_argument for a shape of another size,
// and for an eigenvalue of 0, which does not move by itself.
[[nodiscard]] MotionReport mode_report(const Model& model, const State& state,
                                       const Eigen::VectorXcd& shape,
                                       std::complex<double> eigenvalue, Workspace& workspace);

}  // namespace trammel
