// Constraint rows evaluated at a state, the mass matrix there, and the decision which rows are
// independent. Internal to constraint/.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/rank/row_basis.hpp"
#include "trammel/dynamics/mass_matrix_blocks.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

enum class Singular { computed, left_out };  // whether the singular values of the rows are computed

struct ConstraintEvaluation {
  explicit ConstraintEvaluation(const Model& model) : rows(model) {}

  // Evaluate rows and the workspace's kinematics at the state; the second function leaves J and the
  // scales as they are, the third also evaluates M.
  void evaluate(const Model& model, std::span<const double> q, std::span<const double> v,
                Workspace& workspace);
  void evaluate_without_jacobian(const Model& model, std::span<const double> q,
                                 std::span<const double> v, Workspace& workspace);
  void evaluate_with_inertia(const Model& model, const State& state, Workspace& workspace);

  void evaluate_inertia(const Model& model, std::span<const double> q, Workspace& workspace);

  // Row basis of the first `count` rows (-1: all), with at most `frozen_rank` rows (frozen rank;
  // -1: not frozen). Decided at the state or, if that violates the constraints slightly, at the
  // assembled state near it; with a frozen rank always at the state, which a simulation keeps on
  // the manifold but for rows outside the basis. `error`: receives relative_error of the basis, if
  // not null. `sparse_only`: fails instead of forming the dense matrix of a large component, where
  // sparse QR is not certain.
  struct DecideOptions {
    int count = -1, frozen_rank = -1;
    Singular values = Singular::left_out;
    double* error = nullptr;
    bool sparse_only = false;
  };
  [[nodiscard]] Status decide(const Model& model, const State& state, Workspace& workspace,
                              const DecideOptions& options, RowBasis& out);
  // The same at the state as evaluated, without the check that it is closed; of the options only
  // count, values and error are read.
  RowBasis basis(const Model& model, const Workspace& workspace, const DecideOptions& options);

  ConstraintRows rows;
  Eigen::MatrixXd M;  // nv x nv, once evaluate_inertia was called: for the dense solvers
  // Buffers of project_sparse().
  Eigen::VectorXd right_side, correction, multipliers;
  std::vector<double> corrected;

 private:
  // Per component of J: its block of M; of a large one, the diagonal.
  std::vector<Eigen::MatrixXd> inertia_blocks(const Model& model, const Workspace& workspace);

  MassMatrixBlocks inertia_;
};

}  // namespace trammel
