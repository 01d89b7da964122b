// M^-1 = (1 - Y) D^-1 (1 - Y)^T, one number D a freedom and one number Y for each pair on a path.
//
// The freedoms of a joint give way one after the other, as if massless bodies lay between them, so
// D is diagonal. With W = I_A S / D and a force z that starts as W_i, each freedom j met on the way
// in takes Y_ij = S_j . z and leaves z - Y_ij W_j [RBDA, chapter 7; the operator 1 - K Psi H of the
// spatial-operator theses, freedom by freedom]. Made of articulated inertias, not of M, so it keeps
// its digits where M is ill-conditioned. In world axes.
#pragma once

#include "trammel/dynamics/kernel/world_axes.hpp"

namespace trammel::kernel {

class InverseFactor {
 public:
  explicit InverseFactor(const Model& model);

  // Cost O(sum of depths); allocates nothing. `inertias`: of each body alone, in world axes.
  void prepare(const Model& model, const WorldAxes<double>& world,
               const std::vector<Inertia<double>>& inertias);

  // Turns the rows of B into those of M^-1 B. Rows are `stride` numbers apart and `columns` of them
  // (a multiple of the lanes) are wanted. Cost O(sum of depths * columns).
  void solve(double* B, std::ptrdiff_t stride, int columns) const;
  // M^-1 itself, in the same layout.
  void write_inverse(double* out, std::ptrdiff_t stride) const;

 private:
  void give_way(const Model& model, const WorldAxes<double>& world,
                const std::vector<Inertia<double>>& inertias);
  void take_on_the_way(const Model& model, const WorldAxes<double>& world);

  std::vector<int> inboard_;          // per freedom: the next on the way in
  std::vector<std::ptrdiff_t> path_;  // where the pairs of each freedom begin
  std::vector<ArticulatedInertia<double>> I_A_;
  std::vector<Force<double>> W_;
  std::vector<double> D_inverse_, Y_;
};

}  // namespace trammel::kernel
