#include "trammel/model/simd/small_chain.hpp"

#include <gtest/gtest.h>

#include "trammel/model/build/builder.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel::short_arm_test {
namespace {

// A chain of revolute joints, except for one joint of another kind, and optionally with a branch at
// its end.
Model arm(int joints, int odd = -1, JointKind kind = JointKind::prismatic,
          bool has_branch = false) {
  Description description("arm");
  std::string parent = "ground";
  for (int k = 0; k < joints; ++k) {
    const std::string name = "b" + std::to_string(k);
    const double x = 0.1 * (k + 1);
    description.body(
        name,
        {.mass = 1 + x, .com = {x, -x, 2 * x}, .inertia = {0.5, 0.01 * x, 0.02, 0.6, -0.03, 0.7}});
    const bool is_branch = has_branch && k + 1 == joints;
    description.joint("j" + std::to_string(k), k == odd ? kind : JointKind::revolute,
                      is_branch ? "b" + std::to_string(joints - 3) : parent, name,
                      {.at = {{x, 0.2, 0.3}, {x, 0.4, -x}}, .axis = {0.0, 0.6, 0.8}});
    parent = name;
  }
  return build_model(description);
}

TEST(SmallChain, keeps_the_numbers_of_its_bodies_side_by_side) {
  const Model model = arm(6, 2);
  const AlignedVector<double>& numbers = model.numbers().small_chain;
  ASSERT_EQ(numbers.size(), std::size_t(SmallChain::count * SmallChain::most));
  const auto at = [&](int number, int body) {
    return numbers[std::size_t(number * SmallChain::most + body)];
  };
  for (int k = 0; k < 6; ++k) {
    const auto& [X_PF, inertia] = model.numbers().bodies[std::size_t(k + 1)];
    EXPECT_EQ(at(SmallChain::rotation, k), X_PF.R.x.x);
    EXPECT_EQ(at(SmallChain::rotation + 5, k), X_PF.R.y.z);
    EXPECT_EQ(at(SmallChain::rotation + 7, k), X_PF.R.z.y);
    EXPECT_EQ(at(SmallChain::place + 1, k), X_PF.p.y);
    EXPECT_EQ(at(SmallChain::inertia, k), inertia.mass);
    EXPECT_EQ(at(SmallChain::inertia + 3, k), inertia.first_moment.z);
    EXPECT_EQ(at(SmallChain::inertia + 4, k), inertia.rotational.xx);
    EXPECT_EQ(at(SmallChain::inertia + 8, k), inertia.rotational.yz);
    EXPECT_EQ(at(SmallChain::slides, k), k == 2 ? 1.0 : 0.0);
  }
  for (int k = 6; k < SmallChain::most; ++k) {  // padding: at the last one, and massless
    EXPECT_EQ(at(SmallChain::rotation, k), 1);
    EXPECT_EQ(at(SmallChain::rotation + 1, k), 0);
    for (int number = SmallChain::place; number < SmallChain::count; ++number)
      EXPECT_EQ(at(number, k), 0) << number;
  }
}

TEST(SmallChain, is_five_to_eight_hinges_and_slides_in_a_row) {
  const auto is_one = [](const Model& model) { return !model.numbers().small_chain.empty(); };
  for (int joints = 1; joints < 12; ++joints)
    EXPECT_EQ(is_one(arm(joints)), joints >= 5 && joints <= 8) << joints;
  EXPECT_FALSE(is_one(arm(6, 0, JointKind::spherical)));
  EXPECT_FALSE(is_one(arm(6, 5, JointKind::universal)));
  EXPECT_FALSE(is_one(arm(6, -1, JointKind::revolute, true)));
}

// Gravity is not part of it: a copy with another gravity has the same.
TEST(SmallChain, is_copied_with_its_model) {
  const Model model = arm(7), other = model.with_gravity({0.0, 0.0, 1.0});
  EXPECT_EQ(model.numbers().small_chain, other.numbers().small_chain);
}

}  // namespace
}  // namespace trammel::short_arm_test
