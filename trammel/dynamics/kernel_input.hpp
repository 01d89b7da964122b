// Input of a kernel: a model with its parameters, the motion of ground and the external forces.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include "trammel/model/build/parameters.hpp"
#include "trammel/model/model.hpp"

namespace trammel {

namespace internal {
struct Threads;
}

// Vectors in and out of a kernel; S is deduced from the workspace, so arguments convert.
template <class S> using In = std::span<const std::type_identity_t<S>>;
template <class S> using Out = std::span<std::type_identity_t<S>>;

// Column-major matrix of a kernel, `stride` numbers from one column to the next.
template <class S> struct MatrixSpan {
  S* data;
  int rows, columns;
  std::ptrdiff_t stride = rows;
  S& operator()(int i, int j) const { return data[j * stride + i]; }
  void fill(const S& value) const {
    for (int j = 0; j < columns; ++j) std::fill_n(data + j * stride, rows, value);
  }
};

// External force on a body of the tree, at its origin, in its axes.
template <Scalar S> struct ExternalForce {
  int body = 0;
  Force<S> F;
};
// Motion of ground in its own axes; A is the spatial acceleration, without gravity. At rest by
// default.
template <Scalar S> struct GroundMotion { Motion<S> V, A; };

template <Scalar P, Scalar S> struct KernelInput {
  const Model& model;
  const ModelParameters<P>& numbers;
  GroundMotion<S> ground{};
  std::span<const ExternalForce<S>> external_forces{};
  internal::Threads* threads = nullptr;  // for large trees; null: one thread

  // Coordinates of a joint (prepared in `turns`) and its constants.
  Coordinates<S, P> coordinates(const SinCosCache<S>& sin_cos_cache, const Body& body) const {
    return sin_cos_cache.at(body.q_start, numbers.constants.data() + body.constant_start);
  }
  // Gravity as an upward acceleration of ground.
  Motion<S> ground_acceleration() const {
    return {ground.A.angular, ground.A.linear - Vec3<S>(numbers.gravity)};
  }
};

}  // namespace trammel
