// Degree of actuation (under-, fully, over-actuated): examples of [Yesiloglu 2007] (section 1.1,
// the two-wheeled cart of section 3.15, the arms in space E-05) and of [Saha 1991] (the vehicle
// with a caster, section 3.7).
#include "trammel/constraint/mobility/actuation.hpp"

#include <Eigen/LU>

#include "tests/reference/posed.hpp"
#include "tests/support/capability.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel::actuation_test {
namespace {

const Solid some_body{.mass = 1.0, .com = {}, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}};
const Vec3<Expr> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};

Actuation actuation_of(const Model& model) {
  Workspace workspace(model);
  State state;
  EXPECT_TRUE(assembled_start(model, workspace, state).ok());
  Actuation found;
  const Status status = actuation(model, state, workspace, found);
  EXPECT_TRUE(status.ok()) << status.message();
  return found;
}

Description four_bar(std::initializer_list<const char*> driven) {
  Description description("four-bar");
  for (const char* bar : {"crank", "coupler", "rocker"}) description.body(bar, some_body);
  description.joint("motor", JointKind::revolute, "ground", "crank", {.axis = y});
  description.joint("knee", JointKind::revolute, "crank", "coupler",
                    {.at = {.xyz = {0.2, 0.0, 0.0}}, .axis = y});
  description.joint("foot", JointKind::revolute, "ground", "rocker",
                    {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = y});
  description.joint("wrist", JointKind::revolute, "coupler", "rocker",
                    {.at = {.xyz = {0.5, 0.0, 0.0}},
                     .child_at = {.xyz = {0.45, 0.0, 0.0}},
                     .axis = y,
                     .cut = true});
  for (JointDescription& joint : description.joints)
    for (const char* name : driven)
      if (joint.name == name) joint.options.drive = Drive::torque;
  description.start_positions.push_back({.joint = "motor", .values = {1.0}});
  return description;
}

// A wheel about x at p on a body.
void add_wheel(Description& description, const std::string& name, const std::string& tree_body,
               const Vec3<double>& p, double radius, Drive drive) {
  description.body(name, some_body);
  description.joint("spin of " + name, JointKind::revolute, tree_body, name,
                    {.at = {.xyz = {p.x, p.y, p.z}}, .axis = x, .drive = drive});
  description.wheels.push_back(
      {.name = "roll of " + name, .body = name, .axis = x, .radius = radius});
}

TEST(actuation, a_passive_joint_that_depends_on_a_driven_one_is_not_underactuated) {
  shows({"Y-02", "actuation"});
  const Actuation one = actuation_of(build_model(four_bar({"motor"})));
  EXPECT_EQ(one.mobility, 1);
  EXPECT_EQ(one.under, 0);
  EXPECT_EQ(one.over, 0);
  EXPECT_EQ(one.driven, std::vector<std::string>{"motor"});
  const Actuation two = actuation_of(build_model(four_bar({"motor", "foot"})));
  EXPECT_EQ(two.under, 0);
  EXPECT_EQ(two.over, 1);
  const Actuation none = actuation_of(build_model(four_bar({})));
  EXPECT_EQ(none.under, 1);
  ASSERT_EQ(none.uncontrollable_modes.size(), 1u);
  EXPECT_EQ(none.uncontrollable_modes[0].size(), 3u);

  // cart: a rod with two driven wheels on its axle; it may pitch about the axle
  Description cart("cart");
  cart.body("rod", some_body);
  cart.joint("base", JointKind::free, "ground", "rod", {.at = {.xyz = {0.0, 0.0, 0.3}}});
  add_wheel(cart, "left", "rod", {-0.4, 0, 0}, 0.3, Drive::torque);
  add_wheel(cart, "right", "rod", {0.4, 0, 0}, 0.3, Drive::torque);
  const Actuation found = actuation_of(build_model(cart));
  EXPECT_EQ(found.mobility, 3);  // two spins and the pitch
  EXPECT_EQ(found.rank, 2);
  EXPECT_EQ(found.under, 1);  // "one, not six"
  EXPECT_EQ(found.over, 0);
}

