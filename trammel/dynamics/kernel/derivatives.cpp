#include "trammel/dynamics/kernel/derivatives.hpp"

#include "trammel/dynamics/kernel/effort_slopes.hpp"
#include "trammel/dynamics/kernel/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/inverse_factor.hpp"
#include "trammel/dynamics/kernel/passive_forces.hpp"

namespace trammel::kernel {

namespace {

struct SlopeWorkspace {
  explicit SlopeWorkspace(const Model& model)
      : efforts(model),
        factor(model),
        sweep(model),
        zero(std::size_t(model.nv())),
        a(zero),
        effort(zero),
        row((zero.size() + block - 1) / block * block),
        stride(3 * row + block),
        rows(stride * zero.size()) {}

  static constexpr std::size_t block = InverseFactor::block;

  EffortSlopes efforts;
  InverseFactor factor;
  BasicWorkspace<double> sweep;
  std::vector<double> zero, a, effort;
  std::size_t row;           // numbers by q, by v, by tau of one row, each
  std::size_t stride;        // an odd number of cache lines from row to row: no two share a place
  std::vector<double> rows;  // nv of them: by q, by v, by tau
};

// Springs and dampers take their part: tau = Newton-Euler + stiffness (q - rest) + damping v.
template <class ByPosition, class ByVelocity>
void each_passive(const Numbers<double>& numbers, const ByPosition& by_q, const ByVelocity& by_v) {
  for (const PassiveNumbers<double>& element : numbers.passive) {
    by_q(element.v, element.stiffness);
    by_v(element.v, element.damping);
  }
}

}  // namespace

SealedWorkspace make_derivative_workspace(const Model& model) {
  return {new SlopeWorkspace(model), [](void* ws) { delete static_cast<SlopeWorkspace*>(ws); }};
}

void inverse_dynamics_derivatives(const Scene<double, double>& scene, In<double> q, In<double> v,
                                  In<double> a, void* workspace, const DerivativeMatrices& tau) {
  EffortSlopes& efforts = static_cast<SlopeWorkspace*>(workspace)->efforts;
  for (const MatrixSpan<double>& block : {tau.dq, tau.dv, tau.dx}) block.fill(0);
  efforts.move(scene, q, v, a);
  efforts.gather(scene.model);
  efforts.for_each_pair(
      scene.model,
      [&](int i, int k, const PairSlopes& slopes) {
        tau.dq(i, k) = slopes.outer_q;
        tau.dq(k, i) = slopes.inner_q;
        tau.dv(i, k) = slopes.outer_v;
        tau.dv(k, i) = slopes.inner_v;
        tau.dx(i, k) = tau.dx(k, i) = slopes.mass;
      },
      [&](int i, int k, const PairSlopes& slopes) {
        tau.dq(i, k) = slopes.outer_q;
        tau.dv(i, k) = slopes.outer_v;
        tau.dx(i, k) = slopes.mass;
      });
  each_passive(
      scene.numbers, [&](int k, double stiffness) { tau.dq(k, k) += stiffness; },
      [&](int k, double damping) { tau.dv(k, k) += damping; });
}

Pivots forward_dynamics_derivatives(const Scene<double, double>& scene, In<double> q, In<double> v,
                                    In<double> tau, void* workspace, const DerivativeMatrices& a) {
  SlopeWorkspace& ws = *static_cast<SlopeWorkspace*>(workspace);
  const Model& model = scene.model;
  ws.efforts.move(scene, q, v, ws.zero);
  if (!ws.factor.give_way(model, ws.efforts.world(), ws.efforts.inertias()))
    return forward_dynamics<double, double>(scene, q, v, tau, ws.sweep, ws.a);  // it knows which
  std::copy(tau.begin(), tau.end(), ws.effort.begin());
  add_passive_forces<double, double>(scene.numbers, q, v, ws.effort);
  ws.factor.accelerations(model, ws.efforts.world(), ws.efforts.forces(), ws.effort, ws.a);
  ws.efforts.accelerate(model, ws.a);
  ws.efforts.gather(model);

  // da/dx = -M^-1 dtau/dx at that acceleration
  const int n = model.nv();
  const std::size_t stride = ws.stride;
  double *by_q = ws.rows.data(), *by_v = by_q + ws.row, *by_tau = by_v + ws.row;
  std::fill(ws.rows.begin(), ws.rows.end(), 0.0);
  const auto at = [&](int i, int k) { return std::size_t(i) * stride + std::size_t(k); };
  ws.efforts.for_each_pair(
      model,
      [&](int i, int k, const PairSlopes& slopes) {
        by_q[at(i, k)] = -slopes.outer_q;
        by_q[at(k, i)] = -slopes.inner_q;
        by_v[at(i, k)] = -slopes.outer_v;
        by_v[at(k, i)] = -slopes.inner_v;
      },
      [&](int i, int k, const PairSlopes& slopes) {
        by_q[at(i, k)] = -slopes.outer_q;
        by_v[at(i, k)] = -slopes.outer_v;
      });
  each_passive(
      scene.numbers, [&](int k, double stiffness) { by_q[at(k, k)] -= stiffness; },
      [&](int k, double damping) { by_v[at(k, k)] -= damping; });

  ws.factor.couple(model, ws.efforts.world());
  ws.factor.solve(by_q, std::ptrdiff_t(stride), int(2 * ws.row));
  ws.factor.write_inverse(by_tau, std::ptrdiff_t(stride), int(ws.row));
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) {
      a.dq(i, k) = by_q[at(i, k)];
      a.dv(i, k) = by_v[at(i, k)];
      a.dx(i, k) = by_tau[at(i, k)];
    }
  return {};
}

}  // namespace trammel::kernel
