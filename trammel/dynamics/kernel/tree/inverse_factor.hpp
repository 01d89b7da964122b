// Factors of the inverse mass matrix, M^-1 = (1 - Y) D^-1 (1 - Y)^T: one number D per degree of
// freedom and one number Y for each pair on a path to ground (docs/theory/mass-matrix.md, equation
// (6)).
//
// The degrees of freedom of a joint are eliminated one after the other, as if massless bodies lay
// between them, so D is diagonal. With W = I_A S / D and a force z that starts as W_i, each degree
// of freedom j on the way inward takes Y_ij = S_j . z and leaves z - Y_ij W_j [RBDA, chapter 7; the
// operator 1 - K Psi H of Yesiloglu 2007, one degree of freedom at a time]. Built from articulated
// inertias, not from M, so it stays accurate where M is ill-conditioned. In world axes.
#pragma once

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/tree/effort_derivatives.hpp"

namespace trammel::kernel {

class InverseFactor {
 public:
  explicit InverseFactor(const Model& model);

  // ABA passes 2 and 3 in world axes: articulated inertias, D and W; and the accelerations under
  // these efforts, to be added to those the bodies in `moved` have (zero joint accelerations).
  // False if a degree of freedom moves no inertia. `moved`: between its two passes. Cost
  // O(bodies); this and all functions below allocate nothing.
  [[nodiscard]] bool factorize(const Model& model, EffortDerivatives& moved, In<double> effort,
                               Out<double> a);

  // Overwrites the rows [B | anything] by [M^-1 B | M^-1]. They are `stride` numbers apart and have
  // `columns` and `inverse_columns` columns, multiples of `block`. Short paths: by Y, computed
  // here, O(sum of depths * columns); long paths: by one inward and one outward pass, O(nv *
  // columns).
  static constexpr int block = 8;
  void solve(const Model& model, const WorldAxes<double>& world, double* rows,
             std::ptrdiff_t stride, int columns, int inverse_columns);

 private:
  void couple(const Model& model, const WorldAxes<double>& world);
  void sweep(const Model& model, const WorldAxes<double>& world, double* B, std::ptrdiff_t stride,
             int columns);
  template <int registers, class J>
  void inward_along(const Body* bodies, const BodyRun& chain, const WorldAxes<double>& world,
                    double* B, std::ptrdiff_t stride);
  template <int registers, class J>
  void outward_along(const Body* bodies, const BodyRun& chain, const WorldAxes<double>& world,
                     double* B, std::ptrdiff_t stride);
  template <int width> void subtract_outboard(double* rows, std::ptrdiff_t stride) const;
  template <int width> void subtract_inboard(double* rows, std::ptrdiff_t stride) const;

  std::vector<int> inboard_;          // per dof: the next one inboard
  DofGroups groups_;                  // dofs of a group have their Y side by side
  std::vector<int> outermost_;        // per group: the body of its last dof
  std::vector<std::ptrdiff_t> path_;  // where the pairs of each dof begin in Y, in inward order
  struct Pair {
    int outer;
    std::ptrdiff_t Y;
  };
  std::vector<std::ptrdiff_t> outboard_;  // where the outboard pairs of each dof begin in pairs_
  std::vector<Pair> pairs_;
  std::vector<ArticulatedInertia<double>> I_A_;
  std::vector<Force<double>> W_, z_;
  std::vector<Motion<double>> A_;
  std::vector<double> D_inverse_, u_;
  AlignedVector<double> Y_;
  bool has_long_paths_;
  // Only for long paths: bodies that each hang from the one before as its only child, by joints of
  // one type; and values that branches pass on, per slot, several registers each.
  std::vector<BodyRun> chains_;
  std::vector<Force<Lanes>> z_wide_;
  std::vector<Motion<Lanes>> A_wide_;
};

}  // namespace trammel::kernel
