#include "trammel/write/report/packed_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace trammel {

namespace {

constexpr double finest = 65535;

// Merges points within one cell of a coarse grid, with `cells` along the longest side, into the
// first of them, so that it is a point of the surface.
PackedMesh pack(const TriangleMesh& mesh, double cells) {
  PackedMesh out;
  std::array<double, 3> low, step;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto along = [k](const auto& a, const auto& b) { return a[k] < b[k]; };
    const auto [least, most] = std::ranges::minmax_element(mesh.points, along);
    low[k] = (*least)[k];
    step[k] = (double((*most)[k]) - low[k]) / finest;
  }
  out.low = {low[0], low[1], low[2]};
  out.step = {step[0], step[1], step[2]};

  const double cell = std::max({step[0], step[1], step[2]}) * finest / cells;
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  std::vector<std::uint32_t> became;
  became.reserve(mesh.points.size());
  for (const auto& point : mesh.points) {
    std::uint64_t key = 0;
    std::uint16_t grid[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const double along = point[k] - low[k];
      grid[k] = std::uint16_t(step[k] > 0 ? std::round(along / step[k]) : 0);
      key = key << 16 | (cell > 0 ? std::uint64_t(std::round(along / cell)) : 0);
    }
    const auto [found, is_new] = known.try_emplace(key, std::uint32_t(known.size()));
    if (is_new) out.points.insert(out.points.end(), grid, grid + 3);
    became.push_back(found->second);
  }
  std::set<std::array<std::uint32_t, 3>> seen;
  for (const auto& [a, b, c] : mesh.triangles) {
    std::array<std::uint32_t, 3> t{became[a], became[b], became[c]};
    std::rotate(t.begin(), std::ranges::min_element(t), t.end());
    if (t[0] == t[1] || t[1] == t[2] || t[0] == t[2] || !seen.insert(t).second) {
      ++out.left_out;
      continue;
    }
    out.triangles.insert(out.triangles.end(), t.begin(), t.end());
  }
  return out;
}

}  // namespace

PackedMesh pack_mesh(const TriangleMesh& mesh, std::size_t most) {
  PackedMesh packed = pack(mesh, finest);
  for (double cells = 2048; packed.triangles.size() / 3 > most && cells > 4; cells /= 2)
    packed = pack(mesh, cells);
  return packed;
}

}  // namespace trammel
