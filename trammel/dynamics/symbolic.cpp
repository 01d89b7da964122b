#include "trammel/dynamics/symbolic.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "trammel/dynamics/kernel/tree/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/mass_matrix.hpp"

namespace trammel::symbolic {

namespace {

void expects_length(const char* context, const char* what, std::span<const Expr> given, int size) {
  if (given.size() != std::size_t(size))
    throw std::invalid_argument(
        fmt::format("{}: {} has {} entries, it must have {}", context, what, given.size(), size));
}

enum class Prescribed { allowed, refused };

Status check_tree(const char* context, const Model& model, Prescribed prescribed) {
  std::vector<std::string> missed = model.constraint_names();
  for (std::string& name : model.force_element_names()) missed.push_back(std::move(name));
  if (prescribed == Prescribed::refused)
    for (int k = 0; k < model.nv(); ++k)
      if (model.is_prescribed(k))
        missed.push_back(fmt::format("the drive of joint '{}'", model.dof_name(k)));
  if (missed.empty()) return {};
  return Status::failure(
      fmt::format("{}: the model '{}' has elements that this function does not support yet: {}",
                  context, model.name(), fmt::join(missed, ", ")));
}

// Parameters of the model as expressions, and the buffers of the kernels.
class SymbolicModel {
 public:
  SymbolicModel(const char* context, const Model& model, std::span<const Expr> parameters)
      : numbers_(make_numbers<Expr>(model, values(context, model, parameters))),
        buffers(model),
        input{model, numbers_} {}

 private:
  static std::vector<Expr> values(const char* context, const Model& model,
                                  std::span<const Expr> given) {
    if (!given.empty()) {
      expects_length(context, "parameters", given, int(model.parameters().size()));
      return {given.begin(), given.end()};
    }
    std::vector<Expr> nominal;
    for (const ParameterDescription& parameter : model.parameters())
      nominal.push_back(parameter.value);
    return nominal;
  }
  ModelParameters<Expr> numbers_;

 public:
  BasicWorkspace<Expr> buffers;
  KernelInput<Expr, Expr> input;
};

}  // namespace

Status mass_matrix(const Model& model, std::span<const Expr> q, std::span<const Expr> parameters,
                   std::vector<Expr>& M) {
  const char* const context = "symbolic.mass_matrix";
  expects_length(context, "q", q, model.nq());
  if (Status status = check_tree(context, model, Prescribed::allowed); !status) return status;
  SymbolicModel symbolic(context, model, parameters);
  const int nv = model.nv();
  M.assign(std::size_t(nv) * std::size_t(nv), Expr(0.0));
  kernel::mass_matrix<Expr, Expr>(symbolic.input, q, symbolic.buffers, {M.data(), nv, nv});
  return {};
}

Status inverse_dynamics(const Model& model, std::span<const Expr> q, std::span<const Expr> v,
                        std::span<const Expr> a, std::span<const Expr> parameters,
                        std::vector<Expr>& tau) {
  const char* const context = "symbolic.inverse_dynamics";
  expects_length(context, "q", q, model.nq());
  expects_length(context, "v", v, model.nv());
  expects_length(context, "a", a, model.nv());
  if (Status status = check_tree(context, model, Prescribed::allowed); !status) return status;
  SymbolicModel symbolic(context, model, parameters);
  tau.assign(std::size_t(model.nv()), Expr(0.0));
  kernel::inverse_dynamics<Expr, Expr>(symbolic.input, q, v, a, symbolic.buffers, tau);
  return {};
}

Status forward_dynamics(const Model& model, std::span<const Expr> q, std::span<const Expr> v,
                        std::span<const Expr> tau, std::span<const Expr> parameters,
                        std::vector<Expr>& a) {
  const char* const context = "symbolic.forward_dynamics";
  expects_length(context, "q", q, model.nq());
  expects_length(context, "v", v, model.nv());
  expects_length(context, "tau", tau, model.nv());
  if (Status status = check_tree(context, model, Prescribed::refused); !status) return status;
  SymbolicModel symbolic(context, model, parameters);
  a.assign(std::size_t(model.nv()), Expr(0.0));
  kernel::forward_dynamics<Expr, Expr>(symbolic.input, q, v, tau, symbolic.buffers, a);
  return {};
}

}  // namespace trammel::symbolic
