// Driven, free and flexible joints, on a floating base and in a loop: the system of E-05
// [Yesiloglu 2007], its equations sorted and reduced.
#include <numbers>

#include "tests/reference/posed.hpp"
#include "tests/reference/rodriguez/arms.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/placement_of.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/mobility/dof_roles.hpp"
#include "trammel/constraint/mobility/natural_complement.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel::roles_test {
namespace {

// planar, no gravity: joints turn about z, and are zero in the drawn pose
Description under_actuated(double stiffness, double damping) {
  const double deg = std::numbers::pi / 180;
  Description description("two arms, a load, a platform");
  description.gravity = {0.0, 0.0, 0.0};
  const auto solid = [](double mass, double inertia, double com) {
    return Solid{.mass = mass,
                 .com = {com, 0.0, 0.0},
                 .inertia = {inertia, 0.0, 0.0, inertia, 0.0, inertia}};
  };
  description.body("platform", solid(20, 2, 0));
  description.joint("float", JointKind::planar, "ground", "platform");
  const double absolute[2][3] = {{120, 60, 90}, {60, 120, 90}};
  for (int i = 0; i < 2; ++i) {
    const std::string arm = "arm " + std::to_string(i + 1) + " ";
    const double side = i == 0 ? -0.3 : 0.3;
    std::string parent = "platform";
    double before = 0;
    for (int k = 0; k < 3; ++k) {
      const std::string link = arm + "link " + std::to_string(k + 1);
      description.body(link, solid(1, 0.25 / 12, 0.25));
      JointOptions options{.at = {.xyz = {k == 0 ? side : 0.5, 0.0, 0.0},
                                  .rpy = {0.0, 0.0, (absolute[i][k] - before) * deg}}};
      const bool is_flexible = (i == 0 && k == 0) || (i == 1 && k == 1);
      const bool is_driven = (i == 0 && k == 1) || (i == 1 && k == 2);
      if (is_flexible) options.stiffness = {stiffness}, options.damping = {damping};
      if (is_driven) options.drive = Drive::torque;
      description.joint(arm + "joint " + std::to_string(k + 1), JointKind::revolute, parent, link,
                        options);
      parent = link;
      before = absolute[i][k];
    }
    if (i == 0) description.body("load", solid(2, 0.1, 0));
    description.joint(arm + "grip", JointKind::fixed, parent, "load",
                      {.at = {.xyz = {0.5, 0.0, 0.0}, .rpy = {0.0, 0.0, -90 * deg}},
                       .child_at = {.xyz = {side, 0.0, 0.0}},
                       .cut = i == 1});
  }
  return description;
}
// a random state near that pose
Posed somewhere(const Description& description, int seed) {
  Posed posed(description, neutral_state(build_model(description)).q);
  Random random(seed);
  for (double& q : posed.state.q) q = 0.3 * random();
  posed.state.v = random.numbers(posed.model.nv());
  const Status status = assemble(posed.model, posed.state, posed.workspace);
  EXPECT_TRUE(status.ok()) << status.message();
  return posed;
}
std::vector<double> some_efforts(const Model& model, int seed) {
  Random random(seed);
  std::vector<double> tau(std::size_t(model.nv()));
  const DofRoles roles = dof_roles(model);
  for (std::size_t k = 0; k < tau.size(); ++k)
    if (roles.of[k] == DofRole::actuated) tau[k] = random();
  return tau;
}

TEST(yesiloglu_roles, dofs_are_sorted_by_what_moves_them) {
  shows({"Y-28", "dof_roles"});
  const Model model = build_model(under_actuated(5, 0.5));
  const DofRoles roles = dof_roles(model);
  using enum DofRole;
  const std::vector<DofRole> expected = {base, base, base,     flexible, actuated,
                                         free, free, flexible, actuated};
  EXPECT_EQ(roles.of, expected);
  EXPECT_EQ(roles.order, (std::vector<int>{0, 1, 2, 4, 8, 5, 6, 3, 7}));
  EXPECT_EQ(roles.rigid, 7);
  const Eigen::MatrixXd S = roles.S(), product = S * S.transpose();
  EXPECT_EQ((product - Eigen::MatrixXd::Identity(9, 9)).norm(), 0.0);
  Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(9, 0, 8);
  EXPECT_EQ(Eigen::VectorXd(S * x), Eigen::VectorXd(x(roles.order)));
}

TEST(yesiloglu_roles, flexible_joints_alone_move_as_in_the_whole) {
  shows({"Y-31", "flexible_form"}, {"Y-32", "flexible_form"},
        {"Y-35", "flexible_form", "mass_matrix"});
  for (int seed = 1; seed <= 5; ++seed) {
    Posed posed = somewhere(under_actuated(5, 0.5), seed);
    const std::vector<double> tau = some_efforts(posed.model, seed + 10);
    FlexibleForm form;
    ASSERT_TRUE(flexible_form(posed.model, posed.state, {.tau = tau}, posed.workspace, form).ok());
    ConstrainedAnswer whole;
    ASSERT_TRUE(
        constrained_dynamics(posed.model, posed.state, {.tau = tau}, posed.workspace, whole).ok());
    const std::vector<int> flexible(form.roles.order.begin() + form.roles.rigid,
                                    form.roles.order.end());
    const std::vector<int> others(form.roles.order.begin(),
                                  form.roles.order.begin() + form.roles.rigid);
    const Eigen::VectorXd a = whole.a(flexible), v = vector_of(posed.state.v)(flexible),
                          q = vector_of(posed.state.q)(flexible);
    const Eigen::VectorXd T = vector_of(tau)(others);
    // rest angles are zero: the deflection is the angle
    const Eigen::VectorXd left = form.inertia * a + form.damping.cwiseProduct(v) +
                                 form.stiffness.cwiseProduct(q) + form.bias,
                          right = form.input * T + form.constraint.transpose() * whole.lambda;
    EXPECT_LT((left - right).norm(), 1e-11 * (1 + left.norm())) << seed;
    EXPECT_EQ(form.stiffness, numbers({5, 5}));
    EXPECT_EQ(form.damping, numbers({0.5, 0.5}));
    // first order
    Eigen::VectorXd W_dot(4);
    W_dot << v, a;
    const Eigen::VectorXd rest =
        form.M_s * W_dot + form.L_s * form.W - form.T_s - form.J_s.transpose() * whole.lambda;
    EXPECT_LT(rest.norm(), 1e-11 * (1 + form.T_s.norm())) << seed;
    EXPECT_EQ(form.W, (Eigen::VectorXd(4) << q, v).finished());
    // no new inverse
    const Eigen::MatrixXd sorted =
        form.roles.S() * posed.M().inverse() * form.roles.S().transpose();
    EXPECT_LT((form.inertia.inverse() - sorted.bottomRightCorner(2, 2)).norm(),
              1e-12 * sorted.norm());
  }
}

TEST(yesiloglu_roles, loops_correct_what_the_tree_would_do) {
  shows({"Y-33", "free_and_correction"}, {"Y-36", "free_and_correction"});
  for (int seed = 1; seed <= 5; ++seed) {
    Posed posed = somewhere(under_actuated(5, 0.5), seed);
    const std::vector<double> tau = some_efforts(posed.model, seed + 10);
    FreeAndCorrection split;
    ASSERT_TRUE(
        free_and_correction(posed.model, posed.state, {.tau = tau}, posed.workspace, split).ok());
    const Eigen::VectorXd a = posed.a({.tau = tau});
    EXPECT_LT((split.free + split.correction - a).norm(), 1e-10 * (1 + a.norm())) << seed;
    // free accelerations: the flexible joints from their own equation, the others from theirs
    FlexibleForm form;
    ASSERT_TRUE(flexible_form(posed.model, posed.state, {.tau = tau}, posed.workspace, form).ok());
    const Eigen::VectorXd W_dot = form.M_s.ldlt().solve(form.T_s - form.L_s * form.W);
    const Eigen::MatrixXd M = posed.M()(form.roles.order, form.roles.order);
    const Eigen::VectorXd T = vector_of(tau)(form.roles.order),
                          C = posed.bias_forces()(form.roles.order);
    const Eigen::VectorXd others = M.topLeftCorner(7, 7).ldlt().solve(
        T.head(7) - M.topRightCorner(7, 2) * W_dot.tail(2) - C.head(7));
    Eigen::VectorXd sorted(9);
    sorted << others, W_dot.tail(2);
    const Eigen::VectorXd back = form.roles.S().transpose() * sorted;
    EXPECT_LT((back - split.free).norm(), 1e-10 * (1 + back.norm())) << seed;
  }
}

TEST(yesiloglu_roles, free_joints_keep_the_energy_and_dampers_take_it) {
  shows({"Y-29", "forward_dynamics", "energy"}, {"Y-30", "forward_dynamics", "energy"});
  Posed undamped = somewhere(under_actuated(5, 0), 3);
  const auto energy_of = [](Posed& posed) {
    const Energy e = posed.energies();
    return e.kinetic + e.gravity + e.elastic;
  };
  const double before = energy_of(undamped);
  undamped.run(1e-4, 300);  // between its stages the loop may open by 1e-6 at most
  // fourth order in the step
  EXPECT_NEAR(energy_of(undamped), before, 1e-9 * before);

  Posed damped = somewhere(under_actuated(5, 0.5), 3);
  const std::vector<double> v = damped.state.v;
  const double expected = -0.5 * (v[3] * v[3] + v[7] * v[7]);
  Posed later = somewhere(under_actuated(5, 0.5), 3),
        earlier = somewhere(under_actuated(5, 0.5), 3);
  later.run(1e-4, 1);
  earlier.run(-1e-4, 1);
  EXPECT_NEAR((energy_of(later) - energy_of(earlier)) / 2e-4, expected, 1e-6 * (1 - expected));
}

// The load as the floating base, the arms outboard of it, the former base cut: another tree, the
// same motion.
TEST(yesiloglu_roles, payload_as_base_moves_alike) {
  shows({"Y-42", "forward_dynamics"});
  Posed usual = somewhere(under_actuated(5, 0.5), 4);
  const std::vector<double> tau = some_efforts(usual.model, 14);
  Description description = under_actuated(5, 0.5);
  for (JointDescription& joint : description.joints) joint.options.cut = false;
  for (JointDescription& joint : description.joints)
    if (joint.name == "float") joint.options.cut = true;
  // now the load floats; the planar joint of the platform is cut
  description.joint("load float", JointKind::free, "ground", "load");
  Posed inverted(description, neutral_state(build_model(description)).q);
  const auto copy_named = [&](const Posed& from, Posed& to) {
    for (const NamedJoint& joint : to.model.joints()) {
      const auto id = from.model.find_joint(joint.name);
      if (!id || joint.role != NamedJoint::Role::tree) continue;
      const NamedJoint& other = from.model[*id];
      if (other.role != NamedJoint::Role::tree) continue;
      for (int k = 0; k < joint.nq; ++k)
        to.state.q[std::size_t(joint.q_start + k)] = from.state.q[std::size_t(other.q_start + k)];
      for (int k = 0; k < joint.nv; ++k)
        to.state.v[std::size_t(joint.v_start + k)] = from.state.v[std::size_t(other.v_start + k)];
    }
  };
  copy_named(usual, inverted);
  // the load in its pose, with its velocity
  const NamedJoint& floats = inverted.model[*inverted.model.find_joint("load float")];
  ASSERT_EQ(floats.role, NamedJoint::Role::tree);
  const Pose<double> X = usual.X("load");
  put(quaternion(X.R), &inverted.state.q[std::size_t(floats.q_start)]);
  const double p[] = {X.p.x, X.p.y, X.p.z};
  std::copy_n(p, 3, &inverted.state.q[std::size_t(floats.q_start + 4)]);
  const Motion<double> V =
      velocity(usual.model, usual.moving(), frame_ref(usual.model, "load"), Axes::body);
  const double six_of[] = {V.angular.x, V.angular.y, V.angular.z,
                           V.linear.x,  V.linear.y,  V.linear.z};
  std::copy_n(six_of, 6, &inverted.state.v[std::size_t(floats.v_start)]);

  std::vector<double> tau_inverted(std::size_t(inverted.model.nv()));
  for (const NamedJoint& joint : inverted.model.joints())
    if (const auto id = usual.model.find_joint(joint.name);
        id && joint.nv == 1 && usual.model[*id].nv == 1)
      tau_inverted[std::size_t(joint.v_start)] = tau[std::size_t(usual.model[*id].v_start)];
  const Eigen::VectorXd a = usual.a({.tau = tau}), b = inverted.a({.tau = tau_inverted});
  int compared = 0;
  for (const NamedJoint& joint : inverted.model.joints())
    if (const auto id = usual.model.find_joint(joint.name);
        id && joint.nv == 1 && usual.model[*id].nv == 1) {
      EXPECT_NEAR(b[joint.v_start], a[usual.model[*id].v_start], 1e-9 * (1 + a.norm()))
          << joint.name;
      ++compared;
    }
  EXPECT_GE(compared, 3);
}

// Newton-Euler equations of each body, with all rows of all joints and no tree.
void expect_moves_as_in_maximal_coordinates(Posed& posed, const std::vector<double>& tau) {
  OrthogonalComplement ways;
  ASSERT_TRUE(orthogonal_complement(posed.model, posed.state, {}, posed.workspace, ways).ok());
  NaturalComplement all;
  ASSERT_TRUE(
      natural_complement(posed.model, posed.state, {.tau = tau}, ways, posed.workspace, all).ok());
  const Eigen::Index n = all.A.cols(), m = all.A.rows();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + m, n + m);
  matrix << all.M, -all.A.transpose(), all.A, Eigen::MatrixXd::Zero(m, m);
  Eigen::VectorXd rhs(n + m);
  rhs << all.working - all.gyroscopic, all.A * all.T_dot_u;
  const Eigen::VectorXd x = matrix.completeOrthogonalDecomposition().solve(rhs);
  const Eigen::VectorXd a = posed.a({.tau = tau});
  const Kinematics moving = posed.moving({.a = list_of(a)});
  for (std::size_t k = 0; k < all.bodies.size(); ++k) {
    const Inertia<double>& I = posed.model.numbers().own_inertia[std::size_t(index(all.bodies[k]))];
    const Vec3<double> com = I.mass > 0 ? (1 / I.mass) * I.first_moment : Vec3<double>{};
    const Eigen::VectorXd A = six(acceleration(
        posed.model, moving, FrameRef{all.bodies[k], {Mat3<double>::identity(), com}}));
    EXPECT_LT((A - x.segment<6>(Eigen::Index(6 * k))).norm(), 1e-8 * (1 + a.norm()));
  }
  EXPECT_GT(ways.T.cols(), 0);
}

