// The closed list of (parameter, scalar) pairs the kernels are instantiated for. Each file is
// compiled several times, for a part of the list each: the time-critical scalars once per
// instruction set, the others (TRAMMEL_KERNEL_GENERIC) once and with less optimization.
#pragma once

#include "trammel/scalar/dual.hpp"
#include "trammel/scalar/expr.hpp"
#include "trammel/scalar/pack.hpp"

namespace trammel {

using Lanes = Pack<native_lanes>;  // as many states as fit a register
using Duals = Dual<native_lanes>;  // as many derivatives as fit a register

}  // namespace trammel

// clang-format off
#ifdef TRAMMEL_KERNEL_GENERIC
#define TRAMMEL_FOR_EACH_SCALAR(X) \
  X(float, float) X(double, Duals) X(Duals, Duals) X(double, Expr) X(Expr, Expr)
#else
#define TRAMMEL_FOR_EACH_SCALAR(X) X(double, double) X(double, Lanes)
#endif
// clang-format on
