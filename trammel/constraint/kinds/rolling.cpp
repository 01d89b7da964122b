#include "trammel/constraint/kinds/rolling.hpp"

#include "trammel/constraint/kinds/terrain_contact.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel {

namespace {

// Angle between axle and normal [rad] below which the axle has no direction on the ground.
constexpr double flat = 1e-6;

// Unit projection of a fixed direction onto the tangent plane, and its time derivative.
template <Scalar S> struct Laid { Vec3<S> e, e_dot; };
template <Scalar S> Laid<S> laid_on(const Vec3<S>& x, const Vec3<S>& n, const Vec3<S>& n_dot) {
  const S up = dot(x, n), up_dot = dot(x, n_dot);
  const Vec3<S> flat_x = x - up * n, flat_x_dot = -up_dot * n - up * n_dot;
  const S length = norm(flat_x);
  const Vec3<S> e = (1.0 / length) * flat_x;
  return {e, (1.0 / length) * (flat_x_dot - dot(e, flat_x_dot) * e)};
}

// Whether ground is at rest. With derivatives it may move.
bool is_surely_nothing(const Motion<double>& V) {
  const auto& [w, v] = V;
  return w.x == 0 && w.y == 0 && w.z == 0 && v.x == 0 && v.y == 0 && v.z == 0;
}
bool is_surely_nothing(const Motion<Duals>&) { return false; }

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
    case Wheel::Kind::caster:  // the builder has replaced it by a conventional wheel
    case Wheel::Kind::knife_edge: rows.push_back({"force across", false}); break;
  }
  if (wheel.kind == Wheel::Kind::conventional) rows.push_back({"force along", false});
  return rows;
}

template <Scalar S>
BasicRollingAt<S> evaluate_wheel(const Model& model, int wheel,
                                 const BasicKinematics<S>& kinematics) {
  const Wheel& what = model.wheels()[std::size_t(wheel)];
  const auto& [X_PF_given, X_CM_given, radius, cosine, sine] =
      model.numbers().wheels[std::size_t(wheel)];
  const Pose<S> X_PF{X_PF_given.R, X_PF_given.p};
  const int P = model[what.parent].tree_body, C = model[what.child].tree_body;
  const Pose<S> X_WF = P == 0 ? X_PF : kinematics.X_WB[std::size_t(P)] * X_PF;
  const Pose<S>& X_WC = kinematics.X_WB[std::size_t(C)];
  const Mat3<S> R_FC = transpose(X_WF.R) * X_WC.R;
  const Vec3<double>& to_center = X_CM_given.p;
  const Vec3<S> center = R_FC * to_center + transpose_times(X_WF.R, X_WC.p - X_WF.p);

  // motion of the wheel relative to the ground, in the ground's axes
  const auto at_center = [&](const Motion<S>& V_C) {
    return Motion<S>{R_FC * V_C.angular, R_FC * (V_C.linear + cross(V_C.angular, to_center))};
  };
  Motion<S> V = at_center(kinematics.V[std::size_t(C)]),
            A = at_center(kinematics.A[std::size_t(C)]);
  if (const Motion<S>& V_P = kinematics.V[std::size_t(P)], &A_P = kinematics.A[std::size_t(P)];
      !is_surely_nothing(V_P) || !is_surely_nothing(A_P)) {
    const Pose<S> X_PM{X_PF.R, X_PF * center};  // axes of the ground, not of the wheel
    const Motion<S> V_floor = to_child(X_PM, V_P);
    V = V - V_floor;
    A = A - to_child(X_PM, A_P) - cross(V_floor, V);
  }
  const Vec3<S>&w = V.angular, &v = V.linear, &alpha = A.angular;
  const Vec3<S> a = A.linear + cross(w, v);

  // axle, contact point and ground normal
  const bool is_ball = what.kind == Wheel::Kind::ball;
  const Vec3<S> axis = R_FC * X_CM_given.R.z, axis_dot = cross(w, axis);
  BasicRollingAt<S> at;
  TerrainContact<S> terrain_contact;
  if (what.terrain >= 0) {
    terrain_contact =
        find_contact_point<S>(model.terrains()[std::size_t(what.terrain)],
                              {center, v, is_ball ? nullptr : &axis, axis_dot, radius});
    if (!terrain_contact.is_found) {
      at.is_lost = true;
      terrain_contact.normal = {0.0, 0.0, 1.0};
    }
  }
  const auto& n = terrain_contact.normal;
  const auto& n_dot = terrain_contact.normal_rate;

  Vec3<S> arm, arm_dot, v_contact, a_contact;  // arm: from the center to the contact
  const auto touch = [&] {
    v_contact = v + cross(w, arm);
    a_contact = a + cross(alpha, arm) + cross(w, arm_dot);
    at.contact = X_WF * (center + arm);
  };
  int row = 0;
  const auto add = [&](const Vec3<S>& e, const Vec3<S>& e_dot, const S& error) {
    at.direction[row] = X_WF.R * e;
    at.error[row] = error;
    at.rate[row] = dot(e, v_contact);
    at.acceleration[row] = dot(e, a_contact) + dot(e_dot, v_contact);
    ++row;
  };
  const auto add_height = [&] {
    const S height =
        what.terrain >= 0 ? dot(n, center + arm - terrain_contact.foot) : center.z + arm.z;
    if (what.touches) add(n, n_dot, height);
  };

  if (is_ball) {
    arm = -radius * n, arm_dot = -radius * n_dot;
    touch();
    add_height();
    // the ground's x axis, projected onto the tangent plane
    const Vec3<S> x{1.0, 0.0, 0.0};
    const auto [e, e_dot] = laid_on(x, n, n_dot);
    add(e, e_dot, 0.0);
    add(cross(n, e), cross(n_dot, e) + cross(n, e_dot), 0.0);
    return at;
  }

  const Vec3<S> level = cross(axis, n);  // rolling direction; norm: sine of the angle (axis, n)
  const S steep = norm(level);
  at.is_flat = !(steep > S(flat));
  const S s = at.is_flat ? S(1.0) : steep;
  const Vec3<S> along = (1.0 / s) * level, across = cross(n, along);
  const Vec3<S> turning = cross(axis_dot, n) + cross(axis, n_dot);
  const Vec3<S> along_dot = (1.0 / s) * (turning - dot(along, turning) * along);
  const Vec3<S> across_dot = cross(n_dot, along) + cross(n, along_dot);

  // arm to the contact point of the rim, and its derivative as the rim rolls
  const TowardsFloor<S> rim =
      at.is_flat ? TowardsFloor<S>{} : towards_floor(axis, axis_dot, n, n_dot);
  arm = -radius * rim.z, arm_dot = -radius * rim.z_rate;
  touch();
  add_height();
  if (what.kind == Wheel::Kind::omni) {
    // the roller's axis: `across`, the axle projected onto the ground, rotated about n
    add(cosine * across - sine * along, cosine * across_dot - sine * along_dot, 0.0);
    const Vec3<S> rolling = cosine * along + sine * across;
    at.roller_speed = dot(rolling, v_contact);
    at.roller_acceleration =
        dot(rolling, a_contact) + dot(cosine * along_dot + sine * across_dot, v_contact);
  } else {
    add(across, across_dot, 0.0);
    if (what.kind == Wheel::Kind::conventional) add(along, along_dot, 0.0);
  }
  return at;
}

