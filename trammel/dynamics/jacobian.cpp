#include "trammel/dynamics/jacobian.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <stdexcept>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/dynamics/belongs.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/exact_scalars.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace kernel {

// visit(k, column): for each degree of freedom k inboard of the body, last first, the column of the
// Jacobian of the body's point p
template <Scalar S, class Visit>
void each_column(const Model& model, const BasicPositions<S>& positions, int body, const Vec3<S>& p,
                 const Visit& visit) {
  for (int i = body; i > 0; i = model.bodies()[i].parent) {
    const Vec3<S> r = p - positions.X_WB[i].p;
    for (int k = model.bodies()[i].v_end - 1; k >= model.bodies()[i].v_start; --k)
      visit(k, shifted_to(r, positions.axes[k]));
  }
}
// The same, expressed in axes rotated by R_WA.
template <Scalar S, class Visit>
void each_column(const Model& model, const BasicPositions<S>& positions, int body, const Vec3<S>& p,
                 const Mat3<S>& R_WA, const Visit& visit) {
  each_column(model, positions, body, p, [&](int k, const Motion<S>& V) {
    visit(k, Motion<S>{transpose_times(R_WA, V.angular), transpose_times(R_WA, V.linear)});
  });
}

template <Scalar S>
void jacobian(const Model& model, const BasicPositions<S>& positions, int body, const Pose<S>& X_BA,
              Axes axes, std::span<Motion<S>> J) {
  std::fill(J.begin(), J.end(), Motion<S>{});
  const auto write = [&](int k, const Motion<S>& V) { J[k] = V; };
  const Pose<S>& X_WB = positions.X_WB[body];
  if (axes == Axes::world)
    each_column(model, positions, body, X_WB * X_BA.p, write);
  else
    each_column(model, positions, body, X_WB * X_BA.p, X_WB.R * X_BA.R, write);
}

#define INSTANTIATE(S)                                                                         \
  template void jacobian<S>(const Model&, const BasicPositions<S>&, int, const Pose<S>&, Axes, \
                            std::span<Motion<S>>);
TRAMMEL_FOR_EACH_EXACT_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kernel

Status jacobian(const Model& model, const Positions& positions, const FrameRef& place, Axes axes,
                Eigen::Ref<Eigen::MatrixXd> J) {
  expects_same_model("jacobian", positions, model);
  expects_body("jacobian", "the place", model, place.body);
  expects_matrix("jacobian", "J", J, 6, model.nv());
  if (Status status = answerable("jacobian", model, Constraints::honored, Forces::apart); !status)
    return status;
  const auto write = [&](int k, const Motion<double>& V) {
    double* column = J.data() + k * J.outerStride();
    column[0] = V.angular.x;
    column[1] = V.angular.y;
    column[2] = V.angular.z;
    column[3] = V.linear.x;
    column[4] = V.linear.y;
    column[5] = V.linear.z;
  };
  int written = model.nv();  // and all columns after it
  const auto write_zeros_after = [&](int k) {
    while (--written > k) write(written, {});
  };
  const auto write_on = [&](int k, const Motion<double>& V) {
    write_zeros_after(k);
    write(k, V);
  };
  const int tree_body = model[place.body].tree_body;
  const Pose<double>&X_WB = positions.X_WB[tree_body],
        &X_BU = model.numbers().X_BU[std::size_t(index(place.body))];
  const Vec3<double> p = X_WB * (X_BU * place.X_UA.p);
  if (axes == Axes::world)
    kernel::each_column<double>(model, positions, tree_body, p, write_on);
  else
    kernel::each_column<double>(model, positions, tree_body, p, X_WB.R * (X_BU.R * place.X_UA.R),
                                write_on);
  write_zeros_after(-1);
  return {};
}

