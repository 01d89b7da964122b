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

  // Articulated inertias: D and W. False if a freedom meets no inertia. `inertias`: of each body
  // alone, in world axes. Cost O(bodies); this and all below allocate nothing.
  [[nodiscard]] bool give_way(const Model& model, const WorldAxes<double>& world,
                              const std::vector<Inertia<double>>& inertias);
  // The accelerations under these efforts, if `forces` is what each body takes without them.
  void accelerations(const Model& model, const WorldAxes<double>& world,
                     const std::vector<Force<double>>& forces, In<double> effort, Out<double> a);

  // Y. Cost O(sum of depths).
  void couple(const Model& model, const WorldAxes<double>& world);
  // Turns the rows of B into those of M^-1 B. Rows are `stride` numbers apart and have `columns`, a
  // multiple of `block`. Cost O(sum of depths * columns).
  static constexpr int block = 8;
  void solve(double* B, std::ptrdiff_t stride, int columns) const;
  // M^-1 itself, in the same layout.
  void write_inverse(double* out, std::ptrdiff_t stride, int columns) const;

 private:
  template <int width> void subtract_beyond(double* rows, std::ptrdiff_t stride) const;
  template <int width> void subtract_inboard(double* rows, std::ptrdiff_t stride) const;

  std::vector<int> inboard_;          // per freedom: the next on the way in
  std::vector<std::ptrdiff_t> path_;  // where the pairs of each freedom begin in Y, going in
  struct Pair {
    int outer;
    std::ptrdiff_t Y;
  };
  std::vector<std::ptrdiff_t> beyond_;  // where those of each freedom begin in pairs_, going out
  std::vector<Pair> pairs_;
  std::vector<ArticulatedInertia<double>> I_A_;
  std::vector<Force<double>> W_, z_;
  std::vector<Motion<double>> A_;
  std::vector<double> D_inverse_, u_, Y_;
};

}  // namespace trammel::kernel