template RollingAt evaluate_wheel(const Model&, int, const Kinematics&);
template BasicRollingAt<Duals> evaluate_wheel(const Model&, int, const BasicKinematics<Duals>&);

std::vector<WheelBlock> WheelBlock::all(const Model& model) {
  std::vector<WheelBlock> blocks;
  for (std::size_t k = 0; k < model.wheels().size(); ++k) blocks.push_back({int(k)});
  return blocks;
}

std::string WheelBlock::owner(const Model& model) const {
  return model.wheels()[std::size_t(wheel)].name;
}

std::vector<RowTraits> WheelBlock::rows(const Model& model) const {
  std::vector<RowTraits> rows;
  for (const RollingRow& row : rolling_rows(model.wheels()[std::size_t(wheel)]))
    rows.push_back({.name = row.name, .is_holonomic = row.is_holonomic});
  return rows;
}

std::vector<BodyId> WheelBlock::bodies(const Model& model) const {
  const Wheel& what = model.wheels()[std::size_t(wheel)];
  return {what.parent, what.child};
}

template <Scalar S>
void WheelBlock::evaluate(const BlockInput<S>& input, EvaluatedRows<S>& out) const {
  const Wheel& what = input.model.wheels()[std::size_t(wheel)];
  const BasicRollingAt<S> at = evaluate_wheel(input.model, wheel, input.kinematics);
  if (at.is_flat) out.flat_wheel = wheel;
  if (at.is_lost)
    out.undefine(
        "has no contact point: its terrain is curved more than the wheel, or steep as a wall; make "
        "the terrain smoother or the wheel smaller");
  for (int r = 0; r < what.rows(); ++r) {
    out.row_wrenches.push_back(
        {out.next_row(), -1, what.parent, what.child, {{}, at.direction[r]}, at.contact});
    out.add(at.error[r], at.rate[r], at.acceleration[r]);
  }
}

template void WheelBlock::evaluate(const BlockInput<double>&, EvaluatedRows<double>&) const;
template void WheelBlock::evaluate(const BlockInput<Duals>&, EvaluatedRows<Duals>&) const;

}  // namespace trammel
