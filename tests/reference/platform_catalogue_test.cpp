// Catalog of wheeled platforms [Saha 1991, 1.3]: tables in models/tables, read and generated, and
// the mobility of each.
#include "tests/reference/posed.hpp"
#include "tests/reference/saha/platforms.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/test_folder.hpp"
#include "trammel/constraint/mobility/actuation.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"
#include "trammel/read/load.hpp"
#include "trammel/read/table/table.hpp"

namespace trammel::platform_catalogue_test {
namespace {

Description table_of(const std::string& name) {
  Diagnostics found;
  const Description description = read_table(
      TableNotation::platform, test_folder() + "/../models/tables/" + name + ".csv", {}, found);
  for (const Diagnostic& each : found.list()) ADD_FAILURE() << to_string(each);
  return description;
}
struct Platform : Posed {
  explicit Platform(const Description& description) : Posed(description, {}) {
    state = start_state(model);
    const Status status = assemble(model, state, workspace);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  // Mobility of the whole, and the number of its degrees of freedom that move the platform itself.
  std::pair<int, int> ways() {
    OrthogonalComplement basis;
    const Status status =
        orthogonal_complement(model, state, {}, workspace, basis, {.orthonormal = true});
    EXPECT_TRUE(status.ok()) << status.message();
    Eigen::FullPivLU<Eigen::MatrixXd> base(basis.T.topRows(3));
    base.setThreshold(1e-9);
    return {int(basis.T.cols()), int(base.rank())};
  }
  Actuation run_inputs() {
    Actuation found;
    EXPECT_TRUE(actuation(model, state, workspace, found).ok());
    return found;
  }
};

TEST(platform_catalogue, has_the_published_mobility) {
  shows({"S-44", "read_table", "mobility", "actuation"});
  struct Entry {
    const char* name;
    int ways, of_platform, run_inputs, over;
  };
  const Entry entries[] = {
      {"differential_drive", 2, 2, 2, 0},
      {"synchro_drive", 2, 1, 2, 0},  // steering, and driving along; it never turns
      {"three_steered_wheels", 3, 3, 6, 3},
      {"center_driven", 2, 2, 2, 0},
      {"omni_three", 3, 3, 3, 0},
      {"mecanum", 3, 3, 4, 1},
      {"omni_six", 3, 3, 6, 3},
      {"omni_four", 3, 3, 4, 1},
      {"mecanum_isotropic", 3, 3, 4, 1},
  };
  for (const Entry& entry : entries) {
    SCOPED_TRACE(entry.name);
    Platform platform(table_of(entry.name));
    EXPECT_EQ(platform.ways(), std::pair(entry.ways, entry.of_platform));
    const Actuation run_inputs = platform.run_inputs();
    EXPECT_EQ(int(run_inputs.driven.size()), entry.run_inputs);
    EXPECT_EQ(run_inputs.under, 0);
    EXPECT_EQ(run_inputs.over, entry.over);
    Mobility found;
    ASSERT_TRUE(mobility(platform.model, platform.state, platform.workspace, found).ok());
    EXPECT_EQ(found.instantaneous, entry.ways);
  }
  // no yaw at any steering angle of the belt
  Platform synchro(table_of("synchro_drive"));
  for (const double angle : {0.0, 0.7}) {
    for (const char* joint : {"a_steering", "b_steering", "c_steering"})
      synchro.state.q[std::size_t(synchro.model[*synchro.model.find_joint(joint)].q_start)] = angle;
    OrthogonalComplement basis;
    ASSERT_TRUE(
        orthogonal_complement(synchro.model, synchro.state, {}, synchro.workspace, basis).ok());
    EXPECT_LT(largest_of(basis.T.row(2)), 1e-12);
    EXPECT_GT(largest_of(basis.T.topRows(2)), 0.01);
  }
  // variable wheelbase: two beams that turn against each other about the center, two wheels with
  // rollers on each; one degree of freedom more than the three of a platform
  Description beams = table_of("mecanum");
  beams.name = "changing wheelbase";
  beams.body("beam", {.mass = 5.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.2}});
  beams.joint("scissors", JointKind::revolute, "platform", "beam", {.drive = Drive::torque});
  for (JointDescription& joint : beams.joints)
    if (joint.name == "wheel2" || joint.name == "wheel4") joint.parent = "beam";
  Platform changing(beams);
  EXPECT_EQ(changing.ways(), std::pair(4, 3));
  EXPECT_EQ(changing.run_inputs().over, 1);
}

// The table gives the same model as the hand-written one of the gallery.
TEST(platform_catalogue, differential_drive_is_the_published_vehicle) {
  Description description = table_of("differential_drive");
  const Model hand = load_model("@s_t03");
  Workspace workspace(hand);
  State start;
  ASSERT_TRUE(assembled_start(hand, workspace, start).ok());
  Platform table(description);
  const auto put = [&](const char* from, const char* to) {
    const NamedJoint &a = hand[*hand.find_joint(from)],
                     &b = table.model[*table.model.find_joint(to)];
    for (int k = 0; k < a.nv; ++k) {
      table.state.q[std::size_t(b.q_start + k)] = start.q[std::size_t(a.q_start + k)];
      table.state.v[std::size_t(b.v_start + k)] = start.v[std::size_t(a.v_start + k)];
    }
  };
  put("base", "base"), put("left", "left"), put("right", "right");
  put("steer", "caster_steering"), put("caster", "caster");
  const Eigen::VectorXd a = table.a();
  // printed in the model: left -0.4240362, right 0.2717725; the table has the moment of inertia of
  // the platform with four digits, which is 1 in 10000
  EXPECT_NEAR(a[table.model[*table.model.find_joint("left")].v_start], -0.4240362, 2e-5);
  EXPECT_NEAR(a[table.model[*table.model.find_joint("right")].v_start], 0.2717725, 2e-5);
}

TEST(platform_catalogue, tables_are_the_published_platforms) {
  const std::pair<const char*, SeedPlatform> pairs[] = {
      {"omni_three", SeedPlatform::three_wheels()},
      {"mecanum", SeedPlatform::four_wheels()},
      {"omni_six", SeedPlatform::six_wheels()}};
  for (const auto& [name, seed] : pairs) {
    Platform table(table_of(name));
    PlatformAsked hand(seed);
    const Eigen::VectorXd moving = hand.move({0.4, 0.8, -0.5}, {0.2, -0.3, 0.6});
    table.state = hand.state;
    EXPECT_LT(largest_of(table.tau({.a = list_of(moving)}) - hand.tau({.a = list_of(moving)})),
              1e-12);
  }
}

}  // namespace
}  // namespace trammel::platform_catalogue_test
