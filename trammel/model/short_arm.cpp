#include "trammel/model/short_arm.hpp"

#include <algorithm>

namespace trammel {

namespace {

bool is_short_arm(std::span<const Body> bodies) {
  const int n = int(bodies.size()) - 1;
  if (n < ShortArm::fewest || n > ShortArm::most) return false;
  for (int i = 1; i <= n; ++i) {
    const Body& body = bodies[std::size_t(i)];
    if (body.parent != i - 1) return false;
    if (!std::holds_alternative<Revolute>(body.joint) &&
        !std::holds_alternative<Prismatic>(body.joint))
      return false;
  }
  return true;
}

}  // namespace

AlignedVector<double> short_arm_numbers(const Model& model,
                                        std::span<const BodyNumbers<double>> bodies) {
  if (!is_short_arm(model.bodies())) return {};
  AlignedVector<double> numbers(ShortArm::count * ShortArm::most);
  for (std::size_t k = 0; k < ShortArm::most; ++k) {
    const bool is_there = k + 1 < bodies.size();
    const auto& [X_PF, inertia] = is_there ? bodies[k + 1] : BodyNumbers<double>{};
    const auto& [R, p] = X_PF;
    const auto& [m, h, J] = inertia;
    const bool slides = is_there && std::holds_alternative<Prismatic>(model.bodies()[k + 1].joint);
    // clang-format off
    const double of_body[ShortArm::count] = {
        R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z, R.z.x, R.z.y, R.z.z, p.x, p.y, p.z,
        m, h.x, h.y, h.z, J.xx, J.xy, J.xz, J.yy, J.yz, J.zz,
        slides ? 1.0 : 0.0};
    // clang-format on
    for (std::size_t number = 0; number < ShortArm::count; ++number)
      numbers[number * ShortArm::most + k] = of_body[number];
  }
  return numbers;
}

}  // namespace trammel
