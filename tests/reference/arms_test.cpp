// Redundant, full and deficient arms: 7, 6 and 3 joints, and one at a singular pose
// [Yesiloglu 2007, section 1.1].
#include "trammel/constraint/mobility/arms.hpp"

#include "tests/reference/posed.hpp"
#include "tests/support/capability.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/read/load.hpp"

#include <Eigen/LU>

namespace trammel::arms_test {
namespace {

using Ability = Arm::Ability;

std::vector<Arm> arms_at(const Model& model, const State& state) {
  Workspace workspace(model);
  std::vector<Arm> found;
  const Status status = arms(model, state, workspace, found);
  EXPECT_TRUE(status.ok()) << status.message();
  return found;
}
// Rank of the tip Jacobian by pivoted elimination, independent of the function under test.
int rank_of_tip(const Model& model, const State& state, const std::string& tip) {
  Workspace workspace(model);
  Positions there(model);
  EXPECT_TRUE(positions(model, state, workspace, there).ok());
  Eigen::MatrixXd J(6, model.nv());
  EXPECT_TRUE(jacobian(model, there, frame_ref(model, tip), Axes::world, J).ok());
  Eigen::FullPivLU<Eigen::MatrixXd> lu;
  lu.setThreshold(1e-9);
  return int(lu.compute(J).rank());
}
State bent(const Model& model) {
  State state = neutral_state(model);
  for (std::size_t k = 0; k < state.q.size(); ++k) state.q[k] = 0.3 + 0.17 * double(k);
  return state;
}

TEST(arms, with_seven_six_and_three_joints) {
  shows({"Y-03", "arms"});
  const Model seven = load_model("@seven_axis_arm");
  ASSERT_EQ(arms_at(seven, bent(seven)).size(), 1u);
  const Arm redundant = arms_at(seven, bent(seven))[0];
  EXPECT_EQ(redundant.dofs, 7);
  EXPECT_EQ(redundant.rank, 6);
  EXPECT_EQ(redundant.ability(), Ability::redundant);

  const Model puma = load_model("@puma_560");
  const Arm full = arms_at(puma, bent(puma))[0];
  EXPECT_EQ(full.dofs, 6);
  EXPECT_EQ(full.ability(), Ability::full);
  EXPECT_EQ(full.rank, rank_of_tip(puma, bent(puma), full.tip));

  // wrist stretched: axes 4 and 6 coincide
  State stretched = bent(puma);
  stretched.q[4] = 0;
  const Arm singular = arms_at(puma, stretched)[0];
  EXPECT_EQ(singular.rank, 5);
  EXPECT_EQ(singular.rank, rank_of_tip(puma, stretched, singular.tip));
  EXPECT_EQ(singular.ability(), Ability::deficient);
  EXPECT_TRUE(singular.is_singular());
  EXPECT_EQ(singular.usual_ability(), Ability::full);

  Description three("three joints");
  const Solid link{.mass = 1.0, .com = {}, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}};
  for (const char* body : {"a", "b", "c"}) three.body(body, link);
  three.joint("1", JointKind::revolute, "ground", "a", {.axis = {0.0, 0.0, 1.0}});
  three.joint("2", JointKind::revolute, "a", "b",
              {.at = {.xyz = {0.0, 0.0, 0.5}}, .axis = {0.0, 1.0, 0.0}});
  three.joint("3", JointKind::revolute, "b", "c",
              {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = {0.0, 1.0, 0.0}});
  const Model spatial = build_model(three);
  const Arm deficient = arms_at(spatial, bent(spatial))[0];
  EXPECT_EQ(deficient.wanted, 6);
  EXPECT_EQ(deficient.rank, 3);
  EXPECT_EQ(deficient.ability(), Ability::deficient);
  EXPECT_FALSE(deficient.is_singular());

