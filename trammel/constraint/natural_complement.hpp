// For study: the mechanism in maximal coordinates, six velocities to every body, and the natural
// orthogonal complement that takes all of its constraints out [seed 001, 3.2-3.4].
#pragma once

#include <string>

#include "trammel/constraint/complement.hpp"

namespace trammel {

//   M t' + gyroscopic = working + A^T lambda,  A t = planned,  t = T u + ...,  A T = 0
//
// t: the twists [omega; velocity of the mass centre] of all named bodies but ground, one below the
// other, in world axes; a body without mass is told at its origin. A has the rows of every joint,
// whether it is in the tree, fixed or closes a loop, of constraints, couplings and planned joints.
struct NaturalComplement {
  std::vector<BodyId> bodies;     // block k of six belongs to bodies[k]
  std::vector<std::string> rows;  // names of A's rows
  Eigen::MatrixXd A;              // rows x 6 bodies
  Eigen::MatrixXd T;              // 6 bodies x ways to move
  Eigen::VectorXd t;              // the twists as the state has them
  Eigen::VectorXd T_dot_u;        // their rates, as people measure them, while u' = 0
  Eigen::MatrixXd M;              // blocks diag(I_c, m 1)
  Eigen::VectorXd gyroscopic;     // blocks [omega x I_c omega; 0]
  Eigen::VectorXd working;        // what acts: gravity, wrenches from outside; efforts and springs
                                  // between the bodies they join
};

// `complement` of the same state and inputs: its u is the u here. Dense; a ground that moves is not
// told (it is no body).
[[nodiscard]] Status natural_complement(const Model& model, const State& state,
                                        const Inputs& inputs, const Complement& complement,
                                        Workspace& workspace, NaturalComplement& out);

}  // namespace trammel
