#pragma once

#include <memory>
#include <span>

#include "trammel/dynamics/kernel_input.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel::kernel {

// Opaque workspace: its layout depends on the instruction set of the kernels that made it.
using SealedWorkspace = std::unique_ptr<void, void (*)(void*)>;
SealedWorkspace make_batch_workspace(const Model& model);

// Batch of states of one model for the functions below, evaluated as many at a time as a SIMD
// register holds. One column per state; columns are contiguous. Cost O(states * bodies / lanes);
// allocates nothing.
struct Batch {
  const Model& model;
  const ModelParameters<double>& numbers;
  int states;
  const double *q, *v;  // nq x states, nv x states
};
// First state of the first group of lanes in which a degree of freedom has no inertia, or none.
struct BatchPivots {
  static constexpr int none = -1;
  int weak_state = none;
};

// Whether no entry is infinite or NaN; checked before the numbers are used.
bool all_finite(std::span<const double> numbers);
void kinematics_batch(const Batch& batch, void* workspace, double* poses);  // 12 bodies x states
void inverse_dynamics_batch(const Batch& batch, const double* a, void* workspace, double* tau);
BatchPivots forward_dynamics_batch(const Batch& batch, const double* tau, void* workspace,
                                   double* a);
void mass_matrix_batch(const Batch& batch, void* workspace, double* M);  // nv nv x states
// Reactions of a tree without loads: 6 joints x states.
void reactions_batch(const Batch& batch, const double* a, void* workspace, double* forces);

}  // namespace trammel::kernel
