// Dexterity, the conditioning of the map from drives to a point: by hand for a small arm, by wheel
// formulas for platforms, by differences through a loop.
#include "trammel/design/dexterity.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>

#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/design/conditioning.hpp"
#include "trammel/design/model_layout.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/read/load.hpp"

namespace trammel::dexterity_test {
namespace {

Dexterity of(const Model& model, const State& state, const std::string& place, double length = 0) {
  Workspace workspace(model);
  Dexterity out;
  const Status status = dexterity(model, state, frame_ref(model, place), length, workspace, out);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}

// Links of 1 m and 0.6 m in the x-y plane.
Model two_links(bool is_second_driven = true) {
  Description description("arm");
  const Solid link{.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}};
  description.body("upper", link);
  description.body("fore", link);
  JointOptions first, second;
  first.axis = second.axis = {0.0, 0.0, 1.0};
  first.drive = Drive::torque;
  if (is_second_driven) second.drive = Drive::torque;
  second.at.xyz = {1.0, 0.0, 0.0};
  description.joint("shoulder", JointKind::revolute, "ground", "upper", first);
  description.joint("elbow", JointKind::revolute, "upper", "fore", second);
  description.frame("tip", "fore", {.xyz = {0.6, 0.0, 0.0}});
  return build_model(description);
}

// With parallel wheels it drives along them; in neighboring poses they are not parallel, and only
// rounding moves: this must not count as a direction.
TEST(dexterity, of_a_platform_that_locks_near_this_pose) {
  const Model model = load_model("@e_09");
  const Dexterity found = of(model, start_state(model), "base");
  EXPECT_EQ(found.ways, 5);  // along, and four legs
  EXPECT_EQ(found.directions, 1);
  EXPECT_FALSE(found.is_singular()) << found.singular_because;
  // v = -r rate of each wheel; unit norm of all rates: 1/2 each
  EXPECT_NEAR(found.singular[0], 0.15 / 2, 1e-14);
  EXPECT_TRUE(found.has_drives);
}

TEST(dexterity, tells_that_nothing_is_driven) {
  for (const char* name : {"@y_73", "@double_pendulum"}) {
    const Model model = load_model(name);
    const Dexterity found = of(model, start_state(model), model.named_bodies().back().name);
    EXPECT_FALSE(found.has_drives) << name;
    EXPECT_EQ(found.drives.size(), std::size_t(model.nv()));
  }
}

TEST(dexterity, of_two_links_is_what_it_is_by_hand) {
  const Model model = two_links();
  State state = neutral_state(model);
  const double a = 0.4, b = 1.1;
  state.q = {a, b};
  const Dexterity found = of(model, state, "tip", 0.8);
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, 2);
  J.row(2) << 1, 1;
  J.row(3) << -std::sin(a) - 0.6 * std::sin(a + b), -0.6 * std::sin(a + b);
  J.row(4) << std::cos(a) + 0.6 * std::cos(a + b), 0.6 * std::cos(a + b);
  EXPECT_LT((found.J - J).norm(), 1e-14);
  EXPECT_EQ(found.drives, (std::vector<std::string>{"shoulder", "elbow"}));
  EXPECT_EQ(found.ways, 2);
  EXPECT_EQ(found.directions, 2);
  EXPECT_FALSE(found.is_singular());
  const auto condition = [&](double length) {
    Eigen::MatrixXd told = J;
    told.topRows(3) *= length;
    const Eigen::VectorXd s = Eigen::JacobiSVD<Eigen::MatrixXd>(told).singularValues();
    return s[0] / s[1];
  };
  EXPECT_NEAR(found.condition, condition(0.8), 1e-12);
  // no neighboring length is better
  EXPECT_NEAR(found.best_condition, condition(found.best_length), 1e-12);
  for (const double factor : {0.2, 0.5, 0.9, 0.99, 1.01, 1.1, 2.0, 5.0})
    EXPECT_GE(condition(factor * found.best_length), found.best_condition - 1e-12);
  // velocity ellipsoid: J_v J_v^T axis = size^2 axis; the area is the absolute determinant
  const Eigen::MatrixXd of_v = J.bottomRows(3);
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d axis = found.linear.axes.col(k);
    const double square = found.linear.size[k] * found.linear.size[k];
    EXPECT_LT((of_v * of_v.transpose() * axis - square * axis).norm(), 1e-13);
  }
  EXPECT_NEAR(found.linear.size[0] * found.linear.size[1], 0.6 * std::abs(std::sin(b)), 1e-13);
}

