// M^-1 = (1 - Y) D^-1 (1 - Y)^T, one number D a freedom and one number Y for each pair on a path.
//
// The freedoms of a joint give way one after the other, as if massless bodies lay between them, so
// D is diagonal. With W = I_A S / D and a force z that starts as W_i, each freedom j met on the way
// in takes Y_ij = S_j . z and leaves z - Y_ij W_j [RBDA, chapter 7; the operator 1 - K Psi H of the
// spatial-operator theses, freedom by freedom]. Made of articulated inertias, not of M, so it keeps
// its digits where M is ill-conditioned. In world axes.
#pragma once

#include "trammel/dynamics/kernel/effort_slopes.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel::kernel {

class InverseFactor {
 public:
  explicit InverseFactor(const Model& model);

  // Articulated inertias: D and W; and the accelerations under these efforts, if each body was
  // moved without them. False if a freedom meets no inertia. `moved`: between its sweeps. Cost
  // O(bodies); this and all below allocate nothing.
  [[nodiscard]] bool give_way(const Model& model, EffortSlopes& moved, In<double> effort,
                              Out<double> a);

  // Turns the rows [B | anything] into those of [M^-1 B | M^-1]. They are `stride` numbers apart
  // and have so many columns, multiples of `block`. Where paths are short by Y, made here: O(sum of
  // depths * columns); where they are long by a sweep in and a sweep out: O(freedoms * columns).
  static constexpr int block = 8;
  void solve(const Model& model, const WorldAxes<double>& world, double* rows,
             std::ptrdiff_t stride, int columns, int inverse_columns);

 private:
  void couple(const Model& model, const WorldAxes<double>& world);
  void sweep(const Model& model, const WorldAxes<double>& world, double* B, std::ptrdiff_t stride,
             int columns);
  template <int registers>
  void sweep_block(const Model& model, const WorldAxes<double>& world, double* B,
                   std::ptrdiff_t stride);
  template <int width> void subtract_beyond(double* rows, std::ptrdiff_t stride) const;
  template <int width> void subtract_inboard(double* rows, std::ptrdiff_t stride) const;

  std::vector<int> inboard_;          // per freedom: the next on the way in
  FreedomGroups groups_;              // whose members have their Y side by side
  std::vector<int> outermost_;        // per group: the body of its last freedom
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
  std::vector<double> D_inverse_, u_;
  AlignedVector<double> Y_;
  bool has_long_paths_;
  std::vector<Force<Lanes>> z_wide_;  // per slot, several registers each
  std::vector<Motion<Lanes>> A_wide_;
};

}  // namespace trammel::kernel
