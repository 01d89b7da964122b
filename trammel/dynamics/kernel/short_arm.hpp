// An arm of hinges and slides, one hanging from the other, short enough for one register.
#pragma once

#include "trammel/model/model.hpp"

namespace trammel::kernel {

// Which freedoms of such an arm slide. Fewer than five are done sooner one by one (measured).
struct ShortArm {
  static constexpr int fewest = 5, most = 8;
  int freedoms = 0;  // none: the model is no such arm
  bool slides[most] = {};

  explicit ShortArm(const Model& model) {
    const std::span<const Body> bodies = model.bodies();
    const int n = int(bodies.size()) - 1;
    if (n < fewest || n > most) return;
    for (int i = 1; i <= n; ++i) {
      const Body& body = bodies[std::size_t(i)];
      slides[i - 1] = std::holds_alternative<Prismatic>(body.joint);
      if (body.parent != i - 1) return;
      if (!slides[i - 1] && !std::holds_alternative<Revolute>(body.joint)) return;
    }
    freedoms = n;
  }
};

}  // namespace trammel::kernel