// Nodes: two on the ground, two floating plates, one of them massless; arms of two and three links
// between them.
Description network() {
  Description description("arms between nodes");
  const Solid link{
      .mass = 1.0, .com = {0.2, 0.0, 0.0}, .inertia = {0.01, 0.0, 0.0, 0.02, 0.0, 0.02}};
  description.body("plate", {.mass = 3.0, .inertia = {0.1, 0.0, 0.0, 0.2, 0.0, 0.15}});
  description.body("ring", {});
  struct Arm {
    const char *name, *from, *to;
    Vec3<double> at, grip;
    int links;
  };
  const Arm arms[] = {{"a", "ground", "plate", {0, 0, 0}, {-0.1, 0, 0}, 3},
                      {"b", "ground", "ring", {1, 0, 0}, {0.1, 0, 0}, 3},
                      {"c", "plate", "ring", {0.1, 0, 0}, {-0.1, 0, 0}, 3},
                      {"d", "plate", "ring", {0, 0.1, 0}, {0, 0.1, 0}, 2},
                      {"e", "ground", "plate", {0, 1, 0}, {0, 0.1, 0}, 3}};
  bool is_held_plate = false, is_held_ring = false;
  for (const Arm& arm : arms) {
    std::string parent = arm.from;
    for (int k = 0; k < arm.links; ++k) {
      const std::string body = std::string(arm.name) + std::to_string(k);
      description.body(body, link);
      const bool is_first = k == 0;
      description.joint(
          "joint " + body, JointKind::spherical, parent, body,
          {.at = {.xyz = {is_first ? arm.at.x : 0.4, is_first ? arm.at.y : 0.0, 0.0}}});
      parent = body;
    }
    bool& is_held = std::string(arm.to) == "plate" ? is_held_plate : is_held_ring;
    description.joint(std::string("grip ") + arm.name, JointKind::universal, parent, arm.to,
                      {.at = {.xyz = {0.4, 0.0, 0.0}},
                       .child_at = {.xyz = {arm.grip.x, arm.grip.y, arm.grip.z}},
                       .cut = is_held});
    is_held = true;
  }
  return description;
}

