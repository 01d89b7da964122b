// Long chains: no recursion in the code, no avoidable quadratic cost.
#include <gtest/gtest.h>

#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/reactions.hpp"

namespace trammel::size_test {
namespace {

// A hanging chain: links of 1 cm and 10 g, alternately about y and x.
Model hanging_chain(int links) {
  Description description("chain");
  std::string parent = "ground";
  for (int k = 0; k < links; ++k) {
    const std::string name = "link" + std::to_string(k);
    description.body(
        name,
        {.mass = 0.01, .com = {0.0, 0.0, -0.005}, .inertia = {1e-6, 0.0, 0.0, 1e-6, 0.0, 1e-7}});
    description.joint("pin" + std::to_string(k), JointKind::revolute, parent, name,
                      {.at = {{0.0, 0.0, k == 0 ? 0.0 : -0.01}, {}},
                       .axis = {k % 2 == 0 ? 0.0 : 1.0, k % 2 == 0 ? 1.0 : 0.0, 0.0}});
    parent = name;
  }
  return build_model(description);
}

TEST(Size, a_chain_of_a_hundred_thousand_links_answers_and_its_first_pin_carries_all_of_it) {
  const int links = 100000;
  const Model model = hanging_chain(links);
  Workspace workspace(model);
  const State hanging = neutral_state(model);
  std::vector<double> a(static_cast<std::size_t>(links)), tau(a.size());
  std::vector<Force<double>> carried;
  Energy energy_;
  ASSERT_TRUE(forward_dynamics(model, hanging, {}, workspace, a).ok());
  ASSERT_TRUE(inverse_dynamics(model, hanging, {}, workspace, tau).ok());
  ASSERT_TRUE(reactions(model, hanging, {}, workspace, carried).ok());
  ASSERT_TRUE(energy(model, hanging, workspace, energy_).ok());
  EXPECT_LT(largest(a), 1e-9);  // it hangs straight: no torque, no acceleration
  EXPECT_LT(largest(tau), 1e-9);
  const double weight = 0.01 * links * 9.81;
  EXPECT_NEAR(carried[0].force.z, weight, 1e-9 * weight);  // a sum of 1e5 terms
  // centers of mass at 0.005, 0.015, ... below ground
  EXPECT_NEAR(energy_.gravity, -weight * 0.01 * links / 2, 1e-9 * weight * links);
}

}  // namespace
}  // namespace trammel::size_test