  three.joints[0].options.axis = {0.0, 1.0, 0.0};
  three.joints[1].options.at.xyz = {0.5, 0.0, 0.0};
  const Model planar = build_model(three);
  const Arm in_plane = arms_at(planar, bent(planar))[0];
  EXPECT_EQ(in_plane.wanted, 3);
  EXPECT_EQ(in_plane.ability(), Ability::full);
  // outstretched, the tip cannot move along the arm: two of the three rows remain
  const Arm outstretched = arms_at(planar, neutral_state(planar))[0];
  EXPECT_EQ(outstretched.rank, 2);
  EXPECT_EQ(outstretched.ability(), Ability::deficient);
  EXPECT_EQ(outstretched.usual_ability(), Ability::full);
}

TEST(arms, that_carry_an_object_count_the_joints_at_the_object) {
  // two planar arms of two bars each, pinned to an object: three joints each, for every cut
  const auto description = [](const char* cut) {
    Description d("two arms");
    const Solid bar{.mass = 1.0, .com = {}, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}};
    const Vec3<Expr> y{0.0, 1.0, 0.0};
    for (const char* body : {"l1", "l2", "r1", "r2", "object"}) d.body(body, bar);
    const auto pin = [&](const char* name, const char* parent, const char* child, double at,
                         double child_at, double turned = 0) {
      d.joint(name, JointKind::revolute, parent, child,
              {.at = {.xyz = {at, 0.0, 0.0}, .rpy = {0.0, turned, 0.0}},
               .child_at = {.xyz = {child_at, 0.0, 0.0}},
               .axis = y,
               .cut = std::string(name) == cut});
    };
    pin("L1", "ground", "l1", -0.5, 0, -2.0);
    pin("L2", "l1", "l2", 0.6, 0, 1.2);
    pin("L3", "l2", "object", 0.6, -0.2);
    pin("R1", "ground", "r1", 0.5, 0, -1.1);
    pin("R2", "r1", "r2", 0.6, 0, -1.2);
    pin("R3", "object", "r2", 0.2, 0.6);
    return d;
  };
  for (const char* cut : {"L3", "R1", "R2", "R3", "L1"}) {
    const Model model = build_model(description(cut));
    Workspace workspace(model);
    State state;
    ASSERT_TRUE(assembled_start(model, workspace, state).ok()) << cut;
    const std::vector<Arm> found = arms_at(model, state);
    ASSERT_EQ(found.size(), 2u) << cut;
    for (const Arm& arm : found) {
      EXPECT_EQ(arm.base, "ground");
      EXPECT_EQ(arm.tip, "object");
      EXPECT_EQ(arm.dofs, 3);
      EXPECT_EQ(arm.wanted, 3);
      EXPECT_EQ(arm.ability(), Ability::full) << cut;
    }
  }
}

// Two arms of two joints on a floating object, each attached by a point constraint or a rod.
Description holding(ConstraintDescription::Kind kind, double distance) {
  Description description("held by constraints");
  const Solid link{.mass = 1.0, .com = {}, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}};
  for (const char* body : {"l1", "l2", "r1", "r2", "object"}) description.body(body, link);
  description.joint("float", JointKind::free, "ground", "object");
  for (const auto& [side, x] : {std::pair<std::string, double>{"l", -0.6}, {"r", 0.6}}) {
    description.joint(side + " waist", JointKind::revolute, "ground", side + "1",
                      {.at = {.xyz = {x, 0.1, 0.0}}, .axis = {0.0, 0.0, 1.0}});
    description.joint(side + " shoulder", JointKind::revolute, side + "1", side + "2",
                      {.at = {.xyz = {0.0, 0.0, 0.5}}, .axis = {0.0, 1.0, 0.0}});
    // straight up at zero joint coordinates
    description.frame(side + " tip", side + "2", {.xyz = {0.0, 0.0, 0.4}});
    description.frame(side + " eye", "object", {.xyz = {x, 0.1 + distance, 0.9}});
    description.constraints.push_back({.name = side + " grip",
                                       .kind = kind,
                                       .frame = side + " tip",
                                       .other_frame = side + " eye",
                                       .distance = distance});
  }
  return description;
}
// Rank from forces: an end constraint allows all motions on which its forces do no work.
int rank_with_end(const Eigen::MatrixXd& joints, const Vec3<double>& p,
                  const std::vector<Vec3<double>>& forces) {
  Eigen::MatrixXd carried(Eigen::Index(forces.size()), 6);
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const Vec3<double> n = cross(p, forces[k]), &f = forces[k];
    carried.row(Eigen::Index(k)) << n.x, n.y, n.z, f.x, f.y, f.z;
  }
  const Eigen::MatrixXd allowed = carried.fullPivLu().kernel();
  Eigen::MatrixXd all(6, joints.cols() + allowed.cols());
  all << joints, allowed;
  return int(all.fullPivLu().rank());
}

