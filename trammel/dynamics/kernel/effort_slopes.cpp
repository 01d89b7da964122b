#include "trammel/dynamics/kernel/effort_slopes.hpp"

namespace trammel::kernel {

namespace {

CoriolisInertia operator+(const CoriolisInertia& a, const CoriolisInertia& b) {
  return {a.B + b.B, a.l + b.l};
}
// B of a body that moves with V; l is its linear momentum.
CoriolisInertia coriolis_inertia(const Inertia<double>& I, const Motion<double>& V,
                                 const Vec3<double>& l) {
  const auto& [w, v] = V;
  const Vec3<double>& h = I.first_moment;
  const SymMat3<double>& J = I.rotational;
  const double half = 0.5 * trace(J), power = dot(h, v);
  Mat3<double> B{cross(w, Vec3<double>{J.xx - half, J.xy, J.xz}) - h.x * v,
                 cross(w, Vec3<double>{J.xy, J.yy - half, J.yz}) - h.y * v,
                 cross(w, Vec3<double>{J.xz, J.yz, J.zz - half}) - h.z * v};
  B.x.x += power;
  B.y.y += power;
  B.z.z += power;
  return {B, l};
}
// Felt from where its origin is at r: B' d = B d + r x (d x l).
CoriolisInertia shifted(const Vec3<double>& r, const CoriolisInertia& C) {
  const double power = dot(r, C.l);
  Mat3<double> B{C.B.x - r.x * C.l, C.B.y - r.y * C.l, C.B.z - r.z * C.l};
  B.x.x += power;
  B.y.y += power;
  B.z.z += power;
  return {B, C.l};
}
// 2 [B d; d x l]
Force<double> operator*(const CoriolisInertia& C, const Vec3<double>& d) {
  const Vec3<double> twice = 2.0 * d;
  return {C.B * twice, cross(twice, C.l)};
}

// The slopes of a joint's columns, told in world axes.
void turn_slopes(const Mat3<double>& R_WB, int n, JointSlopes* slopes) {
  for (int l = 0; l < n; ++l) {
    for (int k = 0; k < n; ++k) slopes[l].columns[k] = turned(R_WB, slopes[l].columns[k]);
    slopes[l].bias_q = turned(R_WB, slopes[l].bias_q);
    slopes[l].bias_v = turned(R_WB, slopes[l].bias_v);
  }
}
Motion<double> weighted(const JointSlopes& slopes, const double* weights, int n) {
  Motion<double> sum{};
  for (int k = 0; k < n; ++k) sum = sum + weights[k] * slopes.columns[k];
  return sum;
}

bool any_columns_change(const Model& model) {
  const auto changes = [](const auto& joint) { return has_changing_columns(joint); };
  return std::ranges::any_of(model.bodies().subspan(1),
                             [&](const Body& body) { return std::visit(changes, body.joint); });
}

}  // namespace

EffortSlopes::EffortSlopes(const Model& model)
    : world_(model),
      turns_(model.nq()),
      columns_(std::size_t(model.nv())),
      V_(model.bodies().size()),
      A_(model.bodies().size()),
      I_(model.bodies().size()),
      coriolis_(model.bodies().size()),
      F_(model.bodies().size()),
      causes_(model.nv()),
      effects_(std::size_t(model.nv())),
      tiles_(model),
      joint_slopes_(any_columns_change(model) ? std::size_t(model.nv()) : 0) {}

void EffortSlopes::move(const Scene<double, double>& scene, In<double> q, In<double> v,
                        In<double> a) {
  turns_.prepare(q);
  V_[0] = scene.ground.V;
  A_[0] = scene.ground_acceleration();
  outward<double>(scene.model, [&](int i, const Body& body, const auto& joint) {
    const auto& [X_PF, inertia] = scene.numbers.bodies[i];
    const auto q_J = scene.coordinates(turns_, body);
    const double *v_J = &v[body.v_start], *a_J = &a[body.v_start];
    const auto S_J = axes(joint, q_J, &columns_[body.v_start]);
    world_.place(i, body.parent, X_PF * pose(joint, q_J));
    const Mat3<double>& R = world_.R_WB[i];

    const Motion<double> V_P = felt_at(world_.r[i], V_[body.parent]),
                         A_P = felt_at(world_.r[i], A_[body.parent]);
    Motion<double> V = V_P, A = A_P;
    for (int k = 0; k < S_J.n; ++k) V = V + v_J[k] * turned(R, S_J, k);
    for (int k = 0; k < S_J.n; ++k)
      A = A + cross(V, v_J[k] * turned(R, S_J, k)) + whole(a_J[k] * turned(R, S_J, k));
    if constexpr (requires { joint.bias(q_J, v_J); }) A = A + turned(R, bias(joint, q_J, v_J));

    JointSlopes* slopes = nullptr;
    if constexpr (!requires { joint.fixed_axes; })
      if (has_changing_columns(joint)) {
        slopes = &joint_slopes_[body.v_start];
        differentiate_joint(joint, q_J.q, v_J, q_J.constants, slopes);
        turn_slopes(R, S_J.n, slopes);
      }
    for (int k = 0; k < S_J.n; ++k) {
      const auto S = turned(R, S_J, k);
      Motion<double> D = cross(V_P, S), E = cross(A_P, S), G = cross(V + V_P, S);
      if (slopes != nullptr) {
        const Motion<double> dS_v = weighted(slopes[k], v_J, S_J.n);
        D = D + dS_v;
        E = E + cross(V, dS_v) + weighted(slopes[k], a_J, S_J.n) + slopes[k].bias_q;
        G = G + slopes[k].bias_v;
      }
      E = E + cross(V_P, D);
      const int f = body.v_start + k;
      world_.axes[f] = whole(S);
      causes_.set(f, E_angular, E.angular);
      causes_.set(f, E_linear, E.linear);
      causes_.set(f, G_angular, G.angular);
      causes_.set(f, G_linear, G.linear);
      causes_.set(f, S_angular, world_.axes[f].angular);
      causes_.set(f, S_linear, world_.axes[f].linear);
      causes_.set(f, D_angular, D.angular);
      causes_.set(f, place, world_.p[i]);
    }

    V_[i] = V;
    A_[i] = A;
    I_[i] = turned(R, inertia);
    const Force<double> momentum = I_[i] * V;
    F_[i] = I_[i] * A + cross(V, momentum);
    coriolis_[i] = coriolis_inertia(I_[i], V, momentum.force);
  });
  for (const Load<double>& load : scene.loads)
    F_[load.body] = F_[load.body] - turned(world_.R_WB[load.body], load.F);
}

[[gnu::flatten]] void EffortSlopes::accelerate(const Model& model, In<double> a) {
  // A_ holds what is added from here on
  const std::span<const Body> bodies = model.bodies();
  A_[0] = {};
  for (int i = 1; i < int(bodies.size()); ++i) {
    const auto [first, end] = std::pair{bodies[i].v_start, bodies[i].v_end};
    const Motion<double> A_P = felt_at(world_.r[i], A_[bodies[i].parent]);
    Motion<double> A = A_P;
    for (int k = first; k < end; ++k) {
      A = A + a[k] * world_.axes[k];
      Motion<double> E = cross(A_P, world_.axes[k]);
      if (!joint_slopes_.empty()) E = E + weighted(joint_slopes_[k], &a[first], end - first);
      causes_.set(k, E_angular, cause(k, E_angular) + E.angular);
      causes_.set(k, E_linear, cause(k, E_linear) + E.linear);
    }
    A_[i] = A;
    F_[i] += I_[i] * A;
  }
}

void EffortSlopes::gather(const Model& model) {
  inward<double>(model, [&](int i, const Body& body, const auto& joint) {
    const auto& [B, l] = coriolis_[i];
    for (int k = body.v_start; k < body.v_end; ++k) {
      const auto S = world_.column(i, k, joint);
      const Vec3<double>& s = world_.axes[k].angular;
      const Motion<double> E{cause(k, E_angular), cause(k, E_linear)},
          G{cause(k, G_angular), cause(k, G_linear)};
      effects_[k] = {I_[i] * S, I_[i] * E + coriolis_[i] * cause(k, D_angular) + cross(S, F_[i]),
                     I_[i] * G + coriolis_[i] * s,
                     2.0 * (transpose_times(B, s) + cross(l, world_.axes[k].linear)), world_.p[i]};
    }
    if (body.parent == 0) return;
    const Vec3<double>& r = world_.r[i];
    I_[body.parent] = I_[body.parent] + shifted(r, I_[i]);
    coriolis_[body.parent] = coriolis_[body.parent] + shifted(r, coriolis_[i]);
    F_[body.parent] += acting_at(r, F_[i]);
  });
}

// Of one freedom, the outer one, with those of a group further in.
struct EffortSlopes::Registers {
  using R = RowRegister<double>::Type;
  R outer_q, outer_v, inner_q, inner_v, mass;

