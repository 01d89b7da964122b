// Natural orthogonal complement (NOC) in maximal coordinates [Saha 1991, 3.2-3.4]: six velocities
// per body, the rows A of all constraints, a null-space basis T that eliminates them. For study.
#pragma once

#include <string>

#include "trammel/constraint/mobility/orthogonal_complement.hpp"

namespace trammel {

//   M t' + gyroscopic = working + A^T lambda,  A t = prescribed,  t = T u + ...,  A T = 0
//
// t: twists [omega; velocity of the center of mass] of all named bodies but ground, stacked, in
// world axes; the twist of a body without mass is taken at its origin. A has the rows of every
// joint (tree, fixed or loop), constraint, coupling and prescribed motion.
struct NaturalComplement {
  std::vector<BodyId> bodies;     // block k of six belongs to bodies[k]
  std::vector<std::string> rows;  // names of A's rows
  Eigen::MatrixXd A;              // rows x 6 bodies
  Eigen::MatrixXd T;              // 6 bodies x mobility
  Eigen::VectorXd t;              // twists at the state
  Eigen::VectorXd T_dot_u;        // their time derivatives while u' = 0
  Eigen::MatrixXd M;              // blocks diag(I_c, m 1)
  Eigen::VectorXd gyroscopic;     // blocks [omega x I_c omega; 0]
  Eigen::VectorXd working;        // applied: gravity, external wrenches; efforts and springs
                                  // between the bodies they connect
};

// `complement`: of the same state and inputs; its u is the u here. Dense. Fails if ground moves:
// ground is not a body here.
[[nodiscard]] Status natural_complement(const Model& model, const State& state,
                                        const Inputs& inputs,
                                        const OrthogonalComplement& complement,
                                        Workspace& workspace, NaturalComplement& out);

}  // namespace trammel
