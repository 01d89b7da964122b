#include "trammel/dynamics/kernel/tree/mass_matrix.hpp"

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/model/traversal.hpp"

// Composite-rigid-body algorithm (CRBA) [RBDA, table 6.2] in body frames, for symbols and
// derivatives: couplings of two bodies contain only the joint angles between them, so that formulas
// stay short.
namespace trammel::kernel {

template <Scalar P, Scalar S>
void mass_matrix(const KernelInput<P, S>& input, In<S> q, BasicWorkspace<S>& ws, MatrixSpan<S> M) {
  const ModelParameters<P>& numbers = input.numbers;
  M.fill(S(0.0));

  ws.sin_cos_cache.prepare(q);
  outward<S>(input.model, [&](int i, const Body& body, const auto& joint) {
    const auto& [X_PF, inertia] = numbers.bodies[i];
    const auto q_J = input.coordinates(ws.sin_cos_cache, body);
    axes(joint, q_J, &ws.axes[body.v_start]);
    const auto X_PB = X_PF * pose(joint, q_J);
    ws.X_PB[i] = {X_PB.R, X_PB.p};
    ws.I_C[i] = {S(inertia.mass), inertia.first_moment, inertia.rotational};
  });

  const std::span<const Body> bodies = input.model.bodies();
  inward<S>(input.model, [&](int i, const Body& body, const auto& joint) {
    if (body.parent > 0)
      ws.I_C[body.parent] = ws.I_C[body.parent] + to_parent(ws.X_PB[i], ws.I_C[i]);

    // diagonal block: M_ii = S_i^T I^c S_i
    const auto S_J = axes(joint, &ws.axes[body.v_start]);
    auto F = ws.I_C[i] * S_J;
    for (int k = 0; k < S_J.n; ++k)
      for (int l = 0; l <= k; ++l) {
        const int row = body.v_start + k, column = body.v_start + l;
        M(row, column) = M(column, row) = component(S_J, k, F[l]);
      }

    // M_ji = S_j^T F, with F = I^c S_i propagated inward
    for (int j = i; bodies[j].parent > 0;) {
      for (int l = 0; l < S_J.n; ++l) F[l] = to_parent(ws.X_PB[j], F[l]);
      j = bodies[j].parent;
      const Body& below = bodies[j];
      std::visit(
          [&](const auto& joint_below) {
            const auto S_B = axes(joint_below, &ws.axes[below.v_start]);
            for (int k = 0; k < S_B.n; ++k)
              for (int l = 0; l < S_J.n; ++l) {
                const int row = below.v_start + k, column = body.v_start + l;
                M(row, column) = M(column, row) = component(S_B, k, F[l]);
              }
          },
          below.joint);
    }
  });
}

#define INSTANTIATE(P, S)                                                              \
  template void mass_matrix<P, S>(const KernelInput<P, S>&, In<S>, BasicWorkspace<S>&, \
                                  MatrixSpan<S>);
TRAMMEL_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace trammel::kernel
