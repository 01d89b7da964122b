#include "trammel/dynamics/kernel/batch.hpp"

#include <algorithm>
#include <optional>

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/simd/lane_groups.hpp"
#include "trammel/dynamics/kernel/tree/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/kinematics.hpp"
#include "trammel/dynamics/kernel/tree/mass_factors.hpp"
#include "trammel/dynamics/kernel/tree/mass_matrix.hpp"
#include "trammel/dynamics/kernel/tree/reactions.hpp"

namespace trammel::kernel {

namespace {

struct LaneWorkspace {
  explicit LaneWorkspace(const Model& model)
      : sweep(model),
        kinematics(model),
        q(std::size_t(model.nq())),
        v(std::size_t(model.nv())),
        x(std::size_t(model.nv())),
        on_body(model.named_bodies().size()),
        of_joint(model.joints().size()),
        forces(6 * model.joints().size()),
        M(has_large_matrix(model) ? 0 : std::size_t(model.nv()) * std::size_t(model.nv())) {
    if (has_large_matrix(model)) mass_factors.emplace(model);
  }
  // In SIMD lanes a large matrix does not fit the nearest cache when it is written: only its
  // factors are computed there. Those of a small one would cost more than its entries (seven axes,
  // four lanes: 2,280 instructions a state, by factors 3,500; with eight lanes the same time).
  static bool has_large_matrix(const Model& model) { return model.nv() > 16; }

