// Which motions near a state does no input reach? By the test of Popov, Belevitch and Hautus: for
// an eigenvalue of A, all w with
//
//   w^T A = eigenvalue w^T ,   w^T B = 0 .
//
// Then w^T x goes as exp(eigenvalue t), whatever the inputs do.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

namespace trammel {

struct UnreachedMode {
  std::complex<double> eigenvalue;  // of a pair, the one that swings forward
  Eigen::VectorXcd of;              // w: one entry a state, the largest 1
  enum class Verdict {
    decays,  // by itself
    grows,   // and nothing holds it: no feedback makes the state stable
    // It stays where it is because rows of wheels and knife edges forbid this way at rest, and only
    // turns and returns come round to it: no smooth feedback makes the state asymptotically stable
    // [Brockett 1983; Bloch, Reyhanoglu, McClamroch 1992].
    forbidden,
    // It stays or swings for ever, as far as motions to first order tell.
    stays
  };
  Verdict verdict = Verdict::stays;
  std::string name;  // w^T x with what is large in it: "q.base[1] - 0.025 q.left - 0.025 q.right"
};
// "decays by itself", "cannot be stabilised by smooth feedback: ...".
std::string to_string(UnreachedMode::Verdict verdict);

// `positions`: how many of the states are positions, the first ones. `is_at_rest`: the state is an
// equilibrium without velocities. `eigenvalues`: all of A, in any order. Each independent w once.
std::vector<UnreachedMode> unreached_modes(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                           const Eigen::VectorXcd& eigenvalues, int positions,
                                           bool is_at_rest, const std::vector<std::string>& states);

}  // namespace trammel
