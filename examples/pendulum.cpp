// The smallest mechanism: a description, and three computations.
#include <cstdio>

#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

using namespace trammel;

int main() {
  Description description("pendulum");
  description.body("rod", thin_rod(1.0, 0.8, {0.4, 0.0, 0.0}));  // 1 kg, 0.8 m along x
  description.joint("pivot", JointKind::revolute, "ground", "rod", {.axis = {0.0, 1.0, 0.0}});
  const Model model = build_model(description);  // throws once, with every error and its place

  Workspace workspace(model);  // memory of the recursions: the calls below allocate nothing
  State state = neutral_state(model);
  double a[1], tau[1];
  Energy stored;
  const Status falls = forward_dynamics(model, state, {}, workspace, a);
  const Status holds = inverse_dynamics(model, state, {}, workspace, tau);
  const Status has = energy(model, state, workspace, stored);
  if (!falls || !holds || !has) return std::puts((falls ? holds : falls).message().c_str()), 1;
  std::printf("falls with %.4f rad/s^2, is held by %.4f N m, has %.1f J\n", a[0], tau[0],
              stored.total());
}