  BasicWorkspace<Lanes> sweep;
  BasicKinematics<Lanes> kinematics;
  std::vector<Lanes> q, v;
  std::vector<Lanes> x;  // argument, then result: one is read before the other is written
  std::vector<Force<Lanes>> on_body, of_joint;  // of the reactions
  std::vector<Lanes> forces;
  std::vector<Lanes> M;                         // of small matrices
  std::optional<MassFactorLanes> mass_factors;  // of large ones
};

template <class Ask> void for_each_group(const Batch& batch, LaneWorkspace& ws, const Ask& ask) {
  for (int first = 0; first < batch.states; first += native_lanes) {
    gather(batch.q, batch.states, first, ws.q);
    if (batch.v != nullptr) gather(batch.v, batch.states, first, ws.v);
    ask(first);
  }
}

}  // namespace

SealedWorkspace make_batch_workspace(const Model& model) {
  return {new LaneWorkspace(model), [](void* ws) { delete static_cast<LaneWorkspace*>(ws); }};
}

[[gnu::flatten]] bool all_finite(std::span<const double> numbers) {
  constexpr int at_once = 4;  // independent sums
  Lanes sums[at_once];
  const auto add = [&](int k, const Lanes& x) { sums[k] += Lanes(0.0) * x; };  // 0, or NaN
  const double *x = numbers.data(), *const end = x + numbers.size();
  for (; end - x >= at_once * native_lanes; x += at_once * native_lanes)
    for (int k = 0; k < at_once; ++k) add(k, Lanes::load(x + k * native_lanes));
  for (; x < end; x += native_lanes)
    add(0, Lanes::load_first(int(std::min<std::ptrdiff_t>(end - x, native_lanes)), x));
  const Lanes sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  return stdx::all_of(sum.simd() == 0.0);
}

void kinematics_batch(const Batch& batch, void* workspace, double* poses) {
  LaneWorkspace& ws = *static_cast<LaneWorkspace*>(workspace);
  const KernelInput<double, Lanes> input{batch.model, batch.numbers};
  const std::size_t n = batch.model.named_bodies().size();
  std::fill(ws.x.begin(), ws.x.end(), Lanes(0.0));
  std::fill(ws.v.begin(), ws.v.end(), Lanes(0.0));
  for_each_group(batch, ws, [&](int first) {
    kinematics<double, Lanes>(input, ws.q, ws.v, ws.x, ws.sweep, ws.kinematics);
    for (std::size_t body = 0; body < n; ++body) {
      const int tree_body = batch.model.named_bodies()[body].tree_body;
      const Pose<double>& X_BU = batch.numbers.X_BU[body];
      const Pose<Lanes>& X_WB = ws.kinematics.X_WB[tree_body];
      const Mat3<Lanes> R = X_WB.R * X_BU.R;
      const Vec3<Lanes> p = X_WB.R * X_BU.p + X_WB.p;
      const Lanes rows[12] = {R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z,
                              R.z.x, R.z.y, R.z.z, p.x,   p.y,   p.z};
      for (int lane = 0; lane < native_lanes && first + lane < batch.states; ++lane)
        for (std::size_t k = 0; k < 12; ++k)
          poses[(std::size_t(first + lane) * n + body) * 12 + k] = rows[k][lane];
    }
  });
}

void inverse_dynamics_batch(const Batch& batch, const double* a, void* workspace, double* tau) {
  LaneWorkspace& ws = *static_cast<LaneWorkspace*>(workspace);
  const KernelInput<double, Lanes> input{batch.model, batch.numbers};
  for_each_group(batch, ws, [&](int first) {
    gather(a, batch.states, first, ws.x);
    inverse_dynamics<double, Lanes>(input, ws.q, ws.v, ws.x, ws.sweep, ws.x);
    scatter(ws.x, batch.states, first, tau);
  });
}

BatchPivots forward_dynamics_batch(const Batch& batch, const double* tau, void* workspace,
                                   double* a) {
  LaneWorkspace& ws = *static_cast<LaneWorkspace*>(workspace);
  const KernelInput<double, Lanes> input{batch.model, batch.numbers};
  BatchPivots pivots;
  for_each_group(batch, ws, [&](int first) {
    gather(tau, batch.states, first, ws.x);
    const Pivots met = forward_dynamics<double, Lanes>(input, ws.q, ws.v, ws.x, ws.sweep, ws.x);
    if (met.weak_dof != Pivots::none && pivots.weak_state == BatchPivots::none)
      pivots.weak_state = first;
    scatter(ws.x, batch.states, first, a);
  });
  return pivots;
}

void mass_matrix_batch(const Batch& batch, void* workspace, double* M) {
  LaneWorkspace& ws = *static_cast<LaneWorkspace*>(workspace);
  const int nv = batch.model.nv();
  const KernelInput<double, Lanes> input{batch.model, batch.numbers};
  for_each_group(batch, ws, [&](int first) {
    if (!ws.mass_factors) {
      mass_matrix<double, Lanes>(input, ws.q, ws.sweep, {ws.M.data(), nv, nv});
      return scatter(ws.M, batch.states, first, M);
    }
    ws.mass_factors->compute(input, ws.q, ws.sweep);
    for (int lane = 0; lane < std::min(native_lanes, batch.states - first); ++lane)
      ws.mass_factors->write(lane, {M + std::ptrdiff_t(first + lane) * nv * nv, nv, nv});
  });
}

void reactions_batch(const Batch& batch, const double* a, void* workspace, double* forces) {
  LaneWorkspace& ws = *static_cast<LaneWorkspace*>(workspace);
  const KernelInput<double, Lanes> input{batch.model, batch.numbers};
  for_each_group(batch, ws, [&](int first) {
    gather(a, batch.states, first, ws.x);
    kinematics<double, Lanes>(input, ws.q, ws.v, ws.x, ws.sweep, ws.kinematics);
    std::fill(ws.on_body.begin(), ws.on_body.end(), Force<Lanes>{});
    reactions<double, Lanes>(input, ws.kinematics, ws.on_body, ws.of_joint);
    for (std::size_t j = 0; j < ws.of_joint.size(); ++j) {
      const auto& [n, f] = ws.of_joint[j];
      const Lanes six[] = {n.x, n.y, n.z, f.x, f.y, f.z};
      std::copy_n(six, 6, ws.forces.begin() + std::ptrdiff_t(6 * j));
    }
    scatter(ws.forces, batch.states, first, forces);
  });
}

}  // namespace trammel::kernel
