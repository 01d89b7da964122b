// Workspace: the memory of computations on one model, so that nothing allocates. One per thread.
// Its contents are valid only inside a call and cannot be read from outside.
#pragma once

#include <memory>

#include "trammel/model/model.hpp"

namespace trammel {

template <Scalar S> struct BasicWorkspace;  // buffers of the kernels

namespace internal {
struct WorkspaceBuffers;
struct BatchBuffers;
struct DerivativeBuffers;
}  // namespace internal

// Workspace of the functions for one state.
class Workspace {
 public:
  explicit Workspace(const Model& model);
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  ~Workspace();

  // Threads for one state of a large model (1 unless set; 0: one per core): branches of the tree
  // and mechanisms that share no joint are computed side by side. Results are bitwise the same for
  // any number of threads. Trees of less than 1024 bodies and single chains gain nothing. `model`:
  // that of the workspace. Throws std::invalid_argument for a negative or very large number.
  void set_threads(const Model& model, int threads);
  int threads() const;

  // The buffers, for the functions of the library: their type is incomplete outside of it.
  internal::WorkspaceBuffers& operator*() const { return *buffers_; }
  internal::WorkspaceBuffers* operator->() const { return buffers_.get(); }

 private:
  std::unique_ptr<internal::WorkspaceBuffers> buffers_;
};

// Workspace for batches of states of one model; one per caller. With several threads (0: one per
// core) a batch is shared among them; results are bitwise the same for any number of threads.
class BatchWorkspace {
 public:
  explicit BatchWorkspace(const Model& model, int threads = 1);
  BatchWorkspace(BatchWorkspace&&) noexcept;
  BatchWorkspace& operator=(BatchWorkspace&&) noexcept;
  ~BatchWorkspace();
  int threads() const;

  // The buffers, for the functions of the library: their type is incomplete outside of it.
  internal::BatchBuffers& operator*() const { return *buffers_; }
  internal::BatchBuffers* operator->() const { return buffers_.get(); }

 private:
  std::unique_ptr<internal::BatchBuffers> buffers_;
};

// Workspace for derivatives of one model; one per thread.
class DerivativeWorkspace {
 public:
  explicit DerivativeWorkspace(const Model& model);
  DerivativeWorkspace(DerivativeWorkspace&&) noexcept;
  DerivativeWorkspace& operator=(DerivativeWorkspace&&) noexcept;
  ~DerivativeWorkspace();

  // The buffers, for the functions of the library: their type is incomplete outside of it.
  internal::DerivativeBuffers& operator*() const { return *buffers_; }
  internal::DerivativeBuffers* operator->() const { return buffers_.get(); }

 private:
  std::unique_ptr<internal::DerivativeBuffers> buffers_;
};

}  // namespace trammel
