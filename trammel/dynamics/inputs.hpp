// Inputs of a computation in addition to the state: efforts, accelerations, external wrenches,
// motion of ground. Members that are left out are zero:
//
//   forward_dynamics(model, state, {.tau = tau}, workspace, a);
#pragma once

#include <span>
#include <string_view>

#include "trammel/model/state.hpp"

namespace trammel {

// Reference to a frame A on a named body: X_UA in the body's own frame.
struct FrameRef {
  BodyId body{};
  Pose<double> X_UA = Pose<double>::identity();
};
// The frame reference of a named body or frame; throws std::invalid_argument, with a suggestion, if
// there is none of that name.
FrameRef frame_ref(const Model& model, std::string_view body_or_frame);

// X_BA: the same frame in the tree body that the named body belongs to.
Pose<double> placed(const Model& model, const FrameRef& place);

// Axes in which a result is expressed: those of the frame itself, or the world's.
enum class Axes { body, world };

// External moment and force, acting at a frame's origin.
struct Wrench {
  FrameRef at;
  Force<double> F = {};
  Axes axes = Axes::world;
};

// Motion of ground in its own axes: velocity, and the acceleration of its origin as an observer
// measures it.
struct Support {
  Motion<double> velocity = {}, acceleration = {};
};

// Inputs of a computation at one state. Efforts in N m or N, accelerations in rad/s^2 or m/s^2, in
// the order of v. Spans refer to memory of the caller; vectors of another length are refused.
struct Inputs {
  std::span<const double> tau = {};       // actuator effort, nv; empty: none
  std::span<const double> a = {};         // accelerations, nv; empty: zero
  std::span<const Wrench> wrenches = {};  // external wrenches
  Support ground = {};
  // Loop joints, loop_nv entries each: efforts along their degrees of freedom (empty: none), and
  // accelerations of those driven by motion.
  std::span<const double> loop_tau = {};
  std::span<const double> loop_a = {};
};

}  // namespace trammel
