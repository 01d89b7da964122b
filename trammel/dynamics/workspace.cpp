#include "trammel/dynamics/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "trammel/dynamics/belongs.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace internal {

WorkspaceBuffers::WorkspaceBuffers(const Model& model)
    : BasicWorkspace<double>(model, kernel::kernels().lanes),
      kinematics(model),
      on_body(model.named_bodies().size()),
      zero(std::size_t(model.nv())),
      a(std::size_t(model.nv())),
      tau(std::size_t(model.nv())),
      nq(model.nq()),
      tree(model.tree_fingerprint()),
      constrained(make_constrained(model)) {
  std::size_t elements = 0;
  for (std::size_t kind = 0; kind < force_element_kinds; ++kind)
    elements += model.force_elements(kind).size();
  external_forces.reserve(model.bodies().size() + 16 + 2 * elements);
  element_forces.reserve(elements + model.closures().size());
}

// The number of threads, or the number of cores for 0.
static int checked_threads(const char* context, int threads) {
  if (threads < 0)
    throw std::invalid_argument(
        fmt::format("{}: {} threads: give 1 or more, or 0 for one a core", context, threads));
  const int cores = std::max(1, int(std::thread::hardware_concurrency()));
  // a few threads per core hide latency; thousands would stall the machine
  if (const int most = std::max(64, 4 * cores); threads > most)
    throw std::invalid_argument(
        fmt::format("{}: {} threads: give at most {} here, with {} cores, or 0 for one a core",
                    context, threads, most, cores));
  return threads == 0 ? cores : threads;
}

BatchBuffers::BatchBuffers(const Model& model, int threads)
    : nq(model.nq()), nv(model.nv()), tree(model.tree_fingerprint()) {
  threads = checked_threads("BatchWorkspace", threads);
  workers = std::make_unique<Workers>(threads);
  for (int worker = 0; worker < threads; ++worker)
    sealed.push_back(kernel::kernels().make_batch_workspace(model));
  if (model.has_constraints() || model.has_prescribed_joints())
    for (int worker = 0; worker < threads; ++worker) alone.emplace_back(model);
}

DerivativeBuffers::DerivativeBuffers(const Model& model)
    : sealed(kernel::kernels().make_derivative_workspace(model)),
      nq(model.nq()),
      nv(model.nv()),
      tree(model.tree_fingerprint()) {}

}  // namespace internal

Workspace::Workspace(const Model& model)
    : buffers_(std::make_unique<internal::WorkspaceBuffers>(model)) {}
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
Workspace::~Workspace() = default;

void Workspace::set_threads(const Model& model, int threads) {
  expects_same_model("set_threads", *this, model);
  threads = internal::checked_threads("set_threads", threads);
  const bool gains = int(model.bodies().size()) >= fewest_divided &&
                     (model.has_constraints() || !tree_partition(model).pieces.empty());
  if (!gains) threads = 1;
  if (threads == this->threads()) return;
  buffers_->threads = threads > 1 ? std::make_unique<internal::Threads>(model, threads) : nullptr;
}
int Workspace::threads() const {
  return buffers_->threads ? buffers_->threads->workers.count() : 1;
}

BatchWorkspace::BatchWorkspace(const Model& model, int threads)
    : buffers_(std::make_unique<internal::BatchBuffers>(model, threads)) {}
BatchWorkspace::BatchWorkspace(BatchWorkspace&&) noexcept = default;
BatchWorkspace& BatchWorkspace::operator=(BatchWorkspace&&) noexcept = default;
BatchWorkspace::~BatchWorkspace() = default;
int BatchWorkspace::threads() const { return buffers_->workers->count(); }

DerivativeWorkspace::DerivativeWorkspace(const Model& model)
    : buffers_(std::make_unique<internal::DerivativeBuffers>(model)) {}
DerivativeWorkspace::DerivativeWorkspace(DerivativeWorkspace&&) noexcept = default;
DerivativeWorkspace& DerivativeWorkspace::operator=(DerivativeWorkspace&&) noexcept = default;
DerivativeWorkspace::~DerivativeWorkspace() = default;

}  // namespace trammel
