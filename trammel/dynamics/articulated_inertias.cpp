#include "trammel/dynamics/articulated_inertias.hpp"

#include "trammel/dynamics/exact_scalars.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/traversal.hpp"

namespace trammel::kernel {

namespace {

// D^-1 of one joint, by Gauss-Jordan elimination without pivoting: D is positive definite, and no
// branch is allowed. watch(k, pivot) receives the pivot of each degree of freedom k.
template <Scalar S, class Observer>
void invert(int n, const std::array<S, 6>* D, std::array<S, 6>* inverse, const Observer& watch) {
  std::array<std::array<S, 6>, 6> A{};
  for (int i = 0; i < n; ++i) {
    A[i] = D[i];
    for (int j = 0; j < n; ++j) inverse[i][j] = S(i == j ? 1.0 : 0.0);
  }
  for (int p = 0; p < n; ++p) {
    watch(p, A[p][p]);
    const S k = S(1.0) / A[p][p];
    for (int j = 0; j < n; ++j) {
      A[p][j] = k * A[p][j];
      inverse[p][j] = k * inverse[p][j];
    }
    for (int i = 0; i < n; ++i) {
      if (i == p) continue;
      const S factor = A[i][p];
      for (int j = 0; j < n; ++j) {
        A[i][j] -= factor * A[p][j];
        inverse[i][j] -= factor * inverse[p][j];
      }
    }
  }
}

// Part of a force on body i that its joint passes on to the parent: Psi^T F = X^* (F - W S^T F), in
// the parent's frame.
template <Scalar S>
Force<S> passed_on(const BasicArticulatedInertias<S>& factors, const Body& body, int i,
                   Force<S> F) {
  const Force<S> arriving = F;
  for (int k = body.v_start; k < body.v_start + factors.dofs[i]; ++k)
    F = F - dot(factors.axes[k], arriving) * factors.W[k];
  return to_parent(factors.X_PB[i], F);
}

// Fills the rows of a unit lower triangular matrix: row k holds sign * S_j^T F for the ancestors j
// of its body, with F starting as W_k and propagated by `carry` from body to parent.
template <Scalar S, class Carry>
void fill_rows(const Model& model, const BasicArticulatedInertias<S>& factors, double sign,
               MatrixSpan<S> L, const Carry& carry) {
  const std::span<const Body> bodies = model.bodies();
  L.fill(S(0.0));
  for (int i = 1; i < int(bodies.size()); ++i)
    for (int k = bodies[i].v_start; k < bodies[i].v_start + factors.dofs[i]; ++k) {
      L(k, k) = S(1.0);
      Force<S> F = to_parent(factors.X_PB[i], factors.W[k]);
      for (int j = bodies[i].parent; j > 0; j = bodies[j].parent) {
        for (int l = bodies[j].v_start; l < bodies[j].v_start + factors.dofs[j]; ++l)
          L(k, l) = S(sign) * dot(factors.axes[l], F);
        F = carry(j, F);
      }
    }
}

template <Scalar S>
void fill_blocks(const Model& model, const BasicArticulatedInertias<S>& factors,
                 const std::vector<std::array<S, 6>>& rows, MatrixSpan<S> out) {
  out.fill(S(0.0));
  for (int i = 1; i < int(model.bodies().size()); ++i) {
    const int start = model.bodies()[i].v_start, n = factors.dofs[i];
    for (int k = 0; k < n; ++k)
      for (int l = 0; l < n; ++l) out(start + k, start + l) = rows[start + k][l];
  }
}

}  // namespace

template <Scalar P, Scalar S>
Pivots articulated_inertias(const KernelInput<P, S>& input, In<S> q, BasicWorkspace<S>& ws,
                            BasicArticulatedInertias<S>& out) {
  Pivots pivots;
  ws.sin_cos_cache.prepare(q);
  outward<S>(input.model, [&](int i, const Body& body, const auto& joint) {
    const auto& [X_PF, inertia] = input.numbers.bodies[i];
    const auto q_J = input.coordinates(ws.sin_cos_cache, body);
    const auto S_J = axes(joint, q_J, &ws.axes[body.v_start]);
    for (int k = 0; k < S_J.n; ++k) out.axes[body.v_start + k] = column<S>(S_J, k);
    const auto X_PB = X_PF * pose(joint, q_J);
    out.X_PB[i] = {X_PB.R, X_PB.p};
    out.I_A[i] = articulated<S>(inertia);
    out.dofs[i] = S_J.n;
  });

  const std::span<const Body> bodies = input.model.bodies();
  for (int i = int(bodies.size()) - 1; i > 0; --i) {
    const Body& body = bodies[i];
    const int start = body.v_start, n = out.dofs[i];
    const Columns<S, 6> S_J{&out.axes[start], n};

    // U = P H, D = H^T U, W = U D^-1
    const auto U = out.I_A[i] * S_J;
    for (int k = 0; k < n; ++k)
      for (int l = 0; l < n; ++l) out.D[start + k][l] = component(S_J, k, U[l]);
    invert(n, &out.D[start], &out.D_inverse[start], [&](int k, const S& pivot) {
      if (is_weak(pivot, reach(S_J, k, out.I_A[i])) && pivots.weak_dof == Pivots::none)
        pivots.weak_dof = start + k;
    });
    for (int k = 0; k < n; ++k) {
      Force<S> W{};
      for (int l = 0; l < n; ++l) W += out.D_inverse[start + k][l] * U[l];
      out.W[start + k] = W;
    }
    if (body.parent > 0)
      out.I_A[body.parent] = out.I_A[body.parent] + to_parent(PoseView<S, S>(out.X_PB[i]),
                                                              passed_through(S_J, out.I_A[i]));
  }
  return pivots;
}

template <Scalar S>
void solve_mass_matrix(const Model& model, const BasicArticulatedInertias<S>& factors, In<S> tau,
                       BasicWorkspace<S>& ws, Out<S> a) {
  const std::span<const Body> bodies = model.bodies();
  const int n = int(bodies.size());
  for (int i = 0; i < n; ++i) ws.F[i] = {};

  // inward: u = tau - S^T F; F + W u goes to the parent
  for (int i = n - 1; i > 0; --i) {
    const int start = bodies[i].v_start;
    Force<S> F = ws.F[i];
    for (int k = start; k < start + factors.dofs[i]; ++k) {
      ws.effort[k] = tau[k] - dot(factors.axes[k], ws.F[i]);
      F += ws.effort[k] * factors.W[k];
    }
    ws.F[bodies[i].parent] += to_parent(factors.X_PB[i], F);
  }

  // outward: a = D^-1 u - W^T A
  ws.A[0] = {};
  for (int i = 1; i < n; ++i) {
    const int start = bodies[i].v_start, dofs = factors.dofs[i];
    const Motion<S> A = to_child(factors.X_PB[i], ws.A[bodies[i].parent]);
    ws.A[i] = A;
    for (int k = 0; k < dofs; ++k) {
      S a_k = -dot(A, factors.W[start + k]);
      for (int l = 0; l < dofs; ++l) a_k += factors.D_inverse[start + k][l] * ws.effort[start + l];
      a[start + k] = a_k;
      ws.A[i] = ws.A[i] + a_k * factors.axes[start + k];
    }
  }
}

template <Scalar S>
void mass_matrix_factor(const Model& model, const BasicArticulatedInertias<S>& factors,
                        MatrixSpan<S> L, MatrixSpan<S> D) {
  fill_rows(model, factors, 1.0, L,
            [&](int j, const Force<S>& F) { return to_parent(factors.X_PB[j], F); });
  fill_blocks(model, factors, factors.D, D);
}

template <Scalar S>
void mass_matrix_inverse_factor(const Model& model, const BasicArticulatedInertias<S>& factors,
                                MatrixSpan<S> L_inverse, MatrixSpan<S> D_inverse) {
  fill_rows(model, factors, -1.0, L_inverse,
            [&](int j, const Force<S>& F) { return passed_on(factors, model.bodies()[j], j, F); });
  fill_blocks(model, factors, factors.D_inverse, D_inverse);
}

template <Scalar S>
void operational_space_inertia_inverse(const Model& model,
                                       const BasicArticulatedInertias<S>& factors, int body,
                                       const Pose<S>& X_BA, MatrixSpan<S> out) {
  const std::span<const Body> bodies = model.bodies();
  out.fill(S(0.0));

  // six unit wrenches at A, shifted to the body's origin
  std::array<Force<S>, 6> F;
  for (int c = 0; c < 6; ++c) {
    const Vec3<S> unit{S(c % 3 == 0 ? 1.0 : 0.0), S(c % 3 == 1 ? 1.0 : 0.0),
                       S(c % 3 == 2 ? 1.0 : 0.0)};
    F[c] = to_parent(X_BA, c < 3 ? Force<S>{unit, {}} : Force<S>{{}, unit});
  }
  // inward: each joint with u = S^T F adds u^T D^-1 u
  for (int i = body; i > 0; i = bodies[i].parent) {
    const int start = bodies[i].v_start, n = factors.dofs[i];
    for (int k = 0; k < n; ++k)
      for (int l = 0; l < n; ++l)
        for (int r = 0; r < 6; ++r) {
          const S gives = factors.D_inverse[start + k][l] * dot(factors.axes[start + k], F[r]);
          for (int c = 0; c < 6; ++c) out(r, c) += gives * dot(factors.axes[start + l], F[c]);
        }
    for (Force<S>& F_c : F) F_c = passed_on(factors, bodies[i], i, F_c);
  }
}

#define INSTANTIATE_SWEEP(P, S)                                                                   \
  template Pivots articulated_inertias<P, S>(const KernelInput<P, S>&, In<S>, BasicWorkspace<S>&, \
                                             BasicArticulatedInertias<S>&);
TRAMMEL_FOR_EACH_EXACT_PAIR(INSTANTIATE_SWEEP)
#undef INSTANTIATE_SWEEP
#define INSTANTIATE(S)                                                                          \
  template void solve_mass_matrix<S>(const Model&, const BasicArticulatedInertias<S>&, In<S>,   \
                                     BasicWorkspace<S>&, Out<S>);                               \
  template void mass_matrix_factor<S>(const Model&, const BasicArticulatedInertias<S>&,         \
                                      MatrixSpan<S>, MatrixSpan<S>);                            \
  template void mass_matrix_inverse_factor<S>(const Model&, const BasicArticulatedInertias<S>&, \
                                              MatrixSpan<S>, MatrixSpan<S>);                    \
  template void operational_space_inertia_inverse<S>(                                           \
      const Model&, const BasicArticulatedInertias<S>&, int, const Pose<S>&, MatrixSpan<S>);
TRAMMEL_FOR_EACH_EXACT_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace trammel::kernel
