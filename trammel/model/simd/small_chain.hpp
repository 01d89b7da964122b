// Small chain (SIMD): a serial chain of revolute and prismatic joints, short enough that one
// register holds one number of each body.
#pragma once

#include "trammel/model/body_numbers.hpp"
#include "trammel/model/model.hpp"

namespace trammel {

// Layout of its constants in ModelParameters: number after number, each for `most` bodies.
struct SmallChain {
  static constexpr int fewest = 5, most = 8;  // shorter chains are faster body by body (measured)
  // X_PF, the inertia as in BodyNumbers, and 1 where the joint is prismatic
  enum { rotation = 0, place = 9, inertia = 12, slides = 22, count = 23 };
};

// Empty if the model is not such a chain. Padding bodies are massless and at the identity pose.
AlignedVector<double> small_chain_parameters(const Model& model,
                                             std::span<const BodyNumbers<double>> bodies);

}  // namespace trammel
