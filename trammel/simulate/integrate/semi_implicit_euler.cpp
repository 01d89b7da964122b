#include "trammel/simulate/integrate/semi_implicit_euler.hpp"

#include <algorithm>

namespace trammel {

Status SemiImplicitEuler::take(OdeSystem& ode, const Step& step, bool& has_next_rhs) {
  has_next_rhs = false;
  const std::size_t nq = std::size_t(ode.nq());
  std::ranges::copy(step.y, step.y_next.begin());
  for (std::size_t k = nq; k < q_dot_.size(); ++k) step.y_next[k] += step.h * step.y_dot[k];
  ode.rate(step.y_next, q_dot_);
  for (std::size_t k = 0; k < nq; ++k) step.y_next[k] += step.h * q_dot_[k];
  return {};
}

}  // namespace trammel
