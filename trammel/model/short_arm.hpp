// An arm of hinges and slides, one hanging from the other, short enough that one register holds a
// number of each of its bodies.
#pragma once

#include "trammel/model/model.hpp"

namespace trammel {

// How Numbers::short_arm keeps its constants: number after number, of `most` bodies each.
struct ShortArm {
  static constexpr int fewest = 5, most = 8;  // fewer are done sooner one by one (measured)
  // X_PF, the inertia as it is in BodyNumbers, and 1 where the joint slides
  enum { rotation = 0, place = 9, inertia = 12, slides = 22, count = 23 };
};

// Empty if the model is no such arm. Bodies that it has not are fixed to the last and weigh
// nothing.
AlignedVector<double> short_arm_numbers(const Model& model,
                                        std::span<const BodyNumbers<double>> bodies);

}  // namespace trammel
