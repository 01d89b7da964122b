// A user program built against an installed Trammel: a level pendulum of 2 kg on a massless rod of
// half a meter accelerates with g / l and is held by m g l.
#include <cmath>
#include <cstdio>

#include "trammel/trammel.hpp"

int main() {
  using namespace trammel;
  Description description("pendulum");
  description.body("bob", point_mass(2.0, {0.5, 0.0, 0.0}));
  description.joint("pivot", JointKind::revolute, "ground", "bob", {.axis = {0.0, -1.0, 0.0}});
  const Model model = build_model(description);
  Workspace workspace(model);
  const State level = neutral_state(model);
  double a[1], tau[1];
  Eigen::MatrixXd M(1, 1);
  if (!forward_dynamics(model, level, {}, workspace, a) ||
      !inverse_dynamics(model, level, {}, workspace, tau) ||
      !mass_matrix(model, level, workspace, M))
    return 1;
  std::printf("falls with %g rad/s^2, is held by %g N m, weighs %g kg m^2\n", a[0], tau[0],
              M(0, 0));
  const bool is_right = std::abs(a[0] + 9.81 / 0.5) < 1e-12 &&
                        std::abs(tau[0] - 2 * 9.81 * 0.5) < 1e-12 &&
                        std::abs(M(0, 0) - 0.5) < 1e-15;
  return is_right ? 0 : 1;
}
