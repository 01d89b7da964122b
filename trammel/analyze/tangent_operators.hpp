// The operators of LinearizedDynamics at a state. Internal to this module.
#pragma once

#include "trammel/analyze/linearized_dynamics.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/base/sparse_matrix.hpp"
#include "trammel/constraint/solver/effort_response.hpp"
#include "trammel/constraint/solver/local_derivatives.hpp"
#include "trammel/dynamics/kernel/tree/effort_products.hpp"

namespace trammel {

struct LinearizedDynamics::Operators {
  Operators(const Model& of, kernel::EffortFactors factors)
      : model(of), products(of, std::move(factors)) {}

  const Model& model;
  std::vector<std::string> states, inputs, outputs;
  std::vector<int> position_dofs, velocity_dofs;
  double acceleration = 0;

  // Of all dofs (nv): motions dq by x, velocities dv by x and by w; rates of dq that x adds to dv
  // because axes rotate; accelerations that cancel s; efforts by u.
  SparseMatrix positions_by_x, velocities_by_x, velocities_by_w, turned_back, cancelling, efforts;
  SparseMatrix velocities_by_w_transposed;
  SparseMatrix s_by_q, s_by_v;  // accelerations of the rows
  mutable kernel::EffortProducts products;
  std::vector<LocalDerivatives::LoadDerivative> loads;  // changes of external forces

  // Solver of T^T M T: factors, made at first use, or a recursive solver.
  mutable Llt inertia;
  mutable bool is_factorized = false;
  mutable std::optional<EffortResponse> response;

  // Buffers.
  mutable Eigen::VectorXd dq, dv, da, particular, force, rates;
  mutable std::vector<Force<double>> load_changes;
  mutable std::vector<Motion<double>> motions;

  Eigen::Index size() const { return std::ssize(states); }
  Eigen::Index count_positions() const { return std::ssize(position_dofs); }
  Eigen::Index count_velocities() const { return std::ssize(velocity_dofs); }

  void mass_times(const Eigen::VectorXd& a, Eigen::VectorXd& out) const;
  // False: T^T M T is singular.
  bool factorize() const;
  // dq, dv, the particular accelerations and force = r' + M a_p along x.
  void differentiate_along(const Eigen::VectorXd& x) const;
  // G f: accelerations under efforts f (nv).
  Eigen::VectorXd respond(const Eigen::VectorXd& f) const;
};

// `name` begins every message. T^T M T is factorized at once unless a recursive solver applies and
// there are more than `most_factorized` velocities. is_undifferentiable: the failure is that of a
// derivative that does not exist along a single coordinate; along motions that keep the loops
// closed it may exist.
[[nodiscard]] Status make_operators(const char* name, const Model& model, const State& state,
                                    const Inputs& inputs, Workspace& workspace,
                                    std::unique_ptr<LinearizedDynamics::Operators>& out,
                                    bool& is_undifferentiable, int most_factorized = 512);

// Failure where the independent coordinates and the row basis count other degrees of freedom.
Status nearly_dependent(const char* name);

// The dofs whose efforts are inputs: of the tree, then of loop joints.
struct DrivenDofs {
  std::vector<int> tree, loop;
  Eigen::Index count() const { return Eigen::Index(tree.size() + loop.size()); }
};
DrivenDofs driven_dofs(const Model& model);
// Names of x, u and y.
void name_linearization(const Model& model, const std::vector<int>& position_dofs,
                        const std::vector<int>& velocity_dofs, std::vector<std::string>& states,
                        std::vector<std::string>& inputs, std::vector<std::string>& outputs);
// Efforts on the dofs of the tree for a unit of each input: nv x inputs.
SparseMatrix unit_efforts(const Model& model, const Kinematics& kinematics,
                          const DrivenDofs& driven);

}  // namespace trammel
