// What a question is asked with, beside the state: efforts, accelerations, forces from outside, a
// ground that moves. Name what you give, leave out what you do not:
//
//   forward_dynamics(model, state, {.tau = tau}, workspace, a);
#pragma once

#include <span>
#include <string_view>

#include "trammel/model/state.hpp"

namespace trammel {

// A place A on a named body: X_UA in the body's own frame.
struct At {
  BodyId body{};
  Pose<double> X_UA = Pose<double>::identity();
};
// The place of a named body or frame; throws std::invalid_argument, with a suggestion, if there is
// none of that name.
At at(const Model& model, std::string_view body_or_frame);

// X_BA: the same place in the frame of the tree's body that carries it.
inline Pose<double> placed(const Model& model, const At& place) {
  return model.numbers().X_BU[std::size_t(index(place.body))] * place.X_UA;
}

// Whose axes an answer is told in: those of the place itself, or the world's.
enum class Axes { body, world };

// A moment and a force from outside, acting at a place.
struct Wrench {
  At at;
  Force<double> F = {};
  Axes axes = Axes::world;
};

// How ground moves, in its own axes: velocity, and the acceleration people measure at its origin.
struct Support {
  Motion<double> velocity = {}, acceleration = {};
};

struct Inputs {
  std::span<const double> tau = {};       // actuator effort, nv; empty: none
  std::span<const double> a = {};         // accelerations, nv; empty: zero
  std::span<const Wrench> wrenches = {};  // forces from outside
  Support ground = {};
  // Of joints that close loops, closure_nv each: efforts along their freedoms (empty: none), and
  // accelerations of those driven by motion.
  std::span<const double> loop_tau = {};
  std::span<const double> loop_a = {};
};

}  // namespace trammel
