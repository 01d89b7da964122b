// Local coordinates of the constraint manifold near a state: independent dofs, and dependent ones
// that follow from the constraints. With wheels there are more independent positions than
// independent velocities, because rolling constraints restrict velocities alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/base/sparse_matrix.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

class LocalCoordinates {
 public:
  // Selects the dependent dofs as the pivots of a QR decomposition of the constraint rows with
  // column pivoting, which determines them best; the rest is independent. Fails if the state
  // violates the constraints. Joints that are locked or driven by motion stay fixed.
  [[nodiscard]] static Status of(const Model& model, const State& state, Workspace& workspace,
                                 std::optional<LocalCoordinates>& out);

  int positions() const { return int(positions_.size()); }
  int velocities() const { return int(velocities_.size()); }
  const std::vector<int>& position_dofs() const { return positions_; }
  const std::vector<int>& velocity_dofs() const { return velocities_; }

  // The state with independent positions displaced by x (radians, meters) and independent
  // velocities increased by w; Newton's method for the dependent positions. Fails if the loops
  // cannot be closed.
  [[nodiscard]] Status at(const Eigen::VectorXd& x, const Eigen::VectorXd& w, State& out);

  // Derivatives of all dofs with respect to the independent ones: nv x positions() of small
  // rotations and displacements, nv x velocities() of velocities. Columns span the null space of
  // the rows; each has entries in one component of the rows.
  SparseMatrix position_directions() const;
  SparseMatrix velocity_directions() const;
  // Velocities of dependent dofs that compensate given rates of the rows (rows x any): nv x any.
  SparseMatrix following_velocities(const SparseMatrix& rates) const;

 private:
  LocalCoordinates(const Model& model, const State& state, Workspace& workspace);
  void evaluate(const State& state);
  // Indices of the rows that constrain positions, or velocities. Locked and prescribed loop joints
  // are in both; those of the tree never move.
  std::vector<int> holding(bool of_positions) const;
  void choose(const std::vector<int>& rows, std::vector<int>& chosen,
              std::vector<int>& others) const;
  Eigen::VectorXd errors(const std::vector<int>& rows) const;

  const Model& model_;
  Workspace& workspace_;
  State state_;
  ConstraintRows rows_;
  SparseRows J_;                   // at the reference state
  std::vector<double> closure_q_;  // there
  std::vector<int> position_rows_, velocity_rows_;
  std::vector<int> positions_, velocities_, followers_, velocity_followers_;
};

}  // namespace trammel
