#include "trammel/analyze/linearize.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <numeric>

#include "trammel/analyze/closed_form_linearization.hpp"
#include "trammel/analyze/dual_linearization.hpp"
#include "trammel/analyze/tangent_operators.hpp"
#include "trammel/base/linear_algebra.hpp"

namespace trammel {

namespace {

// Whether A = [0, 1; K, 0]: without velocities, damping and rolling constraints.
bool is_undamped(const Eigen::MatrixXd& A) {
  const Eigen::Index n = A.rows() / 2;
  return A.rows() == 2 * n && A.topLeftCorner(n, n).isZero(0) &&
         A.bottomRightCorner(n, n).isZero(0) && A.topRightCorner(n, n).isIdentity(0);
}

// Eigenvalues and eigenvectors of A. If it is undamped, from those of K: with K x = s^2 x,
// +-s are eigenvalues of A and [x; +-s x] their eigenvectors. An eighth of the operations.
GeneralEigen eigen_of_motion(const Eigen::MatrixXd& A) {
  if (!is_undamped(A)) return general_eigen(A);
  const Eigen::Index n = A.rows() / 2;
  const GeneralEigen squares = general_eigen(A.bottomLeftCorner(n, n));
  GeneralEigen out{Eigen::VectorXcd(2 * n), Eigen::MatrixXcd(2 * n, 2 * n)};
  for (Eigen::Index k = 0; k < n; ++k)
    for (const int side : {0, 1}) {
      const std::complex<double> root = std::sqrt(squares.values[k]), s = side == 0 ? root : -root;
      out.values[2 * k + side] = s;
      out.vectors.col(2 * k + side) << squares.vectors.col(k), s * squares.vectors.col(k);
    }
  return out;
}

void find_modes(Linearization& out) {
  if (out.A.rows() == 0) return;
  const GeneralEigen solved = eigen_of_motion(out.A);
  std::vector<Eigen::Index> order(std::size_t(out.A.rows()));
  std::iota(order.begin(), order.end(), 0);
  const Eigen::VectorXcd& all = solved.values;
  std::ranges::stable_sort(
      order, [&](Eigen::Index a, Eigen::Index b) { return std::abs(all[a]) < std::abs(all[b]); });
  out.eigenvalues.resize(out.A.rows());
  out.modes.resize(out.A.rows(), out.A.rows());
  for (Eigen::Index k = 0; k < out.A.rows(); ++k) {
    const Eigen::Index from = order[std::size_t(k)];
    Eigen::VectorXcd mode = solved.vectors.col(from);
    Eigen::Index largest = 0;
    max_abs(mode, largest);
    out.eigenvalues[k] = all[from];
    out.modes.col(k) = mode / mode[largest];
  }
}

}  // namespace

Status linearize(const Model& model, const State& state, const Inputs& inputs, Workspace& workspace,
                 Linearization& out, const LinearizeOptions& options) {
  std::unique_ptr<LinearizedDynamics::Operators> operators;
  if (!linearize_in_closed_form("linearize", model, state, inputs, workspace, out)) {
    bool is_undifferentiable = false;
    Status status = make_operators("linearize", model, state, inputs, workspace, operators,
                                   is_undifferentiable);
    if (is_undifferentiable)
      status = linearize_with_duals("linearize", model, state, inputs, workspace, out);
    if (!status) return status;
  }
  if (operators) {
    const LinearizedDynamics found(std::move(operators));
    out.A = found.A(), out.B = found.B(), out.C = found.C();
    out.D = Eigen::MatrixXd::Zero(out.C.rows(), out.B.cols());
    out.states = found.states(), out.inputs = found.inputs(), out.outputs = found.outputs();
    out.acceleration = found.acceleration();
  }
  out.eigenvalues.resize(0);
  out.modes.resize(0, 0);
  out.uncontrollable_modes.clear();
  if (!options.eigenvalues) return {};
  find_modes(out);
  if (!options.uncontrollable_modes) return {};
  // negligible velocities, and accelerations within the tolerance of equilibrium()
  const bool is_at_rest = out.acceleration < 1e-8 && std::ranges::all_of(state.v, [](double v) {
                            return std::abs(v) < 1e-12;
                          });
  const auto is_position = [](const std::string& name) { return name.starts_with("q."); };
  out.uncontrollable_modes = uncontrollable_modes(
      out.A, out.B, out.eigenvalues, int(std::ranges::count_if(out.states, is_position)),
      is_at_rest, out.states);
  return {};
}

}  // namespace trammel
