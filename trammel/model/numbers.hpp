// The constants of a model in any scalar P: double for everyone, Expr to keep parameters as
// letters, Dual for sensitivities, Pack for many masses at once. All in the frames the sweeps use:
// body B is at the moving frame of its joint, turned so that the joint's axis is z.
#pragma once

#include <span>
#include <vector>

#include "trammel/base/aligned.hpp"
#include "trammel/model/limbs.hpp"
#include "trammel/spatial/inertia.hpp"

namespace trammel {

class Model;

template <Scalar P> struct BodyNumbers {
  Pose<P> X_PF = Pose<P>::identity();  // where the joint sits in the parent
  Inertia<P> inertia;                  // at the body's origin, in its axes; fixed bodies included
};

// effort of freedom v: -stiffness (q - rest) - damping v - friction v / sqrt(v^2 + slow^2); q and v
// index position and velocity
template <Scalar P> struct PassiveNumbers {
  int q = 0, v = 0;
  P stiffness{}, rest{}, damping{};
  P friction{}, slow{};
};

// Where the two halves of a closure sit: F in the body of the tree that carries its parent, M in
// that of its child, both turned so that the axis is z.
template <Scalar P> struct ClosureNumbers {
  Pose<P> X_PF = Pose<P>::identity(), X_CM = Pose<P>::identity();
  Mat3<P> turn = Mat3<P>::identity();  // from the user's frame of the joint to that one
};
// The ends of a rod in the bodies that carry them, and how far apart they are.
template <Scalar P> struct RodNumbers {
  Vec3<P> on_parent, on_child;
  P length{};
};

// Where a floor sits in the body that carries it, z its normal; a wheel in its own, z its axis.
template <Scalar P> struct WheelNumbers {
  Pose<P> X_PF = Pose<P>::identity(), X_CM = Pose<P>::identity();
  P radius{};
  P roller_cosine{}, roller_sine{};  // of the angle from its axis to that of its rollers
};
// Where a floor sits in the body that carries it, z its normal; the centre of a ball in its own.
template <Scalar P> struct ContactNumbers {
  Pose<P> X_PF = Pose<P>::identity();
  Vec3<P> centre;
  P radius{}, stiffness{}, dissipation{}, friction{}, slow{};
};
// The ends of a spring in the bodies that carry them; the force along it, drawing its ends together
// where positive, is stiffness (distance - length) + damping times the distance's rate.
template <Scalar P> struct SpringNumbers {
  Vec3<P> on_parent, on_child;
  P stiffness{}, length{}, damping{};
};

template <Scalar P> struct Numbers {
  std::vector<BodyNumbers<P>> bodies;      // as Model::bodies()
  AlignedVector<double> short_arm;         // the same side by side, see model/short_arm.hpp
  Limbs limbs;                             // and so those of several limbs
  std::vector<P> constants;                // of joints, from Body::constant_start; then of closures
  std::vector<PassiveNumbers<P>> passive;  // freedoms with a spring, damper or friction
  std::vector<PassiveNumbers<P>> closure_passive;  // the same of closures, among their freedoms
  std::vector<Inertia<P>> own_inertia;             // per named body: alone, in the user's frame
  std::vector<Pose<P>> X_BU;  // per named body: the user's frame in its carrier
  std::vector<Pose<P>> X_UF;  // per named frame: in its body's user frame
  std::vector<Pose<P>> X_CM;  // per named joint: its frame on the child, in its user frame
  std::vector<ClosureNumbers<P>> closures;  // as Model::closures()
  std::vector<RodNumbers<P>> rods;          // as Model::rods()
  std::vector<WheelNumbers<P>> wheels;      // as Model::wheels()
  std::vector<SpringNumbers<P>> springs;    // as Model::springs()
  std::vector<ContactNumbers<P>> contacts;  // as Model::contacts()
  std::vector<P> coupling_factors;          // from Coupling::factor_start
  std::vector<P> coupling_offsets;          // as Model::couplings()
  Vec3<P> gravity;
};

// For the given values of the parameters, in the order of Model::parameters(). With letters (Expr)
// their graph grows: one thread at a time.
template <Scalar P> Numbers<P> make_numbers(const Model& model, std::span<const P> parameters);

}  // namespace trammel
