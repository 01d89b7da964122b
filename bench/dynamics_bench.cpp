// The hot questions through their public calls, checks included: ns per call, after the answer has
// been checked (forward dynamics must undo inverse dynamics).
#include <benchmark/benchmark.h>

#include <Eigen/Dense>
#include <cmath>

#include "bench/generated_models.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/derivatives.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"

namespace trammel {
namespace {

struct Subject {
  explicit Subject(const benchmark::State& bench)
      : model(generated_model(int(bench.range(0)), int(bench.range(1)))),
        workspace(model),
        state(neutral_state(model)),
        a(std::size_t(model.nv())),
        tau(a.size()),
        back(a.size()) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      state.q[k] = 3 * std::sin(1.0 + double(k));
      state.v[k] = std::cos(2.0 * double(k));
      a[k] = std::sin(3.0 * double(k));
    }
  }
  // the answer first, then the time
  bool is_right() {
    if (!inverse_dynamics(model, state, {.a = a}, workspace, tau)) return false;
    if (!forward_dynamics(model, state, {.tau = tau}, workspace, back)) return false;
    Eigen::MatrixXd M(model.nv(), model.nv());
    if (!mass_matrix(model, state, workspace, M)) return false;
    const auto view = [](const std::vector<double>& x) {
      return Eigen::VectorXd::Map(x.data(), std::ptrdiff_t(x.size()));
    };
    const double size = 1 + view(tau).cwiseAbs().maxCoeff() + M.cwiseAbs().maxCoeff();
    return (M * (view(back) - view(a))).cwiseAbs().maxCoeff() < 1e-9 * size;
  }
  Model model;
  Workspace workspace;
  State state;
  std::vector<double> a, tau, back;
};

template <class Ask> void time(benchmark::State& bench, const Ask& ask) {
  Subject subject(bench);
  if (!subject.is_right()) {
    bench.SkipWithError("forward dynamics does not undo inverse dynamics");
    return;
  }
  for (auto _ : bench) {
    if (!ask(subject)) bench.SkipWithError("the question failed");
    benchmark::ClobberMemory();
  }
  bench.SetLabel(subject.model.name());
}

void inverse(benchmark::State& bench) {
  time(bench, [](Subject& s) {
    return inverse_dynamics(s.model, s.state, {.a = s.a}, s.workspace, s.tau).ok();
  });
}
void forward(benchmark::State& bench) {
  time(bench, [](Subject& s) {
    return forward_dynamics(s.model, s.state, {.tau = s.tau}, s.workspace, s.back).ok();
  });
}
void mass(benchmark::State& bench) {
  Eigen::MatrixXd M(bench.range(0), bench.range(0));
  time(bench, [&](Subject& s) { return mass_matrix(s.model, s.state, s.workspace, M).ok(); });
}
void where(benchmark::State& bench) {
  const Model model = generated_model(int(bench.range(0)), int(bench.range(1)));
  Kinematics out(model);
  time(bench, [&](Subject& s) { return kinematics(s.model, s.state, {}, s.workspace, out).ok(); });
}
void forward_slopes(benchmark::State& bench) {
  const Model model = generated_model(int(bench.range(0)), int(bench.range(1)));
  DerivativeWorkspace workspace(model);
  Derivatives out;
  time(bench, [&](Subject& s) {
    return forward_dynamics_derivatives(s.model, s.state, {.tau = s.tau}, s.workspace, workspace,
                                        out)
        .ok();
  });
}
// per state of a batch of 256
void forward_batch(benchmark::State& bench) {
  Subject s(bench);
  if (!s.is_right()) return bench.SkipWithError("forward dynamics does not undo inverse dynamics");
  const int states = 256;
  const std::ptrdiff_t nv = s.model.nv();
  const Eigen::MatrixXd q = Eigen::VectorXd::Map(s.state.q.data(), nv).replicate(1, states);
  const Eigen::MatrixXd v = Eigen::VectorXd::Map(s.state.v.data(), nv).replicate(1, states);
  const Eigen::MatrixXd tau = Eigen::VectorXd::Map(s.tau.data(), nv).replicate(1, states);
  Eigen::MatrixXd a(nv, states);
  BatchWorkspace workspace(s.model);
  for (auto _ : bench)
    if (!forward_dynamics_batch(s.model, {q, v}, tau, workspace, a)) bench.SkipWithError("failed");
  if ((a.col(states - 1) - Eigen::VectorXd::Map(s.back.data(), nv)).norm() > 1e-9 * a.norm())
    bench.SkipWithError("a batch differs from single states");
  bench.SetItemsProcessed(bench.iterations() * states);
  bench.SetLabel(s.model.name() + ", items are states");
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->Args({7, 0})->Args({36, 6})->Args({64, 0});
}
BENCHMARK(inverse)->Apply(sizes);
BENCHMARK(forward)->Apply(sizes);
BENCHMARK(mass)->Apply(sizes);
BENCHMARK(where)->Apply(sizes);
BENCHMARK(forward_slopes)->Args({7, 0})->Args({36, 6});
BENCHMARK(forward_batch)->Apply(sizes);

}  // namespace
}  // namespace trammel
