#include "trammel/analyze/turned_axes.hpp"

#include <concepts>

#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/traversal.hpp"

namespace trammel {

Eigen::MatrixXd turned_back(const Model& model, std::span<const double> velocities,
                            const Eigen::MatrixXd& x) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(x.rows(), x.cols());
  const auto motion_at = [](const double* at) {
    return Motion<double>{{at[0], at[1], at[2]}, {at[3], at[4], at[5]}};
  };
  outward<double>(model, [&]<class J>(int, const Body& body, const J&) {
    const double* v = velocities.data() + body.v_start;
    for (Eigen::Index k = 0; k < x.cols(); ++k) {
      const double* from = x.col(k).data() + body.v_start;
      double* to = out.col(k).data() + body.v_start;
      if constexpr (std::same_as<J, Spherical>) {
        const Vec3<double> w =
            cross(Vec3<double>{from[0], from[1], from[2]}, Vec3<double>{v[0], v[1], v[2]});
        to[0] = w.x, to[1] = w.y, to[2] = w.z;
      } else if constexpr (std::derived_from<J, FreeMotion>) {
        const auto& [w, u] = cross(motion_at(from), motion_at(v));
        to[0] = w.x, to[1] = w.y, to[2] = w.z, to[3] = u.x, to[4] = u.y, to[5] = u.z;
      }
    }
  });
  return out;
}

}  // namespace trammel
