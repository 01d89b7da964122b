// The least efforts that together do what is needed, each within its limits.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace trammel {

//   minimise sum of weight_k effort_k^2  subject to  A effort = needed,  lower <= effort <= upper
struct EffortProblem {
  Eigen::MatrixXd A;
  Eigen::VectorXd needed;
  Eigen::VectorXd weights = {};            // above zero; empty: all one
  Eigen::VectorXd lower = {}, upper = {};  // empty: none; may be infinite
  bool tells_lacking = true;               // which takes many solves
};

struct LeastEffort {
  enum class Verdict {
    found,
    beyond_limits,  // some effort would have to be larger: see lacking
    out_of_reach    // no efforts, however large: see unreached
  };
  Verdict verdict = Verdict::found;
  // If beyond limits: with every limit moved out by `lacking`; without any, where that is not told.
  Eigen::VectorXd effort;
  std::vector<int> at_lower, at_upper;
  double lacking = 0;         // by which all limits would have to be moved out, at least
  Eigen::VectorXd unreached;  // of `needed`: what no effort does
};

// By the dual active-set method of Goldfarb and Idnani (1983): from the least efforts without
// limits, limit after limit, in finitely many steps; without limits, by one orthogonal
// decomposition. Dense: meant for some tens of efforts.
LeastEffort least_effort(const EffortProblem& problem);

}  // namespace trammel
