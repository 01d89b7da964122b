// Evaluation context of every public function: checks the model, sizes and values of the arguments,
// and makes the input of the kernel, with the loads that gather_loads (gather_loads.hpp) puts into
// the workspace. For this module and those that build on it.
#pragma once

#include "trammel/dynamics/belongs.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel {

class EvalContext {
 public:
  // Throws std::invalid_argument for wrong sizes (an error of the calling program); all other
  // errors are in status(). `name` begins every message.
  EvalContext(const char* name, const Model& model, const State& state, const Inputs& inputs,
              Workspace& workspace, Constraints constraints = Constraints::refused,
              Forces forces = Forces::refused);

  const char* name() const { return name_; }
  const Model& model() const { return model_; }
  const State& state() const { return state_; }
  const Inputs& inputs() const { return inputs_; }
  const Status& status() const { return status_; }
  bool ok() const { return status_.ok(); }

  std::span<const double> q() const { return state_.q; }
  std::span<const double> v() const { return state_.v; }
  std::span<const double> a() const { return inputs_.a.empty() ? zero() : inputs_.a; }
  std::span<const double> tau() const { return inputs_.tau.empty() ? zero() : inputs_.tau; }
  std::span<const double> zero() const { return workspace_->zero; }

  // Kernel input with all loads (force elements only with Forces::acting), and without loads, with
  // the motion of ground only.
  KernelInput<double, double> input() const;
  KernelInput<double, double> unloaded_input() const;

  // Size checks of the outputs.
  void expects_vector(const char* what, std::size_t size, int wanted) const {
    if (size != std::size_t(wanted)) [[unlikely]]
      refuse_vector(what, size, wanted);
  }
  void expects_matrix(const char* what, std::ptrdiff_t rows, std::ptrdiff_t columns,
                      int wanted_rows, int wanted_columns) const;
  // Failure that names the degree of freedom without inertia found by the kernel.
  Status no_inertia(int dof) const;

 private:
  [[noreturn]] void refuse_vector(const char* what, std::size_t size, int wanted) const;
  void check_sizes() const;
  bool is_plain() const;
  Status first_mistake() const;
  Status check_model() const;
  Status check_numbers() const;
  Status check_quaternions() const;
  Status check_positions() const;
  Status check_locked() const;

  const char* name_;
  const Model& model_;
  const State& state_;
  const Inputs& inputs_;
  Workspace& workspace_;
  Constraints constraints_;
  Forces forces_;
  Status status_;
};

}  // namespace trammel
