#include "trammel/model/limbs.hpp"

#include <algorithm>

#include "trammel/model/body_in_lanes.hpp"

namespace trammel {

namespace {

// In SIMD lanes a step costs as much as two bodies one by one (measured): fewer do not gain time.
constexpr int bodies_per_step = 2;

bool is_hinge(const Body& body) { return std::holds_alternative<Revolute>(body.joint); }

std::vector<BodyRun> limbs_of(std::span<const Body> bodies) {
  std::vector<int> children(bodies.size());
  for (const Body& body : bodies.subspan(1)) ++children[std::size_t(body.parent)];
  // from a tip inward, as long as the parent has no other child
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
  // a single long chain makes all other lanes wait
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

std::vector<BodyRun> all_but(std::span<const BodyRun> limbs, int bodies) {
  std::vector<BodyRun> others;
  int next = 1;
  for (const BodyRun& limb : limbs) {
    if (limb.first > next) others.push_back({next, limb.first - next});
    next = limb.end();
  }
  if (bodies > next) others.push_back({next, bodies - next});
  return others;
}

}  // namespace

Limbs find_limbs(const Model& model, std::span<const BodyNumbers<double>> bodies) {
  static_assert(Limbs::most == Limbs::longest);
  Limbs found;
  found.limbs = limbs_of(model.bodies());
  found.trunk = all_but(found.limbs, int(model.bodies().size()));
  if (found.limbs.empty()) return found;
  found.steps = std::ranges::max(found.limbs, {}, &BodyRun::count).count;

  const BodyNumbers<double> weightless;
  BodyNumbers<double> turning;  // free: no load on its parent
  turning.inertia.rotational.zz = 1;
  const auto write = write_in_lanes<Limbs::count, Limbs::most>;
  constexpr std::size_t block = Limbs::count * Limbs::most;
  found.by_step.resize(std::size_t(found.steps) * block);
  found.by_limb.resize(found.limbs.size() * block);
  for (std::size_t limb = 0; limb < std::size_t(Limbs::most); ++limb)
    for (std::size_t step = 0; step < std::size_t(Limbs::longest); ++step) {
      const bool has_limb = limb < found.limbs.size();
      const bool is_there = has_limb && step < std::size_t(found.limbs[limb].count);
      const auto body = [&](const BodyNumbers<double>& none) -> const BodyNumbers<double>& {
        return is_there ? bodies[std::size_t(found.limbs[limb].first) + step] : none;
      };
      if (step < std::size_t(found.steps))
        write(body(turning), found.by_step.data() + step * block + limb);
      if (has_limb) write(body(weightless), found.by_limb.data() + limb * block + step);
    }
  return found;
}

}  // namespace trammel
