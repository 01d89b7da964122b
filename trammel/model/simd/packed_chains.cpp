#include "trammel/model/simd/packed_chains.hpp"

#include <algorithm>

#include "trammel/model/body_numbers.hpp"
#include "trammel/model/simd/body_in_lanes.hpp"

namespace trammel {

namespace {

// In SIMD lanes a step costs as much as two bodies one by one (measured): fewer do not gain time.
constexpr int bodies_per_step = 2;

bool is_hinge(const Body& body) { return std::holds_alternative<Revolute>(body.joint); }

std::vector<BodyRun> packed_chains_of(std::span<const Body> bodies) {
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
    while (tip - first + 1 < PackedChains::longest && goes_on(first)) --first;
    return BodyRun{first, tip - first + 1};
  };
  std::vector<BodyRun> packed_chains;
  for (int i = 1; i < int(bodies.size()); ++i)
    if (children[std::size_t(i)] == 0 && is_hinge(bodies[std::size_t(i)]))
      packed_chains.push_back(ends_at(i));
  std::ranges::stable_sort(packed_chains, std::ranges::greater{}, &BodyRun::count);
  if (packed_chains.size() > std::size_t(PackedChains::most))
    packed_chains.resize(std::size_t(PackedChains::most));
  // a single long chain makes all other lanes wait
  const auto has_enough = [&] {
    int all = 0;
    for (const BodyRun& chain : packed_chains) all += chain.count;
    return !packed_chains.empty() && all > bodies_per_step * packed_chains.front().count;
  };
  while (packed_chains.size() > 2 && !has_enough()) packed_chains.erase(packed_chains.begin());
  if (!has_enough()) return {};
  std::ranges::sort(packed_chains, {}, &BodyRun::first);
  return packed_chains;
}

std::vector<BodyRun> all_but(std::span<const BodyRun> packed_chains, int bodies) {
  std::vector<BodyRun> others;
  int next = 1;
  for (const BodyRun& chain : packed_chains) {
    if (chain.first > next) others.push_back({next, chain.first - next});
    next = chain.end();
  }
  if (bodies > next) others.push_back({next, bodies - next});
  return others;
}

}  // namespace

PackedChains find_packed_chains(const Model& model, std::span<const BodyNumbers<double>> bodies) {
  static_assert(PackedChains::most == PackedChains::longest);
  PackedChains found;
  found.packed_chains = packed_chains_of(model.bodies());
  found.trunk = all_but(found.packed_chains, int(model.bodies().size()));
  if (found.packed_chains.empty()) return found;
  found.steps = std::ranges::max(found.packed_chains, {}, &BodyRun::count).count;

  const BodyNumbers<double> weightless;
  BodyNumbers<double> turning;  // free: no load on its parent
  turning.inertia.rotational.zz = 1;
  const auto write = write_in_lanes<PackedChains::count, PackedChains::most>;
  constexpr std::size_t block = PackedChains::count * PackedChains::most;
  found.by_step.resize(std::size_t(found.steps) * block);
  found.by_chain.resize(found.packed_chains.size() * block);
  for (std::size_t chain = 0; chain < std::size_t(PackedChains::most); ++chain)
    for (std::size_t step = 0; step < std::size_t(PackedChains::longest); ++step) {
      const bool has_chain = chain < found.packed_chains.size();
      const bool is_there = has_chain && step < std::size_t(found.packed_chains[chain].count);
      const auto body = [&](const BodyNumbers<double>& none) -> const BodyNumbers<double>& {
        return is_there ? bodies[std::size_t(found.packed_chains[chain].first) + step] : none;
      };
      if (step < std::size_t(found.steps))
        write(body(turning), found.by_step.data() + step * block + chain);
      if (has_chain) write(body(weightless), found.by_chain.data() + chain * block + step);
    }
  return found;
}

}  // namespace trammel
