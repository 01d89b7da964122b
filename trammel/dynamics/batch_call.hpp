// Arguments of the functions for many states: checks, and their distribution among the workers.
// For this module only.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string_view>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/belongs.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/locked_rounding.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

using BatchMatrix = Eigen::Ref<const Eigen::MatrixXd>;

inline void expects_columns(const char* name, const char* what, const BatchMatrix& matrix,
                            std::ptrdiff_t rows, std::ptrdiff_t columns) {
  expects_matrix(name, what, matrix, int(rows), int(columns));
  if (matrix.cols() > 1 && matrix.outerStride() != matrix.rows())
    throw std::invalid_argument(
        fmt::format("{}: the columns of {} must lie back to back", name, what));
}

// Matrix of a batch in memory: one column per state.
struct InputColumns {
  const char* what;
  const double* numbers;
  std::ptrdiff_t rows;
  std::span<const double> of(std::ptrdiff_t first, std::ptrdiff_t count) const {
    return {numbers + first * rows, std::size_t(count * rows)};
  }
};

inline Status not_finite(const char* name, const Model& model, const InputColumns& columns,
                         std::ptrdiff_t s) {
  const std::span<const double> x = columns.of(s, 1);
  const auto k = std::ranges::find_if(x, [](double value) { return !std::isfinite(value); });
  if (k == x.end()) return {};
  const int entry = int(k - x.begin());
  return Status::failure(fmt::format(
      "{}: in state {} {}[{}], of joint '{}', is {}: give it a finite number", name, s,
      columns.what, entry,
      columns.what[0] == 'q' ? model.coordinate_name(entry) : model.dof_name(entry), *k));
}

// Arguments of a batch call: sizes are checked in the constructor, values where they are used.
class BatchCall {
 public:
  BatchCall(const char* name, const Model& model, const States& states, const char* what,
            const BatchMatrix* third, Forces forces = Forces::refused,
            Constraints constraints = Constraints::refused)
      : name_(name), model_(model), states_(states), forces_(forces), constraints_(constraints) {
    const std::ptrdiff_t count = states.q.cols();
    expects_columns(name, "q", states.q, model.nq(), count);
    expects_columns(name, "v", states.v, model.nv(), count);
    inputs_[0] = {"q", states.q.data(), model.nq()};
    inputs_[1] = {"v", states.v.data(), model.nv()};
    if (third == nullptr) return;
    expects_columns(name, what, *third, model.nv(), count);
    inputs_[2] = {what, third->data(), model.nv()};
  }

  // Shares the states among the workers, some groups of lanes at a time: answer(batch, first state,
  // worker). Returns the first error by index of state, if any.
  template <class Answer>
  Status share(const BatchWorkspace& workspace, const Answer& answer) const {
    if (Status status = check_model(); !status) return status;
    std::atomic<bool> is_bad = false;
    share_unchecked(workspace, [&](const kernel::Batch& batch, int first, int worker) {
      if (is_sound(first, batch.states))
        answer(batch, first, worker);
      else
        is_bad = true;
    });
    return is_bad ? first_mistake() : Status();
  }
  // The same without any check.
  template <class Answer>
  void share_unchecked(const BatchWorkspace& workspace, const Answer& answer) const {
    const int count = int(states_.q.cols()), piece_states = states_in_a_piece();
    workspace->workers->share(
        (count + piece_states - 1) / piece_states, [&](int piece, int worker) {
          const int first = piece * piece_states, here = std::min(piece_states, count - first);
          answer(kernel::Batch{model_, model_.numbers(), here, inputs_[0].of(first, here).data(),
                               inputs_[1].of(first, here).data()},
                 first, worker);
        });
  }
  // Error in the values of a state, if any.
  Status mistake(std::ptrdiff_t s) const {
    for (const InputColumns& columns : inputs_)
      if (Status status = not_finite(name_, model_, columns, s); !status) return status;
    return check_state(s);
  }
  const double* third(std::ptrdiff_t first) const { return inputs_[2].of(first, 0).data(); }

 private:
  Status check_model() const {
    Status status = answerable(name_, model_, constraints_, forces_);
    if (status.ok() || constraints_ != Constraints::refused || !model_.has_constraints())
      return status;
    return Status::failure(status.message() + "; ask state by state");
  }
  // whole groups of lanes, so that a state shares a register with the same others for any number of
  // workers; few enough that inputs and outputs stay in the cache
  int states_in_a_piece() const {
    const int lanes = kernel::kernels().lanes;
    return lanes * std::max(1, 1024 / (model_.nv() + 1) / lanes);
  }
  bool is_sound(std::ptrdiff_t first, std::ptrdiff_t count) const {
    for (const InputColumns& columns : inputs_)
      if (!kernel::kernels().all_finite(columns.of(first, count))) return false;
    if (model_.quaternion_starts().empty() && model_.restricted_bodies().empty() &&
        !model_.has_prescribed_joints())
      return true;
    for (std::ptrdiff_t s = first; s < first + count; ++s)
      if (!check_state(s)) return false;
    return true;
  }
  Status first_mistake() const {
    for (std::ptrdiff_t s = 0; s < states_.q.cols(); ++s)
      if (Status status = mistake(s); !status) return status;
    return {};
  }
  Status check_state(std::ptrdiff_t s) const {
    for (const int start : model_.quaternion_starts()) {
      const double length = states_.q.col(s).segment<4>(start).norm();
      if (std::abs(length - 1) > 1e-8) [[unlikely]]
        return Status::failure(fmt::format(
            "{}: in state {} the quaternion of joint '{}' has length {:.9g}: it must be 1, "
            "divide it by its length",
            name_, s, quaternion_joint(model_, start), length));
    }
    if (const std::string fault = position_fault(model_, states_.q.col(s).data()); !fault.empty())
      return Status::failure(fmt::format("{}: in state {} {}", name_, s, fault));
    if (!model_.has_prescribed_joints()) return {};
    for (int k = 0; k < model_.nv(); ++k)
      if (model_.prescription(k) == Drive::locked && states_.v(k, s) != 0 &&
          std::abs(states_.v(k, s)) > locked_rounding * max_abs(states_.v.col(s)))
        return Status::failure(
            fmt::format("{}: in state {} joint '{}' is locked but moves with v[{}] = {}: set it to "
                        "0, or give the joint another drive",
                        name_, s, model_.dof_name(k), k, states_.v(k, s)));
    return {};
  }

  const char* name_;
  const Model& model_;
  const States& states_;
  Forces forces_;
  Constraints constraints_;
  InputColumns inputs_[3] = {};
};

// The first failure by index of state, whichever worker found it.
class FirstFailure {
 public:
  void note(std::ptrdiff_t state, Status status) {
    if (status.ok()) return;
    const std::lock_guard lock(mutex_);
    if (state >= state_) return;
    state_ = state;
    status_ = std::move(status);
  }
  const Status& status() const { return status_; }

 private:
  std::mutex mutex_;
  std::ptrdiff_t state_ = std::numeric_limits<std::ptrdiff_t>::max();
  Status status_;
};

// A failure of the function for one state, "forward_dynamics: ...", as one of the batch that names
// the state.
inline Status in_state(const char* name, std::ptrdiff_t s, const Status& status) {
  if (status.ok()) return status;
  std::string_view text = status.message();
  if (const std::size_t colon = text.find(": "); colon < text.find(' '))
    text.remove_prefix(colon + 2);
  return Status::failure(fmt::format("{}: in state {} {}", name, s, text));
}

}  // namespace trammel