TEST(actuation, arms_in_space_with_two_motors_leave_four_of_six_motions) {
  // E-05: planar, a free platform, two arms with three joints each that grasp a load
  Description description("E-05");
  description.body("platform",
                   {.mass = 20.0, .com = {}, .inertia = {2.0, 0.0, 0.0, 2.0, 0.0, 2.0}});
  description.joint("base", JointKind::planar, "ground", "platform", {});
  const double degree = M_PI / 180;
  const double angles[2][3] = {{120 * degree, 60 * degree, 90 * degree},
                               {60 * degree, 120 * degree, 90 * degree}};
  for (int arm = 0; arm < 2; ++arm) {
    std::string parent = "platform";
    double before = 0;
    for (int k = 0; k < 3; ++k) {
      const std::string name = std::to_string(arm + 1) + "." + std::to_string(k + 1);
      description.body(name, some_body);
      JointOptions options{.axis = z};
      options.at.xyz =
          k > 0 ? Vec3<Expr>{0.5, 0.0, 0.0} : Vec3<Expr>{arm == 0 ? -0.3 : 0.3, 0.0, 0.0};
      options.at.rpy.z = angles[arm][k] - before;
      if (name == "1.2" || name == "2.3") options.drive = Drive::torque;
      description.joint("joint " + name, JointKind::revolute, parent, name, options);
      parent = name;
      before = angles[arm][k];
    }
  }
  description.body("load", {.mass = 2.0, .com = {}, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  for (int arm = 0; arm < 2; ++arm)
    description.joint("grasp " + std::to_string(arm + 1), JointKind::fixed,
                      std::to_string(arm + 1) + ".3", "load",
                      {.at = {.xyz = {0.5, 0.0, 0.0}, .rpy = {0.0, 0.0, -M_PI / 2}},
                       .child_at = {.xyz = {arm == 0 ? -0.3 : 0.3, 0.0, 0.0}}});
  const Model model = build_model(description);
  const Actuation found = actuation_of(model);
  EXPECT_EQ(found.mobility, 6);
  EXPECT_EQ(found.under, 4);
  EXPECT_EQ(found.over, 0);
}

// Vehicle: C is at a ahead of the axle, the pivot of the caster at b ahead of C, its wheel at d
// behind that.
struct Vehicle {
  double a = 0.05, b = 0.25, d = 0.5, l = 0.6, r = 0.1;
  double eta() const { return r / l; }

  Model model(double fork_angle, std::initializer_list<const char*> driven) const {
    Description description("vehicle");
    description.body("platform", some_body);
    description.joint("base", JointKind::planar, "ground", "platform",
                      {.at = {.xyz = {0.0, 0.0, r}}});
    add_wheel(description, "1", "platform", {-l / 2, -a, 0}, r, Drive::none);
    add_wheel(description, "2", "platform", {l / 2, -a, 0}, r, Drive::none);
    description.body("fork", some_body);
    description.joint("steer", JointKind::revolute, "platform", "fork",
                      {.at = {.xyz = {0.0, b, 0.0}}, .axis = z});
    add_wheel(description, "3", "fork", {0, -d, 0}, r, Drive::none);
    for (JointDescription& joint : description.joints)
      for (const char* name : driven)
        if (joint.name == name) joint.options.drive = Drive::torque;
    description.start_positions.push_back({.joint = "steer", .values = {fork_angle}});
    return build_model(description);
  }
  // [Saha 1991, section 3.7, as corrected]: rates of theta1, theta2, theta3, theta4, psi
  Eigen::Matrix<double, 3, 5> J(double fork_angle) const {
    const double s = std::sin(fork_angle), c = std::cos(fork_angle);
    Eigen::Matrix<double, 3, 5> rows;
    rows << 0, 0, r * s, -d * c, a + b - d * c,  //
        r, 0, -r * c, -d * s, -l / 2 - d * s,    //
        0, r, -r * c, -d * s, l / 2 - d * s;
    return rows;
  }
};

TEST(actuation, the_vehicle_has_two_dofs_and_its_two_motors_decide_them) {
  shows({"S-22", "row_basis", "null_space_basis"}, {"S-23", "actuation"});
  const Vehicle vehicle;
  for (const double fork_angle : {0.0, 0.4, 1.2, 2.5, -1.0, 3.1}) {
    const Model model = vehicle.model(fork_angle, {"spin of 1", "spin of 2"});
    Workspace workspace(model);
    State state;
    ASSERT_TRUE(assembled_start(model, workspace, state).ok());
    RowBasis basis;
    ASSERT_TRUE(row_basis(model, state, workspace, basis).ok());
    Eigen::MatrixXd rows;
    ASSERT_TRUE(constraint_jacobian(model, state, workspace, rows).ok());
    const Eigen::MatrixXd T = null_space_basis(rows, basis);
    ASSERT_EQ(T.cols(), 2);  // 7 coordinates, rank 5; of the five in [Saha 1991], rank 3

    // the null space of the model is that of the rows of [Saha 1991]
    Eigen::Matrix<double, 5, 2> theta;
    const char* names[] = {"spin of 1", "spin of 2", "spin of 3", "steer", "base"};
    for (Eigen::Index k = 0; k < 5; ++k) {
      const NamedJoint& joint = model[*model.find_joint(names[k])];
      // the turn is the last coordinate of a planar joint
      theta.row(k) = T.row(joint.v_start + joint.nv - 1);
    }
    const Eigen::Matrix<double, 3, 5> J = vehicle.J(fork_angle);
    EXPECT_EQ(J.fullPivLu().rank(), 3);
    EXPECT_LT((J * theta).norm(), 1e-12) << fork_angle;
    EXPECT_NEAR(J.rightCols<3>().determinant(), -vehicle.l * vehicle.d * vehicle.r, 1e-15);

    Actuation found;
    ASSERT_TRUE(actuation(model, state, workspace, found).ok());
    EXPECT_EQ(found.mobility, 2);
    EXPECT_EQ(found.under, 0);
    EXPECT_EQ(found.over, 0);
    EXPECT_GT(found.least, 0.05);
  }
  // motors on the caster lose a motion at cos(theta4) = (a + b) / d: their determinant is -(r/l)
  // ((a + b)/d - cos(theta4)), from rows 1 and 2 of U in [Saha 1991]
  const double blind = std::acos((vehicle.a + vehicle.b) / vehicle.d);
  const Actuation lost = actuation_of(vehicle.model(blind, {"spin of 3", "steer"}));
  EXPECT_EQ(lost.rank, 1);
  EXPECT_EQ(lost.under, 1);
  EXPECT_EQ(lost.over, 1);
  const Actuation beside = actuation_of(vehicle.model(blind + 1e-3, {"spin of 3", "steer"}));
  EXPECT_EQ(beside.under, 0);
  EXPECT_LT(beside.least, 1e-2);
}

TEST(actuation, prescribed_joints_are_drives_and_locked_ones_are_not) {
  Description description = four_bar({});
  description.joints[0].options.drive = Drive::motion;
  const Actuation prescribed = actuation_of(build_model(description));
  EXPECT_EQ(prescribed.mobility, 1);
  EXPECT_EQ(prescribed.under, 0);
  description.joints[0].options.drive = Drive::locked;
  const Actuation locked = actuation_of(build_model(description));
  EXPECT_EQ(locked.mobility, 0);
  EXPECT_TRUE(locked.driven.empty());
  // and a motor on a locked joint is one too many
  description.joints[2].options.drive = Drive::torque;
  EXPECT_EQ(actuation_of(build_model(description)).over, 1);
}

// The result does not depend on the choice of driven joint or cut joint.
TEST(actuation, does_not_depend_on_the_cut) {
  for (const char* driven : {"motor", "wrist"}) {
    Description description = four_bar({driven});
    for (const char* cut : {"motor", "knee", "foot", "wrist"}) {
      for (JointDescription& joint : description.joints) joint.options.cut = joint.name == cut;
      const bool is_motor_cut = std::string("motor") == cut;
      description.start_positions = {
          {.joint = is_motor_cut ? "foot" : "motor", .values = {is_motor_cut ? 2.0 : 1.0}}};
      const Actuation found = actuation_of(build_model(description));
      EXPECT_EQ(found.mobility, 1) << driven << cut;
      EXPECT_EQ(found.driven, std::vector<std::string>{driven}) << cut;
      EXPECT_EQ(found.under, 0) << driven << cut;
      EXPECT_EQ(found.over, 0) << driven << cut;
    }
  }
}

}  // namespace
}  // namespace trammel::actuation_test
