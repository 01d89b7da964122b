#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Linearized dynamics about a state, x' = A x + B u and y = C x (Linearization), as products with
// vectors: no matrix is formed. For large mechanisms, with methods that need products alone:
// Arnoldi and power iterations for a few eigenvalues, Krylov methods, integration in time.
//
// With T (J T = 0) from the constraint rows, the residuals r and s of forward dynamics, and
// G = T (T^T M T)^-1 T^T (docs/theory/derivatives.md, (10)),
//
//   a' = a_p - G (r' + M a_p) ,   J a_p = -s' .
//
// r' from the factors of the derivatives of inverse dynamics, T, s' and a_p component by component
// of the rows: a product costs O(bodies) and the squares of the components' sizes. Up to 512
// velocities, or without a recursive solver, the Cholesky factors of T^T M T add O(velocities^2).
//
// Independent of the workspace it was made with, and of inputs; the model must outlive it. Products
// use buffers of the object: one thread at a time.
class LinearizedDynamics {
 public:
  LinearizedDynamics(LinearizedDynamics&&) noexcept;
  LinearizedDynamics& operator=(LinearizedDynamics&&) noexcept;
  ~LinearizedDynamics();

  // Names of x, u and y: "q.crank", "v.crank"; "tau.motor". The first positions() entries of x are
  // positions, the others velocities.
  const std::vector<std::string>& states() const;
  const std::vector<std::string>& inputs() const;
  const std::vector<std::string>& outputs() const;
  int positions() const;
  // Largest acceleration of the state itself, over the velocities in x (Linearization).
  double acceleration() const;

  // A x and A^T y, of states().size() numbers; B u and B^T y; C x.
  Eigen::VectorXd apply(const Eigen::VectorXd& x) const;
  Eigen::VectorXd apply_transposed(const Eigen::VectorXd& y) const;
  Eigen::VectorXd apply_inputs(const Eigen::VectorXd& u) const;
  Eigen::VectorXd apply_inputs_transposed(const Eigen::VectorXd& y) const;
  Eigen::VectorXd apply_outputs(const Eigen::VectorXd& x) const;

  // The matrices: a product per column, with one Cholesky decomposition of T^T M T.
  // O(states * bodies + mobility^3).
  Eigen::MatrixXd A() const;
  Eigen::MatrixXd B() const;
  Eigen::MatrixXd C() const;

  // The operators at a state, for the functions of the library: their type is incomplete outside.
  struct Operators;
  explicit LinearizedDynamics(std::unique_ptr<Operators> operators);

 private:
  std::unique_ptr<Operators> operators_;
};

// The state must be assembled. Fails as linearize does: violated constraints, a singular pose, a
// force that is not differentiable at the state. Cost O(bodies) where a recursive solver applies.
[[nodiscard]] Status linearized_dynamics(const Model& model, const State& state,
                                         const Inputs& inputs, Workspace& workspace,
                                         std::optional<LinearizedDynamics>& out);

}  // namespace trammel
