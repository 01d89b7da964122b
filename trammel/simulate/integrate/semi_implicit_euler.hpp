// Semi-implicit (symplectic) Euler method: velocities first, then positions with the new
// velocities. Order 1, no energy drift over long times.
#pragma once

#include <vector>

#include "trammel/simulate/integrate/integrator.hpp"

namespace trammel {

class SemiImplicitEuler final : public Integrator {
 public:
  explicit SemiImplicitEuler(int size) : q_dot_(std::size_t(size)) {}

  int order() const override { return 1; }
  Status take(OdeSystem& ode, const Step& step, bool& has_next_rhs) override;

 private:
  std::vector<double> q_dot_;
};

}  // namespace trammel
