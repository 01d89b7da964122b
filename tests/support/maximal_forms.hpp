// Elements of a formulation in maximal coordinates: moving bodies, and scalars whose second time
// derivative is linear in the body accelerations [alpha; a of the origin], in world axes.
#pragma once

#include <array>
#include <optional>

#include "tests/support/joint_steps.hpp"
#include "trammel/model/terrain.hpp"

namespace trammel {

struct PlainSolid {
  PlainFrame X;
  Eigen::Vector3d w, v;
};
// A scalar whose second time derivative is sum(on) . A + bias, linear in the accelerations A.
struct LinearForm {
  std::vector<std::pair<int, Vector6>> parts;
  double bias = 0;
  Vector6& on(int body) {
    for (auto& [k, x] : parts)
      if (k == body) return x;
    parts.emplace_back(body, Vector6::Zero());
    return parts.back().second;
  }
};

struct MaximalForms {
  const PlainSolid& solid(int body) const { return solids[std::size_t(body)]; }

  // e . (acceleration of point p of the body), e fixed in the world
  void add_point(LinearForm& form, int body, const Eigen::Vector3d& p, const Eigen::Vector3d& e,
                 double sign) const {
    const PlainSolid& s = solid(body);
    const Eigen::Vector3d r = p - s.X.p;
    Vector6 part;
    part << r.cross(e), e;
    form.on(body) += sign * part;
    form.bias += sign * e.dot(s.w.cross(s.w.cross(r)));
  }
  void add_spin(LinearForm& form, int body, const Eigen::Vector3d& e, double sign) const {
    form.on(body).head<3>() += sign * e;
  }
  // e . (omega_B - omega_A), e fixed in body `carrier`
  LinearForm turning(int A, int B, const Eigen::Vector3d& e, int tree_body) const {
    LinearForm form;
    add_spin(form, B, e, 1);
    add_spin(form, A, e, -1);
    form.bias = solid(tree_body).w.cross(e).dot(solid(B).w - solid(A).w);
    return form;
  }
  Eigen::Vector3d velocity_at(int body, const Eigen::Vector3d& p) const {
    return solid(body).v + solid(body).w.cross(p - solid(body).X.p);
  }
  // e . (M - F), e fixed in A
  LinearForm sliding(int A, const Eigen::Vector3d& F, int B, const Eigen::Vector3d& M,
                     const Eigen::Vector3d& e) const {
    LinearForm form;
    add_point(form, B, M, e, 1);
    add_point(form, A, F, e, -1);
    const Eigen::Vector3d d = M - F, rate = velocity_at(B, M) - velocity_at(A, F), w = solid(A).w;
    form.on(A).head<3>() += e.cross(d);
    form.bias += 2 * w.cross(e).dot(rate) + w.cross(w.cross(e)).dot(d);
    return form;
  }
  // e . (velocity of M relative to A), e fixed in B
  LinearForm gliding(int A, const Eigen::Vector3d& F, int B, const Eigen::Vector3d& M,
                     const Eigen::Vector3d& e) const {
    LinearForm form;
    add_point(form, B, M, e, 1);
    add_point(form, A, F, e, -1);
    const Eigen::Vector3d d = M - F, rate = velocity_at(B, M) - velocity_at(A, F), w = solid(A).w;
    form.on(A).head<3>() -= d.cross(e);
    form.bias += -e.dot(w.cross(rate)) + solid(B).w.cross(e).dot(rate - w.cross(d));
    return form;
  }

