#include "trammel/dynamics/operators.hpp"

#include <Eigen/Core>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/dynamics/belongs.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/spatial/conventions.hpp"

namespace trammel {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

Vector6 eigen(const Motion<double>& V) {
  Vector6 out;
  out << eigen(V.angular), eigen(V.linear);
  return out;
}
// [1 0; -[l] 1]: shifts a twist from x to y = x + l
Matrix6 shift(const Vec3<double>& l) {
  Matrix6 out = Matrix6::Identity();
  out.block<3, 3>(3, 0) = -eigen(skew(l));
  return out;
}
// symmetric 6 x 6 matrix from body axes to world axes
Matrix6 in_world(const Mat3<double>& R_WB, const Matrix6& I) {
  Matrix6 R = Matrix6::Zero();
  R.block<3, 3>(0, 0) = R.block<3, 3>(3, 3) = eigen(R_WB);
  return R * I * R.transpose();
}
Matrix6 matrix(const Inertia<double>& I) {
  Matrix6 out;
  const Eigen::Matrix3d h = eigen(skew(I.first_moment));
  out << eigen(full(I.rotational)), h, -h, I.mass * Eigen::Matrix3d::Identity();
  return out;
}
Matrix6 matrix(const ArticulatedInertia<double>& I) {
  Matrix6 out;
  const Eigen::Matrix3d C = eigen(I.coupling);
  out << eigen(full(I.rotational)), C, C.transpose(), eigen(full(I.linear));
  return out;
}
int dofs(const Body& body) {
  return std::visit([](const auto& joint) { return int(joint.nv()); }, body.joint);
}

// (1 - E)^-1 of an operator E from parents to children. Outward recursion: the rows of a body are
// those of its parent, propagated; so entries of bodies on different branches are exactly zero.
Eigen::MatrixXd from_all_inboard(const Model& model, const Eigen::MatrixXd& E) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Identity(E.rows(), E.cols());
  for (int i = 1; i < int(model.bodies().size()); ++i) {
    const int parent = model.bodies()[i].parent;
    if (parent > 0)
      out.middleRows<6>(6 * (i - 1)) +=
          E.block<6, 6>(6 * (i - 1), 6 * (parent - 1)) * out.middleRows<6>(6 * (parent - 1)).eval();
  }
  return out;
}

}  // namespace

Eigen::MatrixXd SpatialOperators::mass_matrix() const {
  return H.transpose() * Phi.transpose() * M * Phi * H;
}
Eigen::MatrixXd SpatialOperators::mass_matrix_inverse() const {
  const Eigen::MatrixXd L_inverse = Eigen::MatrixXd::Identity(D.rows(), D.cols()) - K * Psi * H;
  return L_inverse * inverse(D) * L_inverse.transpose();
}

Status spatial_operators(const Model& model, const State& state, Workspace& workspace,
                         SpatialOperators& out) {
  const Inputs nothing;
  const EvalContext context("spatial_operators", model, state, nothing, workspace,
                            Constraints::refused, Forces::apart);
  if (!context.ok()) return context.status();
  ArticulatedInertias factors(model);
  const Pivots pivots = kernel::articulated_inertias<double, double>(
      context.unloaded_input(), context.q(), *workspace, factors);
  if (pivots.weak_dof != Pivots::none) return context.no_inertia(pivots.weak_dof);
  Kinematics at(model);
  if (Status status = kinematics(model, state, {}, workspace, at); !status) return status;

  const int n = int(model.bodies().size()) - 1, nv = model.nv();
  out.H = Eigen::MatrixXd::Zero(6 * n, nv);
  out.E_phi = out.M = out.P = Eigen::MatrixXd::Zero(6 * n, 6 * n);
  out.D = Eigen::MatrixXd::Zero(nv, nv);
  out.G = Eigen::MatrixXd::Zero(6 * n, nv);
  for (int i = 1; i <= n; ++i) {
    const Body& body = model.bodies()[i];
    const int row = 6 * (i - 1), start = body.v_start, count = dofs(body);
    for (int k = start; k < start + count; ++k) out.H.block<6, 1>(row, k) = eigen(at.axes[k]);
    if (body.parent > 0)
      out.E_phi.block<6, 6>(row, 6 * (body.parent - 1)) =
          shift(at.X_WB[i].p - at.X_WB[body.parent].p);
    out.M.block<6, 6>(row, row) = in_world(at.X_WB[i].R, matrix(model.numbers().bodies[i].inertia));
    out.P.block<6, 6>(row, row) = in_world(at.X_WB[i].R, matrix(factors.I_A[i]));
    const auto H_i = out.H.block(row, start, 6, count);
    const auto P_i = out.P.block<6, 6>(row, row);
    const Eigen::MatrixXd D_i = H_i.transpose() * P_i * H_i;
    out.D.block(start, start, count, count) = D_i;
    out.G.block(row, start, 6, count) = P_i * H_i * inverse(D_i);
  }
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(6 * n, 6 * n);
  out.Phi = from_all_inboard(model, out.E_phi);
  out.K = out.G.transpose() * out.E_phi;
  out.E_psi = (one - out.H * out.G.transpose()) * out.E_phi;
  out.Psi = from_all_inboard(model, out.E_psi);
  return {};
}

Status spatial_bias(const Model& model, const State& state, Workspace& workspace,
                    SpatialBias& out) {
  const Inputs nothing;
  const EvalContext context("spatial_bias", model, state, nothing, workspace, Constraints::refused,
                            Forces::apart);
  if (!context.ok()) return context.status();
  Kinematics at(model);  // at a = 0
  if (Status status = kinematics(model, state, {}, workspace, at); !status) return status;
  const int n = int(model.bodies().size()) - 1;
  out.acceleration.resize(6 * n);
  out.force.resize(6 * n);
  const auto world_rate = [&](int i) {
    return eigen(turned(at.X_WB[i].R, true_acceleration(at.A[i], at.V[i])));
  };
  for (int i = 1; i <= n; ++i) {
    const int parent = model.bodies()[i].parent;
    // acceleration of the body less its parent's acceleration, shifted
    out.acceleration.segment<6>(6 * (i - 1)) =
        world_rate(i) - shift(at.X_WB[i].p - at.X_WB[parent].p) * world_rate(parent);
    // [omega x J omega; m omega x (omega x c)]
    const Inertia<double>& I = model.numbers().bodies[i].inertia;
    const Vec3<double>& w = at.V[i].angular;
    const Force<double> b{cross(w, I.rotational * w), cross(w, cross(w, I.first_moment))};
    const Force<double> b_W = turned(at.X_WB[i].R, b);
    out.force.segment<6>(6 * (i - 1)) << eigen(b_W.moment), eigen(b_W.force);
  }
  return {};
}

Status place_operator(const Model& model, const State& state, const FrameRef& place,
                      Workspace& workspace, Eigen::Ref<Eigen::MatrixXd> out) {
  const Inputs nothing;
  const EvalContext context("place_operator", model, state, nothing, workspace,
                            Constraints::refused, Forces::apart);
  expects_body("place_operator", "the place", model, place.body);
  expects_matrix("place_operator", "out", out, 6, 6 * (int(model.bodies().size()) - 1));
  if (!context.ok()) return context.status();
  Kinematics at(model);
  if (Status status = kinematics(model, state, {}, workspace, at); !status) return status;
  out.setZero();
  const int tree_body = model[place.body].tree_body;
  if (tree_body > 0)
    out.middleCols<6>(6 * (tree_body - 1)) = shift(pose(model, at, place).p - at.X_WB[tree_body].p);
  return {};
}

}  // namespace trammel
