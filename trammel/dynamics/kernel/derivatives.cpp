#include "trammel/dynamics/kernel/derivatives.hpp"

#include <algorithm>

#include "trammel/dynamics/kernel/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/inverse_dynamics.hpp"

namespace trammel::kernel {

namespace {

struct SlopeWorkspace {
  explicit SlopeWorkspace(const Model& model)
      : sweep(model),
        q(std::size_t(model.nq())),
        v(std::size_t(model.nv())),
        in(std::size_t(model.nv())),
        out(std::size_t(model.nv())),
        body_of(std::size_t(model.nv())) {
    for (int i = 1; i < int(model.bodies().size()); ++i) {
      const Body& body = model.bodies()[i];
      std::visit(
          [&](const auto& joint) { std::fill_n(body_of.begin() + body.v_start, joint.nv(), i); },
          body.joint);
    }
  }
  BasicWorkspace<Slopes> sweep;
  std::vector<Slopes> q, v, in, out;
  std::vector<int> body_of;  // per freedom: the body its joint moves
  std::vector<Load<Slopes>> loads;
};

void without_slopes(In<double> values, std::vector<Slopes>& duals) {
  std::transform(values.begin(), values.end(), duals.begin(), [](double x) { return Slopes(x); });
}

// q moves along freedom k alone, in slope `lane`
void seed_position(const Model& model, const SlopeWorkspace& ws, int k, int lane,
                   std::vector<Slopes>& q) {
  const Body& body = model.bodies()[ws.body_of[k]];
  std::visit(
      [&]<class J>(const J& joint) {
        double position[J::max_nq], unit[J::max_nv] = {}, q_dot[J::max_nq];
        for (int l = 0; l < joint.nq(); ++l) position[l] = q[body.q_start + l].value;
        unit[k - body.v_start] = 1;
        joint.rate(position, unit, q_dot);
        for (int l = 0; l < joint.nq(); ++l) q[body.q_start + l].slope[lane] = q_dot[l];
      },
      body.joint);
}

// One block: the answer's slopes by `argument`, one column a direction. A group of directions
// starts from plain values, so that no slope of the group before is left; seed(k, lane) sets
// direction k.
template <class Seed, class Ask>
void differentiate_by(std::vector<Slopes>& argument, In<double> values, int nv, SlopeWorkspace& ws,
                      MatrixSpan<double> out, const Seed& seed, const Ask& ask) {
  for (int first = 0; first < nv; first += native_lanes) {
    const int count = std::min(native_lanes, nv - first);
    without_slopes(values, argument);
    for (int lane = 0; lane < count; ++lane) seed(first + lane, lane);
    ask();
    for (int lane = 0; lane < count; ++lane)
      for (int row = 0; row < nv; ++row) out(row, first + lane) = ws.out[row].slope[lane];
  }
  without_slopes(values, argument);
}

// The three blocks of one question, with x its third argument; ask() fills ws.out.
template <class Ask> void differentiate(const Scene<double, double>& scene, In<double> q,
                                        In<double> v, In<double> x, SlopeWorkspace& ws,
                                        const DerivativeMatrices& out, const Ask& ask) {
  const Model& model = scene.model;
  const int nv = model.nv();
  without_slopes(q, ws.q);
  without_slopes(v, ws.v);
  without_slopes(x, ws.in);
  differentiate_by(
      ws.q, q, nv, ws, out.dq, [&](int k, int lane) { seed_position(model, ws, k, lane, ws.q); },
      ask);
  differentiate_by(
      ws.v, v, nv, ws, out.dv, [&](int k, int lane) { ws.v[k].slope[lane] = 1; }, ask);
  differentiate_by(
      ws.in, x, nv, ws, out.dx, [&](int k, int lane) { ws.in[k].slope[lane] = 1; }, ask);
}

Motion<Slopes> lift(const Motion<double>& V) { return {V.angular, V.linear}; }
Scene<double, Slopes> lift(const Scene<double, double>& scene, SlopeWorkspace& ws) {
  ws.loads.clear();
  for (const Load<double>& load : scene.loads)
    ws.loads.push_back({load.body, {load.F.moment, load.F.force}});
  return {scene.model, scene.numbers, {lift(scene.ground.V), lift(scene.ground.A)}, ws.loads};
}

}  // namespace

SealedWorkspace make_derivative_workspace(const Model& model) {
  return {new SlopeWorkspace(model), [](void* ws) { delete static_cast<SlopeWorkspace*>(ws); }};
}

void inverse_dynamics_derivatives(const Scene<double, double>& scene, In<double> q, In<double> v,
                                  In<double> a, void* workspace, const DerivativeMatrices& tau) {
  SlopeWorkspace& ws = *static_cast<SlopeWorkspace*>(workspace);
  const Scene<double, Slopes> lifted = lift(scene, ws);
  differentiate(scene, q, v, a, ws, tau, [&] {
    inverse_dynamics<double, Slopes>(lifted, ws.q, ws.v, ws.in, ws.sweep, ws.out);
  });
}

Pivots forward_dynamics_derivatives(const Scene<double, double>& scene, In<double> q, In<double> v,
                                    In<double> tau, void* workspace, const DerivativeMatrices& a) {
  SlopeWorkspace& ws = *static_cast<SlopeWorkspace*>(workspace);
  const Scene<double, Slopes> lifted = lift(scene, ws);
  Pivots pivots;
  differentiate(scene, q, v, tau, ws, a, [&] {
    pivots = forward_dynamics<double, Slopes>(lifted, ws.q, ws.v, ws.in, ws.sweep, ws.out);
  });
  return pivots;
}

}  // namespace trammel::kernel