  // Velocity of the point of a rim that touches the floor of ground: upward, along the wheel axis
  // projected on the floor, and along the rolling direction. `x`: the axis, `center`: of the wheel.
  struct Rim {
    LinearForm up, across, along;
  };
  Rim rim(int body, const Eigen::Vector3d& center, const Eigen::Vector3d& x, double radius) const {
    const PlainSolid& s = solid(body);
    const Eigen::Vector3d n(0, 0, 1), x_rate = s.w.cross(x);
    // from the center to the lowest point of the rim: down, without its component along the axis
    const Eigen::Vector3d high = n - x.dot(n) * x,
                          high_rate = -x_rate.dot(n) * x - x.dot(n) * x_rate;
    const double size = high.norm();
    const Eigen::Vector3d arm = -radius / size * high,
                          arm_rate = -radius / size *
                                     (high_rate - high.dot(high_rate) / (size * size) * high);
    const Eigen::Vector3d slip = velocity_at(body, center) + s.w.cross(arm);
    const auto along = [&](const Eigen::Vector3d& e, const Eigen::Vector3d& e_rate) {
      LinearForm form;
      add_point(form, body, center, e, 1);
      form.on(body).head<3>() += arm.cross(e);
      form.bias += e.dot(s.w.cross(arm_rate)) + e_rate.dot(slip);
      return form;
    };
    const Eigen::Vector3d flat = x - x.dot(n) * n, flat_rate = x_rate - x_rate.dot(n) * n,
                          across = flat.normalized(),
                          across_rate = (flat_rate - across.dot(flat_rate) * across) / flat.norm();
    return {along(n, Eigen::Vector3d::Zero()), along(across, across_rate),
            along(n.cross(across), n.cross(across_rate))};
  }

  // Velocity of the contact point of a ball (no axis) or a wheel on a terrain over the plane of
  // ground, rolling without slip: upward, and along two directions across. From the contact point C
  // = S(x, y) moving over the ground: for a ball, C + r n = center; for a wheel, C lies in the
  // plane of the wheel and the rim is tangent to the ground there: (C - p) . axis = 0, n . (axis x
  // (C - p)) = 0. Both are differentiated by x, y and time. Without slip the rate of the directions
  // does not contribute.
  std::array<LinearForm, 3> standing(int body, const Eigen::Vector3d& p, double radius,
                                     const std::optional<Eigen::Vector3d>& axis,
                                     const Terrain& terrain) const {
    using Eigen::Vector3d;
    const PlainSolid& s = solid(body);
    const Vector3d v = velocity_at(body, p);
    Vector3d C, n, C_by[2], n_by[2];
    const auto evaluate = [&](double x, double y) {
      const auto h = terrain.at(x, y);
      C = {x, y, h.z};
      C_by[0] = {1, 0, h.x}, C_by[1] = {0, 1, h.y};
      const Vector3d N(-h.x, -h.y, 1), N_by[2] = {{-h.xx, -h.xy, 0}, {-h.xy, -h.yy, 0}};
      n = N.normalized();
      for (int k = 0; k < 2; ++k) n_by[k] = (N_by[k] - n.dot(N_by[k]) * n) / N.norm();
    };
    // residual of these equations, its derivatives by x and y, and by time
    Eigen::Vector2d miss, by_time;
    Eigen::Matrix2d by_place;
    const auto equations = [&](double x, double y) {
      evaluate(x, y);
      if (!axis) {  // the first two of C + r n - p
        miss = (C + radius * n - p).head<2>();
        for (int k = 0; k < 2; ++k) by_place.col(k) = (C_by[k] + radius * n_by[k]).head<2>();
        by_time = -v.head<2>();
        return;
      }
      const Vector3d a = *axis, a_rate = s.w.cross(a), arm = C - p;
      miss = {arm.dot(a), n.dot(a.cross(arm))};
      for (int k = 0; k < 2; ++k)
        by_place.col(k) =
            Eigen::Vector2d(C_by[k].dot(a), n_by[k].dot(a.cross(arm)) + n.dot(a.cross(C_by[k])));
      by_time = {-v.dot(a) + arm.dot(a_rate), n.dot(a_rate.cross(arm) - a.cross(v))};
    };
    Eigen::Vector2d place = p.head<2>();
    for (int newton = 0; newton < 30; ++newton) {
      equations(place[0], place[1]);
      place -= by_place.inverse() * miss;
    }
    equations(place[0], place[1]);
    const Eigen::Vector2d moves = -by_place.inverse() * by_time;
    const Vector3d arm = C - p, arm_rate = C_by[0] * moves[0] + C_by[1] * moves[1] - v;
    std::array<LinearForm, 3> out;
    const Vector3d ahead = C_by[0].normalized(), ways[3] = {n, ahead, n.cross(ahead)};
    for (std::size_t k = 0; k < 3; ++k) {
      add_point(out[k], body, p, ways[k], 1);
      out[k].on(body).head<3>() += arm.cross(ways[k]);
      out[k].bias += ways[k].dot(s.w.cross(arm_rate));
    }
    return out;
  }

  std::vector<PlainSolid> solids;
};

}  // namespace trammel
