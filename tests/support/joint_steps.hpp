// Every kind of joint as a sequence of turns, slides and screws, written down from the table in
// docs/theory/joints.md alone; and the joint coordinates that fit two given frames.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "tests/support/operator_matrices.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/model/description/frames.hpp"

namespace trammel {

struct PlainFrame {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
};
inline PlainFrame plain(const Pose<double>& X) { return {matrix(X.R), column(X.p)}; }
inline PlainFrame operator*(const PlainFrame& a, const PlainFrame& b) {
  return {a.R * b.R, a.R * b.p + a.p};
}
inline PlainFrame inverse(const PlainFrame& a) {
  return {a.R.transpose(), -(a.R.transpose() * a.p)};
}

struct PlainStep {
  enum class Kind { turn, slide, screw };
  Kind kind = Kind::turn;
  Eigen::Vector3d axis;  // in the frame after the preceding steps
  double pitch = 0;

  PlainFrame pose(double q) const {
    const Eigen::Matrix3d R = Eigen::AngleAxisd(q, axis).toRotationMatrix();
    if (kind == Kind::slide) return {Eigen::Matrix3d::Identity(), q * axis};
    return {R, pitch * q * axis};
  }
};

// Empty for fixed, spherical, free and constant-velocity joints, which are not sequences of steps.
inline std::vector<PlainStep> steps_of(const JointDescription& description,
                                       const Values<double>& values) {
  const auto vector = [&](const Vec3<Expr>& a) -> Eigen::Vector3d {
    return column(value_of(a, values)).normalized();
  };
  using enum PlainStep::Kind;
  const JointOptions& how = description.options;
  const Eigen::Vector3d axis = vector(how.axis);
  switch (description.kind) {
    case JointKind::revolute: return {{turn, axis}};
    case JointKind::prismatic: return {{slide, axis}};
    case JointKind::screw: return {{screw, axis, values(how.pitch)}};
    case JointKind::cylindrical: return {{turn, axis}, {slide, axis}};
    case JointKind::universal: return {{turn, axis}, {turn, vector(how.axis2)}};
    case JointKind::planar: {
      const Vec3<double> normal = vec3(axis);
      const Eigen::Matrix3d T = matrix(turn_to(normal, start_for(normal)));
      return {{slide, T.col(0)}, {slide, T.col(1)}, {turn, T.col(2)}};
    }
    case JointKind::compound: {
      std::vector<PlainStep> steps;
      for (const JointStep& step : how.motions)
        steps.push_back({step.kind == JointStep::Kind::turn ? turn : slide, vector(step.axis)});
      return steps;
    }
    default: return {};
  }
}

inline PlainFrame pose_after(const std::vector<PlainStep>& steps, const Eigen::VectorXd& q,
                             std::size_t count) {
  PlainFrame X;
  for (std::size_t k = 0; k < count; ++k) X = X * steps[k].pose(q[Eigen::Index(k)]);
  return X;
}

// Joint Jacobian: twists [omega; v at M] per unit rate in the axes of F, one column per step.
inline Eigen::MatrixXd step_columns(const std::vector<PlainStep>& steps, const Eigen::VectorXd& q) {
  const Eigen::Vector3d M = pose_after(steps, q, steps.size()).p;
  Eigen::MatrixXd columns(6, Eigen::Index(steps.size()));
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const PlainFrame X = pose_after(steps, q, k);
    const Eigen::Vector3d u = X.R * steps[k].axis;
    const bool is_slide = steps[k].kind == PlainStep::Kind::slide;
    columns.col(Eigen::Index(k)) << (is_slide ? Eigen::Vector3d::Zero().eval() : u),
        (is_slide ? u : u.cross(M - X.p) + steps[k].pitch * u);
  }
  return columns;
}

// Joint coordinates at which the steps lead to X_FM: Newton's method from several starts.
inline Eigen::VectorXd fitted(const std::vector<PlainStep>& steps, const PlainFrame& X_FM) {
  const auto lacking = [&](const Eigen::VectorXd& q) -> Vector6 {
    const PlainFrame X = pose_after(steps, q, steps.size());
    const Eigen::AngleAxisd turn(X_FM.R * X.R.transpose());
    Vector6 error;
    error << turn.angle() * turn.axis(), X_FM.p - X.p;
    return error;
  };
  const auto n = Eigen::Index(steps.size());
  for (int start = 0; start < 64; ++start) {
    Eigen::VectorXd q(n);
    for (Eigen::Index k = 0; k < n; ++k)
      q[k] = start == 0 ? 0 : std::sin(3.7 * start + 2.1 * double(k)) * 2;
    for (int step = 0; step < 60; ++step) {
      const Vector6 error = lacking(q);
      if (error.norm() < 1e-11) return q;
      Eigen::VectorXd by = step_columns(steps, q).completeOrthogonalDecomposition().solve(error);
      q += by * std::min(1.0, 0.5 / by.norm());
    }
  }
  ADD_FAILURE() << "no coordinates fit";
  return Eigen::VectorXd::Zero(n);
}

}  // namespace trammel
