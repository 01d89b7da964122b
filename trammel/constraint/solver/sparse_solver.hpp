// Sparse direct solver of the constrained equations of motion M a = f + J^T lambda, J a = gamma,
// for mechanisms whose loops form large connected components: ladders, lattices, meshes.
//
// Maximal coordinates [Baraff 1996]: six accelerations per body, and multipliers of all joints, of
// the tree too. S = B M^-1 B^T couples two joints only if they share a body, so that its Cholesky
// decomposition is as sparse as the mechanism: O(bodies) for ladders and for loops in a row,
// O(n^1.5) for a plane lattice of n links, O(n^2) for one in space. Neither M nor J M^-1 J^T of the
// tree's coordinates is formed. The residuals of the equations in the tree's coordinates are then
// evaluated by recursion (RNEA) and the solution refined, so that its digits are those of the dense
// solvers. Derivation: docs/theory/constrained-dynamics.md, (7) to (11).
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "trammel/base/sparse_cholesky.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/solver/maximal_coordinates.hpp"

namespace trammel {

class SparseSolver {
 public:
  // `rows`: the row basis, indices in ConstraintRows. Analyzes the pattern, once.
  SparseSolver(const Model& model, std::vector<int> rows);

  const std::vector<int>& rows() const { return rows_; }  // ascending
  double operations() const { return S_.operations(); }   // multiplications of one decomposition
  std::size_t numbers() const { return S_.numbers() + Y_.size() + efforts_.size(); }

  // Solves for a (nv) and lambda (of all rows; zero outside the basis). At the positions of the
  // call before, S is not decomposed again. `rows`: evaluated at these positions, with J; `f`:
  // efforts minus bias; `gamma`: of all rows. Fails with the cause, without context: a motion has
  // no inertia, inertia is negative, rows of the basis are dependent, or the refinement does not
  // converge. Allocates nothing once a and lambda have their sizes.
  [[nodiscard]] Status solve(const Model& model, const Positions& positions,
                             const ConstraintRows& rows, std::span<const double> f,
                             const Eigen::VectorXd& gamma, Eigen::VectorXd& a,
                             Eigen::VectorXd& lambda);
  // Of the last solve: the smallest pivot of S relative to its diagonal entry, and the last
  // correction of the refinement relative to the solution, in the kinetic norm.
  double weakest_pivot() const { return weakest_; }
  double last_correction() const { return last_correction_; }

 private:
  // Rows of a joint or of a constraint: a block of S. Its sides: rows of Y of the bodies it acts
  // on.
  struct Side {
    int body = 0;
    std::size_t at = 0;  // first number in Y_
  };
  struct BlockOfRows {
    int start = 0, size = 0;
    std::vector<Side> sides;
  };
  // Motion of a dof of the tree: y of its effort on the body and, negative, on its parent.
  using EffortPair = std::array<SixNumbers, 2>;

  void analyze(const Model& model);
  [[nodiscard]] Status evaluate(const Model& model, const Positions& positions,
                                const ConstraintRows& rows);
  void add_to_row(int row, int body, const SixNumbers& y, double factor);
  // Solves for the right-hand sides force_ and motion_, adds the solution to a and lambda, and
  // returns its squared kinetic norm.
  double add_solution(const Model& model, Eigen::VectorXd& a, Eigen::VectorXd& lambda);
  void set_residuals(const Model& model, const Positions& positions, const ConstraintRows& rows,
                     std::span<const double> f, const Eigen::VectorXd& gamma,
                     const Eigen::VectorXd& a, const Eigen::VectorXd& lambda);
  // Whether a motion has no inertia but the added one.
  bool is_without_inertia(const Model& model);

  std::vector<int> rows_;
  std::vector<int> block_of_row_, place_of_row_;  // per row of ConstraintRows; -1: not in the basis
  std::vector<int> block_of_body_;                // of its joint; -1: no constraint wrenches
  std::vector<BlockOfRows> blocks_;
  std::vector<std::size_t> Y_start_;  // per body: its rows of Y, in the order of its clique
  BodyInertiaFactors inertia_;
  SparseCholesky S_;

  std::vector<double> Y_, Y_before_;  // Y_before_: of the decomposition before
  bool is_decomposed_ = false;
  std::vector<EffortPair> efforts_;
  std::vector<double> xi_, mu_;     // 6 per body; per row of S
  Eigen::VectorXd force_, motion_;  // residuals of f and of gamma (per row of the basis)
  Eigen::VectorXd probe_a_, probe_lambda_;
  std::vector<Motion<double>> A_;
  std::vector<Force<double>> F_;
  double weakest_ = 1, last_correction_ = 0;
};

}  // namespace trammel
