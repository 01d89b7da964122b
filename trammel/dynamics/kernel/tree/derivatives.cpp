#include "trammel/dynamics/kernel/tree/derivatives.hpp"

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/simd/tile.hpp"
#include "trammel/dynamics/kernel/tree/effort_derivatives.hpp"
#include "trammel/dynamics/kernel/tree/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/inverse_factor.hpp"
#include "trammel/dynamics/kernel/tree/passive_forces.hpp"

namespace trammel::kernel {

namespace {

struct ColumnWorkspace {
  explicit ColumnWorkspace(const Model& model)
      : efforts(model),
        factor(model),
        sweep(model),
        zero(std::size_t(model.nv())),
        a(zero),
        effort(zero),
        row((zero.size() + block - 1) / block * block),
        stride((3 * row / block | 1) * block),
        rows(stride * zero.size()) {}

  static constexpr std::size_t block = InverseFactor::block;

  EffortDerivatives efforts;
  InverseFactor factor;
  BasicWorkspace<double> sweep;
  std::vector<double> zero, a, effort;
  std::size_t row;             // length of the parts by q, by v and by tau of a row, each
  std::size_t stride;          // an odd number of cache lines, so that rows do not share cache sets
  AlignedVector<double> rows;  // nv rows: by q, by v, by tau
};

// Writes -rows^T. Rows are padded to whole registers. The last tiles of a matrix may overlap those
// before them, so that all tiles are complete unless the matrix is smaller than one.
[[gnu::flatten]] void write_negative_transposed(const double* rows, std::ptrdiff_t stride,
                                                const MatrixSpan<double>& out) {
  using Register = RowRegister<double>;
  constexpr int n = Register::rows;
  const int here = std::min(n, out.rows);
  double* const first = out.data;
  const std::ptrdiff_t step = out.stride;
  const auto last = [](int i, int size) { return std::max(0, std::min(i, size - n)); };
  for (int i = 0; i < out.rows; i += n)
    for (int k = 0; k < out.columns; k += n) {
      const int at_i = last(i, out.rows), at_k = last(k, out.columns);
      const Tile<double> tile =
          Tile<double>([&](int j) {
            return j < here ? -Register::load(rows + (at_i + j) * stride + at_k) : Lanes(0.0);
          }).turned_over();
      Tile<double>::each([&](auto j) {
        if (j < here) tile[j].store_first(here, first + (at_k + j) * step + at_i);
      });
    }
}
[[gnu::flatten]] void write_columns(const double* columns, std::ptrdiff_t stride,
                                    const MatrixSpan<double>& out) {
  for (int k = 0; k < out.columns; ++k)
    for (int i = 0; i < out.rows; i += native_lanes)
      Lanes::load(columns + k * stride + i).store_first(out.rows - i, &out(i, k));
}

}  // namespace

SealedWorkspace make_derivative_workspace(const Model& model) {
  return {new ColumnWorkspace(model), [](void* ws) { delete static_cast<ColumnWorkspace*>(ws); }};
}

void inverse_dynamics_derivatives(const KernelInput<double, double>& input, In<double> q,
                                  In<double> v, In<double> a, void* workspace,
                                  const DerivativeMatrices& tau) {
  EffortDerivatives& efforts = static_cast<ColumnWorkspace*>(workspace)->efforts;
  efforts.outward_motions(input, q, v, a);
  efforts.gather();
  efforts.write(input.model, tau.dq, tau.dv, tau.dx);
  each_passive_derivative(
      input.numbers, v, [&](int k, double stiffness) { tau.dq(k, k) += stiffness; },
      [&](int k, double damping) { tau.dv(k, k) += damping; });
}

EffortFactors inverse_dynamics_factors(const KernelInput<double, double>& input, In<double> q,
                                       In<double> v, In<double> a) {
  EffortDerivatives efforts(input.model);
  efforts.outward_motions(input, q, v, a);
  efforts.gather();
  EffortFactors out;
  efforts.write_factors(input.model, out);
  each_passive_derivative(
      input.numbers, v, [&](int k, double stiffness) { out.own_pair(k).by_q += stiffness; },
      [&](int k, double damping) { out.own_pair(k).by_v += damping; });
  return out;
}

Pivots forward_dynamics_derivatives(const KernelInput<double, double>& input, In<double> q,
                                    In<double> v, In<double> tau, void* workspace,
                                    const DerivativeMatrices& a) {
  ColumnWorkspace& ws = *static_cast<ColumnWorkspace*>(workspace);
  const Model& model = input.model;
  ws.efforts.outward_motions(input, q, v, ws.zero);
  std::copy(tau.begin(), tau.end(), ws.effort.begin());
  add_passive_forces<double, double>(input.numbers, q, v, ws.effort);
  if (!ws.factor.factorize(model, ws.efforts, ws.effort, ws.a))
    return forward_dynamics<double, double>(input, q, v, tau, ws.sweep, ws.a);  // names the dof
  ws.efforts.add_accelerations(model, ws.a);
  ws.efforts.gather();

  // da/dx = -M^-1 dtau/dx at that acceleration (derivatives.md, equation (8))
  const std::ptrdiff_t stride = std::ptrdiff_t(ws.stride);
  const int row = int(ws.row);
  double *by_q = ws.rows.data(), *by_v = by_q + row, *by_tau = by_v + row;
  ws.efforts.write_rows(model, by_q, by_v, stride);
  each_passive_derivative(
      input.numbers, v, [&](int k, double stiffness) { by_q[k * stride + k] += stiffness; },
      [&](int k, double damping) { by_v[k * stride + k] += damping; });

  ws.factor.solve(model, ws.efforts.world(), by_q, stride, 2 * row, row);
  write_negative_transposed(by_q, stride, a.dq);
  write_negative_transposed(by_v, stride, a.dv);
  write_columns(by_tau, stride, a.dx);  // M^-1 is symmetric: its rows are its columns
  return {};
}

}  // namespace trammel::kernel
