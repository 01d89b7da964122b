// Maximal coordinates of a mechanism at a state: six acceleration components per body, scaled by
// its inertia, and constraint forces of its joints. Internal to constraint/.
//
// With the inertia of body i about its center of mass, I_c = L L^T in its axes, and its mass m, the
// components are xi_i = [L^T alpha; sqrt(m) a_c]: the kinetic form of all bodies is |xi|^2, and a
// wrench acts on them by y = [L^-1 n; f / sqrt(m)], n the moment about the center of mass
// (docs/theory/constrained-dynamics.md, (7)).
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "trammel/dynamics/stages.hpp"
#include "trammel/model/model.hpp"

namespace trammel {

using SixNumbers = std::array<double, 6>;

// Dual basis of the wrenches of a joint with the motion subspace S (at one point, in one frame):
// wrenches that do no work along S, and for each column of S the wrench that does unit work along
// it and none along the others. Householder QR of S, angular rows times `length`.
struct JointWrenchBasis {
  std::array<Force<double>, 6> wrenches;  // the 6 - dofs constraint wrenches, then the efforts
  bool is_regular = true;                 // the columns of S are independent
};
JointWrenchBasis joint_wrench_basis(std::span<const Motion<double>> S, double length);

// Inertias of the bodies of a model in their factored form. A body without inertia in some
// direction (a point mass, a thin rod, a massless link) gets a millionth of an inertia of its own
// or of its subtree there (`added`), which the caller corrects for.
class BodyInertiaFactors {
 public:
  explicit BodyInertiaFactors(const Model& model);

  // Name of a body whose mass or moments of inertia are negative; empty: none.
  const std::string& negative_body() const { return negative_; }
  bool has_added() const { return has_added_; }

  // y of a wrench F at a point, both in world axes.
  SixNumbers components(int body, const Positions& positions, const Force<double>& F,
                        const Vec3<double>& point) const;
  // Part of |xi|^2 that is due to the added inertia.
  double added_energy(int body, const double* xi) const;

 private:
  struct Factor {
    Vec3<double> com;  // in the body's axes
    double inverse_root_mass = 0;
    double xx = 0, yx = 0, yy = 0, zx = 0, zy = 0, zz = 0;  // L^-1, lower triangle
    double added_mass = 0, added_rotational = 0;
  };
  bool set_rotational(Factor& factor, const SymMat3<double>& central, double size);

  std::vector<Factor> factors_;
  std::string negative_;
  bool has_added_ = false;
};

}  // namespace trammel
