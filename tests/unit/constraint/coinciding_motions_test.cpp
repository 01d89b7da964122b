// Effort of a loop joint at a pose where two of its axes coincide (gimbal lock): the rates of the
// two are not determined by the motion, so the power of an effort along one of them is not defined.
#include <gtest/gtest.h>

#include "tests/reference/posed.hpp"

namespace trammel::coinciding_motions_test {
namespace {

TEST(CoincidingMotions, an_effort_along_one_of_them_is_refused) {
  Description description("rotor in gimbals");
  const Vec3<Expr> x{1.0, 0.0, 0.0}, z{0.0, 0.0, 1.0};
  description.body("rotor", {.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.2, 0.0, 0.3}});
  description.joint("ball", JointKind::spherical, "ground", "rotor");
  description.joint("gimbals", JointKind::compound, "ground", "rotor",
                    {.motions = {turn(z), turn(x), turn(z)}, .cut = true});
  const Model model = build_model(description);
  Workspace workspace(model);
  State state = neutral_state(model);
  std::vector<double> a(3), effort{0.5, 0.0, 0.0};
  const Status status = forward_dynamics(model, state, {.loop_tau = effort}, workspace, a);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("two of its motions coincide"), std::string::npos)
      << status.message();
  // bent by a right angle about x, the first axis is along -y of the rotor
  state.q = {std::sqrt(0.5), std::sqrt(0.5), 0.0, 0.0};
  const Status bent = forward_dynamics(model, state, {.loop_tau = effort}, workspace, a);
  ASSERT_TRUE(bent.ok()) << bent.message();
  EXPECT_NEAR(a[0], 0, 1e-12);
  EXPECT_NEAR(std::abs(a[1]), 0.5 / 0.2, 1e-12);
  EXPECT_NEAR(a[2], 0, 1e-12);
}

}  // namespace
}  // namespace trammel::coinciding_motions_test
