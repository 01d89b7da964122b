// Extrapolation method of Gragg, Bulirsch and Stoer: explicit midpoint rule with 2, 4, 6 and 8
// substeps, whose error expansions contain even powers of the substep only, extrapolated to substep
// zero (Aitken-Neville). Order 8, embedded solution of order 6. [Hairer, Norsett, Wanner, II.9]
#pragma once

#include <array>
#include <vector>

#include "trammel/simulate/integrate/integrator.hpp"

namespace trammel {

class Extrapolation final : public Integrator {
 public:
  explicit Extrapolation(int size);

  int order() const override { return 8; }
  int error_order() const override { return 6; }
  Status take(OdeSystem& ode, const Step& step, bool& has_next_rhs) override;

 private:
  static constexpr std::array parts = {2, 4, 6, 8};
  Status by_midpoints(OdeSystem& ode, const Step& step, int n, std::vector<double>& out);

  std::array<std::vector<double>, parts.size()> column_;
  std::vector<double> before_, now_, rhs_;
};

}  // namespace trammel
