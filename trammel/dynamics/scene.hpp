// A model with its numbers and what acts on it from outside: what a kernel is asked about.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include "trammel/model/model.hpp"

namespace trammel {

// Numbers in and out of a kernel; S comes from the workspace, so vectors convert.
template <class S> using In = std::span<const std::type_identity_t<S>>;
template <class S> using Out = std::span<std::type_identity_t<S>>;

// A matrix of a kernel, column after column, `stride` numbers from one column to the next.
template <class S> struct MatrixSpan {
  S* data;
  int rows, columns;
  std::ptrdiff_t stride = rows;
  S& operator()(int i, int j) const { return data[j * stride + i]; }
  void fill(const S& value) const {
    for (int j = 0; j < columns; ++j) std::fill_n(data + j * stride, rows, value);
  }
};

// A force from outside on a body of the tree, at its origin, in its axes.
template <Scalar S> struct Load {
  int body = 0;
  Force<S> F;
};
// How ground moves, in its own axes; A is spatial, without gravity. At rest unless said otherwise.
template <Scalar S> struct GroundMotion { Motion<S> V, A; };

template <Scalar P, Scalar S> struct Scene {
  const Model& model;
  const Numbers<P>& numbers;
  GroundMotion<S> ground{};
  std::span<const Load<S>> loads{};

  // What a joint is given: its coordinates (prepared in turns) and its constants.
  Coordinates<S, P> coordinates(const Turns<S>& turns, const Body& body) const {
    return turns.at(body.q_start, numbers.constants.data() + body.constant_start);
  }
  // Gravity is the ground falling upward.
  Motion<S> ground_acceleration() const {
    return {ground.A.angular, ground.A.linear - Vec3<S>(numbers.gravity)};
  }
};

}  // namespace trammel
