// Uncontrollable modes of x' = A x + B u, by the test of Popov, Belevitch and Hautus (PBH): for an
// eigenvalue of A, all left eigenvectors w with
//
//   w^T A = eigenvalue w^T ,   w^T B = 0 .
//
// Then w^T x evolves as exp(eigenvalue t) for any input.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

namespace trammel {

struct UncontrollableMode {
  std::complex<double> eigenvalue;  // of a conjugate pair, the one with positive imaginary part
  Eigen::VectorXcd of;              // w: one entry per state, the largest is 1
  enum class Verdict {
    decays,  // by itself
    grows,   // no feedback makes the state stable
    // Constant, because the constraints of wheels and knife edges exclude this direction at rest;
    // only maneuvers reach it. No smooth feedback makes the state asymptotically stable [Brockett
    // 1983; Bloch, Reyhanoglu, McClamroch 1992].
    forbidden,
    // Constant or oscillating without decay, to first order.
    stays
  };
  Verdict verdict = Verdict::stays;
  std::string name;  // w^T x, large terms only: "q.base.y - 0.025 q.left - 0.025 q.right"
};
// "decays by itself", "cannot be stabilized by smooth feedback: ...".
std::string to_string(UncontrollableMode::Verdict verdict);

// `positions`: number of states that are positions; they come first. `is_at_rest`: the state is an
// equilibrium with zero velocities. `eigenvalues`: all of A, in any order. Each independent w once.
std::vector<UncontrollableMode> uncontrollable_modes(const Eigen::MatrixXd& A,
                                                     const Eigen::MatrixXd& B,
                                                     const Eigen::VectorXcd& eigenvalues,
                                                     int positions, bool is_at_rest,
                                                     const std::vector<std::string>& states);

}  // namespace trammel
