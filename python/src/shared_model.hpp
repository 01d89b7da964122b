// A model in Python: with a pool of workspaces, so that a call needs none of its own and any thread
// may call.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/derivatives.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/model.hpp"

namespace trammel::python {

namespace py = pybind11;

// Workspaces that are not in use. There are never more than the largest number of concurrent calls.
template <class Room> class Pool {
 public:
  std::unique_ptr<Room> take(const Model& model) {
    const std::scoped_lock lock(mutex_);
    if (rooms_.empty()) return std::make_unique<Room>(model);
    std::unique_ptr<Room> room = std::move(rooms_.back());
    rooms_.pop_back();
    return room;
  }
  void give_back(std::unique_ptr<Room> room) {
    const std::scoped_lock lock(mutex_);
    rooms_.push_back(std::move(room));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Room>> rooms_;
};

class SharedModel {
 public:
  explicit SharedModel(Model model) : model_(std::move(model)) {}
  SharedModel(const SharedModel&) = delete;
  const Model& operator*() const { return model_; }
  const Model* operator->() const { return &model_; }
  template <class Room> Pool<Room>& pool() const { return std::get<Pool<Room>>(pools_); }

 private:
  Model model_;
  mutable std::tuple<Pool<Workspace>, Pool<BatchWorkspace>, Pool<DerivativeWorkspace>> pools_;
};

// A workspace made by the caller. Two threads must not use it at the same time.
template <class Room> struct OwnRoom {
  template <class... Options>
  explicit OwnRoom(const Model& model, Options... options) : room(model, options...) {}
  Room room;
  std::mutex in_use;
};

// The workspace of one call: the caller's if given, else one from the model's pool.
template <class Room> class Rented {
 public:
  Rented(const SharedModel& model, OwnRoom<Room>* own) : pool_(model.pool<Room>()), own_(own) {
    if (!own) {
      lent_ = pool_.take(*model);
    } else if (!own->in_use.try_lock()) {
      throw std::runtime_error(
          "the workspace is in use by another thread; make one for each thread, or give none");
    }
  }
  Rented(const Rented&) = delete;
  Rented& operator=(const Rented&) = delete;
  ~Rented() {
    if (own_)
      own_->in_use.unlock();
    else
      pool_.give_back(std::move(lent_));
  }
  operator Room&() { return own_ ? own_->room : *lent_; }

 private:
  Pool<Room>& pool_;
  OwnRoom<Room>* own_;
  std::unique_ptr<Room> lent_;
};

using OwnWorkspace = OwnRoom<Workspace>;
using OwnBatchWorkspace = OwnRoom<BatchWorkspace>;
using OwnDerivativeWorkspace = OwnRoom<DerivativeWorkspace>;

// Releases the GIL if the work takes longer than the handover (some microseconds if threads
// compete). `visits` is the number of bodies visited.
class Unlocked {
 public:
  explicit Unlocked(std::size_t visits) {
    if (visits > 200) release_.emplace();
  }
  explicit Unlocked(const SharedModel& model) : Unlocked(model->bodies().size()) {}

 private:
  std::optional<py::gil_scoped_release> release_;
};

// Calls a function with a workspace, the caller's or one from the pool; raises its failure.
template <class Call>
void ask(const SharedModel& model, OwnWorkspace* workspace, const Call& context) {
  Rented<Workspace> room(model, workspace);
  require([&] {
    const Unlocked unlocked(model);
    return context(static_cast<Workspace&>(room));
  }());
}

}  // namespace trammel::python
