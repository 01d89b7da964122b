#include "trammel/dynamics/batch.hpp"

#include <algorithm>
#include <atomic>

#include "trammel/dynamics/batch_call.hpp"
#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/reactions.hpp"

namespace trammel {

namespace {

// Permitted violation after projection, relative to the size of the mechanism: rounding.
constexpr double projected_violation = 1e-13;

// The single state of a column.
State state_of(const States& states, std::ptrdiff_t s) {
  State state;
  state.q.assign(states.q.col(s).begin(), states.q.col(s).end());
  state.v.assign(states.v.col(s).begin(), states.v.col(s).end());
  return state;
}

// Evaluates the states of a model with constraints: those of which solve(batch, first state,
// worker, workspace, is_sure) is not sure one at a time, by alone(state, workspace).
template <class Solve, class Alone>
Status share_closed(const BatchCall& call, const BatchWorkspace& workspace, const Solve& solve,
                    const Alone& alone) {
  FirstFailure failure;
  Status status = call.share(workspace, [&](const kernel::Batch& batch, int first, int worker) {
    auto& [single, is_sure] = workspace->alone[std::size_t(worker)];
    is_sure.assign(std::size_t(batch.states), 0);
    // prescribed and locked joints are evaluated one state at a time
    if (!batch.model.has_prescribed_joints()) solve(batch, first, worker, single, is_sure);
    for (int s = 0; s < batch.states; ++s)
      if (!is_sure[std::size_t(s)]) failure.note(first + s, alone(first + s, single));
  });
  return status.ok() ? failure.status() : status;
}

}  // namespace

Status kinematics_batch(const Model& model, const States& states, BatchWorkspace& workspace,
                        Eigen::Ref<Eigen::MatrixXd> poses) {
  expects_same_sealed("kinematics_batch", "the batch workspace", workspace, model);
  BatchCall call("kinematics_batch", model, states, "", nullptr, Forces::apart);
  expects_columns("kinematics_batch", "poses", poses,
                  12 * std::ptrdiff_t(model.named_bodies().size()), states.q.cols());
  return call.share(workspace, [&](const kernel::Batch& batch, int first, int worker) {
    kernel::kernels().kinematics_batch(batch, workspace->of_worker(worker),
                                       poses.data() + first * poses.rows());
  });
}

Status inverse_dynamics_batch(const Model& model, const States& states,
                              const Eigen::Ref<const Eigen::MatrixXd>& a, BatchWorkspace& workspace,
                              Eigen::Ref<Eigen::MatrixXd> tau) {
  const char* const name = "inverse_dynamics_batch";
  expects_same_sealed(name, "the batch workspace", workspace, model);
  BatchCall call(name, model, states, "a", &a, Forces::refused, Constraints::honored);
  expects_columns(name, "tau", tau, model.nv(), states.q.cols());
  // of the tree without loops
  const auto efforts_of_tree = [&](const kernel::Batch& batch, int first, int worker) {
    double* const out = tau.data() + first * tau.rows();
    kernel::kernels().inverse_dynamics_batch(batch, call.third(first), workspace->of_worker(worker),
                                             out);
    return out;
  };
  if (!model.has_constraints()) return call.share(workspace, efforts_of_tree);
  return share_closed(
      call, workspace,
      [&](const kernel::Batch& batch, int first, int worker, Workspace& single,
          std::span<char> is_sure) {
        double* const out = efforts_of_tree(batch, first, worker);
        single->constrained->inverse_dynamics_batch(batch, call.third(first), single, out, is_sure);
      },
      [&](std::ptrdiff_t s, Workspace& single) {
        const Eigen::VectorXd accelerations = a.col(s);
        const std::size_t nv = std::size_t(model.nv());
        return in_state(
            name, s,
            inverse_dynamics(model, state_of(states, s), {.a = {accelerations.data(), nv}}, single,
                             {&tau(0, s), nv}));
      });
}

Status forward_dynamics_batch(const Model& model, const States& states,
                              const Eigen::Ref<const Eigen::MatrixXd>& tau,
                              BatchWorkspace& workspace, Eigen::Ref<Eigen::MatrixXd> a,
                              const std::optional<Eigen::Ref<const Eigen::MatrixXd>>& prescribed) {
  const char* const name = "forward_dynamics_batch";
  expects_same_sealed(name, "the batch workspace", workspace, model);
  BatchCall call(name, model, states, "tau", &tau, Forces::refused, Constraints::honored);
  expects_columns(name, "a", a, model.nv(), states.q.cols());
  if (prescribed) expects_columns(name, "prescribed", *prescribed, model.nv(), states.q.cols());
  // evaluates a state singly where its batch result is not valid; the message names the error
  const auto alone = [&](std::ptrdiff_t s, Workspace& single) {
    const Eigen::VectorXd effort = tau.col(s);
    Inputs inputs{.tau = {effort.data(), std::size_t(model.nv())}};
    Eigen::VectorXd accelerations;
    if (prescribed) {
      accelerations = prescribed->col(s);
      inputs.a = {accelerations.data(), std::size_t(accelerations.size())};
    }
    return in_state(name, s,
                    forward_dynamics(model, state_of(states, s), inputs, single,
                                     {&a(0, s), std::size_t(model.nv())}));
  };
  if (prescribed && !model.has_prescribed_joints())  // a nonzero entry is an error
    for (std::ptrdiff_t s = 0; s < states.q.cols(); ++s)
      if (!prescribed->col(s).isZero(0)) {
        Workspace single(model);
        return alone(s, single);
      }
  if (model.has_constraints() || model.has_prescribed_joints())
    return share_closed(
        call, workspace,
        [&](const kernel::Batch& batch, int first, int, Workspace& single,
            std::span<char> is_sure) {
          single->constrained->forward_dynamics_batch(batch, call.third(first), single,
                                                      a.data() + first * a.rows(), is_sure);
        },
        alone);
  std::atomic<bool> is_weak_somewhere = false;
  Status status = call.share(workspace, [&](const kernel::Batch& batch, int first, int worker) {
    const kernel::BatchPivots pivots = kernel::kernels().forward_dynamics_batch(
        batch, call.third(first), workspace->of_worker(worker), a.data() + first * a.rows());
    if (pivots.weak_state != kernel::BatchPivots::none) is_weak_somewhere = true;
  });
  if (!status || !is_weak_somewhere) return status;
  // some state has a degree of freedom without inertia: evaluate singly, to name it
  Workspace single(model);
  for (std::ptrdiff_t s = 0; s < states.q.cols(); ++s)
    if (Status found = alone(s, single); !found) return found;
  return {};
}

Status reactions_batch(const Model& model, const States& states,
                       const Eigen::Ref<const Eigen::MatrixXd>& given, BatchWorkspace& workspace,
                       Eigen::Ref<Eigen::MatrixXd> forces) {
  const char* const name = "reactions_batch";
  expects_same_sealed(name, "the batch workspace", workspace, model);
  const bool is_tree = !model.has_constraints();
  BatchCall call(name, model, states, is_tree ? "a" : "tau", &given, Forces::refused,
                 Constraints::honored);
  expects_columns(name, "forces", forces, 6 * std::ptrdiff_t(model.joints().size()),
                  states.q.cols());
  if (is_tree)
    return call.share(workspace, [&](const kernel::Batch& batch, int first, int worker) {
      kernel::kernels().reactions_batch(batch, call.third(first), workspace->of_worker(worker),
                                        forces.data() + first * forces.rows());
    });
  return share_closed(
      call, workspace,
      [&](const kernel::Batch& batch, int first, int, Workspace& single, std::span<char> is_sure) {
        single->constrained->reactions_batch(batch, call.third(first), single,
                                             forces.data() + first * forces.rows(), is_sure);
      },
      [&](std::ptrdiff_t s, Workspace& single) {
        const Eigen::VectorXd effort = given.col(s);
        std::vector<Force<double>> found;
        const Status status =
            reactions(model, state_of(states, s), {.tau = {effort.data(), std::size_t(model.nv())}},
                      single, found);
        for (std::size_t j = 0; j < found.size(); ++j) {
          const auto& [n, f] = found[j];
          forces.col(s).segment<6>(Eigen::Index(6 * j)) << n.x, n.y, n.z, f.x, f.y, f.z;
        }
        return in_state(name, s, status);
      });
}

Status project_to_manifold_batch(const Model& model, Eigen::Ref<Eigen::MatrixXd> q,
                                 Eigen::Ref<Eigen::MatrixXd> v, BatchWorkspace& workspace) {
  const char* const name = "project_to_manifold_batch";
  expects_same_sealed(name, "the batch workspace", workspace, model);
  const States states{q, v};
  BatchCall call(name, model, states, "", nullptr, Forces::apart, Constraints::honored);
  const auto write = [&](const State& state, std::ptrdiff_t s) {
    std::ranges::copy(state.q, q.col(s).begin());
    std::ranges::copy(state.v, v.col(s).begin());
  };
  FirstFailure failure;
  call.share_unchecked(workspace, [&](const kernel::Batch& batch, int first, int worker) {
    const auto here = [&](int s) { return std::ptrdiff_t(first) + s; };
    if (!model.has_constraints()) {
      for (int s = 0; s < batch.states; ++s) failure.note(here(s), call.mistake(here(s)));
      return;
    }
    auto& [single, is_sure] = workspace->alone[std::size_t(worker)];
    is_sure.assign(std::size_t(batch.states), 0);
    std::vector<std::pair<int, State>> wrong;  // states that stay as they are
    for (int s = 0; s < batch.states; ++s)
      if (Status status = call.mistake(here(s)); !status) {
        wrong.emplace_back(s, state_of(states, here(s)));
        failure.note(here(s), std::move(status));
      }
    single->constrained->project_to_manifold_batch(model, batch.states, &q(0, first), &v(0, first),
                                                   projected_violation, single, is_sure);
    for (const auto& [s, state] : wrong) {
      is_sure[std::size_t(s)] = 1;
      write(state, here(s));
    }
    for (int s = 0; s < batch.states; ++s) {
      if (is_sure[std::size_t(s)]) continue;
      State state = state_of(states, here(s));
      const Status status =
          single->constrained->project_to_manifold(model, state, single, projected_violation, {});
      if (status.ok()) write(state, here(s));
      failure.note(here(s), in_state(name, here(s), status));
    }
  });
  return failure.status();
}

Status mass_matrix_batch(const Model& model, const States& states, BatchWorkspace& workspace,
                         Eigen::Ref<Eigen::MatrixXd> M) {
  expects_same_sealed("mass_matrix_batch", "the batch workspace", workspace, model);
  BatchCall call("mass_matrix_batch", model, states, "", nullptr, Forces::apart);
  expects_columns("mass_matrix_batch", "M", M, std::ptrdiff_t(model.nv()) * model.nv(),
                  states.q.cols());
  return call.share(workspace, [&](const kernel::Batch& batch, int first, int worker) {
    kernel::kernels().mass_matrix_batch(batch, workspace->of_worker(worker),
                                        M.data() + first * M.rows());
  });
}

}  // namespace trammel
