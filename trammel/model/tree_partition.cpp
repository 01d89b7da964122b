#include "trammel/model/tree_partition.hpp"

namespace trammel {

TreePartition tree_partition(const Model& model) {
  const std::span<const Body> bodies = model.bodies();
  const std::size_t n = bodies.size();
  if (int(n) < fewest_divided) return {};
  const int most = bodies_of_piece(int(n));
  const auto parent = [&](std::size_t i) { return std::size_t(bodies[i].parent); };
  std::vector<int> size(n, 1);  // of the subtrees
  for (std::size_t i = n; i-- > 1;) size[parent(i)] += size[i];

  // unit: subtree on ground, or all that hangs from one body of the trunk
  constexpr int of_trunk = -1;
  std::vector<int> unit(n, of_trunk), piece_of_unit, unit_at(n, of_trunk);
  int filled = most;  // bodies in the last piece
  int pieces = 0;
  std::size_t divided = 0;
  const auto begin_unit = [&](int count) {
    if (filled + count > most) ++pieces, filled = 0;
    filled += count;
    divided += std::size_t(count);
    piece_of_unit.push_back(pieces - 1);
    return int(piece_of_unit.size()) - 1;
  };
  for (std::size_t i = 1; i < n; ++i) {
    const std::size_t p = parent(i);
    if (p == 0 ? size[i] > most : size[p] > most) continue;
    if (p == 0) {
      unit[i] = begin_unit(size[i]);
    } else if (unit[p] != of_trunk) {
      unit[i] = unit[p];
    } else {
      if (unit_at[p] == of_trunk) unit_at[p] = begin_unit(size[p] - 1);
      unit[i] = unit_at[p];
    }
  }
  if (pieces < 2 || 2 * divided < n) return {};
  TreePartition out;
  out.pieces.resize(std::size_t(pieces));
  for (std::size_t i = 1; i < n; ++i)
    append(int(i), unit[i] == of_trunk
                       ? out.trunk
                       : out.pieces[std::size_t(piece_of_unit[std::size_t(unit[i])])]);
  return out;
}

}  // namespace trammel