TEST(yesiloglu_roles, arms_between_nodes_move_as_every_body_by_itself) {
  shows({"Y-58", "forward_dynamics"});
  const Description description = network();
  Posed posed(description, neutral_state(build_model(description)).q);
  Random random(2);
  posed.state.v = random.numbers(posed.model.nv());
  const Status status = assemble(posed.model, posed.state, posed.workspace, {.starts = 50});
  ASSERT_TRUE(status.ok()) << status.message();
  expect_moves_as_in_maximal_coordinates(posed, random.numbers(posed.model.nv()));
}

TEST(yesiloglu_roles, open_branch_on_a_closed_system_carries_only_itself) {
  shows({"Y-74", "forward_dynamics", "constrained_dynamics"});
  Description description = under_actuated(5, 0.5);
  const Solid link{
      .mass = 0.7, .com = {0.1, 0.0, 0.0}, .inertia = {0.01, 0.0, 0.0, 0.01, 0.0, 0.01}};
  description.body("tail 1", link);
  description.body("tail 2", link);
  description.joint("hang 1", JointKind::revolute, "load", "tail 1",
                    {.at = {.xyz = {0.1, 0.0, 0.0}}});
  description.joint("hang 2", JointKind::revolute, "tail 1", "tail 2",
                    {.at = {.xyz = {0.2, 0.0, 0.0}}});
  Posed posed = somewhere(description, 6);
  const std::vector<double> tau = some_efforts(posed.model, 16);
  expect_moves_as_in_maximal_coordinates(posed, tau);
  // the open arm alone, on a load with the motion of the closed system, needs no force at the tip
  Description alone("tail");
  alone.gravity = {0.0, 0.0, 0.0};
  alone.body("load", {.mass = 1.0, .inertia = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
  alone.joint("float", JointKind::free, "ground", "load", {.drive = Drive::motion});
  alone.body("tail 1", link);
  alone.body("tail 2", link);
  alone.joint("hang 1", JointKind::revolute, "load", "tail 1", {.at = {.xyz = {0.1, 0.0, 0.0}}});
  alone.joint("hang 2", JointKind::revolute, "tail 1", "tail 2", {.at = {.xyz = {0.2, 0.0, 0.0}}});
  const Eigen::VectorXd a = posed.a({.tau = tau});
  const Kinematics moving = posed.moving({.a = list_of(a)});
  Posed tail(alone, neutral_state(build_model(alone)).q);
  const Pose<double> X = posed.X("load");
  put(quaternion(X.R), tail.state.q.data());
  tail.state.q[4] = X.p.x, tail.state.q[5] = X.p.y, tail.state.q[6] = X.p.z;
  const Motion<double> V =
      velocity(posed.model, moving, frame_ref(posed.model, "load"), Axes::body);
  const Motion<double> A =
      acceleration(posed.model, moving, frame_ref(posed.model, "load"), Axes::body);
  const Vec3<double> v_dot = A.linear - cross(V.angular, V.linear);  // rate of the components
  const auto hang = [&](const char* name) {
    return std::size_t(posed.model[*posed.model.find_joint(name)].v_start);
  };
  tail.state.v = {V.angular.x,
                  V.angular.y,
                  V.angular.z,
                  V.linear.x,
                  V.linear.y,
                  V.linear.z,
                  posed.state.v[hang("hang 1")],
                  posed.state.v[hang("hang 2")]};
  tail.state.q[7] = posed.state.q[hang("hang 1")];
  tail.state.q[8] = posed.state.q[hang("hang 2")];
  const std::vector<double> prescribed = {A.angular.x, A.angular.y, A.angular.z, v_dot.x,
                                          v_dot.y,     v_dot.z,     0.0,         0.0};
  ConstrainedAnswer found;
  ASSERT_TRUE(
      constrained_dynamics(tail.model, tail.state, {.a = prescribed}, tail.workspace, found).ok());
  EXPECT_NEAR(found.a[6], a[Eigen::Index(hang("hang 1"))], 1e-9 * (1 + a.norm()));
  EXPECT_NEAR(found.a[7], a[Eigen::Index(hang("hang 2"))], 1e-9 * (1 + a.norm()));
}

}  // namespace
}  // namespace trammel::roles_test