  Registers(const Effect& effect, const RowGroups<double, causes>& rows, int g) {
    const auto cause = [&](int which) { return rows.vector(g, which); };
    const Vec3<R> r = Vec3<R>(effect.p) - cause(place), s = cause(S_angular), u = cause(S_linear);
    const Vec3<R> f(effect.by_a.force), n = Vec3<R>(effect.by_a.moment) + cross(r, f), h(effect.h);
    mass = dot(s, n) + dot(u, f);
    outer_v = dot(cause(G_angular), n) + dot(cause(G_linear), f) + dot(s, h);
    outer_q = dot(cause(E_angular), n) + dot(cause(E_linear), f) + dot(cause(D_angular), h);
    const auto carried = [&](const Force<double>& F) {
      const Vec3<R> force(F.force);
      return dot(s, Vec3<R>(F.moment) + cross(r, force)) + dot(u, force);
    };
    inner_q = carried(effect.by_q);
    inner_v = carried(effect.by_v);
  }
};

template <bool by_rows, int n> struct EffortSlopes::OfPairs {
  using R = Registers::R;
  static constexpr int rows = RowRegister<double>::rows;

  const EffortSlopes& of;
  const TiledMatrices<double, n>& slopes;

  // write(along, across): where the two of each matrix go
  template <class Write> static void sort(const Registers& x, const Write& write) {
    if constexpr (by_rows) {
      write(0, x.outer_q, x.inner_q);
      write(1, x.outer_v, x.inner_v);
    } else {
      write(0, x.inner_q, x.outer_q);
      write(1, x.inner_v, x.outer_v);
    }
    if constexpr (n == 3) write(2, x.mass, x.mass);
  }

  const Effect& take(int i) const { return of.effects_[i]; }
  void meet(int i, const Effect& effect, const RowPiece& piece) const {
    R along[n], across[n];
    sort(Registers(effect, of.causes_, piece.g), [&](int m, const R& down, const R& right) {
      along[m] = down;
      across[m] = right;
    });
    slopes.write(i, piece, along, across);
  }
  void meet_tile(int i, const RowPiece& piece) const {
    R along[n][rows], across[n][rows];
    for (int j = 0; j < rows; ++j)
      sort(Registers(take(i + j), of.causes_, piece.g), [&](int m, const R& down, const R& right) {
        along[m][j] = down;
        across[m][j] = right;
      });
    slopes.write_tile(i, piece, along, across);
  }
};

template <bool by_rows, int n>
[[gnu::flatten]] void EffortSlopes::write_all(const Model& model,
                                              const TiledMatrices<double, n>& slopes) const {
  const std::span<const Body> bodies = model.bodies();
  for (int b = 1; b < int(bodies.size()); ++b) {
    const int first = bodies[b].v_start, end = bodies[b].v_end;
    for (int i = first; i < end; ++i) {
      const auto& [F, of_q, of_v, h, p] = effects_[i];
      for (int k = first; k < end; ++k) {
        const auto& [s, u] = world_.axes[k];
        const std::ptrdiff_t at = by_rows ? i * slopes.stride + k : k * slopes.stride + i;
        double& by_q = slopes.data[0][at];
        by_q = dot(cause(k, E_angular), F.moment) + dot(cause(k, E_linear), F.force) +
               dot(cause(k, D_angular), h);
        if (!joint_slopes_.empty()) by_q += dot(joint_slopes_[k].columns[i - first], F_[b]);
        slopes.data[1][at] =
            dot(cause(k, G_angular), F.moment) + dot(cause(k, G_linear), F.force) + dot(s, h);
        if constexpr (n == 3) slopes.data[2][at] = dot(s, F.moment) + dot(u, F.force);
      }
    }
  }
  tiles_.visit<RowRegister<double>::rows>(OfPairs<by_rows, n>{*this, slopes});
}

void EffortSlopes::write(const Model& model, const MatrixSpan<double>& by_q,
                         const MatrixSpan<double>& by_v, const MatrixSpan<double>& by_a) const {
  write_all<false, 3>(model, {{by_q.data, by_v.data, by_a.data}, by_q.stride});
}
void EffortSlopes::write_rows(const Model& model, double* by_q, double* by_v,
                              std::ptrdiff_t stride) const {
  write_all<true, 2>(model, {{by_q, by_v}, stride});
}

}  // namespace trammel::kernel
