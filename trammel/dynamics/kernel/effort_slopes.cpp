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
      causes_(std::size_t(model.nv())),
      effects_(std::size_t(model.nv())),
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
      world_.axes[body.v_start + k] = whole(S);
      Cause& cause = causes_[body.v_start + k];
      const auto& [s, u] = world_.axes[body.v_start + k];
      cause.angular.set(E.angular, G.angular, s, s);
      cause.linear.set(E.linear, G.linear, u, u);
      cause.turn.set(0, D.angular);
      cause.turn.set(1, s);
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
      causes_[k].angular.set(0, causes_[k].angular[0] + E.angular);
      causes_[k].linear.set(0, causes_[k].linear[0] + E.linear);
    }
    A_[i] = A;
    F_[i] += I_[i] * A;
  }
}

[[gnu::flatten]] void EffortSlopes::gather(const Model& model) {
  const std::span<const Body> bodies = model.bodies();
  for (int i = int(bodies.size()) - 1; i > 0; --i) {
    const auto& [B, l] = coriolis_[i];
    for (int k = bodies[i].v_start; k < bodies[i].v_end; ++k) {
      const Motion<double>& S = world_.axes[k];
      const Cause& cause = causes_[k];
      const Motion<double> E{cause.angular[0], cause.linear[0]},
          G{cause.angular[1], cause.linear[1]};
      const Force<double> by_a = I_[i] * S;
      const Force<double> by_q = I_[i] * E + coriolis_[i] * cause.turn[0] + cross(S, F_[i]);
      const Force<double> by_v = I_[i] * G + coriolis_[i] * S.angular;
      effects_[k].moment.set(by_a.moment, by_a.moment, by_q.moment, by_v.moment);
      effects_[k].force.set(by_a.force, by_a.force, by_q.force, by_v.force);
      effects_[k].h = 2.0 * (transpose_times(B, S.angular) + cross(l, S.linear));
    }
    const int parent = bodies[i].parent;
    if (parent == 0) continue;
    const Vec3<double>& r = world_.r[i];
    I_[parent] = I_[parent] + shifted(r, I_[i]);
    coriolis_[parent] = coriolis_[parent] + shifted(r, coriolis_[i]);
    F_[parent] += acting_at(r, F_[i]);
  }
}

}  // namespace trammel::kernel
