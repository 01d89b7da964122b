#include "trammel/generate/sdof.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_robot.hpp"
#include "tests/unit/model/poses.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel::sdof_test {
namespace {

// X of link 1 on the base as defined by the table: A^T with A = Rot_z Rot_y Rot_x Mount, and the
// frame moved by the slides relative to the table.
Pose<double> meant(const std::array<double, 6>& gamma, const std::array<double, 6>& table,
                   const Vec3<double>& offset, const Vec3<double>& mount) {
  const auto turned = [](double angle) { return sin_cos(angle); };
  const Mat3<double> R = rotation_rpy(turned(mount.x), turned(mount.y), turned(mount.z)) *
                         (turn_about_x(turned(gamma[0])) *
                          (turn_about_y(turned(gamma[1])) * turn_about_z(turned(gamma[2]))));
  const Vec3<double> moved{gamma[3] - table[3], gamma[4] - table[4], gamma[5] - table[5]};
  return {R, offset + R * moved};
}

class EverySetOfFreeEntries : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(sets, EverySetOfFreeEntries, testing::Range(0, 64));

TEST_P(EverySetOfFreeEntries, stands_where_the_table_means) {
  Random random(GetParam() + 1);
  std::array<double, 6> table{}, gamma{};
  SdofChain chain;
  chain.links.resize(1);
  SdofLink& link = chain.links[0];
  for (int k = 0; k < 6; ++k) {
    table[std::size_t(k)] = gamma[std::size_t(k)] = random(-2, 2);
    link.gamma[std::size_t(k)] = table[std::size_t(k)];
    if ((GetParam() >> k) & 1) link.free.push_back(Sdof(k));
  }
  const Vec3<double> offset = random.vector(), mount = random.vector(3);
  chain.offset = offset;
  link.mount = mount;
  link.solid = {.mass = 1.0, .com = {}, .inertia = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}};

  Description description;
  add_sdof_chain(description, chain);
  const Model model = build_model(description);
  ASSERT_EQ(model.nq(), int(link.free.size()));
  EXPECT_EQ(model.bodies().size(), link.free.empty() ? 1u : 2u);  // no auxiliary bodies

  // at the position of the table, and at random positions
  std::vector<double> q;
  for (const Expr& x : table_position(chain)) q.push_back(x.constant());
  EXPECT_LT(distance(poses(model, q).back(), meant(table, table, offset, mount)), 1e-14);
  for (double& x : q) x = random(-3, 3);
  for (std::size_t k = 0; k < q.size(); ++k) gamma[std::size_t(link.free[k])] = q[k];
  // a dozen products of numbers of size one
  EXPECT_LT(distance(poses(model, q).back(), meant(gamma, table, offset, mount)), 1e-14);
}

TEST(Sdof, plain_tables_give_plain_joints) {
  SdofChain chain;
  chain.links = {{.gamma = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0}, .free = {Sdof::ry}},
                 {.gamma = {0.0, 0.0, 0.0, 2.0, 0.0, 0.0}, .free = {Sdof::dx}},
                 {.gamma = {0.0, 0.0, 0.0, 3.0, 0.0, 0.0}, .free = {Sdof::rx, Sdof::rz}},
                 {.gamma = {0.0, 0.0, 0.0, 4.0, 0.0, 0.0}}};
  Description description;
  add_sdof_chain(description, chain);
  EXPECT_EQ(description.joints[0].kind, JointKind::revolute);
  EXPECT_EQ(description.joints[1].kind, JointKind::prismatic);
  EXPECT_EQ(description.joints[2].kind, JointKind::compound);
  EXPECT_EQ(description.joints[3].kind, JointKind::fixed);
  EXPECT_EQ(description.joints[0].options.axis.y.constant(), 1);
  EXPECT_EQ(description.joints[1].options.axis.x.constant(), 1);
  EXPECT_EQ(description.joints[2].options.at.xyz.x.constant(), 2);
  EXPECT_EQ(description.frames[0].name, "tip");
  EXPECT_EQ(description.frames[0].at.xyz.x.constant(), 4);
}

TEST(Sdof, symbols_stay_symbols) {
  Description description;
  const Expr h = description.parameter("h", 0.5), t = description.parameter("t", 0.3);
  SdofChain chain;
  chain.offset = {0.0, 0.0, h};
  chain.links = {
      {.gamma = {t, 0.0, 0.0, 0.0, h, 0.0},
       .free = {Sdof::rz},
       .solid = {.mass = 1.0, .com = {h, 0.0, 0.0}, .inertia = {1.0, 0, 0, 1.0, 0, 1.0}}}};
  add_sdof_chain(description, chain);
  const Model model = build_model(description);
  const Mat3<double> R = turn_about_x(sin_cos(0.3)) * turn_about_z(sin_cos(0.7));
  EXPECT_LT(distance(poses(model, {0.7}).back(), Pose<double>{R, {0, 0, 0.5}}), 1e-15);
}

TEST(Sdof, two_chains_on_one_body_differ_by_their_prefix) {
  const SdofLink link{.free = {Sdof::rz},
                      .solid = {.mass = 1.0, .inertia = {1.0, 0, 0, 1.0, 0, 1.0}}};
  Description description;
  add_sdof_chain(description, {.links = {link}});
  add_sdof_chain(description, {.prefix = "left_", .base = "link1", .links = {link}});
  add_sdof_chain(description, {.prefix = "right_", .base = "link1", .links = {link}});
  const Model model = build_model(description);
  EXPECT_EQ(model.nv(), 3);
  EXPECT_TRUE(model.find_body("left_link1") && model.find_frame("right_tip"));
}

TEST(Sdof, says_everything_that_is_wrong_with_a_table) {
  SdofChain chain;
  chain.links = {{.free = {Sdof::rz, Sdof::rx}, .number = 1},
                 {.free = {Sdof::dx, Sdof::dx}, .number = 3},
                 {.free = {Sdof::dx}, .damping = {1.0, 2.0}, .number = 3}};
  Description description;
  const auto complaints = [&](const SdofChain& table) {
    std::vector<std::string> found;
    try {
      add_sdof_chain(description, table);
    } catch (const ModelError& error) {
      for (const Diagnostic& mistake : error.diagnostics().list())
        found.push_back(mistake.message + "; " + mistake.hint);
    }
    return found;
  };
  EXPECT_EQ(
      complaints(chain),
      (std::vector<std::string>{
          "link 1 of the SDOF table has Rz free before Rx; the order is Rx, Ry, Rz, Dx, Dy, Dz: so "
          "the gimbal turns, and so q is read",
          "link 2 of the SDOF table has the number 3; links are numbered from 1 at the base "
          "outward, without gaps",
          "link 2 of the SDOF table has Dx free twice; name it once",
          "link 3 of the SDOF table has 2 dampings and 1 free entries; give one for all, or one "
          "each"}));
  EXPECT_EQ(complaints({}),
            (std::vector<std::string>{"the SDOF table has no links; give at least one"}));
  EXPECT_TRUE(description.bodies.empty());  // an invalid table adds nothing
}

}  // namespace
}  // namespace trammel::sdof_test
