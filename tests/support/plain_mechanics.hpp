// Kinematics, mass matrix and energies from the definition, for tests: the pose of every named
// body, joint by joint in the user's own frames, for any scalar. Dual numbers give exact
// velocities; the mass matrix and the energies follow by definition. Shares nothing with the engine
// above spatial/: no internal frames, no z-axes, no recursive algorithms.
#pragma once

#include <Eigen/Dense>
#include <map>
#include <vector>

#include "trammel/model/description/frames.hpp"
#include "trammel/model/model.hpp"
#include "trammel/model/state.hpp"
#include "trammel/scalar/dual.hpp"
#include "trammel/scalar/expr_evaluate.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

class PlainMechanics {
 public:
  using One = Dual<native_lanes>;  // only one derivative is used

  explicit PlainMechanics(const Model& model)
      : model_(model),
        description_(model.description()),
        value_(description_.graph, nominal(description_)) {}

  // X_WU of every named body.
  template <Scalar S> std::vector<Pose<S>> poses(const std::vector<S>& q) const {
    std::vector<Pose<S>> X(model_.named_bodies().size(), Pose<S>::identity());
    for (const JointId id : model_.outward_joints()) {
      const NamedJoint& joint = model_[id];
      const JointOptions& how = description_.joints[std::size_t(joint.description)].options;
      const Pose<S> X_PC =
          lift<S>(place(how.at)) * across<S>(joint, how, q) * lift<S>(inverse(place(how.child_at)));
      Pose<S>&parent = X[std::size_t(index(joint.parent))],
      &child = X[std::size_t(index(joint.child))];
      if (joint.is_reversed)
        parent = child * inverse(X_PC);
      else
        child = parent * X_PC;
    }
    return X;
  }

  // Twist of every named body in its own axes, for unit velocity of degree of freedom k.
  std::vector<Motion<double>> twists(const std::vector<double>& q,
                                     const std::vector<double>& v) const {
    std::vector<double> q_dot(q.size());
    rate(model_, q, v, q_dot);
    std::vector<One> moving(q.begin(), q.end());
    for (std::size_t k = 0; k < q.size(); ++k) moving[k].derivative[0] = q_dot[k];
    std::vector<Motion<double>> out;
    for (const Pose<One>& X : poses(moving)) {
      // W = R^T dR/dt, v = R^T dp/dt
      const auto slope = [](const Vec3<One>& x) {
        return Vec3<double>{x.x.derivative[0], x.y.derivative[0], x.z.derivative[0]};
      };
      const auto value = [](const Vec3<One>& x) {
        return Vec3<double>{x.x.value, x.y.value, x.z.value};
      };
      const Mat3<double> R{value(X.R.x), value(X.R.y), value(X.R.z)};
      const Mat3<double> dR{slope(X.R.x), slope(X.R.y), slope(X.R.z)};
      const Mat3<double> W = transpose(R) * dR;
      out.push_back({{W.y.z, W.z.x, W.x.y}, transpose_times(R, slope(X.p))});
    }
    return out;
  }

  // M = sum J^T I J over the named bodies: the Hessian of the kinetic energy with respect to v.
  Eigen::MatrixXd mass_matrix(const std::vector<double>& q) const {
    const int nv = model_.nv();
    std::vector<std::vector<Motion<double>>> J;
    for (int k = 0; k < nv; ++k) {
      std::vector<double> unit(static_cast<std::size_t>(nv));
      unit[std::size_t(k)] = 1;
      J.push_back(twists(q, unit));
    }
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(nv, nv);
    for (std::size_t b = 1; b < model_.named_bodies().size(); ++b) {
      const Inertia<double> I = inertia(b);
      for (int k = 0; k < nv; ++k) {
        const Force<double> F = I * J[std::size_t(k)][b];
        for (int l = 0; l < nv; ++l) M(l, k) += dot(J[std::size_t(l)][b], F);
      }
    }
    return M;
  }

  double kinetic_energy(const std::vector<double>& q, const std::vector<double>& v) const {
    const auto V = twists(q, v);
    double sum = 0;
    for (std::size_t b = 1; b < V.size(); ++b) sum += 0.5 * dot(V[b], inertia(b) * V[b]);
    return sum;
  }
  double gravity_energy(const std::vector<double>& q) const {
    const auto X = poses(q);
    const Vec3<double> g = vec(description_.gravity);
    double sum = 0;
    for (std::size_t b = 1; b < X.size(); ++b) {
      if (model_.named_bodies()[b].tree_body == 0) continue;  // it is fixed to ground
      const Solid& solid = description_.bodies[b - 1].solid;
      sum -= value_(solid.mass) * dot(g, X[b] * vec(solid.com));
    }
    return sum;
  }

