#include "trammel/constraint/rolling.hpp"

#include <cmath>

namespace trammel {

namespace {

// This close to the normal, in radians, an axis has no direction on the floor any more.
constexpr double flat = 1e-6;

}  // namespace

std::vector<RollingRow> rolling_rows(const Wheel& wheel) {
  std::vector<RollingRow> rows;
  if (wheel.touches) rows.push_back({"force up", true});
  switch (wheel.kind) {
    case Wheel::Kind::ball:
      rows.push_back({"force along x", false});
      rows.push_back({"force along y", false});
      break;
    case Wheel::Kind::omni: rows.push_back({"force along the roller", false}); break;
    case Wheel::Kind::conventional:
    case Wheel::Kind::knife_edge: rows.push_back({"force across", false}); break;
  }
  if (wheel.kind == Wheel::Kind::conventional) rows.push_back({"force along", false});
  return rows;
}

RollingAt look_at_wheel(const Model& model, int wheel, const Kinematics& kinematics) {
  const Wheel& what = model.wheels()[std::size_t(wheel)];
  const auto& [X_PF, X_CM, radius, cosine, sine] = model.numbers().wheels[std::size_t(wheel)];
  const int P = model[what.parent].carrier, C = model[what.child].carrier;
  const Pose<double> X_WF = kinematics.X_WB[std::size_t(P)] * X_PF;
  const Pose<double> X_FM = inverse(X_WF) * kinematics.X_WB[std::size_t(C)] * X_CM;

  // how the wheel moves against the floor, first in its own axes, then in the floor's
  const Pose<double> X_PM = X_PF * X_FM;
  const Motion<double> V_P = to_child(X_PM, kinematics.V[std::size_t(P)]);
  const Motion<double> V = to_child(X_CM, kinematics.V[std::size_t(C)]) - V_P;
  const Motion<double> A = to_child(X_CM, kinematics.A[std::size_t(C)]) -
                           to_child(X_PM, kinematics.A[std::size_t(P)]) - cross(V_P, V);
  const Vec3<double> w = X_FM.R * V.angular, v = X_FM.R * V.linear;
  const Vec3<double> alpha = X_FM.R * A.angular;
  const Vec3<double> a = X_FM.R * (A.linear + cross(V.angular, V.linear));

  RollingAt at;
  const Vec3<double> n{0, 0, 1};
  Vec3<double> arm, arm_dot, v_contact, a_contact;  // from the centre to where it touches
  const auto touch = [&] {
    v_contact = v + cross(w, arm);
    a_contact = a + cross(alpha, arm) + cross(w, arm_dot);
  };
  int row = 0;
  const auto add = [&](const Vec3<double>& e, const Vec3<double>& e_dot, double error) {
    at.direction[row] = X_WF.R * e;
    at.error[row] = error;
    at.rate[row] = dot(e, v_contact);
    at.acceleration[row] = dot(e, a_contact) + dot(e_dot, v_contact);
    ++row;
  };

  if (what.kind == Wheel::Kind::ball) {
    arm = -radius * n;
    touch();
    if (what.touches) add(n, {}, X_FM.p.z - radius);
    add({1, 0, 0}, {}, 0);
    add({0, 1, 0}, {}, 0);
    at.contact = X_WF * (X_FM.p + arm);
    return at;
  }

  // the wheel's axis x, what of it lies in the floor, and how both turn
  const Vec3<double> x = X_FM.R.z, x_dot = cross(w, x);
  const double steep = std::hypot(x.x, x.y);  // the sine of the angle between axis and normal
  at.is_flat = !(steep > flat);
  const double s = at.is_flat ? 1 : steep;
  const Vec3<double> along = (1 / s) * cross(x, n), across = cross(n, along);
  const Vec3<double> turning = cross(x_dot, n);
  const Vec3<double> along_dot = (1 / s) * (turning - dot(along, turning) * along);
  const Vec3<double> across_dot = cross(n, along_dot);

  // to the lowest point of the rim, and how that changes as the rim rolls by
  const Vec3<double> z = (1 / s) * (n - x.z * x);
  const Vec3<double> bending = -x_dot.z * x - x.z * x_dot;
  const Vec3<double> z_dot = (1 / s) * (bending - dot(z, bending) * z);
  arm = -radius * z, arm_dot = -radius * z_dot;
  touch();

  if (what.touches) add(n, {}, X_FM.p.z - radius * steep);
  if (what.kind == Wheel::Kind::omni) {
    // the roller's axis: across, which is the wheel's axis laid on the floor, turned about n
    add(cosine * across - sine * along, cosine * across_dot - sine * along_dot, 0);
  } else {
    add(across, across_dot, 0);
    if (what.kind == Wheel::Kind::conventional) add(along, along_dot, 0);
  }
  at.contact = X_WF * (X_FM.p + arm);
  return at;
}

}  // namespace trammel
