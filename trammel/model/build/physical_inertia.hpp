// Physical consistency of inertias: the principal moments A <= B <= C of a rigid body are zero or
// more and satisfy the triangle inequality A + B >= C. With positive moments that break it the
// spatial inertia is positive definite all the same, so the dynamics are well defined; only an
// equivalent ellipsoid or a mass density does not exist.
#pragma once

#include <array>
#include <vector>

#include "trammel/model/description/description.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel {

struct PrincipalMoments {
  enum class Verdict { physical, breaks_triangle_inequality, negative };
  std::array<double, 3> moments = {};  // [kg m^2] smallest first
  Verdict verdict = Verdict::physical;
};

// Principal moments of an inertia about the center of mass. A violation within rounding counts as
// physical: 1e-9 of the trace, or 1e-12 of mass times size squared, where size [m] is that of the
// body.
PrincipalMoments principal_moments(const SymMat3<double>& inertia, double mass, double size);

// For each body of the description, the distance from its origin to its farthest known point [m]:
// center of mass, joints, frames.
std::vector<double> body_sizes(const Description& description, const Values<double>& value);

}  // namespace trammel