TEST(dexterity, says_which_way_an_arm_cannot_go) {
  // three planar links, stretched along x: no joint moves the tip along x
  Description description("stretched");
  const Solid link{.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}};
  std::string before = "ground";
  for (const char* name : {"a", "b", "c"}) {
    description.body(name, link);
    JointOptions how;
    how.axis = {0.0, 0.0, 1.0};
    how.drive = Drive::torque;
    if (before != "ground") how.at.xyz = {1.0, 0.0, 0.0};
    description.joint(std::string("to_") + name, JointKind::revolute, before, name, how);
    before = name;
  }
  description.frame("tip", "c", {.xyz = {1.0, 0.0, 0.0}});
  const Model model = build_model(description);
  State state = neutral_state(model);
  const Dexterity stretched = of(model, state, "tip");
  EXPECT_EQ(stretched.directions, 3);
  EXPECT_EQ(stretched.singular_because, "at this pose it cannot move along (1, 0, 0)");
  EXPECT_TRUE(std::isinf(stretched.condition));
  EXPECT_LT(stretched.singular[2], 1e-12);
  state.q = {0.3, 0.8, -0.5};
  EXPECT_FALSE(of(model, state, "tip").is_singular());

  // a passive joint
  const Model half = two_links(false);
  const Dexterity loose = of(half, neutral_state(half), "tip");
  EXPECT_EQ(loose.decided, 1);
  EXPECT_NE(loose.singular_because.find("the drives determine 1 of 2 degrees of freedom"),
            std::string::npos)
      << loose.singular_because;
}

// Hub rates from the motion, inverted; and a platform that its wheels cannot turn.
TEST(dexterity, of_a_platform_is_its_wheels_formula) {
  for (const char* name : {"@s_t07", "@s_t08", "@s_t09"}) {
    const Model model = load_model(name);
    State state = start_state(model);
    std::ranges::fill(state.v, 0.0);
    Workspace workspace(model);
    Positions seen(model);
    ASSERT_TRUE(positions(model, state, workspace, seen).ok());
    const ModelLayout layout = model_layout(model, seen, frame_ref(model, "platform"));
    ASSERT_TRUE(layout.all_have_rollers());
    const Eigen::MatrixXd L = hub_jacobian(layout.wheels);
    const double length = characteristic_length(layout.wheels);
    const Dexterity found = of(model, state, "platform", length);
    Eigen::MatrixXd planar(3, found.J.cols());
    planar << found.J.row(2), found.J.row(3), found.J.row(4);
    EXPECT_LT((planar - L.completeOrthogonalDecomposition().pseudoInverse()).norm(), 1e-12) << name;
    EXPECT_EQ(found.directions, 3);
    EXPECT_NEAR(found.condition, conditioning(scaled(L, 1, length)).condition, 1e-9) << name;
  }
}

// By differences: the loop is assembled again with a slightly larger crank angle.
TEST(dexterity, goes_through_loops) {
  const Model model = load_model("@four_bar");
  Workspace workspace(model);
  State state;
  ASSERT_TRUE(assembled_start(model, workspace, state).ok());
  const Dexterity found = of(model, state, "coupler");
  ASSERT_EQ(found.J.cols(), 1);
  EXPECT_EQ(found.ways, 1);
  EXPECT_EQ(found.condition, 1);
  const double h = 1e-5;
  Vec3<double> there[2];
  double angle[2];
  const int crank = model[*model.find_joint(found.drives[0])].q_start;
  for (int side = 0; side < 2; ++side) {
    State near = state;
    near.q[std::size_t(crank)] += (side == 0 ? -h : h);
    ASSERT_TRUE(project_position(model, near, workspace).ok());
    Positions seen(model);
    ASSERT_TRUE(positions(model, near, workspace, seen).ok());
    there[side] = pose(model, seen, frame_ref(model, "coupler")).p;
    angle[side] = near.q[std::size_t(crank)];
  }
  const Vec3<double> slope = (1 / (angle[1] - angle[0])) * (there[1] - there[0]);
  // second order in h
  EXPECT_NEAR(found.J(3, 0), slope.x, 1e-8);
  EXPECT_NEAR(found.J(4, 0), slope.y, 1e-8);
  EXPECT_NEAR(found.J(5, 0), slope.z, 1e-8);
}

}  // namespace
}  // namespace trammel::dexterity_test
