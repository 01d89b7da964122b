// Batch evaluation: forward and inverse dynamics of a thousand states in one call, one column per
// state, several states in parallel in SIMD registers.
#include <Eigen/Core>
#include <cmath>
#include <cstdio>

#include "trammel/dynamics/batch.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

using namespace trammel;

int main() {
  Description description("chain");
  std::string parent = "ground";
  for (int k = 1; k <= 7; ++k) {
    const std::string name = "link" + std::to_string(k);
    description.body(name, thin_rod(1.0, 0.3, {0.15, 0.0, 0.0}));
    description.joint("joint" + std::to_string(k), JointKind::revolute, parent, name,
                      {.at = {{k == 1 ? 0.0 : 0.3, 0.0, 0.0}, {k % 2 == 0 ? 1.5 : 0.0, 0.0, 0.0}},
                       .axis = {0.0, 0.0, 1.0}});
    parent = name;
  }
  const Model model = build_model(description);

  const int states = 1000;
  Eigen::MatrixXd q(7, states), v(7, states), tau(7, states), a(7, states), back(7, states);
  for (int s = 0; s < states; ++s)
    for (int k = 0; k < 7; ++k) {
      q(k, s) = std::sin(0.1 * s + k);
      v(k, s) = std::cos(0.2 * s - k);
      tau(k, s) = 0.1 * k;
    }
  BatchWorkspace workspace(model);
  Status status = forward_dynamics_batch(model, {q, v}, tau, workspace, a);
  if (status.ok()) status = inverse_dynamics_batch(model, {q, v}, a, workspace, back);
  if (!status) return std::puts(status.message().c_str()), 1;
  const double off = (back - tau).cwiseAbs().maxCoeff();
  std::printf("%d states: inverse undoes forward dynamics to %.1e N m\n", states, off);
  return off < 1e-9 ? 0 : 1;
}
