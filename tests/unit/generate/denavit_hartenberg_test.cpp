#include "trammel/generate/denavit_hartenberg.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_robot.hpp"
#include "tests/unit/model/poses.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel::denavit_hartenberg_test {
namespace {

const Solid ball{.mass = 1.0, .com = {0.1, 0.2, 0.3}, .inertia = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}};

Pose<double> about_x(double t) { return {turn_about_x(sin_cos(t)), {}}; }
Pose<double> about_z(double t) { return {turn_about_z(sin_cos(t)), {}}; }
Pose<double> along(const Vec3<double>& p) { return {Mat3<double>::identity(), p}; }

// Rows of random numbers; revolute and prismatic joints alternate.
struct RandomTable {
  explicit RandomTable(int seed, DhConvention convention) : random(seed) {
    table.convention = convention;
    const Vec3<double> at = random.vector(), turned = random.vector(3);
    table.base_at = {at, turned};
    X_0 = {rotation_rpy(sin_cos(turned.x), sin_cos(turned.y), sin_cos(turned.z)), at};
    table.tool = {{0.3, 0.2, 0.1}, {0.0, 0.5, 0.0}};
    for (std::size_t i = 0; i < 5; ++i) {
      numbers.push_back(random.numbers(4));
      const std::vector<double>& x = numbers[i];
      const bool slides = (int(i) + seed) % 3 == 1;
      table.rows.push_back({.a = x[0],
                            .alpha = x[1],
                            .d = x[2],
                            .theta = x[3],
                            .kind = slides ? JointKind::prismatic : JointKind::revolute,
                            .solid = ball});
    }
    q = random.numbers(5);
  }
  // product of the row transforms, as in textbooks
  Pose<double> end() const {
    Pose<double> X = X_0;
    for (std::size_t i = 0; i < 5; ++i) {
      const bool slides = table.rows[i].kind == JointKind::prismatic;
      const double d = numbers[i][2] + (slides ? q[i] : 0),
                   theta = numbers[i][3] + (slides ? 0 : q[i]);
      const Pose<double> across = along({numbers[i][0], 0, 0}) * about_x(numbers[i][1]);
      const Pose<double> about = about_z(theta) * along({0, 0, d});
      X = X * (table.convention == DhConvention::modified ? across * about : about * across);
    }
    return X;
  }
  Random random;
  DhTable table;
  Pose<double> X_0;
  std::vector<std::vector<double>> numbers;
  std::vector<double> q;
};

class EveryDhTable : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EveryDhTable, testing::Range(1, 21));

TEST_P(EveryDhTable, stands_where_the_product_of_its_rows_says) {
  for (const auto convention : {DhConvention::standard, DhConvention::modified}) {
    const RandomTable random(GetParam(), convention);
    Description description;
    add_dh_chain(description, random.table);
    const Model model = build_model(description);
    // thirty products of numbers of size one
    EXPECT_LT(distance(poses(model, random.q).back(), random.end()), 2e-15 * 30);
  }
}

TEST(DenavitHartenberg, a_row_may_be_fixed_and_symbols_stay_symbols) {
  Description description;
  const Expr a = description.parameter("a", 0.4);
  add_dh_chain(description,
               {.convention = DhConvention::standard,
                .rows = {{.a = a, .solid = ball}, {.d = a, .kind = JointKind::fixed}}});
  const Model model = build_model(description);
  ASSERT_EQ(model.nq(), 1);
  EXPECT_LT(distance(poses(model, {0.5}).back(), about_z(0.5) * along({0.4, 0, 0.4})), 1e-15);
}

TEST(DenavitHartenberg, says_everything_that_is_wrong_with_a_table) {
  Description description;
  const DhTable bad{.convention = DhConvention::standard,
                    .rows = {{.kind = JointKind::free}, {}, {.kind = JointKind::planar}}};
  const auto messages = [](const auto& act) {
    std::vector<std::string> out;
    try {
      act();
    } catch (const ModelError& error) {
      for (const Diagnostic& mistake : error.diagnostics().list())
        out.push_back(mistake.message + "; " + mistake.hint);
    }
    return out;
  };
  using Messages = std::vector<std::string>;
  const Messages of_rows{
      "row 1 of the Denavit-Hartenberg table is free; its joints are revolute, prismatic or fixed",
      "row 3 of the Denavit-Hartenberg table is planar; its joints are revolute, prismatic or "
      "fixed"};
  EXPECT_EQ(messages([&] { add_dh_chain(description, bad); }), of_rows);
  Messages of_all = of_rows;
  of_all.insert(of_all.begin(),
                "the Denavit-Hartenberg table is a standard one; only modified tables have an SDOF "
                "form link by link");
  EXPECT_EQ(messages([&] { (void)to_sdof(bad); }), of_all);
  EXPECT_EQ(messages([&] { add_dh_chain(description, {}); }),
            (Messages{"the Denavit-Hartenberg table has no rows; give one for each link"}));
  EXPECT_TRUE(description.bodies.empty());
}

}  // namespace
}  // namespace trammel::denavit_hartenberg_test
