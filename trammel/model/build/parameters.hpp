// The parameters of a model in any scalar P: double by default, Expr for symbolic parameters, Dual
// for sensitivities, Pack for batches of parameter values. All are in the frames of the recursive
// algorithms: the frame of body B is the moving frame of its joint, rotated so that the joint's
// axis is z.
#pragma once

#include <span>
#include <vector>

#include "trammel/base/aligned.hpp"
#include "trammel/force/force_elements.hpp"
#include "trammel/model/body_numbers.hpp"
#include "trammel/model/simd/packed_chains.hpp"
#include "trammel/spatial/inertia.hpp"

namespace trammel {

class Model;

// Passive effort of degree of freedom v: -stiffness (q - rest) - damping v
// - friction v / sqrt(v^2 + slow^2); q and v are indices into position and velocity.
template <Scalar P> struct PassiveNumbers {
  int q = 0, v = 0;
  P stiffness{}, rest{}, damping{};
  P friction{}, slow{};
};

// Frames of a closure: F in the tree body of its parent, M in the tree body of its child, both
// rotated so that the axis is z.
template <Scalar P> struct ClosureNumbers {
  Pose<P> X_PF = Pose<P>::identity(), X_CM = Pose<P>::identity();
  Mat3<P> turn = Mat3<P>::identity();  // from the joint's frame in the description to that frame
};
// End points of a rod in their tree bodies, and its length.
template <Scalar P> struct RodNumbers {
  Vec3<P> on_parent, on_child;
  P length{};
};
// Frames of a constraint between frames: F in the tree body of its parent, M in that of its child.
template <Scalar P> struct FrameConstraintNumbers {
  Pose<P> X_PF = Pose<P>::identity(), X_CM = Pose<P>::identity();
};

// Frame of the floor in its tree body, z normal; frame of the wheel in its own, z along its axis.
template <Scalar P> struct WheelNumbers {
  Pose<P> X_PF = Pose<P>::identity(), X_CM = Pose<P>::identity();
  P radius{};
  P roller_cosine{}, roller_sine{};  // of the angle from its axis to the axes of its rollers
};
template <Scalar P> struct ModelParameters : ForceElementNumbers<P> {
  std::vector<BodyNumbers<P>> bodies;      // as Model::bodies()
  AlignedVector<double> small_chain;       // the same in SIMD layout, see model/small_chain.hpp
  PackedChains packed_chains;              // the same for packed chains
  std::vector<P> constants;                // of joints, from Body::constant_start; then of closures
  std::vector<PassiveNumbers<P>> passive;  // dof with a spring, damper or friction
  std::vector<PassiveNumbers<P>> closure_passive;  // the same for closures, among their dof
  std::vector<Inertia<P>> own_inertia;             // per named body: alone, in the user's frame
  std::vector<Pose<P>> X_BU;  // per named body: the user's frame in its tree body
  std::vector<Pose<P>> X_UF;  // per named frame: in its body's user frame
  std::vector<Pose<P>> X_CM;  // per named joint: its frame on the child, in its user frame
  std::vector<ClosureNumbers<P>> closures;                   // as Model::closures()
  std::vector<RodNumbers<P>> rods;                           // as Model::rods()
  std::vector<FrameConstraintNumbers<P>> frame_constraints;  // as Model::frame_constraints()
  std::vector<WheelNumbers<P>> wheels;                       // as Model::wheels()
  // and the lists of ForceElementNumbers, each as Model::force_elements() of its kind
  std::vector<P> coupling_factors;  // from Coupling::factor_start
  std::vector<P> coupling_offsets;  // as Model::couplings()
  Vec3<P> gravity;
};

// Evaluates the parameters of a model for the given values, in the order of Model::parameters().
// With Expr the graph of the formulas grows: one thread at a time.
template <Scalar P>
ModelParameters<P> make_numbers(const Model& model, std::span<const P> parameters);

}  // namespace trammel
