// What maximal coordinates are made of: bodies that move, and numbers whose second rate is linear
// in their accelerations [alpha; a of the origin], in world axes.
#pragma once

#include "tests/joint_steps.hpp"

namespace trammel {

struct PlainSolid {
  PlainFrame X;
  Eigen::Vector3d w, v;
};
// A number that is linear in the accelerations: its second rate is sum(on) . A + bias.
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

  // e . (a of the point p of the body), e resting
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
  LinearForm turning(int A, int B, const Eigen::Vector3d& e, int carrier) const {
    LinearForm form;
    add_spin(form, B, e, 1);
    add_spin(form, A, e, -1);
    form.bias = solid(carrier).w.cross(e).dot(solid(B).w - solid(A).w);
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
  // e . (velocity of M as A sees it), e fixed in B
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

  // The velocity of the rim's point that touches the floor of ground: up, along the wheel's axis on
  // the floor, and along its way. `x`: the axis, `centre`: of the wheel.
  struct Rim {
    LinearForm up, across, along;
  };
  Rim rim(int body, const Eigen::Vector3d& centre, const Eigen::Vector3d& x, double radius) const {
    const PlainSolid& s = solid(body);
    const Eigen::Vector3d n(0, 0, 1), x_rate = s.w.cross(x);
    // from the centre to the rim's lowest point: down, less what of it is along the axis
    const Eigen::Vector3d high = n - x.dot(n) * x,
                          high_rate = -x_rate.dot(n) * x - x.dot(n) * x_rate;
    const double size = high.norm();
    const Eigen::Vector3d arm = -radius / size * high,
                          arm_rate = -radius / size *
                                     (high_rate - high.dot(high_rate) / (size * size) * high);
    const Eigen::Vector3d slip = velocity_at(body, centre) + s.w.cross(arm);
    const auto along = [&](const Eigen::Vector3d& e, const Eigen::Vector3d& e_rate) {
      LinearForm form;
      add_point(form, body, centre, e, 1);
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

  std::vector<PlainSolid> solids;
};

}  // namespace trammel
