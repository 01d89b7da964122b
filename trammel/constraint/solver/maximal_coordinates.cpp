#include "trammel/constraint/solver/maximal_coordinates.hpp"

#include <algorithm>
#include <cmath>

#include "trammel/model/build/parameters.hpp"

namespace trammel {

namespace {

// Inertia added to a body without any, relative to its own or that of its subtree; and the smallest
// pivot of a rotational inertia, relative to its trace, that needs none.
constexpr double added = 1e-6;
constexpr double least_rotational_pivot = 1e-9;
// Columns of a motion subspace are dependent if less than this is left of one.
constexpr double least_axis = 1e-9;

double dot_of(const SixNumbers& a, const SixNumbers& b) {
  double sum = 0;
  for (std::size_t k = 0; k < 6; ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

JointWrenchBasis joint_wrench_basis(std::span<const Motion<double>> S, double length) {
  JointWrenchBasis out;
  const std::size_t n = S.size();
  // reflections[k] = 1 - 2 u u^T; R: their product applied to S
  std::array<SixNumbers, 6> R{}, reflections{};
  const auto reflect = [&](std::size_t k, SixNumbers& x) {
    const double twice = 2 * dot_of(reflections[k], x);
    for (std::size_t i = k; i < 6; ++i) x[i] -= twice * reflections[k][i];
  };
  for (std::size_t k = 0; k < n; ++k) {
    const auto& [w, v] = S[k];
    R[k] = {length * w.x, length * w.y, length * w.z, v.x, v.y, v.z};
    const double size = std::sqrt(dot_of(R[k], R[k]));
    for (std::size_t j = 0; j < k; ++j) reflect(j, R[k]);
    SixNumbers u{};
    std::copy(R[k].begin() + std::ptrdiff_t(k), R[k].end(), u.begin() + std::ptrdiff_t(k));
    const double left = std::sqrt(dot_of(u, u));
    if (!(left > least_axis * size)) {
      out.is_regular = false;
      return out;
    }
    u[k] += u[k] < 0 ? -left : left;
    const double inverse = 1 / std::sqrt(dot_of(u, u));
    for (double& x : u) x *= inverse;
    reflections[k] = u;
    reflect(k, R[k]);
  }
  for (std::size_t which = 0; which < 6; ++which) {
    SixNumbers x{};
    const bool is_effort = which >= 6 - n;
    if (!is_effort) {
      x[n + which] = 1;  // columns n, ... of Q
    } else {             // column of Q1 R^-T: R^T x = e
      const std::size_t k = which - (6 - n);
      for (std::size_t i = k; i < n; ++i) {
        double sum = i == k ? 1 : 0;
        for (std::size_t j = k; j < i; ++j) sum -= R[i][j] * x[j];
        x[i] = sum / R[i][i];
      }
    }
    for (std::size_t k = n; k-- > 0;) reflect(k, x);
    out.wrenches[which] = {{length * x[0], length * x[1], length * x[2]}, {x[3], x[4], x[5]}};
  }
  return out;
}

BodyInertiaFactors::BodyInertiaFactors(const Model& model) : factors_(model.bodies().size()) {
  const std::span<const Body> bodies = model.bodies();
  const auto& numbers = model.numbers().bodies;
  const double length = model.characteristic_length();
  std::vector<double> outboard(bodies.size(), 0.0);  // mass of the subtree
  double mean = 0;
  for (std::size_t i = bodies.size(); i-- > 1;) {
    outboard[i] += numbers[i].inertia.mass;
    mean += numbers[i].inertia.mass / double(bodies.size() - 1);
    outboard[std::size_t(bodies[i].parent)] += outboard[i];
  }
  if (!(mean > 0)) mean = 1;
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const Inertia<double>& I = numbers[i].inertia;
    Factor& factor = factors_[i];
    const double typical = I.mass > 0 ? I.mass : outboard[i] > 0 ? outboard[i] : mean;
    factor.added_mass = I.mass > 0 ? 0 : added * typical;
    factor.inverse_root_mass = 1 / std::sqrt(I.mass + factor.added_mass);
    SymMat3<double> central = I.rotational;
    if (I.mass > 0) {
      factor.com = (1 / I.mass) * I.first_moment;
      const auto& [x, y, z] = factor.com;
      const Vec3<double>& h = I.first_moment;
      central = central - SymMat3<double>{h.y * y + h.z * z, -h.x * y, -h.x * z,
                                          h.x * x + h.z * z, -h.y * z, h.x * x + h.y * y};
    }
    if (I.mass < 0 || !set_rotational(factor, central, typical * length * length))
      for (const NamedBody& body : model.named_bodies())
        if (body.tree_body == int(i) && negative_.empty()) negative_ = body.name;
    has_added_ |= factor.added_mass > 0 || factor.added_rotational > 0;
  }
}

// Cholesky's decomposition of the rotational inertia, of the given one first; false: it is
// negative.
bool BodyInertiaFactors::set_rotational(Factor& factor, const SymMat3<double>& central,
                                        double size) {
  // rounding of the terms that the shift to the center of mass cancels
  const double own = trace(central) > 1e-12 * size ? trace(central) : 0;
  for (const double more : {0.0, added * (own > 0 ? own : size)}) {
    if (more == 0 && own == 0) continue;  // a point
    const double least = more > 0 ? 0.5 * more : least_rotational_pivot * own;
    const double a = central.xx + more;
    const double l_yx = central.xy / a, l_zx = central.xz / a;
    const double b = central.yy + more - l_yx * central.xy;
    const double e = central.yz - l_zx * central.xy, l_zy = e / b;
    const double c = central.zz + more - l_zx * central.xz - l_zy * e;
    if (!(a > least && b > least && c > least)) continue;
    const double ra = 1 / std::sqrt(a), rb = 1 / std::sqrt(b), rc = 1 / std::sqrt(c);
    factor.xx = ra;
    factor.yy = rb;
    factor.zz = rc;
    factor.yx = -l_yx * rb;
    factor.zy = -l_zy * rc;
    factor.zx = (l_yx * l_zy - l_zx) * rc;
    factor.added_rotational = more;
    return true;
  }
  return false;
}

SixNumbers BodyInertiaFactors::components(int body, const Positions& positions,
                                          const Force<double>& F, const Vec3<double>& point) const {
  const Factor& factor = factors_[std::size_t(body)];
  const Pose<double>& X = positions.X_WB[std::size_t(body)];
  const Vec3<double> n = transpose_times(X.R, F.moment + cross(point - X * factor.com, F.force));
  const double r = factor.inverse_root_mass;
  return {factor.xx * n.x,
          factor.yx * n.x + factor.yy * n.y,
          factor.zx * n.x + factor.zy * n.y + factor.zz * n.z,
          r * F.force.x,
          r * F.force.y,
          r * F.force.z};
}

double BodyInertiaFactors::added_energy(int body, const double* xi) const {
  const Factor& factor = factors_[std::size_t(body)];
  // alpha = L^-T xi, in the body's axes
  const double x = factor.xx * xi[0] + factor.yx * xi[1] + factor.zx * xi[2],
               y = factor.yy * xi[1] + factor.zy * xi[2], z = factor.zz * xi[2],
               r = factor.inverse_root_mass;
  return factor.added_rotational * (x * x + y * y + z * z) +
         factor.added_mass * r * r * (xi[3] * xi[3] + xi[4] * xi[4] + xi[5] * xi[5]);
}

}  // namespace trammel
