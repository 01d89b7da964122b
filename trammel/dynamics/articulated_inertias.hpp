// Articulated-body inertias and the factors of the mass matrix, body by body: P, D, G (here W) and
// Psi of [Yesiloglu 2007] and [Rodriguez 1988]. Every product with M^-1 is made of them.
#pragma once

#include <array>
#include <vector>

#include "trammel/model/model.hpp"
#include "trammel/spatial/articulated_inertia.hpp"

namespace trammel {

// Articulated-body inertias and joint factors at one position.
template <Scalar S> struct BasicArticulatedInertias {
  explicit BasicArticulatedInertias(const Model& model)
      : X_PB(model.bodies().size(), Pose<S>::identity()),
        I_A(model.bodies().size()),
        dofs(model.bodies().size()),
        axes(std::size_t(model.nv())),
        W(std::size_t(model.nv())),
        D(std::size_t(model.nv())),
        D_inverse(std::size_t(model.nv())) {}

  std::vector<Pose<S>> X_PB;                // pose of each body in its parent
  std::vector<ArticulatedInertia<S>> I_A;   // P: articulated inertia of each body
  std::vector<int> dofs;                    // degrees of freedom of each body's joint
  std::vector<Motion<S>> axes;              // per dof: S_k in its body's axes
  std::vector<Force<S>> W;                  // per dof: column k of G = P H D^-1
  std::vector<std::array<S, 6>> D;          // per dof: its row of D = H^T P H within the joint
  std::vector<std::array<S, 6>> D_inverse;  // per dof: its row of D^-1 within the joint
};
using ArticulatedInertias = BasicArticulatedInertias<double>;

}  // namespace trammel
