#include "trammel/model/build/physical_inertia.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/model/description/frames.hpp"

namespace trammel {

PrincipalMoments principal_moments(const SymMat3<double>& I, double mass, double size) {
  Eigen::Matrix3d matrix;
  matrix << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::Vector3d A = symmetric_eigenvalues(matrix);
  using Verdict = PrincipalMoments::Verdict;
  // 1e-9: files print nine digits or more. 1e-12: exporters subtract mass * size^2 to shift an
  // inertia to the center of mass; a moment that should be 0 then has a residue of 1e-17 to 1e-13
  // of it
  const double rounding = 1e-9 * std::abs(trace(I)) + 1e-12 * std::abs(mass) * size * size;
  const Verdict verdict = A[0] < -rounding                ? Verdict::negative
                          : A[0] + A[1] < A[2] - rounding ? Verdict::breaks_triangle_inequality
                                                          : Verdict::physical;
  return {{A[0], A[1], A[2]}, verdict};
}

std::vector<double> body_sizes(const Description& description, const Values<double>& value) {
  std::vector<double> sizes;
  std::unordered_map<std::string_view, std::size_t> number;
  for (const BodyDescription& body : description.bodies) {
    number.emplace(body.name, sizes.size());
    sizes.push_back(norm(value_of(body.solid.com, value)));
  }
  const auto extend = [&](const std::string& body, const Vec3<Expr>& point) {
    const auto found = number.find(body);
    if (found == number.end()) return;  // ground, or an unknown name
    const double distance = norm(value_of(point, value));
    if (distance > sizes[found->second]) sizes[found->second] = distance;
  };
  for (const JointDescription& joint : description.joints) {
    extend(joint.parent, joint.options.at.xyz);
    extend(joint.child, joint.options.child_at.xyz);
  }
  for (const FrameDescription& frame : description.frames) extend(frame.body, frame.at.xyz);
  return sizes;
}

}  // namespace trammel
