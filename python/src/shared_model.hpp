// A model in Python: with a pool of workspaces, so that a call needs none of its own and any thread
// may call.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/derivatives.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::python {

namespace py = pybind11;

// Workspaces that are not in use. There are never more than the largest number of concurrent calls.
template <class Space> class WorkspacePool {
 public:
  std::unique_ptr<Space> take(const Model& model) {
    const std::scoped_lock lock(mutex_);
    if (unused_.empty()) return std::make_unique<Space>(model);
    std::unique_ptr<Space> space = std::move(unused_.back());
    unused_.pop_back();
    return space;
  }
  void put_back(std::unique_ptr<Space> space) {
    const std::scoped_lock lock(mutex_);
    unused_.push_back(std::move(space));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Space>> unused_;
};

class SharedModel : public std::enable_shared_from_this<SharedModel> {
 public:
  explicit SharedModel(Model model, const BuildOptions& build = {})
      : model_(std::move(model)), build_(build) {}
  SharedModel(const SharedModel&) = delete;
  const Model& operator*() const { return model_; }
  const Model* operator->() const { return &model_; }
  template <class Space> WorkspacePool<Space>& pool() const {
    return std::get<WorkspacePool<Space>>(pools_);
  }
  // Options of its build, for variants of the model.
  const BuildOptions& build() const { return build_; }
  // Its object in Python.
  py::object object() const {
    return py::cast(std::const_pointer_cast<SharedModel>(shared_from_this()));
  }

 private:
  Model model_;
  BuildOptions build_;
  mutable std::tuple<WorkspacePool<Workspace>, WorkspacePool<BatchWorkspace>,
                     WorkspacePool<DerivativeWorkspace>>
      pools_;
};

// A workspace made by the caller. Two threads must not use it at the same time.
template <class Space> struct CallerWorkspace {
  template <class... Options>
  explicit CallerWorkspace(const Model& model, Options... options) : space(model, options...) {}
  Space space;
  std::mutex in_use;
};
using OwnWorkspace = CallerWorkspace<Workspace>;
using OwnBatchWorkspace = CallerWorkspace<BatchWorkspace>;
using OwnDerivativeWorkspace = CallerWorkspace<DerivativeWorkspace>;

// The workspace of one call: the caller's if given, else one from the model's pool.
template <class Space> class WorkspaceLease {
 public:
  WorkspaceLease(const SharedModel& model, CallerWorkspace<Space>* own)
      : pool_(model.pool<Space>()), own_(own) {
    if (!own) {
      pooled_ = pool_.take(*model);
    } else if (!own->in_use.try_lock()) {
      throw std::runtime_error(
          "the workspace is in use by another thread; make one for each thread, or give none");
    }
  }
  WorkspaceLease(const WorkspaceLease&) = delete;
  WorkspaceLease& operator=(const WorkspaceLease&) = delete;
  ~WorkspaceLease() {
    if (own_)
      own_->in_use.unlock();
    else
      pool_.put_back(std::move(pooled_));
  }
  Space& operator*() { return own_ ? own_->space : *pooled_; }

 private:
  WorkspacePool<Space>& pool_;
  CallerWorkspace<Space>* own_;
  std::unique_ptr<Space> pooled_;
};

// Releases the GIL if the work takes longer than the handover (some microseconds if threads
// compete). `visits` is the number of bodies visited.
class GilRelease {
 public:
  explicit GilRelease(std::size_t visits) {
    if (visits > 200) release_.emplace();
  }

 private:
  std::optional<py::gil_scoped_release> release_;
};

}  // namespace trammel::python
