#include <fmt/format.h>

#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/operators.hpp"
#include "trammel/spatial/conventions.hpp"

namespace trammel {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

Vector6 twist_linear_first(const Motion<double>& V) { return Vector6(linear_first(V).data()); }

// Ad of X^-1: maps the twist at A to B, for X = X_AB; linear part first
Matrix6 adjoint_to_child(const Pose<double>& X) {
  Matrix6 out = Matrix6::Zero();
  const Eigen::Matrix3d Rt = eigen(X.R).transpose();
  out.block<3, 3>(0, 0) = out.block<3, 3>(3, 3) = Rt;
  out.block<3, 3>(0, 3) = -Rt * eigen(skew(X.p));
  return out;
}
// ad_V = [[w] [v]; 0 [w]], linear part first
Matrix6 adjoint_rate(const Motion<double>& V) {
  Matrix6 out = Matrix6::Zero();
  out.block<3, 3>(0, 0) = out.block<3, 3>(3, 3) = eigen(skew(V.angular));
  out.block<3, 3>(0, 3) = eigen(skew(V.linear));
  return out;
}
Matrix6 generalised_mass(const Inertia<double>& I) {
  Matrix6 out;
  const Eigen::Matrix3d h = eigen(skew(I.first_moment));
  out << I.mass * Eigen::Matrix3d::Identity(), -h, h, eigen(full(I.rotational));
  return out;
}
// The columns of S are constant.
bool has_fixed_axes(const Model& model, const NamedJoint& joint) {
  if (joint.role != NamedJoint::Role::tree) return true;
  return !std::visit([](const auto& j) { return has_changing_columns(j); },
                     model.bodies()[std::size_t(joint.body)].joint);
}

}  // namespace

Eigen::MatrixXd TransmissionForm::mass_matrix() const {
  return S.transpose() * G.transpose() * M * G * S;
}
Eigen::MatrixXd TransmissionForm::coriolis_matrix() const {
  return S.transpose() * G.transpose() * (M * G * A_1 + A_2 * M) * G * S;
}
Eigen::VectorXd TransmissionForm::gravity_load(const Vec3<double>& gravity) const {
  Vector6 falling_upward;
  falling_upward << -gravity.x, -gravity.y, -gravity.z, 0, 0, 0;
  return S.transpose() * G.transpose() * M * G_0 * falling_upward;
}

Status transmission_form(const Model& model, const State& state, Workspace& workspace,
                         TransmissionForm& out) {
  const Inputs nothing;
  const EvalContext context("transmission_form", model, state, nothing, workspace,
                            Constraints::refused, Forces::apart);
  if (!context.ok()) return context.status();
  Kinematics at(model);
  if (Status status = kinematics(model, state, {}, workspace, at); !status) return status;
  for (const NamedJoint& joint : model.joints())
    if (!has_fixed_axes(model, joint) || (joint.is_reversed && joint.nv > 1))
      return Status::failure(
          fmt::format("transmission_form: the axes of joint '{}' ({}) change with its position, "
                      "which this form has no place for: ask for spatial_operators",
                      joint.name, to_string(joint.kind)));

  const int n = int(model.named_bodies().size()) - 1, nv = model.nv();
  out.G = out.M = out.A_1 = out.A_2 = Eigen::MatrixXd::Zero(6 * n, 6 * n);
  out.G_0 = Eigen::MatrixXd::Zero(6 * n, 6);
  out.S = Eigen::MatrixXd::Zero(6 * n, nv);
  out.V = Eigen::VectorXd::Zero(6 * n);
  const auto X_WU = [&](int body) { return pose(model, at, {BodyId(body)}); };
  const auto inboard_of = [&](int body) -> int {
    const NamedJoint& joint = model[*model.named_bodies()[body].inboard];
    return index(joint.is_reversed ? joint.parent : joint.child) == body
               ? index(joint.is_reversed ? joint.child : joint.parent)
               : 0;
  };
  for (int j = 1; j <= n; ++j) {
    const int row = 6 * (j - 1);
    const NamedBody& body = model.named_bodies()[j];
    const NamedJoint& joint = model[*body.inboard];

    // the body itself, then all bodies inboard of it, then ground
    out.G.block<6, 6>(row, row).setIdentity();
    for (int i = inboard_of(j); i > 0; i = inboard_of(i))
      out.G.block<6, 6>(row, 6 * (i - 1)) = adjoint_to_child(inverse(X_WU(i)) * X_WU(j));
    out.G_0.middleRows<6>(row) = adjoint_to_child(X_WU(j));

    Motion<double> across{};
    const Vec3<double> lever = X_WU(j).p - at.X_WB[body.tree_body].p;
    for (int k = joint.v_start; k < joint.v_start + joint.nv; ++k) {
      const Motion<double> S_k = turned(transpose(X_WU(j).R), shifted_to(lever, at.axes[k]));
      out.S.block<6, 1>(row, k) = twist_linear_first(S_k);
      across = across + state.v[k] * S_k;
    }
    const Motion<double> V = velocity(model, at, {BodyId(j)}, Axes::body);
    out.V.segment<6>(row) = twist_linear_first(V);
    out.M.block<6, 6>(row, row) = generalised_mass(model.numbers().own_inertia[j]);
    out.A_1.block<6, 6>(row, row) = -adjoint_rate(across);
    out.A_2.block<6, 6>(row, row) = -adjoint_rate(V).transpose();
  }
  return {};
}

}  // namespace trammel
