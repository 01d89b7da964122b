#include "trammel/constraint/kinds/terrain_contact.hpp"

#include <cmath>

#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel {

namespace {

double plain(double x) { return x; }
template <int N> double plain(const Dual<N>& x) { return x.value; }
template <Scalar S> Vec3<double> plain(const Vec3<S>& a) {
  return {plain(a.x), plain(a.y), plain(a.z)};
}

// Unit vector along a vector, and its time derivative.
template <Scalar S> struct Unit {
  Vec3<S> e;
  S length;
  explicit Unit(const Vec3<S>& a) {
    length = norm(a);
    e = (S(1.0) / length) * a;
  }
  Vec3<S> rate(const Vec3<S>& a_rate) const {
    return (S(1.0) / length) * (a_rate - dot(e, a_rate) * e);
  }
};

// The two contact equations at a point (x, y) of the terrain, and their Jacobian.
template <Scalar S> class Standing {
 public:
  Standing(const Terrain& terrain, const Roller<S>& roller, const S& x, const S& y)
      : roller_(roller), h_(terrain.at(x, y)), normal_(Vec3<S>{-h_.x, -h_.y, S(1.0)}) {
    foot = {x, y, h_.z};
    gap_ = roller.center - foot + arm();
    error[0] = dot(gap_, s_x()), error[1] = dot(gap_, s_y());
    const Vec3<S> n_x = normal_.rate({-h_.xx, -h_.xy, S(0.0)});
    const Vec3<S> n_y = normal_.rate({-h_.xy, -h_.yy, S(0.0)});
    const Vec3<S> gap_x = arm_rate({}, n_x) - s_x(), gap_y = arm_rate({}, n_y) - s_y();
    derivative[0][0] = dot(gap_x, s_x()) + gap_.z * h_.xx;
    derivative[0][1] = dot(gap_y, s_x()) + gap_.z * h_.xy;
    derivative[1][0] = dot(gap_x, s_y()) + gap_.z * h_.xy;
    derivative[1][1] = dot(gap_y, s_y()) + gap_.z * h_.yy;
    determinant = derivative[0][0] * derivative[1][1] - derivative[0][1] * derivative[1][0];
  }
  // solves Jacobian (x, y) = -(right_x, right_y)
  void solve(const S& right_x, const S& right_y, S& x, S& y) const {
    x = (derivative[0][1] * right_y - derivative[1][1] * right_x) / determinant;
    y = (derivative[1][0] * right_x - derivative[0][0] * right_y) / determinant;
  }
  const Vec3<S>& normal() const { return normal_.e; }
  // time derivative of the normal, as the center, the axis and with them the foot move
  Vec3<S> normal_rate() const {
    const Vec3<S> moves = roller_.velocity + arm_rate(roller_.axis_rate, {});
    S x, y;
    solve(dot(moves, s_x()), dot(moves, s_y()), x, y);
    return normal_.rate({-(h_.xx * x + h_.xy * y), -(h_.xy * x + h_.yy * y), S(0.0)});
  }

  Vec3<S> foot;
  S error[2], derivative[2][2], determinant;

 private:
  Vec3<S> s_x() const { return {S(1.0), S(0.0), h_.x}; }
  Vec3<S> s_y() const { return {S(0.0), S(1.0), h_.y}; }
  Vec3<S> arm() const {
    if (!roller_.axis) return S(-roller_.radius) * normal();
    return S(-roller_.radius) * towards_floor(*roller_.axis, {}, normal(), {}).z;
  }
  Vec3<S> arm_rate(const Vec3<S>& axis_rate, const Vec3<S>& normal_rate) const {
    if (!roller_.axis) return S(-roller_.radius) * normal_rate;
    return S(-roller_.radius) *
           towards_floor(*roller_.axis, axis_rate, normal(), normal_rate).z_rate;
  }

  const Roller<S>& roller_;
  Terrain::Height<S> h_;
  Unit<S> normal_;
  Vec3<S> gap_;
};

// Foot in doubles: Newton's method from the point below the center, steps at most one radius (or
// 1 mm, if that is larger).
bool find_foot(const Terrain& terrain, const Roller<double>& roller, double& x, double& y) {
  x = roller.center.x, y = roller.center.y;
  const double size = roller.radius + std::abs(x) + std::abs(y);
  double before = 0;
  for (int newton = 0; newton < 50; ++newton) {
    const Standing<double> now(terrain, roller, x, y);
    double dx, dy;
    now.solve(now.error[0], now.error[1], dx, dy);
    const double step = std::hypot(dx, dy), most = std::max(roller.radius, 1e-3);
    if (!std::isfinite(step) || !(now.determinant > 0)) return false;
    const double part = step > most ? most / step : 1;
    x += part * dx, y += part * dy;
    if (step <= 1e-15 * size || (newton > 2 && step <= 1e-13 * size && step >= before)) return true;
    before = step;
  }
  return false;
}

}  // namespace

template <Scalar S>
TowardsFloor<S> towards_floor(const Vec3<S>& axis, const Vec3<S>& axis_rate, const Vec3<S>& normal,
                              const Vec3<S>& normal_rate) {
  const S leaning = dot(normal, axis);
  const Vec3<S> laid = normal - leaning * axis;
  const S leaning_rate = dot(normal_rate, axis) + dot(normal, axis_rate);
  const Unit<S> z(laid);
  return {z.e, z.rate(normal_rate - leaning_rate * axis - leaning * axis_rate), z.length};
}

template <Scalar S>
TerrainContact<S> find_contact_point(const Terrain& terrain, const Roller<S>& roller) {
  Roller<double> simple{plain(roller.center), plain(roller.velocity), nullptr, {}, roller.radius};
  Vec3<double> axis;
  if (roller.axis) {
    axis = plain(*roller.axis);
    simple.axis = &axis;
  }
  double x = 0, y = 0;
  TerrainContact<S> out;
  out.is_found = find_foot(terrain, simple, x, y);
  if (!out.is_found) return out;
  // one more Newton step in scalars S carries the derivatives to the foot
  const Standing<S> near(terrain, roller, S(x), S(y));
  S dx, dy;
  near.solve(near.error[0], near.error[1], dx, dy);
  const Standing<S> here(terrain, roller, S(x) + dx, S(y) + dy);
  out.foot = here.foot;
  out.normal = here.normal();
  out.normal_rate = here.normal_rate();
  return out;
}

template TowardsFloor<double> towards_floor(const Vec3<double>&, const Vec3<double>&,
                                            const Vec3<double>&, const Vec3<double>&);
template TowardsFloor<Duals> towards_floor(const Vec3<Duals>&, const Vec3<Duals>&,
                                           const Vec3<Duals>&, const Vec3<Duals>&);
template TerrainContact<double> find_contact_point(const Terrain&, const Roller<double>&);
template TerrainContact<Duals> find_contact_point(const Terrain&, const Roller<Duals>&);

}  // namespace trammel
