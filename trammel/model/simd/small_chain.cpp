#include "trammel/model/simd/small_chain.hpp"

#include "trammel/model/simd/body_in_lanes.hpp"

namespace trammel {

namespace {

bool is_small_chain(std::span<const Body> bodies) {
  const int n = int(bodies.size()) - 1;
  if (n < SmallChain::fewest || n > SmallChain::most) return false;
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

AlignedVector<double> small_chain_parameters(const Model& model,
                                             std::span<const BodyNumbers<double>> bodies) {
  if (!is_small_chain(model.bodies())) return {};
  AlignedVector<double> numbers(SmallChain::count * SmallChain::most);
  for (std::size_t k = 0; k < SmallChain::most; ++k) {
    const bool is_there = k + 1 < bodies.size();
    write_in_lanes<SmallChain::slides, SmallChain::most>(
        is_there ? bodies[k + 1] : BodyNumbers<double>{}, numbers.data() + k);
    const bool slides = is_there && std::holds_alternative<Prismatic>(model.bodies()[k + 1].joint);
    numbers[SmallChain::slides * SmallChain::most + k] = slides ? 1 : 0;
  }
  return numbers;
}

}  // namespace trammel
