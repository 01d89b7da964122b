#pragma once

#include <memory>
#include <span>

#include "trammel/dynamics/scene.hpp"

namespace trammel::kernel {

// Room for a batch; what is inside depends on the instruction set, so it is known only there.
using SealedWorkspace = std::unique_ptr<void, void (*)(void*)>;
SealedWorkspace make_batch_workspace(const Model& model);

// The same question for many states at once, as many as a register holds side by side. One column
// per state; columns lie back to back. Cost O(states * bodies / lanes); allocates nothing.
struct Batch {
  const Model& model;
  const Numbers<double>& numbers;
  int states;
  const double *q, *v;  // nq x states, nv x states
};
// The first state of a batch whose group met a freedom without inertia, or none.
struct BatchPivots {
  static constexpr int none = -1;
  int weak_state = none;
};

// Whether none is infinite or NaN: what is looked at before any of it is asked about.
bool all_finite(std::span<const double> numbers);
void kinematics_batch(const Batch& batch, void* workspace, double* poses);  // 12 bodies x states
void inverse_dynamics_batch(const Batch& batch, const double* a, void* workspace, double* tau);
BatchPivots forward_dynamics_batch(const Batch& batch, const double* tau, void* workspace,
                                   double* a);
void mass_matrix_batch(const Batch& batch, void* workspace, double* M);  // nv nv x states

}  // namespace trammel::kernel
