#include "trammel/model/limbs.hpp"

#include <algorithm>

#include "trammel/model/model.hpp"

namespace trammel {

namespace {

// A step costs in lanes what two bodies cost one by one (measured): fewer are not worth it.
constexpr int bodies_per_step = 2;

bool is_hinge(const Body& body) { return std::holds_alternative<Revolute>(body.joint); }

std::vector<BodyRun> limbs_of(std::span<const Body> bodies) {
  std::vector<int> children(bodies.size());
  for (const Body& body : bodies.subspan(1)) ++children[std::size_t(body.parent)];
  // from a tip inward, as long as nothing else hangs from what it hangs from
  const auto ends_at = [&](int tip) {
    const auto goes_on = [&](int i) {
      const int next = bodies[std::size_t(i)].parent;
      return next > 0 && next == i - 1 && children[std::size_t(next)] == 1 &&
             is_hinge(bodies[std::size_t(next)]);
    };
    int first = tip;
    while (tip - first + 1 < Limbs::longest && goes_on(first)) --first;
    return BodyRun{first, tip - first + 1};
  };
  std::vector<BodyRun> limbs;
  for (int i = 1; i < int(bodies.size()); ++i)
    if (children[std::size_t(i)] == 0 && is_hinge(bodies[std::size_t(i)]))
      limbs.push_back(ends_at(i));
  std::ranges::stable_sort(limbs, std::ranges::greater{}, &BodyRun::count);
  if (limbs.size() > std::size_t(Limbs::most)) limbs.resize(std::size_t(Limbs::most));
  // one that is alone at its length makes all others wait
  const auto has_enough = [&] {
    int all = 0;
    for (const BodyRun& limb : limbs) all += limb.count;
    return !limbs.empty() && all > bodies_per_step * limbs.front().count;
  };
  while (limbs.size() > 2 && !has_enough()) limbs.erase(limbs.begin());
  if (!has_enough()) return {};
  std::ranges::sort(limbs, {}, &BodyRun::first);
  return limbs;
}

}  // namespace

Limbs find_limbs(const Model& model, std::span<const BodyNumbers<double>> bodies) {
  Limbs found;
  found.limbs = limbs_of(model.bodies());
  int next = 1;
  for (const BodyRun& limb : found.limbs) {
    if (limb.first > next) found.trunk.push_back({next, limb.first - next});
    next = limb.end();
    found.steps = std::max(found.steps, limb.count);
  }
  const int end = int(model.bodies().size());
  if (end > next) found.trunk.push_back({next, end - next});

  BodyNumbers<double> nothing;  // what turns where a limb has ended: it weighs on none
  nothing.inertia.rotational.zz = 1;
  found.numbers.resize(std::size_t(found.steps * Limbs::count * Limbs::most));
  for (std::size_t step = 0; step < std::size_t(found.steps); ++step)
    for (std::size_t lane = 0; lane < std::size_t(Limbs::most); ++lane) {
      const bool is_there =
          lane < found.limbs.size() && step < std::size_t(found.limbs[lane].count);
      const auto& [X_PF, inertia] =
          is_there ? bodies[std::size_t(found.limbs[lane].first) + step] : nothing;
      const auto& [R, p] = X_PF;
      const auto& [m, h, J] = inertia;
      // clang-format off
      const double of_body[Limbs::count] = {
          R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z, R.z.x, R.z.y, R.z.z, p.x, p.y, p.z,
          m, h.x, h.y, h.z, J.xx, J.xy, J.xz, J.yy, J.yz, J.zz};
      // clang-format on
      for (std::size_t number = 0; number < Limbs::count; ++number)
        found.numbers[(step * Limbs::count + number) * Limbs::most + lane] = of_body[number];
    }
  return found;
}

}  // namespace trammel
