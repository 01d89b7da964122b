// Connected components of equations on joint motions: sets of equations and joints such that an
// equation of one set depends on no joint of another. Their Jacobian is block diagonal, so rank,
// null space and least-squares solutions are those of the blocks. Internal to the constraint
// module.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "trammel/base/sparse_rows.hpp"
#include "trammel/dynamics/threads.hpp"

namespace trammel {

// All ascending.
struct EquationComponent {
  std::vector<int> rows;    // of the equations; empty: the joints are in no equation
  std::vector<int> dofs;    // movable ones
  std::vector<int> bodies;  // tree bodies whose joints have these dofs
};

// Per row, the columns of its entries.
std::vector<std::vector<int>> pattern_of(const SparseRows& J);

// Components of equations with these patterns (per row, the dofs of its entries), of which only the
// dofs in `movable` (ascending) change. Every movable dof is in one component, together with those
// of its joint; rows without movable dofs are in none. O(entries).
std::vector<EquationComponent> equation_components(const Model& model,
                                                   const std::vector<std::vector<int>>& pattern,
                                                   const std::vector<int>& movable);

// Minimum-norm least-squares solution of J x = rhs, component by component; x has one entry per
// column of J. Pivots below 1e-9 of the largest of their component are zero. `threads`: share the
// components.
Eigen::VectorXd minimum_norm_solution(const SparseRows& J,
                                      const std::vector<EquationComponent>& components,
                                      const Eigen::VectorXd& rhs,
                                      internal::Threads* threads = nullptr);

}  // namespace trammel
