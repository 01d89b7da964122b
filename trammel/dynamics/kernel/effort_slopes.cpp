#include "trammel/dynamics/kernel/effort_slopes.hpp"

namespace trammel::kernel {

namespace {

template <Scalar S>
CoriolisInertia<S> operator+(const CoriolisInertia<S>& a, const CoriolisInertia<S>& b) {
  return {a.B + b.B, a.l + b.l};
}
// B of a body that moves with V; l is its linear momentum.
template <Scalar S>
CoriolisInertia<S> coriolis_inertia(const Inertia<S>& I, const Motion<S>& V, const Vec3<S>& l) {
  const auto& [w, v] = V;
  const Vec3<S>& h = I.first_moment;
  const SymMat3<S>& J = I.rotational;
  const S half = S(0.5) * trace(J), power = dot(h, v);
  Mat3<S> B{cross(w, Vec3<S>{J.xx - half, J.xy, J.xz}) - h.x * v,
            cross(w, Vec3<S>{J.xy, J.yy - half, J.yz}) - h.y * v,
            cross(w, Vec3<S>{J.xz, J.yz, J.zz - half}) - h.z * v};
  B.x.x += power;
  B.y.y += power;
  B.z.z += power;
  return {B, l};
}
// Felt from where its origin is at r: B' d = B d + r x (d x l).
CoriolisInertia<double> shifted(const Vec3<double>& r, const CoriolisInertia<double>& C) {
  const double power = dot(r, C.l);
  Mat3<double> B{C.B.x - r.x * C.l, C.B.y - r.y * C.l, C.B.z - r.z * C.l};
  B.x.x += power;
  B.y.y += power;
  B.z.z += power;
  return {B, C.l};
}
// 2 [B d; d x l]
template <Scalar S> Force<S> operator*(const CoriolisInertia<S>& C, const Vec3<S>& d) {
  const Vec3<S> twice = S(2.0) * d;
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
      groups_(model, RowRegister<double>::rows),
      columns_(std::size_t(model.nv())),
      V_(model.bodies().size()),
      A_(model.bodies().size()),
      own_(groups_.rows()),
      causes_(groups_.rows()),
      effects_(groups_.rows()),
      columns_change_(any_columns_change(model)),
      joint_slopes_(columns_change_ ? std::size_t(model.nv()) : 0),
      extra_(columns_change_ ? groups_.rows() : 0) {}

void EffortSlopes::move(const Scene<double, double>& scene, In<double> q, In<double> v,
                        In<double> a) {
  turns_.prepare(q);
  WorldFrame<double> last = WorldFrame<double>::load(Mat3<double>::identity());
  V_[0] = scene.ground.V;
  A_[0] = scene.ground_acceleration();
  outward<double>(scene.model, [&](int i, const Body& body, const auto& joint) {
    const auto& [X_PF, inertia] = scene.numbers.bodies[i];
    const auto q_J = scene.coordinates(turns_, body);
    const double *v_J = &v[body.v_start], *a_J = &a[body.v_start];
    const auto S_J = axes(joint, q_J, &columns_[body.v_start]);
    world_.place(i, body.parent, X_PF * pose(joint, q_J), last);
    const Mat3<double>& R = world_.R_WB[i];

    const Motion<double> V_P = felt_at(world_.r[i], V_[body.parent]),
                         A_P = felt_at(world_.r[i], A_[body.parent]);
    Motion<double> V = V_P, A = A_P;
    for (int k = 0; k < S_J.n; ++k) V = V + v_J[k] * turned(R, S_J, k);
    for (int k = 0; k < S_J.n; ++k)
      A = A + cross(V, v_J[k] * turned(R, S_J, k)) + whole(a_J[k] * turned(R, S_J, k));
    if constexpr (requires { joint.bias(q_J, v_J); }) A = A + turned(R, bias(joint, q_J, v_J));
    V_[i] = V;
    A_[i] = A;

    const int row = groups_.row(body.v_start);
    own_.row(row).set(Own::turn, R);
    own_.row(row).set(Own::A, A);
    own_.row(row).set(Own::inertia, inertia);
    for (int k = 0; k < S_J.n; ++k) {
      own_.row(row + k).set(Own::V_P, V_P);
      own_.row(row + k).set(Own::A_P, A_P);
      own_.row(row + k).set(Own::V, V);
      world_.axes[body.v_start + k] = whole(turned(R, S_J, k));
      causes_.row(row + k).set(Cause::S, world_.axes[body.v_start + k]);
      causes_.row(row + k).set(Cause::place, world_.p[i]);
    }
    if constexpr (!requires { joint.fixed_axes; })
      if (has_changing_columns(joint)) {
        JointSlopes* slopes = &joint_slopes_[body.v_start];
        differentiate_joint(joint, q_J.q, v_J, q_J.constants, slopes);
        turn_slopes(R, S_J.n, slopes);
        for (int k = 0; k < S_J.n; ++k) {
          const Motion<double> dS_v = weighted(slopes[k], v_J, S_J.n);
          extra_.row(row + k).set(Extra::D, dS_v);
          extra_.row(row + k).set(
              Extra::E, cross(V, dS_v) + weighted(slopes[k], a_J, S_J.n) + slopes[k].bias_q);
          extra_.row(row + k).set(Extra::G, slopes[k].bias_v);
        }
      }
  });

  groups_.each([&](int g) {
    const auto own = own_.group(g);
    const auto cause = causes_.group(g);
    const auto S = cause.motion(Cause::S), V_P = own.motion(Own::V_P), V = own.motion(Own::V);
    auto D = cross(V_P, S), E = cross(own.motion(Own::A_P), S), G = cross(V + V_P, S);
    if (columns_change_) {
      const auto extra = extra_.group(g);
      D = D + extra.motion(Extra::D);
      E = E + extra.motion(Extra::E);
      G = G + extra.motion(Extra::G);
    }
    cause.set(Cause::E, E + cross(V_P, D));
    cause.set(Cause::G, G);
    cause.set(Cause::D_angular, D.angular);

    const auto I = turned(own.matrix(Own::turn), own.inertia(Own::inertia));
    const auto momentum = I * V;
    const auto [B, l] = coriolis_inertia(I, V, momentum.force);
    own.set(Own::inertia, I);
    own.set(Own::B, B);
    own.set(Own::l, l);
    own.set(Own::force, I * own.motion(Own::A) + cross(V, momentum));
  });
  for (const Load<double>& load : scene.loads) {
    const Body& body = scene.model.bodies()[std::size_t(load.body)];
    own(body).set(Own::force, force_taken(body) - turned(world_.R_WB[load.body], load.F));
  }
}

[[gnu::flatten]] void EffortSlopes::accelerate(const Model& model, In<double> a) {
  // A_ holds what is added from here on
  const std::span<const Body> bodies = model.bodies();
  A_[0] = {};
  for (int i = 1; i < int(bodies.size()); ++i) {
    const auto [first, end] = std::pair{bodies[i].v_start, bodies[i].v_end};
    const int row = groups_.row(first);
    const Motion<double> A_P = felt_at(world_.r[i], A_[bodies[i].parent]);
    Motion<double> A = A_P;
    for (int k = first; k < end; ++k) {
      A = A + a[k] * world_.axes[k];
      own_.row(row + k - first).set(Own::A_P, A_P);
      if (columns_change_)
        extra_.row(row + k - first)
            .set(Extra::E, weighted(joint_slopes_[k], &a[first], end - first));
    }
    A_[i] = A;
    own_.row(row).set(Own::A, A);
  }
  groups_.each([&](int g) {
    const auto own = own_.group(g);
    const auto cause = causes_.group(g);
    auto E = cause.motion(Cause::E) + cross(own.motion(Own::A_P), cause.motion(Cause::S));
    if (columns_change_) E = E + extra_.group(g).motion(Extra::E);
    cause.set(Cause::E, E);
    own.set(Own::force, own.force(Own::force) + own.inertia(Own::inertia) * own.motion(Own::A));
  });
}

void EffortSlopes::gather(const Model& model) {
  inward<double>(model, [&](int i, const Body& body, const auto&) {
    const auto own = this->own(body);
    const Inertia<double> I = own.inertia(Own::inertia);
    const CoriolisInertia<double> C{own.matrix(Own::B), own.vector(Own::l)};
    const Force<double> F = own.force(Own::force);
    const auto set = [](const auto& row, const Inertia<double>& inertia,
                        const CoriolisInertia<double>& coriolis, const Force<double>& force) {
      row.set(Own::inertia, inertia);
      row.set(Own::B, coriolis.B);
      row.set(Own::l, coriolis.l);
      row.set(Own::force, force);
    };
    for (int k = 1; k < body.v_end - body.v_start; ++k)
      set(own_.row(groups_.row(body.v_start) + k), I, C, F);
    if (body.parent == 0) return;
    const Vec3<double>& r = world_.r[i];
    const auto parent = this->own(model.bodies()[std::size_t(body.parent)]);
    set(parent, parent.inertia(Own::inertia) + shifted(r, I),
        CoriolisInertia<double>{parent.matrix(Own::B), parent.vector(Own::l)} + shifted(r, C),
        parent.force(Own::force) + acting_at(r, F));
  });

  groups_.each([&](int g) {
    using R = RowRegister<double>::Type;
    const auto own = own_.group(g);
    const auto cause = causes_.group(g);
    const auto effect = effects_.group(g);
    const Inertia<R> I = own.inertia(Own::inertia);
    const CoriolisInertia<R> C{own.matrix(Own::B), own.vector(Own::l)};
    const Motion<R> S = cause.motion(Cause::S);
    effect.set(Effect::by_a, I * S);
    effect.set(Effect::by_q, I * cause.motion(Cause::E) + C * cause.vector(Cause::D_angular) +
                                 cross(S, own.force(Own::force)));
    effect.set(Effect::by_v, I * cause.motion(Cause::G) + C * S.angular);
    effect.set(Effect::h, R(2.0) * (transpose_times(C.B, S.angular) + cross(C.l, S.linear)));
  });
}

// Of one freedom, the outer one, with those of a group further in.
struct EffortSlopes::Registers {
  using R = RowRegister<double>::Type;
  R outer_q, outer_v, inner_q, inner_v, mass;

  Registers(const Parts<Effect::OneRow>& effect, const Vec3<double>& place,
            const Parts<Cause::OneGroup>& cause) {
    const Vec3<R> r = Vec3<R>(place) - cause.vector(Cause::place), s = cause.vector(Cause::S),
                  u = cause.vector(Cause::S + 3), h(effect.vector(Effect::h));
    const auto carried = [&](int which) {
      const Vec3<R> force(effect.vector(which + 3));
      return Force<R>{Vec3<R>(effect.vector(which)) + cross(r, force), force};
    };
    const auto felt = [&](int which) {
      const Force<R> F = carried(which);
      return dot(s, F.moment) + dot(u, F.force);
    };
    const auto [n, f] = carried(Effect::by_a);
    mass = dot(s, n) + dot(u, f);
    outer_v = dot(cause.vector(Cause::G), n) + dot(cause.vector(Cause::G + 3), f) + dot(s, h);
    outer_q = dot(cause.vector(Cause::E), n) + dot(cause.vector(Cause::E + 3), f) +
              dot(cause.vector(Cause::D_angular), h);
    inner_q = felt(Effect::by_q);
    inner_v = felt(Effect::by_v);
  }
};

template <bool by_rows, int n> struct EffortSlopes::OfPairs {
  using R = Registers::R;
  using Matrices = TiledMatrices<double, n>;

  EffortSlopes& of;
  const Matrices& slopes;

  void fill(int outer, int inner, typename Matrices::Tile& tile) const {
    const auto cause = of.causes_.group(inner);
    for (int j = 0; j < of.groups_[outer].count; ++j) {
      const int row = outer * Matrices::rows + j;
      const Registers x(of.effects_.row(row), of.causes_.row(row).vector(Cause::place), cause);
      auto &down = by_rows ? tile.across : tile.along, &right = by_rows ? tile.along : tile.across;
      down[0][j] = x.inner_q;
      down[1][j] = x.inner_v;
      right[0][j] = x.outer_q;
      right[1][j] = x.outer_v;
      if constexpr (n == 3) down[2][j] = right[2][j] = x.mass;
    }
  }
  void meet_itself(int group) const {
    typename Matrices::Tile tile;
    fill(group, group, tile);
    slopes.write_diagonal(of.groups_[group], tile,
                          by_rows ? Matrices::Diagonal::along : Matrices::Diagonal::across);
  }
  void meet(int outer, int inner, int inner_count) const {
    typename Matrices::Tile tile;
    fill(outer, inner, tile);
    slopes.write(of.groups_[outer], of.groups_[inner], inner_count, tile);
  }
  void pass_by(int outer, int inner) const {
    slopes.write_zeros(of.groups_[outer], of.groups_[inner]);
  }
};

template <bool by_rows, int n>
void EffortSlopes::write_all(const Model& model, const TiledMatrices<double, n>& slopes) {
  groups_.visit(OfPairs<by_rows, n>{*this, slopes});
  for (const Body& body : model.bodies())
    if (body.v_end - body.v_start > 1 || columns_change_) write_joint<by_rows>(body, slopes);
}

// The freedoms of one joint move the same body: each is at the other, none further in.
template <bool by_rows, int n>
[[gnu::flatten]] void EffortSlopes::write_joint(const Body& body,
                                                const TiledMatrices<double, n>& slopes) {
  const int first = body.v_start, end = body.v_end;
  for (int i = first; i < end; ++i) {
    const auto effect = effects_.row(groups_.row(i));
    const Force<double> F = effect.force(Effect::by_a);
    const Vec3<double> h = effect.vector(Effect::h);
    for (int k = first; k < end; ++k) {
      const auto cause = causes_.row(groups_.row(k));
      const std::ptrdiff_t at = by_rows ? i * slopes.stride + k : k * slopes.stride + i;
      double& by_q = slopes.data[0][at];
      by_q = dot(cause.motion(Cause::E), F) + dot(cause.vector(Cause::D_angular), h);
      if (columns_change_) by_q += dot(joint_slopes_[k].columns[i - first], force_taken(body));
      slopes.data[1][at] = dot(cause.motion(Cause::G), F) + dot(cause.vector(Cause::S), h);
      if constexpr (n == 3) slopes.data[2][at] = dot(cause.motion(Cause::S), F);
    }
  }
}

void EffortSlopes::write(const Model& model, const MatrixSpan<double>& by_q,
                         const MatrixSpan<double>& by_v, const MatrixSpan<double>& by_a) {
  write_all<false, 3>(model, {{by_q.data, by_v.data, by_a.data}, by_q.stride});
}
void EffortSlopes::write_rows(const Model& model, double* by_q, double* by_v,
                              std::ptrdiff_t stride) {
  write_all<true, 2>(model, {{by_q, by_v}, stride});
}

}  // namespace trammel::kernel
