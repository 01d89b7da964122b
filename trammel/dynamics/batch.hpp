#pragma once

#include <Eigen/Core>
#include <optional>

#include "trammel/base/workers.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/kernel/batch.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Room for batches on one model; one per caller. With several threads (0: one a core) a batch is
// shared among them; answers are the same to the last bit for any number.
class BatchWorkspace {
 public:
  explicit BatchWorkspace(const Model& model, int threads = 1);
  int threads() const { return workers_->count(); }
  Workers& workers() const { return *workers_; }
  void* sealed(int worker) const { return sealed_[std::size_t(worker)].get(); }
  // Of a model with loops, or with planned or locked joints: where a state is answered alone, and
  // which have been answered already.
  struct Alone {
    explicit Alone(const Model& model) : workspace(model) {}
    Workspace workspace;
    std::vector<char> is_sure;
  };
  Alone& alone(int worker) { return alone_[std::size_t(worker)]; }
  int nq() const { return nq_; }  // of the model it was made for, as nv and tree
  int nv() const { return nv_; }
  std::uint64_t tree() const { return tree_; }

 private:
  std::vector<kernel::SealedWorkspace> sealed_;  // one a worker
  std::vector<Alone> alone_;                     // likewise, of such a model
  std::unique_ptr<Workers> workers_;
  int nq_, nv_;
  std::uint64_t tree_;
};

// Many states of one model, one column a state: q is nq x states, v is nv x states.
struct States {
  Eigen::Ref<const Eigen::MatrixXd> q, v;
};

// The same questions as for one state, for all columns at once, several side by side in vector
// registers. Same answers, to rounding. Allocates nothing. A failure names the state; what was
// written by then means nothing.
[[nodiscard]] Status kinematics_batch(const Model& model, const States& states,
                                      BatchWorkspace& workspace, Eigen::Ref<Eigen::MatrixXd> poses);
[[nodiscard]] Status inverse_dynamics_batch(const Model& model, const States& states,
                                            const Eigen::Ref<const Eigen::MatrixXd>& a,
                                            BatchWorkspace& workspace,
                                            Eigen::Ref<Eigen::MatrixXd> tau);
// `planned`: accelerations of joints driven by motion, zero of all others (nv x states); none are
// needed where joints are only locked. With either, states are asked one by one.
[[nodiscard]] Status forward_dynamics_batch(
    const Model& model, const States& states, const Eigen::Ref<const Eigen::MatrixXd>& tau,
    BatchWorkspace& workspace, Eigen::Ref<Eigen::MatrixXd> a,
    const std::optional<Eigen::Ref<const Eigen::MatrixXd>>& planned = {});
// Column s is M of state s, column after column: nv nv x states.
[[nodiscard]] Status mass_matrix_batch(const Model& model, const States& states,
                                       BatchWorkspace& workspace, Eigen::Ref<Eigen::MatrixXd> M);

// Rows of `poses`: for each named body 12 numbers, the columns x, y, z of R_WU, then p_WU.

}  // namespace trammel
