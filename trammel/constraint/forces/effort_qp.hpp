// Weighted minimum-norm quadratic program (QP) with equality constraints and bounds.
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
  bool computes_lacking = true;            // compute `lacking` by bisection: many solves
};

struct EffortQp {
  enum class Verdict {
    found,
    exceeds_limits,  // infeasible within the limits: see lacking
    out_of_reach     // A effort = needed has no solution: see unreached
  };
  Verdict verdict = Verdict::found;
  // If beyond limits: the solution with every limit moved out by `lacking`; without limits if
  // computes_lacking is false.
  Eigen::VectorXd effort;
  std::vector<int> at_lower, at_upper;
  double lacking = 0;                    // smallest amount by which all limits must be moved out
  Eigen::VectorXd uncontrollable_modes;  // part of `needed` outside the range of A
};

// Dual active-set method of Goldfarb and Idnani (1983): starts from the minimum-norm solution
// without limits, found by one orthogonal decomposition, and adds violated limits one at a time;
// finite. Dense: meant for some tens of efforts.
EffortQp effort_qp(const EffortProblem& problem);

}  // namespace trammel
