// Animation of a vibration mode, magnified.
#pragma once

#include <Eigen/Core>
#include <complex>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/write/report/report.hpp"

namespace trammel {

// Motion of the mechanism in one mode about a state: q [+] Re(shape exp(eigenvalue t)), projected
// onto the loop constraints; `shape` has one entry per degree of freedom (nv). The largest rotation
// is drawn as 0.3 rad, the largest translation as 0.3 characteristic lengths, whichever is reached
// first. Two periods, or three time constants of a mode without oscillation. Throws
// std::invalid_argument for a shape of another size, and for an eigenvalue of 0, which has no
// motion of its own.
[[nodiscard]] MotionReport mode_report(const Model& model, const State& state,
                                       const Eigen::VectorXcd& shape,
                                       std::complex<double> eigenvalue, Workspace& workspace);

}  // namespace trammel
