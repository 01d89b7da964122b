#include "trammel/simulate/events/complementarity.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

namespace {

// Forces of the active contacts for which none of them moves: G_aa x_a = -c_a.
Eigen::VectorXd pushes_of(const std::vector<int>& active, const Eigen::MatrixXd& G,
                          const Eigen::VectorXd& c) {
  const Eigen::MatrixXd inner = G(active, active);
  return OrthogonalDecomposition(inner).solve(-c(active));
}

}  // namespace

Eigen::VectorXd complementary_pushes(const Eigen::MatrixXd& G, const Eigen::VectorXd& c) {
  const int n = int(c.size());
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
  std::vector<int> active;
  const double none = 1e-12 * (max_abs(c) + 1e-300);
  for (int round = 0; round < 3 * n + 3; ++round) {
    // the contact that closes fastest becomes active
    const Eigen::VectorXd w = G * x + c;
    int worst = -1;
    for (int k = 0; k < n; ++k)
      if (std::ranges::find(active, k) == active.end() && w[k] < -none &&
          (worst < 0 || w[k] < w[worst]))
        worst = k;
    if (worst < 0) break;
    active.push_back(worst);

    // step toward the new forces; contacts that would pull leave the active set
    for (;;) {
      const Eigen::VectorXd wanted = pushes_of(active, G, c);
      double part = 1;
      for (std::size_t k = 0; k < active.size(); ++k)
        if (const double want = wanted[int(k)]; want < 0) {
          const double have = x[active[k]];
          part = std::min(part, have / (have - want));
        }
      for (std::size_t k = 0; k < active.size(); ++k)
        x[active[k]] += part * (wanted[int(k)] - x[active[k]]);
      if (part == 1) break;
      std::erase_if(active, [&](int k) {
        if (x[k] > 1e-14 * max_abs(x)) return false;
        x[k] = 0;
        return true;
      });
      if (active.empty()) break;
    }
  }
  return x;
}

}  // namespace trammel