Status jacobian_rate(const Model& model, const State& state, const FrameRef& place, Axes axes,
                     Workspace& workspace, Motion<double>& out) {
  const Inputs nothing;
  const EvalContext context("jacobian_rate", model, state, nothing, workspace, Constraints::honored,
                            Forces::apart);
  expects_body("jacobian_rate", "the place", model, place.body);
  if (!context.ok()) return context.status();
  kernel::kernels().kinematics(context.unloaded_input(), context.q(), context.v(), context.zero(),
                               *workspace, workspace->kinematics);
  out = acceleration(model, workspace->kinematics, place, axes);
  return {};
}

namespace {

// Lambda^-1, with messages that begin with `name`
Status inertia_inverse(const char* name, const Model& model, const State& state,
                       const ArticulatedInertias& factors, const FrameRef& place, Axes axes,
                       Workspace& workspace, Eigen::Ref<Eigen::MatrixXd> out) {
  const Inputs nothing;
  const EvalContext context(name, model, state, nothing, workspace, Constraints::refused,
                            Forces::apart);
  expects_same_model(name, factors, model);
  expects_body(name, "the place", model, place.body);
  context.expects_matrix("out", out.rows(), out.cols(), 6, 6);
  if (context.status().message().find("does not support yet") != std::string::npos)
    return Status::failure(context.status().message() +
                           "; restricted_jacobian and minimal_equations make the same of the ways "
                           "that it leaves");
  if (!context.ok()) return context.status();
  const int tree_body = model[place.body].tree_body;
  Pose<double> X_BA = placed(model, place);
  if (axes == Axes::world) {  // a frame at the same point, with the world's axes
    kernel::kernels().kinematics(context.unloaded_input(), context.q(), context.zero(),
                                 context.zero(), *workspace, workspace->kinematics);
    X_BA.R = transpose(workspace->kinematics.X_WB[tree_body].R);
  }
  kernel::operational_space_inertia_inverse<double>(model, factors, tree_body, X_BA, span_of(out));
  return {};
}

}  // namespace

Status operational_space_inertia_inverse(const Model& model, const State& state,
                                         const ArticulatedInertias& factors, const FrameRef& place,
                                         Axes axes, Workspace& workspace,
                                         Eigen::Ref<Eigen::MatrixXd> out) {
  return inertia_inverse("operational_space_inertia_inverse", model, state, factors, place, axes,
                         workspace, out);
}

Status operational_space_inertia(const Model& model, const State& state,
                                 const ArticulatedInertias& factors, const FrameRef& place,
                                 Axes axes, Workspace& workspace, Eigen::Ref<Eigen::MatrixXd> out) {
  expects_matrix("operational_space_inertia", "out", out, 6, 6);
  Eigen::MatrixXd inverse(6, 6);
  if (Status status = inertia_inverse("operational_space_inertia", model, state, factors, place,
                                      axes, workspace, inverse);
      !status)
    return status;
  // rotations and translations are comparable with the mechanism's characteristic length as unit
  Eigen::Matrix<double, 6, 1> scale;
  scale << 1, 1, 1, Eigen::Vector3d::Constant(1 / model.characteristic_length());
  const Eigen::Matrix<double, 6, 6> scaled = scale.asDiagonal() * inverse * scale.asDiagonal();
  const SymmetricEigen modes = symmetric_eigen(scaled);
  const Eigen::VectorXd& e = modes.values;
  // J M^-1 J^T has the squares of singular values: 1e-12 here is 1e-6 of the largest
  const int rank = int((e.array() > 1e-12 * max_entry(e)).count());
  if (rank < 6)
    return Status::failure(
        fmt::format("operational_space_inertia: body '{}' can move in only {} of six ways here, so "
                    "its inertia is "
                    "infinite in the others: ask for operational_space_inertia_inverse",
                    model[place.body].name, rank));
  out = scale.asDiagonal() *
        (modes.vectors * e.cwiseInverse().asDiagonal() * modes.vectors.transpose()) *
        scale.asDiagonal();
  return {};
}

}  // namespace trammel
