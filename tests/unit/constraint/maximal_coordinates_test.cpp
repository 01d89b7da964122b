// Wrench bases of joints and factored inertias of bodies, by their definitions.
#include "trammel/constraint/solver/maximal_coordinates.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_robot.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel::maximal_coordinates_test {
namespace {

TEST(JointWrenchBasis, is_dual_to_every_motion_subspace) {
  Random random(1);
  for (int dofs = 0; dofs <= 6; ++dofs)
    for (int again = 0; again < 50; ++again) {
      std::vector<Motion<double>> S;
      for (int k = 0; k < dofs; ++k) S.push_back({random.vector(1), random.vector(1)});
      const double length = again % 2 == 0 ? 1 : 0.02;
      const JointWrenchBasis basis = joint_wrench_basis(S, length);
      ASSERT_TRUE(basis.is_regular);
      for (int i = 0; i < 6; ++i) {
        const Force<double>& F = basis.wrenches[std::size_t(i)];
        for (int k = 0; k < dofs; ++k)
          // the columns are random: their condition is below 1e4
          EXPECT_NEAR(dot(S[std::size_t(k)], F), i == 6 - dofs + k ? 1 : 0, 1e-11);
        if (i < 6 - dofs) {  // unit length in scaled units
          EXPECT_NEAR(dot(F.moment, F.moment) / (length * length) + dot(F.force, F.force), 1,
                      1e-13);
        }
      }
    }
}

TEST(JointWrenchBasis, refuses_motions_that_depend_on_each_other) {
  const Motion<double> turn{{0, 0, 1}, {0, 0, 0}}, slide{{0, 0, 0}, {1, 0, 0}};
  EXPECT_TRUE(joint_wrench_basis(std::vector{turn, slide}, 1).is_regular);
  EXPECT_FALSE(joint_wrench_basis(std::vector{turn, slide, turn + slide}, 1).is_regular);
  EXPECT_FALSE(joint_wrench_basis(std::vector{Motion<double>{}}, 1).is_regular);
}

// Work of two wrenches on the free body, F . I^-1 G, by y . y; the added inertia of the others is
// reported.
TEST(BodyInertiaFactors, have_the_inverse_inertia_of_the_body) {
  Description description("body");
  description.body("whole",
                   {.mass = 2, .com = {0.1, 0.2, -0.3}, .inertia = {1, 0.1, 0.2, 2, 0.3, 2.5}});
  description.body("rod", {.mass = 2, .com = {0.5, 0, 0}, .inertia = {0, 0, 0, 0.1, 0, 0.1}});
  description.body("point", {.mass = 2});
  description.body("massless", {});
  for (const char* name : {"whole", "rod", "point", "massless"})
    description.joint(std::string("of_") + name, JointKind::free, "ground", name, {});
  const Model model = build_model(description);
  const BodyInertiaFactors factors(model);
  EXPECT_TRUE(factors.negative_body().empty());
  EXPECT_TRUE(factors.has_added());
  const Positions at(model);
  Random random(2);
  const int body = model[*model.find_body("whole")].tree_body;
  for (int k = 0; k < 20; ++k) {
    const Motion<double> A{random.vector(1), random.vector(1)};
    const Force<double> F = model.numbers().bodies[std::size_t(body)].inertia * A,
                        G{random.vector(1), random.vector(1)};
    const SixNumbers x = factors.components(body, at, F, {}),
                     y = factors.components(body, at, G, {});
    double product = 0;
    for (std::size_t i = 0; i < 6; ++i) product += x[i] * y[i];
    EXPECT_NEAR(product, dot(A, G), 1e-12);
    EXPECT_EQ(factors.added_energy(body, x.data()), 0);
  }
  // about its own axis the rod has the added inertia alone, across it next to none
  const int rod = model[*model.find_body("rod")].tree_body;
  const auto added_part = [&](const Vec3<double>& moment) {
    const SixNumbers y = factors.components(rod, at, {moment, {}}, {});
    double whole = 0;
    for (const double value : y) whole += value * value;
    return factors.added_energy(rod, y.data()) / whole;
  };
  EXPECT_NEAR(added_part({1, 0, 0}), 1, 1e-12);
  EXPECT_LT(added_part({0, 1, 0}), 1e-5);
}

TEST(BodyInertiaFactors, name_a_body_with_negative_inertia) {
  Description description("body");
  description.body("odd", {.mass = 1, .inertia = {1, 0, 0, -1, 0, 1}});
  description.joint("free", JointKind::free, "ground", "odd", {});
  const Model model = build_model(description, {}, {.allow_nonphysical = true});
  EXPECT_EQ(BodyInertiaFactors(model).negative_body(), "odd");
}

}  // namespace
}  // namespace trammel::maximal_coordinates_test
