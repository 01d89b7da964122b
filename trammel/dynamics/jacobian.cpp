#include "trammel/dynamics/jacobian.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <stdexcept>

#include "trammel/dynamics/belongs.hpp"
#include "trammel/dynamics/exact_scalars.hpp"
#include "trammel/dynamics/kernel/table.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/question.hpp"

namespace trammel {

namespace kernel {

// column k of the freedoms inboard of A: S_k, seen by someone at A
template <Scalar S>
Motion<S> jacobian_column(const BasicKinematics<S>& kinematics, int body, int k,
                          const Pose<S>& X_WA, Axes axes) {
  const Motion<S> V_A = to_child(inverse(kinematics.X_WB[body]) * X_WA, kinematics.axes[k]);
  return axes == Axes::body ? V_A : turned(X_WA.R, V_A);
}

template <Scalar S, class Visit>
void each_inboard_freedom(const Model& model, int body, const Visit& visit) {
  for (int i = body; i > 0; i = model.bodies()[i].parent) {
    const Body& b = model.bodies()[i];
    const int nv = std::visit([](const auto& joint) { return int(joint.nv()); }, b.joint);
    for (int k = b.v_start; k < b.v_start + nv; ++k) visit(i, k);
  }
}

template <Scalar S>
void jacobian(const Model& model, const BasicKinematics<S>& kinematics, int body,
              const Pose<S>& X_BA, Axes axes, std::span<Motion<S>> J) {
  const Pose<S> X_WA = kinematics.X_WB[body] * X_BA;
  std::fill(J.begin(), J.end(), Motion<S>{});
  each_inboard_freedom<S>(
      model, body, [&](int i, int k) { J[k] = jacobian_column(kinematics, i, k, X_WA, axes); });
}

#define INSTANTIATE(S)                                                                          \
  template void jacobian<S>(const Model&, const BasicKinematics<S>&, int, const Pose<S>&, Axes, \
                            std::span<Motion<S>>);
TRAMMEL_FOR_EACH_EXACT_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kernel

Status jacobian(const Model& model, const Kinematics& kinematics, const At& place, Axes axes,
                Eigen::Ref<Eigen::MatrixXd> J) {
  expects_same_model("jacobian", kinematics, model);
  expects_body("jacobian", "the place", model, place.body);
  expects_matrix("jacobian", "J", J, 6, model.nv());
  if (Status status = answerable("jacobian", model); !status) return status;
  const int carrier = model[place.body].carrier;
  const Pose<double> X_WA = pose(model, kinematics, place);
  J.setZero();
  kernel::each_inboard_freedom<double>(model, carrier, [&](int i, int k) {
    const Motion<double> V = kernel::jacobian_column(kinematics, i, k, X_WA, axes);
    J.col(k) << V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z;
  });
  return {};
}

Status jacobian_rate(const Model& model, const State& state, const At& place, Axes axes,
                     Workspace& workspace, Motion<double>& out) {
  const Inputs nothing;
  const Question question("jacobian_rate", model, state, nothing, workspace);
  expects_body("jacobian_rate", "the place", model, place.body);
  if (!question.ok()) return question.status();
  kernel::kernels().kinematics(question.unloaded_scene(), question.q(), question.v(),
                               question.zero(), workspace, workspace.kinematics);
  out = acceleration(model, workspace.kinematics, place, axes);
  return {};
}

namespace {

// Lambda^-1, for the question of this name
Status inertia_inverse(const char* name, const Model& model, const State& state,
                       const ArticulatedInertias& factors, const At& place, Axes axes,
                       Workspace& workspace, Eigen::Ref<Eigen::MatrixXd> out) {
  const Inputs nothing;
  const Question question(name, model, state, nothing, workspace);
  expects_same_model(name, factors, model);
  expects_body(name, "the place", model, place.body);
  question.expects_matrix("out", out.rows(), out.cols(), 6, 6);
  if (!question.ok()) return question.status();
  const int carrier = model[place.body].carrier;
  Pose<double> X_BA = placed(model, place);
  if (axes == Axes::world) {  // a frame at the same point, with the world's axes
    kernel::kernels().kinematics(question.unloaded_scene(), question.q(), question.zero(),
                                 question.zero(), workspace, workspace.kinematics);
    X_BA.R = transpose(workspace.kinematics.X_WB[carrier].R);
  }
  kernel::operational_inertia_inverse<double>(model, factors, carrier, X_BA, span_of(out));
  return {};
}

}  // namespace

Status operational_inertia_inverse(const Model& model, const State& state,
                                   const ArticulatedInertias& factors, const At& place, Axes axes,
                                   Workspace& workspace, Eigen::Ref<Eigen::MatrixXd> out) {
  return inertia_inverse("operational_inertia_inverse", model, state, factors, place, axes,
                         workspace, out);
}

Status operational_inertia(const Model& model, const State& state,
                           const ArticulatedInertias& factors, const At& place, Axes axes,
                           Workspace& workspace, Eigen::Ref<Eigen::MatrixXd> out) {
  expects_matrix("operational_inertia", "out", out, 6, 6);
  Eigen::MatrixXd inverse(6, 6);
  if (Status status = inertia_inverse("operational_inertia", model, state, factors, place, axes,
                                      workspace, inverse);
      !status)
    return status;
  // turning and moving weigh the same when lengths are told in a length of the mechanism
  Eigen::Matrix<double, 6, 1> scale;
  scale << 1, 1, 1, Eigen::Vector3d::Constant(1 / model.characteristic_length());
  const Eigen::Matrix<double, 6, 6> scaled = scale.asDiagonal() * inverse * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> modes(scaled);
  const Eigen::Matrix<double, 6, 1> e = modes.eigenvalues();
  // J M^-1 J^T has the squares of singular values: 1e-12 here is 1e-6 of the largest
  const int rank = int((e.array() > 1e-12 * e.maxCoeff()).count());
  if (rank < 6)
    return Status::failure(fmt::format(
        "operational_inertia: body '{}' can move in only {} of six ways here, so its inertia is "
        "infinite in the others: ask for operational_inertia_inverse",
        model[place.body].name, rank));
  out = scale.asDiagonal() *
        (modes.eigenvectors() * e.cwiseInverse().asDiagonal() * modes.eigenvectors().transpose()) *
        scale.asDiagonal();
  return {};
}

}  // namespace trammel
