#include "trammel/generate/chain.hpp"

#include <gtest/gtest.h>

#include "tests/unit/model/poses.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::chain_test {
namespace {

TEST(Chain, each_joint_is_at_the_end_of_the_link_before) {
  Description description;
  const Expr l = description.parameter("l", 0.5);
  add_chain(description, {.prefix = "leg ",
                          .base_at = {{0.0, 0.0, 1.0}, {}},
                          .links = {{.length = l, .along = {0.0, 0.0, -1.0}},
                                    {.length = 2.0 * l, .kind = JointKind::fixed}}});
  EXPECT_EQ(description.frames[0].name, "leg tip");
  const Model model = build_model(description);
  // rotated by a quarter turn about y: down becomes -x, and ahead becomes down
  const std::vector<Pose<double>> X = poses(model, {std::acos(-1.0) / 2});
  EXPECT_LT(distance(X[1].p, {0, 0, 1}), 1e-15);
  EXPECT_LT(distance(X[2].p, {-0.5, 0, 1}), 1e-15);
  EXPECT_LT(distance(X[2].p + X[2].R * model.numbers().X_UF[0].p, {-0.5, 0, 0}), 1e-15);
}

TEST(Chain, tells_everything_that_is_wrong) {
  const auto complaints = [](const ChainTable& table) {
    std::vector<std::string> found;
    try {
      Description description;
      add_chain(description, table);
    } catch (const ModelError& error) {
      for (const Diagnostic& each : error.diagnostics().list()) found.push_back(to_string(each));
    }
    return found;
  };
  EXPECT_EQ(complaints({}),
            (std::vector<std::string>{"error: the chain has no links\n  hint: give at least one"}));
  EXPECT_EQ(complaints({.links = {{.along = {1.0, 1.0, 0.0}}, {}, {.along = {}}}}),
            (std::vector<std::string>{"error: link 1 of the chain leads along no axis\n  hint: it "
                                      "leads along x, y or z, or against one of them",
                                      "error: link 3 of the chain leads along no axis\n  hint: it "
                                      "leads along x, y or z, or against one of them"}));
}

}  // namespace
}  // namespace trammel::chain_test
