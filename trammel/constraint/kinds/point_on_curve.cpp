#include "trammel/constraint/kinds/point_on_curve.hpp"

#include "trammel/model/build/parameters.hpp"

namespace trammel {

namespace {

// Distance beyond the end of an open curve, relative to its length, that is rounding.
constexpr double end_rounding = 1e-9;

// Unit vector along a, and its time derivative for the derivative a_dot of a.
template <Scalar S> struct Normalized {
  Vec3<S> e, e_dot;
  Normalized(const Vec3<S>& a, const Vec3<S>& a_dot) {
    const S inverse = S(1.0) / norm(a);
    e = inverse * a;
    e_dot = inverse * (a_dot - dot(e, a_dot) * e);
  }
};

}  // namespace

std::vector<PointOnCurveBlock> PointOnCurveBlock::all(const Model& model) {
  std::vector<PointOnCurveBlock> blocks;
  for (std::size_t k = 0; k < model.frame_constraints().size(); ++k)
    if (model.frame_constraints()[k].kind == FrameConstraint::Kind::curve)
      blocks.push_back({int(k)});
  return blocks;
}

std::string PointOnCurveBlock::owner(const Model& model) const {
  return model.frame_constraints()[std::size_t(constraint)].name;
}

std::vector<RowTraits> PointOnCurveBlock::rows(const Model&) const {
  return {{.name = "force across the curve (1)"}, {.name = "force across the curve (2)"}};
}

std::vector<BodyId> PointOnCurveBlock::bodies(const Model& model) const {
  const FrameConstraint& what = model.frame_constraints()[std::size_t(constraint)];
  return {what.parent, what.child};
}

template <Scalar S>
void PointOnCurveBlock::evaluate(const BlockInput<S>& input, EvaluatedRows<S>& out) const {
  const Model& model = input.model;
  const FrameConstraint& what = model.frame_constraints()[std::size_t(constraint)];
  const auto& [X_PF, X_CM] = model.numbers().frame_constraints[std::size_t(constraint)];
  const Curve& curve = what.curve;
  const int P = model[what.parent].tree_body, C = model[what.child].tree_body;
  const Pose<S>& X_WP = input.kinematics.X_WB[std::size_t(P)];
  const Pose<S> X_WF = X_WP * Pose<S>{X_PF.R, X_PF.p};
  const PointMotion<S> point = point_motion(input.kinematics, C, X_CM.p);

  // motion of the point relative to F, in F's axes
  const auto& [w_P, v_P] = input.kinematics.V[std::size_t(P)];
  const auto& [alpha_P, a_P] = input.kinematics.A[std::size_t(P)];
  const Vec3<S> r = transpose_times(X_WP.R, point.p - X_WP.p);  // in P's axes
  const Vec3<S> v_r = v_P + cross(w_P, r);
  const Vec3<S> v_in_P = transpose_times(X_WP.R, point.v) - v_r;
  const Vec3<S> a_in_P = transpose_times(X_WP.R, point.a) -
                         (a_P + cross(alpha_P, r) + cross(w_P, v_r)) - 2.0 * cross(w_P, v_in_P);
  const Mat3<S> R_PF = X_PF.R;
  const Vec3<S> x = transpose_times(X_WF.R, point.p - X_WF.p);
  const Vec3<S> x_dot = transpose_times(R_PF, v_in_P), x_dot_dot = transpose_times(R_PF, a_in_P);

  // nearest point of the curve; the derivatives of s follow from those of x
  const Curve::Nearest nearest = curve.nearest({value_of(x.x), value_of(x.y), value_of(x.z)});
  const auto denominator = [&](const Curve::Point<S>& at) {
    return dot(at.first, at.first) - dot(x - at.c, at.second);
  };
  S s(nearest.s);
  {
    const Curve::Point<S> at = curve.at(s);
    const S f = dot(x - at.c, at.first);
    s = s + (f - value_of(f)) / denominator(at);
  }
  const Curve::Point<S> at = curve.at(s);
  const Vec3<S> d = x - at.c;
  const S squared_speed = dot(at.first, at.first), D = denominator(at);
  const bool is_central = !(value_of(D) > 1e-9 * value_of(squared_speed));
  if (is_central)
    out.undefine(
        "has its point at a center of curvature of its curve, as near to one part as to others: "
        "move it towards the curve");
  if (nearest.overshoot > end_rounding * curve.length())
    out.undefine(
        "has its point beyond an end of its curve, which is open: make the curve longer or closed, "
        "or stop the motion before");
  const S s_dot = is_central ? S(0.0) : dot(at.first, x_dot) / D;

  const Vec3<S> reference = curve.reference();
  const Normalized<S> t(at.first, s_dot * at.second);
  const Normalized<S> n1(cross(reference, t.e), cross(reference, t.e_dot));
  const Vec3<S> n2 = cross(t.e, n1.e), n2_dot = cross(t.e_dot, n1.e) + cross(t.e, n1.e_dot);
  const auto add = [&](const Vec3<S>& n, const Vec3<S>& n_dot) {
    out.row_wrenches.push_back(
        {out.next_row(), -1, what.parent, what.child, {{}, X_WF.R * n}, point.p});
    out.add(dot(n, d), dot(n, x_dot), dot(n, x_dot_dot) + dot(n_dot, x_dot));
  };
  add(n1.e, n1.e_dot);
  add(n2, n2_dot);
}

template void PointOnCurveBlock::evaluate(const BlockInput<double>&, EvaluatedRows<double>&) const;
template void PointOnCurveBlock::evaluate(const BlockInput<Duals>&, EvaluatedRows<Duals>&) const;

}  // namespace trammel
