#include "trammel/dynamics/kernel/tree/effort_derivatives.hpp"

#include "trammel/dynamics/kernel/simd/tile.hpp"
#include "trammel/model/traversal.hpp"

// Equation numbers are those of docs/theory/derivatives.md.
namespace trammel::kernel {

namespace {

bool any_columns_change(const Model& model) {
  const auto changes = [](const auto& joint) { return has_changing_columns(joint); };
  return std::ranges::any_of(model.bodies().subspan(1),
                             [&](const Body& body) { return std::visit(changes, body.joint); });
}

}  // namespace

EffortDerivatives::EffortDerivatives(const Model& model)
    : world_(model),
      sin_cos_cache_(model.nq()),
      groups_(model, RowRegister<double>::rows),
      columns_(std::size_t(model.nv())),
      V_(model.bodies().size()),
      A_(model.bodies().size()),
      own_(groups_.rows()),
      causes_(groups_.rows()),
      effects_(groups_.rows()),
      columns_change_(any_columns_change(model)),
      joint_derivatives_(columns_change_ ? std::size_t(model.nv()) : 0),
      extra_(columns_change_ ? groups_.rows() : 0) {}

void EffortDerivatives::outward_motions(const KernelInput<double, double>& input, In<double> q,
                                        In<double> v, In<double> a) {
  sin_cos_cache_.prepare(q);
  WorldFrame<double> last = WorldFrame<double>::load(Mat3<double>::identity());
  V_[0] = input.ground.V;
  A_[0] = input.ground_acceleration();
  outward<double>(input.model, [&](int i, const Body& body, const auto& joint) {
    const auto& [X_PF, inertia] = input.numbers.bodies[i];
    const auto q_J = input.coordinates(sin_cos_cache_, body);
    const double *v_J = &v[body.v_start], *a_J = &a[body.v_start];
    const auto S_J = axes(joint, q_J, &columns_[body.v_start]);
    world_.place(i, body.parent, X_PF, pose(joint, q_J), last);
    const Mat3<double>& R = world_.R_WB[i];

    const Motion<double> V_P = shifted_to(world_.r[i], V_[body.parent]),
                         A_P = shifted_to(world_.r[i], A_[body.parent]);
    Motion<double> V = V_P, A = A_P;
    for (int k = 0; k < S_J.n; ++k) V = V + v_J[k] * turned(R, S_J, k);
    for (int k = 0; k < S_J.n; ++k)
      A = A + cross(V, v_J[k] * turned(R, S_J, k)) + whole(a_J[k] * turned(R, S_J, k));
    if constexpr (requires { joint.bias(q_J, v_J); }) A = A + turned(R, bias(joint, q_J, v_J));
    V_[i] = V;
    A_[i] = A;

    const int row = groups_.row(body.v_start);
    for (int k = 0; k < S_J.n - 1; ++k) own_.row(row + k).set(Own::inertia, Inertia<double>{});
    own_.row(row + S_J.n - 1).set(Own::turn, R);
    own_.row(row + S_J.n - 1).set(Own::A, A);
    own_.row(row + S_J.n - 1).set(Own::inertia, inertia);
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
        JointDerivatives* derivatives = &joint_derivatives_[body.v_start];
        differentiate_joint(joint, q_J.q, v_J, q_J.constants, derivatives);
        rotate_joint_derivatives(R, S_J.n, derivatives);
        for (int k = 0; k < S_J.n; ++k) {
          const Motion<double> dS_v = weighted(derivatives[k], v_J, S_J.n);
          extra_.row(row + k).set(Extra::D, dS_v);
          extra_.row(row + k).set(Extra::E, cross(V, dS_v) + weighted(derivatives[k], a_J, S_J.n) +
                                                derivatives[k].bias_q);
          extra_.row(row + k).set(Extra::G, derivatives[k].bias_v);
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
  for (const ExternalForce<double>& load : input.external_forces) {
    const Body& body = input.model.bodies()[std::size_t(load.body)];
    own(body).set(Own::force, force_taken(body) - turned(world_.R_WB[load.body], load.F));
  }
}

[[gnu::flatten]] void EffortDerivatives::add_accelerations(const Model& model, In<double> a) {
  // A_ holds the added accelerations from here on
  const std::span<const Body> bodies = model.bodies();
  A_[0] = {};
  for (int i = 1; i < int(bodies.size()); ++i) {
    const auto [first, end] = std::pair{bodies[i].v_start, bodies[i].v_end};
    const int row = groups_.row(first);
    const Motion<double> A_P = shifted_to(world_.r[i], A_[bodies[i].parent]);
    Motion<double> A = A_P;
    for (int k = first; k < end; ++k) {
      A = A + a[k] * world_.axes[k];
      own_.row(row + k - first).set(Own::A_P, A_P);
      if (columns_change_)
        extra_.row(row + k - first)
            .set(Extra::E, weighted(joint_derivatives_[k], &a[first], end - first));
    }
    A_[i] = A;
    own_.row(row + end - 1 - first).set(Own::A, A);
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

void EffortDerivatives::gather() {
  using R = RowRegister<double>::Type;
  using Sums = RowSums<double>;
  // shift everything to the reference point of the group
  groups_.each([&](int g) {
    const auto own = own_.group(g);
    const auto cause = causes_.group(g);
    const Vec3<R> r = cause.vector(Cause::place) - Vec3<R>(point(g));
    const auto [B, l] = shifted(r, CoriolisInertia<R>{own.matrix(Own::B), own.vector(Own::l)});
    own.set(Own::inertia, shifted(r, own.inertia(Own::inertia)));
    own.set(Own::B, B);
    own.set(Own::force, acting_at(r, own.force(Own::force)));
    for (const int motion : {Cause::E, Cause::G, Cause::S})
      cause.set(motion, shifted_to(-r, cause.motion(motion)));
  });

  groups_.each_inward([&](int g) {
    const auto own = own_.group(g);
    const auto cause = causes_.group(g);
    const auto effect = effects_.group(g);
    const Inertia<R> I = Sums::inward(own.inertia(Own::inertia));
    const CoriolisInertia<R> C{Sums::inward(own.matrix(Own::B)), Sums::inward(own.vector(Own::l))};
    const Force<R> F = Sums::inward(own.force(Own::force));
    const Motion<R> S = cause.motion(Cause::S);
    effect.set(Effect::by_a, I * S);
    effect.set(Effect::by_q,
               I * cause.motion(Cause::E) + C * cause.vector(Cause::D_angular) + cross(S, F));
    effect.set(Effect::by_v, I * cause.motion(Cause::G) + C * S.angular);
    effect.set(Effect::h, R(2.0) * (transpose_times(C.B, S.angular) + cross(C.l, S.linear)));
    own.set(Own::inertia, I);
    own.set(Own::B, C.B);
    own.set(Own::l, C.l);
    own.set(Own::force, F);
    if (groups_[g].inboard < 0) return;

    const auto first = own_.row(groups_.first_row(g)), next = own_.row(groups_.next_row(g));
    const auto coriolis = [](const auto& row) {
      return CoriolisInertia<double>{row.matrix(Own::B), row.vector(Own::l)};
    };
    const Vec3<double> r = point(g) - point(groups_[g].inboard);
    const auto [B, l] = coriolis(next) + shifted(r, coriolis(first));
    next.set(Own::inertia, next.inertia(Own::inertia) + shifted(r, first.inertia(Own::inertia)));
    next.set(Own::B, B);
    next.set(Own::l, l);
    next.set(Own::force, next.force(Own::force) + acting_at(r, first.force(Own::force)));
  });
}

// Forces of all outer degrees of freedom of a group, for the pairs with inner ones.
struct EffortDerivatives::Registers {
  using R = RowRegister<double>::Type;
  Force<R> by_a, by_q, by_v;
  Vec3<R> h;

  // r: from the reference point of the inner group
  Registers(const Parts<Effect::OneGroup>& effect, const Vec3<double>& r)
      : by_a(acting_at(r, effect.force(Effect::by_a))),
        by_q(acting_at(r, effect.force(Effect::by_q))),
        by_v(acting_at(r, effect.force(Effect::by_v))),
        h(effect.vector(Effect::h)) {}

  // For one inner degree of freedom: derivatives of its effort by the outer coordinates, (7), and
  // of the outer efforts by its coordinate, (6).
  R inner_q(const Parts<Cause::OneRow>& cause) const { return component(cause, Cause::S, by_q); }
  R inner_v(const Parts<Cause::OneRow>& cause) const { return component(cause, Cause::S, by_v); }
  R mass(const Parts<Cause::OneRow>& cause) const { return component(cause, Cause::S, by_a); }
  R outer_q(const Parts<Cause::OneRow>& cause) const {
    return component(cause, Cause::E, by_a) + dot(cause.vector(Cause::D_angular), h);
  }
  R outer_v(const Parts<Cause::OneRow>& cause) const {
    return component(cause, Cause::G, by_a) + dot(cause.vector(Cause::S), h);
  }

 private:
  static R component(const Parts<Cause::OneRow>& cause, int motion, const Force<R>& F) {
    return dot(cause.vector(motion), F.moment) + dot(cause.vector(motion + 3), F.force);
  }
};

template <bool by_rows> struct EffortDerivatives::Duals {
  using Matrix = TiledMatrix<double>;
  Matrix by_q, by_v, by_a;
  static constexpr bool has_by_a = !by_rows;
};

template <bool by_rows> struct EffortDerivatives::OfPairs {
  using Matrix = TiledMatrix<double>;
  using Row = Parts<Cause::OneRow>;

  EffortDerivatives& of;
  const Duals<by_rows>& derivatives;

  // visit(matrix, tile of the derivatives of inner efforts, tile of those of outer efforts): each
  // tile is computed on demand, so that only one at a time occupies registers
  template <class Visit>
  void each(int outer, int inner, int inner_count, const Visit& visit) const {
    const Registers x(of.effects_.group(outer), of.point(outer) - of.point(inner));
    const auto tile = [&](const auto& derivative) {
      return [&, derivative] {
        return Tile<double>([&](int i) {
          return i < inner_count ? derivative(of.causes_.row(of.groups_.first_row(inner) + i))
                                 : Registers::R(0.0);
        });
      };
    };
    visit(derivatives.by_q, tile([&](const Row& cause) { return x.inner_q(cause); }),
          tile([&](const Row& cause) { return x.outer_q(cause); }));
    visit(derivatives.by_v, tile([&](const Row& cause) { return x.inner_v(cause); }),
          tile([&](const Row& cause) { return x.outer_v(cause); }));
    if constexpr (Duals<by_rows>::has_by_a) {
      const auto mass = tile([&](const Row& cause) { return x.mass(cause); });
      visit(derivatives.by_a, mass, mass);
    }
  }
  void meet_itself(int group) const {
    each(group, group, of.groups_[group].count,
         [&](const Matrix& matrix, const auto& inner, const auto& outer) {
           if constexpr (by_rows)
             matrix.write_itself(of.groups_[group], outer(), inner(), Matrix::Diagonal::outer);
           else
             matrix.write_itself(of.groups_[group], inner(), outer(), Matrix::Diagonal::inner);
         });
  }
  void meet(int outer, int inner, int inner_count) const {
    const DofGroup &out = of.groups_[outer], &in = of.groups_[inner];
    each(outer, inner, inner_count,
         [&](const Matrix& matrix, const auto& of_inner, const auto& of_outer) {
           if constexpr (by_rows) {
             matrix.write_inner(out, in, of_inner());
             matrix.write_outer(out, in, of_outer());
           } else {
             matrix.write_inner(out, in, of_outer());
             matrix.write_outer(out, in, of_inner());
           }
         });
  }
};

template <bool by_rows>
void EffortDerivatives::write_all(const Model& model, const Duals<by_rows>& derivatives) {
  if (groups_.has_branches()) {
    derivatives.by_q.clear(model.nv());
    derivatives.by_v.clear(model.nv());
    if constexpr (Duals<by_rows>::has_by_a) derivatives.by_a.clear(model.nv());
  }
  groups_.visit(OfPairs<by_rows>{*this, derivatives});
  for (const Body& body : model.bodies())
    if (body.v_end - body.v_start > 1 || columns_change_) write_joint<by_rows>(body, derivatives);
}

// Pairs of degrees of freedom of one joint move the same body: (6) applies to both orders.
template <bool by_rows>
[[gnu::flatten]] void EffortDerivatives::write_joint(const Body& body,
                                                     const Duals<by_rows>& derivatives) {
  const int first = body.v_start, end = body.v_end;
  const auto point_of = [&](int dof) { return point(groups_.group(dof)); };
  for (int i = first; i < end; ++i) {
    const auto effect = effects_.row(groups_.row(i));
    const Vec3<double> h = effect.vector(Effect::h);
    for (int k = first; k < end; ++k) {
      const auto cause = causes_.row(groups_.row(k));
      const Force<double> F = acting_at(point_of(i) - point_of(k), effect.force(Effect::by_a));
      const std::ptrdiff_t stride = derivatives.by_q.stride,
                           at = by_rows ? i * stride + k : k * stride + i;
      double& by_q = derivatives.by_q.data[at];
      by_q = dot(cause.motion(Cause::E), F) + dot(cause.vector(Cause::D_angular), h);
      if (columns_change_)
        by_q += dot(joint_derivatives_[k].columns[i - first],
                    acting_at(point_of(end - 1) - cause.vector(Cause::place), force_taken(body)));
      derivatives.by_v.data[at] = dot(cause.motion(Cause::G), F) + dot(cause.vector(Cause::S), h);
      if constexpr (Duals<by_rows>::has_by_a)
        derivatives.by_a.data[at] = dot(cause.motion(Cause::S), F);
    }
  }
}

void EffortDerivatives::write(const Model& model, const MatrixSpan<double>& by_q,
                              const MatrixSpan<double>& by_v, const MatrixSpan<double>& by_a) {
  const auto matrix = [](const MatrixSpan<double>& M) {
    return TiledMatrix<double>{M.data, M.stride};
  };
  write_all<false>(model, {matrix(by_q), matrix(by_v), matrix(by_a)});
}
void EffortDerivatives::write_rows(const Model& model, double* by_q, double* by_v,
                                   std::ptrdiff_t stride) {
  write_all<true>(model, {{by_q, stride}, {by_v, stride}, {}});
}

}  // namespace trammel::kernel
