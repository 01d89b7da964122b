#include "trammel/dynamics/batch.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "trammel/dynamics/belongs.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/table.hpp"
#include "trammel/dynamics/matrices.hpp"

namespace trammel {

namespace {

using Matrix = Eigen::Ref<const Eigen::MatrixXd>;

void expects(const char* name, const char* what, const Matrix& matrix, std::ptrdiff_t rows,
             std::ptrdiff_t columns) {
  expects_matrix(name, what, matrix, int(rows), int(columns));
  if (matrix.cols() > 1 && matrix.outerStride() != matrix.rows())
    throw std::invalid_argument(
        fmt::format("{}: the columns of {} must lie back to back", name, what));
}

Status check_finite(const char* name, const Model& model, const char* what, const Matrix& matrix) {
  if (matrix.allFinite()) return {};
  for (std::ptrdiff_t s = 0; s < matrix.cols(); ++s)
    for (std::ptrdiff_t k = 0; k < matrix.rows(); ++k)
      if (!std::isfinite(matrix(k, s)))
        return Status::failure(fmt::format(
            "{}: in state {} {}[{}], of joint '{}', is {}: give it a finite number", name, s, what,
            k, what[0] == 'q' ? model.coordinate_name(int(k)) : model.freedom_name(int(k)),
            matrix(k, s)));
  return {};
}

// sizes and numbers, as for one state; the third argument may be missing
Status check(const char* name, const Model& model, const States& states, const char* what,
             const Matrix* third) {
  expects(name, "q", states.q, model.nq(), states.q.cols());
  expects(name, "v", states.v, model.nv(), states.q.cols());
  if (third != nullptr) expects(name, what, *third, model.nv(), states.q.cols());
  if (Status status = answerable(name, model); !status) return status;
  if (Status status = check_finite(name, model, "q", states.q); !status) return status;
  if (Status status = check_finite(name, model, "v", states.v); !status) return status;
  if (third != nullptr)
    if (Status status = check_finite(name, model, what, *third); !status) return status;
  for (std::ptrdiff_t s = 0; s < states.q.cols(); ++s)
    for (const int start : model.quaternion_starts()) {
      const double length = states.q.col(s).segment<4>(start).norm();
      if (std::abs(length - 1) > 1e-8)
        return Status::failure(fmt::format(
            "{}: in state {} the quaternion of joint '{}' has length {:.9g}: it must be 1, "
            "divide it by its length",
            name, s, quaternion_joint(model, start), length));
    }
  if (!model.has_prescribed_joints()) return {};
  for (std::ptrdiff_t s = 0; s < states.v.cols(); ++s)
    for (int k = 0; k < model.nv(); ++k)
      if (model.prescription(k) == Drive::locked && states.v(k, s) != 0)
        return Status::failure(
            fmt::format("{}: in state {} joint '{}' is locked but moves with v[{}] = {}: set it to "
                        "0, or give the joint another drive",
                        name, s, model.freedom_name(k), k, states.v(k, s)));
  return {};
}

kernel::Batch batch_of(const Model& model, const States& states) {
  return {model, model.numbers(), int(states.q.cols()), states.q.data(), states.v.data()};
}

}  // namespace

BatchWorkspace::BatchWorkspace(const Model& model)
    : sealed_(kernel::kernels().make_batch_workspace(model)),
      nq_(model.nq()),
      nv_(model.nv()),
      bodies_(int(model.bodies().size())) {}

Status kinematics_batch(const Model& model, const States& states, BatchWorkspace& workspace,
                        Eigen::Ref<Eigen::MatrixXd> poses) {
  expects_same_sealed("kinematics_batch", "the batch workspace", workspace, model);
  if (Status status = check("kinematics_batch", model, states, "", nullptr); !status) return status;
  expects("kinematics_batch", "poses", poses, 12 * std::ptrdiff_t(model.named_bodies().size()),
          states.q.cols());
  kernel::kernels().kinematics_batch(batch_of(model, states), workspace.sealed(), poses.data());
  return {};
}

Status inverse_dynamics_batch(const Model& model, const States& states,
                              const Eigen::Ref<const Eigen::MatrixXd>& a, BatchWorkspace& workspace,
                              Eigen::Ref<Eigen::MatrixXd> tau) {
  expects_same_sealed("inverse_dynamics_batch", "the batch workspace", workspace, model);
  if (Status status = check("inverse_dynamics_batch", model, states, "a", &a); !status)
    return status;
  expects("inverse_dynamics_batch", "tau", tau, model.nv(), states.q.cols());
  kernel::kernels().inverse_dynamics_batch(batch_of(model, states), a.data(), workspace.sealed(),
                                           tau.data());
  return {};
}

Status forward_dynamics_batch(const Model& model, const States& states,
                              const Eigen::Ref<const Eigen::MatrixXd>& tau,
                              BatchWorkspace& workspace, Eigen::Ref<Eigen::MatrixXd> a) {
  expects_same_sealed("forward_dynamics_batch", "the batch workspace", workspace, model);
  if (Status status = check("forward_dynamics_batch", model, states, "tau", &tau); !status)
    return status;
  expects("forward_dynamics_batch", "a", a, model.nv(), states.q.cols());
  if (model.has_prescribed_joints())
    return Status::failure(
        "forward_dynamics_batch: the model has joints driven by motion or locked, which batches do "
        "not honour yet: ask state by state, or give them another drive");
  const kernel::BatchPivots pivots = kernel::kernels().forward_dynamics_batch(
      batch_of(model, states), tau.data(), workspace.sealed(), a.data());
  if (pivots.weak_state == kernel::BatchPivots::none) return {};

  // some state of that group has a freedom without inertia: ask one by one for its name
  Workspace single(model);
  State state = neutral_state(model);
  for (std::ptrdiff_t s = pivots.weak_state; s < states.q.cols(); ++s) {
    Eigen::Map<Eigen::VectorXd>(state.q.data(), model.nq()) = states.q.col(s);
    Eigen::Map<Eigen::VectorXd>(state.v.data(), model.nv()) = states.v.col(s);
    const Eigen::VectorXd effort = tau.col(s);
    const Status status =
        forward_dynamics(model, state, {.tau = {effort.data(), std::size_t(model.nv())}}, single,
                         {&a(0, s), std::size_t(model.nv())});
    if (!status) {
      const std::string_view asked = "forward_dynamics: ";  // the name its message begins with
      return Status::failure(fmt::format("forward_dynamics_batch: in state {} {}", s,
                                         status.message().substr(asked.size())));
    }
  }
  return {};
}

Status mass_matrix_batch(const Model& model, const States& states, BatchWorkspace& workspace,
                         Eigen::Ref<Eigen::MatrixXd> M) {
  expects_same_sealed("mass_matrix_batch", "the batch workspace", workspace, model);
  if (Status status = check("mass_matrix_batch", model, states, "", nullptr); !status)
    return status;
  expects("mass_matrix_batch", "M", M, std::ptrdiff_t(model.nv()) * model.nv(), states.q.cols());
  kernel::kernels().mass_matrix_batch(batch_of(model, states), workspace.sealed(), M.data());
  return {};
}

}  // namespace trammel
