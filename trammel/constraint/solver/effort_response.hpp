// Response of a mechanism at rest to efforts f on the dofs of its tree: the accelerations
//
//   a = T (T^T M T)^-1 T^T f ,   M a - J^T lambda = f ,   J a = 0 ,
//
// without gravity, springs and loads, so linear in f. By the recursive solver of the row basis, for
// a tree by the articulated-body algorithm (ABA): O(bodies) per call, allocates nothing. Internal
// to the constraint module and the modules built on it.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "trammel/constraint/solver/recursive_solver.hpp"

namespace trammel {

class EffortResponse {
 public:
  // None where no recursive solver applies. `rows`: evaluated at q. `a`: accelerations that satisfy
  // J a = 0, and `f`: M a, so that the response to f must be a again; none also where it is not.
  static std::optional<EffortResponse> make(const Model& model, std::span<const double> q,
                                            const ConstraintRows& rows, const RowBasis& basis,
                                            const Eigen::VectorXd& a, const Eigen::VectorXd& f);

  // False: a degree of freedom without inertia, or a row that depends on others.
  [[nodiscard]] bool operator()(const Eigen::VectorXd& f, Eigen::VectorXd& a);

 private:
  EffortResponse(const Model& model, std::span<const double> q, const ConstraintRows& rows,
                 const RowBasis& basis);

  // The model's parameters without gravity and joint springs.
  struct Unloaded {
    explicit Unloaded(const Model& of);
    const Model& model;
    ModelParameters<double> numbers;
    Workspace workspace;
  };
  std::unique_ptr<Unloaded> unloaded_;
  std::vector<double> q_, zero_;
  std::unique_ptr<ConstraintRows> rows_;
  std::unique_ptr<RecursiveSolver> solver_;  // null for a tree, and where none applies
  bool is_moved_ = false;                    // the solver has the kinematics of the state
};

}  // namespace trammel
