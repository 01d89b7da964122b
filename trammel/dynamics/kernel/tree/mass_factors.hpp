// Mass matrices of a batch: factors of several states, one per SIMD lane.
//
// The passes over the bodies take one state per lane, where nothing waits for anything. The entries
// of M, O(nv^2) of them, take one degree of freedom per lane, as for a single state: a tile then
// leaves its registers as complete columns of one matrix. Between the two only the factors are
// transposed, twelve numbers per degree of freedom.
#pragma once

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel::kernel {

// Factors of one degree of freedom per row, as MassOfPairs reads them.
struct MassFactors : RowGroups<double, 15> {
  using RowGroups<double, 15>::RowGroups;
  enum { shifted = 0, force = 6, place = 12 };
};

class MassFactorLanes {
 public:
  explicit MassFactorLanes(const Model& model);

  // CRBA without its last step: composite inertias I^c and forces I^c S [RBDA, table 6.2]. Cost
  // O(bodies) per register of states; allocates nothing.
  void compute(const KernelInput<double, Lanes>& input, In<Lanes> q, BasicWorkspace<Lanes>& ws);
  // M of the state in this lane, nv x nv. Cost O(bodies * depth), and nv^2 for the zeros.
  void write(int lane, const MatrixSpan<double>& M);

 private:
  void put(int row, const Motion<Lanes>& S, const Force<Lanes>& F);
  void transpose_group(int g, const Vec3<Lanes>& point);

  static constexpr int transposed = 12;  // numbers per row: axis and force
  DofGroups groups_;
  std::vector<int> reference_;  // per group: the body whose origin is its reference point
  AlignedVector<Lanes> group_;  // of the group that is being computed, number after number
  MassFactors factors_;         // the groups of the first lane's state, of the second's, ...
};

}  // namespace trammel::kernel
