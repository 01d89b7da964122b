// A model as Python holds it: with workspaces to lend, so that a question needs none of its own and
// any thread may ask.
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

// Workspaces that are not in use. There are never more than threads have asked at once.
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

// A workspace the caller made. Two threads at once in it would spoil both answers.
template <class Room> struct OwnRoom {
  template <class... Options>
  explicit OwnRoom(const Model& model, Options... options) : room(model, options...) {}
  Room room;
  std::mutex in_use;
};

// The workspace of one question: the caller's if there is one, else one that the model lends.
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

// Lets other threads of Python run meanwhile, where the work is worth more than the handing over
// (some microseconds where threads compete). `visits` is how many bodies are visited.
class Unlocked {
 public:
  explicit Unlocked(std::size_t visits) {
    if (visits > 200) release_.emplace();
  }
  explicit Unlocked(const SharedModel& model) : Unlocked(model->bodies().size()) {}

 private:
  std::optional<py::gil_scoped_release> release_;
};

// Asks a question in a workspace, the caller's or a rented one; what fails is raised.
template <class Call>
void ask(const SharedModel& model, OwnWorkspace* workspace, const Call& question) {
  Rented<Workspace> room(model, workspace);
  require([&] {
    const Unlocked unlocked(model);
    return question(static_cast<Workspace&>(room));
  }());
}

}  // namespace trammel::python
