#pragma once

#include <Eigen/Core>
#include <optional>

#include "trammel/base/workers.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/kernel/batch.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Workspace for batches of states of one model; one per caller. With several threads (0: one per
// core) a batch is shared among them; results are bitwise the same for any number of threads.
class BatchWorkspace {
 public:
  explicit BatchWorkspace(const Model& model, int threads = 1);
  int threads() const { return workers_->count(); }
  Workers& workers() const { return *workers_; }
  void* sealed(int worker) const { return sealed_[std::size_t(worker)].get(); }
  // For models with loops, or with prescribed or locked joints: the workspace for evaluating states
  // singly, and flags of the states already solved.
  struct Alone {
    explicit Alone(const Model& model) : workspace(model) {}
    Workspace workspace;
    std::vector<char> is_sure;
  };
  Alone& alone(int worker) { return alone_[std::size_t(worker)]; }
  int nq() const { return nq_; }  // nq, nv and tree of the model it was made for
  int nv() const { return nv_; }
  std::uint64_t tree() const { return tree_; }

 private:
  std::vector<kernel::SealedWorkspace> sealed_;  // one per worker
  std::vector<Alone> alone_;                     // one per worker, for such models only
  std::unique_ptr<Workers> workers_;
  int nq_, nv_;
  std::uint64_t tree_;
};

// States of one model, one column per state: q is nq x states, v is nv x states.
struct States {
  Eigen::Ref<const Eigen::MatrixXd> q, v;
};

// The functions of the same name for all columns at once, several states side by side in SIMD
// registers. Same results, to rounding. Allocate nothing. A failure names the state; the output is
// undefined then.
[[nodiscard]] Status kinematics_batch(const Model& model, const States& states,
                                      BatchWorkspace& workspace, Eigen::Ref<Eigen::MatrixXd> poses);
[[nodiscard]] Status inverse_dynamics_batch(const Model& model, const States& states,
                                            const Eigen::Ref<const Eigen::MatrixXd>& a,
                                            BatchWorkspace& workspace,
                                            Eigen::Ref<Eigen::MatrixXd> tau);
// `prescribed`: accelerations of joints driven by motion, zero for all others (nv x states); may be
// left out if joints are only locked. With prescribed or locked joints, states are evaluated one at
// a time.
[[nodiscard]] Status forward_dynamics_batch(
    const Model& model, const States& states, const Eigen::Ref<const Eigen::MatrixXd>& tau,
    BatchWorkspace& workspace, Eigen::Ref<Eigen::MatrixXd> a,
    const std::optional<Eigen::Ref<const Eigen::MatrixXd>>& prescribed = {});
// Column s is M of state s in column-major order: nv nv x states.
[[nodiscard]] Status mass_matrix_batch(const Model& model, const States& states,
                                       BatchWorkspace& workspace, Eigen::Ref<Eigen::MatrixXd> M);

// Rows of `poses`: 12 numbers per named body, the columns x, y, z of R_WU, then p_WU.

}  // namespace trammel
