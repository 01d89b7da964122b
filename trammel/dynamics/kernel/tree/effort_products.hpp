// Products of the derivatives of inverse dynamics with vectors, without the matrices:
//
//   dtau = (dtau/dq) dq + (dtau/dv) dv + M da - J_b^T dF ,    and the transposed products,
//
// where dF changes the external forces on the bodies relative to their own axes. From the factors
// of EffortFactors by one outward and one inward pass: cost O(bodies), allocates nothing.
#pragma once

#include <vector>

#include "trammel/dynamics/kernel/tree/effort_factors.hpp"

namespace trammel::kernel {

class EffortProducts {
 public:
  // The model must outlive this object.
  EffortProducts(const Model& model, EffortFactors factors);

  // `loads`: dF per body of the tree, at its origin, in world axes.
  void apply(In<double> dq, In<double> dv, In<double> da, const std::vector<Force<double>>& loads,
             Out<double> dtau);
  // dq = (dtau/dq)^T y, dv = (dtau/dv)^T y, da = M y. `motions`: J_b y per body, at its origin, in
  // world axes, so that a change of force dF on body b contributes -motions[b] . dF.
  void apply_transposed(In<double> y, Out<double> dq, Out<double> dv, Out<double> da,
                        std::vector<Motion<double>>& motions);
  // M da
  void apply_mass(In<double> da, Out<double> out);

 private:
  // Pairs of effort f of a joint with the joint's coordinates from `first` on.
  const EffortFactors::Pair* own_row(std::size_t f, std::size_t first) const {
    return factors_.pairs.data() + factors_.diagonal[f] - std::ptrdiff_t(f - first);
  }

  const Model& model_;
  EffortFactors factors_;
  // per body: motion caused by all joints up to the body's and the angular part that h meets;
  // force that inboard joints carry, and the sum of y h
  std::vector<Motion<double>> motion_;
  std::vector<Vec3<double>> turn_, moment_;
  std::vector<Force<double>> force_;
};

}  // namespace trammel::kernel