 private:
  static std::vector<double> nominal(const Description& description) {
    std::vector<double> values;
    for (const ParameterDescription& parameter : description.parameters)
      values.push_back(parameter.value);
    return values;
  }
  Vec3<double> vec(const Vec3<Expr>& x) const { return {value_(x.x), value_(x.y), value_(x.z)}; }
  Pose<double> place(const Placement& at) const {
    const Vec3<double> r = vec(at.rpy);
    const Mat3<double> x = exponential_rotation(Vec3<double>{r.x, 0, 0});
    const Mat3<double> y = exponential_rotation(Vec3<double>{0, r.y, 0});
    const Mat3<double> z = exponential_rotation(Vec3<double>{0, 0, r.z});
    return {z * y * x, vec(at.xyz)};
  }
  Inertia<double> inertia(std::size_t b) const {
    const Solid& s = description_.bodies[b - 1].solid;
    return inertia_about_com<double>(
        value_(s.mass), vec(s.com),
        {value_(s.inertia.xx), value_(s.inertia.xy), value_(s.inertia.xz), value_(s.inertia.yy),
         value_(s.inertia.yz), value_(s.inertia.zz)});
  }
  template <Scalar S> static Pose<S> lift(const Pose<double>& X) { return {X.R, X.p}; }

  Vec3<double> unit(const Vec3<Expr>& axis) const {
    const Vec3<double> a = vec(axis);
    return (1 / norm(a)) * a;
  }
  template <Scalar S> static Pose<S> turned_by(const Vec3<double>& axis, const S& angle) {
    return {exponential_rotation(angle * axis), {}};
  }
  template <Scalar S> static Pose<S> moved_by(const Vec3<double>& axis, const S& distance) {
    return {Mat3<S>::identity(), distance * axis};
  }
  // Rotation by the bend q[0], q[1] about two directions perpendicular to the shaft.
  template <Scalar S> static Pose<S> bent(const Vec3<double>& shaft, const S* q) {
    const Mat3<double> T = turn_to(shaft, start_for(shaft));
    return {exponential_rotation(q[0] * T.x + q[1] * T.y), {}};
  }
  // X_FM(q) in the user's axes
  template <Scalar S>
  Pose<S> across(const NamedJoint& joint, const JointOptions& how,
                 const std::vector<S>& all) const {
    const S* q = all.data() + joint.q_start;
    const Vec3<double> axis = joint.kind == JointKind::compound ? Vec3<double>{} : unit(how.axis);
    switch (joint.kind) {
      case JointKind::fixed: return Pose<S>::identity();
      case JointKind::revolute: return turned_by(axis, q[0]);
      case JointKind::prismatic: return moved_by(axis, q[0]);
      case JointKind::screw:
        return turned_by(axis, q[0]) * moved_by(axis, value_(how.pitch) * q[0]);
      case JointKind::cylindrical: return turned_by(axis, q[0]) * moved_by(axis, q[1]);
      case JointKind::universal: return turned_by(axis, q[0]) * turned_by(unit(how.axis2), q[1]);
      case JointKind::spherical: return {rotation(Quaternion<S>{q[0], q[1], q[2], q[3]}), {}};
      case JointKind::planar:  // with the normal z
        return moved_by({1, 0, 0}, q[0]) * moved_by({0, 1, 0}, q[1]) * turned_by({0, 0, 1}, q[2]);
      case JointKind::free:
        return {rotation(Quaternion<S>{q[0], q[1], q[2], q[3]}), {q[4], q[5], q[6]}};
      case JointKind::constant_velocity: return bent(axis, q);
      case JointKind::plunging_constant_velocity: return moved_by(axis, q[2]) * bent(axis, q);
      case JointKind::compound: {
        Pose<S> X = Pose<S>::identity();
        for (std::size_t k = 0; k < how.motions.size(); ++k) {
          const JointStep& step = how.motions[k];
          X = X * (step.kind == JointStep::Kind::turn ? turned_by(unit(step.axis), q[k])
                                                      : moved_by(unit(step.axis), q[k]));
        }
        return X;
      }
    }
    return Pose<S>::identity();
  }

  const Model& model_;
  const Description& description_;
  Values<double> value_;
};

}  // namespace trammel