TEST(arms, may_end_in_points_and_rods) {
  using enum ConstraintDescription::Kind;
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  for (const auto& [kind, length] : {std::pair{point, 0.0}, std::pair{distance, 0.25}}) {
    const Model model = build_model(holding(kind, length));
    const std::vector<Arm> found = arms_at(model, neutral_state(model));
    ASSERT_EQ(found.size(), 2u);
    const Arm& left = found[0];
    EXPECT_EQ(left.joints, (std::vector<std::string>{"l waist", "l shoulder", "l grip"}));
    EXPECT_EQ(left.base, "ground");
    EXPECT_EQ(left.tip, "object");
    EXPECT_EQ(left.dofs, kind == point ? 5 : 7);
    // screws of the arm about the world origin: rotations about axes through a point
    Eigen::MatrixXd screws(6, 2);
    screws.col(0) << 0, 0, 1, 0.1, 0.6, 0;    // z through (-0.6, 0.1, 0): p x z
    screws.col(1) << 0, 1, 0, -0.5, 0, -0.6;  // y through (-0.6, 0.1, 0.5): p x y
    const Vec3<double> tip{-0.6, 0.1, 0.9};
    const std::vector<Vec3<double>> forces = kind == point ? std::vector{x, y, z} : std::vector{y};
    EXPECT_EQ(left.rank, rank_with_end(screws, tip, forces));
    // the axis of the waist passes through the tip, so its rotation is one that the end allows,
    // too; the shoulder moves the tip across the rod, which the rod allows by itself
    EXPECT_EQ(left.rank, kind == point ? 4 : 5);
    EXPECT_TRUE(left.is_singular());
    EXPECT_EQ(left.generic_rank, kind == point ? 5 : 6);
    EXPECT_EQ(left.usual_ability(), kind == point ? Ability::deficient : Ability::redundant);
  }
}

TEST(arms, may_end_in_wheels) {
  for (const bool is_knife_edge : {false, true}) {
    Description description("cart");
    const Solid part{.mass = 1.0, .com = {}, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}};
    for (const char* body : {"cart", "left", "right"}) description.body(body, part);
    description.joint("float", JointKind::free, "ground", "cart");
    for (const auto& [side, y] : {std::pair<std::string, double>{"left", 0.3}, {"right", -0.3}}) {
      description.joint(side + " axle", JointKind::revolute, "cart", side,
                        {.at = {.xyz = {0.0, y, 0.0}}, .axis = {0.0, 1.0, 0.0}});
      WheelDescription wheel;
      wheel.name = side;
      wheel.body = side;
      wheel.radius = 0.1;
      if (is_knife_edge) wheel.kind = WheelDescription::Kind::knife_edge;
      description.wheels.push_back(wheel);
    }
    const Model model = build_model(description);
    State state = neutral_state(model);
    state.q[6] = 0.1;  // on the floor
    const std::vector<Arm> found = arms_at(model, state);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].joints, (std::vector<std::string>{"left", "left axle"}));
    Eigen::MatrixXd axle(6, 1);
    axle << 0, 1, 0, -0.1, 0, 0;  // y through (0, 0.3, 0.1): p x y
    const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, contact{0, 0.3, 0};
    const std::vector<Vec3<double>> forces =
        is_knife_edge ? std::vector{y, z} : std::vector{x, y, z};
    EXPECT_EQ(found[0].rank, rank_with_end(axle, contact, forces));
    // rotation about the axle moves the center of a disk past its contact
    EXPECT_EQ(found[0].rank, 4);
    EXPECT_EQ(found[0].dofs, is_knife_edge ? 5 : 4);
    EXPECT_EQ(found[0].ability(), Ability::deficient);
  }
}

}  // namespace
}  // namespace trammel::arms_test
