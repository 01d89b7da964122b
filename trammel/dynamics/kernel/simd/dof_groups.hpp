// Groups of consecutive degrees of freedom of one serial chain that fill a SIMD register; a packed
// chain (PackedChains) has a group of its own.
//
// Sums and products of a group use one reference point, the position of its first degree of
// freedom: about a common point sums along the group are plain sums, and a pair costs one dot
// product. A group spans at most one register's length of the chain, so that no digits are lost
// (docs/theory/mass-matrix.md, "About which point").
#pragma once

#include <algorithm>
#include <vector>

#include "trammel/dynamics/kernel/simd/row_register.hpp"
#include "trammel/dynamics/kernel_input.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/model/traversal.hpp"

namespace trammel::kernel {

struct DofGroup {
  int first = 0, count = 0;             // its dofs: first, first + 1, ...
  int inboard = -1, inboard_count = 0;  // next group inboard; how many of its dofs are on the path
  int chain = -1;                       // index of the packed chain that this group is, or -1
};

class DofGroups {
 public:
  // Groups of up to `rows` degrees of freedom.
  DofGroups(const Model& model, int rows);

  int size() const { return int(groups_.size()); }
  // Bodies whose degrees of freedom are not in packed chains.
  std::span<const BodyRun> one_by_one() const { return one_by_one_; }
  const DofGroup& operator[](int g) const { return groups_[std::size_t(g)]; }
  // Index of a degree of freedom in RowGroups; those of one joint are consecutive.
  int row(int dof) const { return rows_[std::size_t(dof)]; }
  int group(int dof) const { return row(dof) / width_; }
  int rows() const { return size() * width_; }
  int first_row(int g) const { return g * width_; }
  // Row of the degree of freedom next inboard of group g.
  int next_row(int g) const { return (*this)[g].inboard * width_ + (*this)[g].inboard_count - 1; }

  // Each pair of groups on one path to ground once: at.meet_itself(g), at.meet(outer, inner, number
  // of inner dofs on the path). Up to four consecutive groups of a chain are paired with an inner
  // group together: their entries then fill whole cache lines of the matrix, instead of parts of
  // lines in columns so far apart that they evict each other.
  template <class FrameRef> void visit(const FrameRef& at) const;
  // Whether some pairs are on different branches, where entries are zero.
  bool has_branches() const {
    for (int g = 1; g < size(); ++g)
      if ((*this)[g].inboard != g - 1) return true;
    return false;
  }
  // visit(g) with all callees inlined
  template <class Visit> [[gnu::flatten]] void each(const Visit& visit) const {
    for (int g = 0; g < size(); ++g) visit(g);
  }
  template <class Visit> [[gnu::flatten]] void each_inward(const Visit& visit) const {
    for (int g = size() - 1; g >= 0; --g) visit(g);
  }

 private:
  int width_;
  std::vector<DofGroup> groups_;
  std::vector<int> rows_;
  std::vector<BodyRun> one_by_one_;
};

inline DofGroups::DofGroups(const Model& model, int rows)
    : width_(rows), rows_(std::size_t(model.nv())) {
  const std::span<const int> inboard = model.inboard_dofs();
  const std::span<const BodyRun> packed_chains = model.numbers().packed_chains.packed_chains;
  std::vector<int> chain_of(inboard.size(), -1);  // of the first dof of each packed chain
  for (std::size_t chain = 0; chain < packed_chains.size(); ++chain)
    chain_of[std::size_t(model.bodies()[std::size_t(packed_chains[chain].first)].v_start)] =
        int(chain);
  for (int k = 0; k < int(inboard.size()); ++k) {
    const int next = inboard[std::size_t(k)];
    const bool goes_on = k > 0 && next == k - 1 && chain_of[std::size_t(k)] < 0;
    if (!goes_on || groups_.back().count == width_)
      groups_.push_back({k, 0, next < 0 ? -1 : group(next), next < 0 ? 0 : row(next) % width_ + 1,
                         width_ == PackedChains::longest ? chain_of[std::size_t(k)] : -1});
    rows_[std::size_t(k)] = (size() - 1) * width_ + groups_.back().count++;
  }
  int end = 1;
  for (const DofGroup& group : groups_) {
    if (group.chain < 0) continue;
    const BodyRun& chain = packed_chains[std::size_t(group.chain)];
    if (chain.first > end) one_by_one_.push_back({end, chain.first - end});
    end = chain.end();
  }
  const int bodies = int(model.bodies().size());
  if (bodies > end) one_by_one_.push_back({end, bodies - end});
}

template <class FrameRef> [[gnu::flatten]] void DofGroups::visit(const FrameRef& at) const {
  constexpr int most = 4;
  for (int first = 0, end; first < size(); first = end) {
    end = first + 1;
    while (end < size() && end - first < most && (*this)[end].inboard == end - 1) ++end;
    for (int outer = first; outer < end; ++outer) {
      at.meet_itself(outer);
      for (int inner = outer - 1; inner >= first; --inner)
        at.meet(outer, inner, (*this)[inner + 1].inboard_count);
    }
    for (const DofGroup* on_way = &(*this)[first]; on_way->inboard >= 0;
         on_way = &(*this)[on_way->inboard])
      for (int outer = first; outer < end; ++outer)
        at.meet(outer, on_way->inboard, on_way->inboard_count);
  }
}

}  // namespace trammel::kernel
