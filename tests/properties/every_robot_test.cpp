// Properties of tree mechanisms, on 300 random ones: all joints, fixed and floating.
#include <gtest/gtest.h>

#include "tests/support/capability.hpp"
#include "tests/support/how_many.hpp"
#include "tests/support/plain_mechanics.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/tree/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/kinematics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel::every_robot_test {
namespace {

class EveryRobot : public testing::TestWithParam<int> {};
// robots small enough for methods that cost nv^3
class EverySmallRobot : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EveryRobot, testing::Range(1, 1 + how_many(300)));
INSTANTIATE_TEST_SUITE_P(seeds, EverySmallRobot, testing::Range(1, 1 + how_many(120)));

RandomRobot small_robot(int seed, bool floating = false, bool springs = true) {
  return RandomRobot(seed, {.bodies = 1 + seed % 12, .springs = springs, .floating = floating});
}

Eigen::Map<const Eigen::VectorXd> view(const std::vector<double>& x) {
  return {x.data(), std::ptrdiff_t(x.size())};
}
Eigen::MatrixXd mass_matrix_of(RandomRobot& robot) {
  Eigen::MatrixXd M(robot.model.nv(), robot.model.nv());
  EXPECT_TRUE(mass_matrix(robot.model, robot.state, robot.workspace, M).ok());
  return M;
}

// Dual numbers along the motion: q with velocity v, v with acceleration a.
struct Moving {
  Moving(const RandomRobot& robot, const std::vector<double>& a)
      : q(robot.state.q.begin(), robot.state.q.end()),
        v(robot.state.v.begin(), robot.state.v.end()),
        zero(a.size()),
        workspace(robot.model),
        kinematics(robot.model) {
    std::vector<double> q_dot(q.size());
    rate(robot.model, robot.state.q, robot.state.v, q_dot);
    for (std::size_t k = 0; k < q.size(); ++k) q[k].derivative[0] = q_dot[k];
    for (std::size_t k = 0; k < v.size(); ++k) v[k].derivative[0] = a[k];
    const KernelInput<double, Duals> input{robot.model, robot.model.numbers()};
    kernel::kinematics<double, Duals>(input, q, v, zero, workspace, kinematics);
  }
  std::vector<Duals> q, v, zero;
  BasicWorkspace<Duals> workspace;
  BasicKinematics<Duals> kinematics;
};

TEST_P(EveryRobot, forward_dynamics_undoes_inverse_dynamics) {
  shows({"M-47", "forward_dynamics"}, {"G-40", "forward_dynamics"}, {"R-25", "inverse_dynamics"});
  RandomRobot robot(GetParam());
  std::vector<double> tau(robot.a.size()), back(robot.a.size());
  ASSERT_TRUE(
      inverse_dynamics(robot.model, robot.state, {.a = robot.a}, robot.workspace, tau).ok());
  ASSERT_TRUE(forward_dynamics(robot.model, robot.state, {.tau = tau}, robot.workspace, back).ok());

  // both are backward stable: compares forces, because the condition of M multiplies rounding in
  // accelerations; the scale is the largest force in the sum
  const Eigen::MatrixXd M = mass_matrix_of(robot);
  const double scale = std::max(1.0, largest(tau)) + M.cwiseAbs().maxCoeff();
  EXPECT_LT((M * (view(back) - view(robot.a))).lpNorm<Eigen::Infinity>(), 1e-11 * scale) << robot;
}

TEST_P(EveryRobot, mass_matrix_is_symmetric_and_positive) {
  RandomRobot robot(GetParam());
  const Eigen::MatrixXd M = mass_matrix_of(robot);
  EXPECT_EQ((M - M.transpose()).cwiseAbs().maxCoeff(), 0) << robot;
  const Eigen::LLT<Eigen::MatrixXd> cholesky(M);
  EXPECT_EQ(cholesky.info(), Eigen::Success) << robot;
}

TEST_P(EverySmallRobot, mass_matrix_is_the_same_by_three_methods) {
  shows({"M-41", "mass_matrix"}, {"M-42", "mass_matrix"},
        {"Y-16", "mass_matrix", "inverse_dynamics"});
  RandomRobot robot = small_robot(GetParam());
  const int nv = robot.model.nv();
  const Eigen::MatrixXd composite = mass_matrix_of(robot);

  // unit accelerations through inverse dynamics (RNEA), at rest and without gravity
  const Model weightless = robot.model.with_gravity({0, 0, 0});
  State rest = robot.state;
  std::fill(rest.v.begin(), rest.v.end(), 0.0);
  Eigen::MatrixXd newton(nv, nv);
  for (int k = 0; k < nv; ++k) {
    std::vector<double> unit(static_cast<std::size_t>(nv)), column(unit.size()),
        springs(unit.size());
    ASSERT_TRUE(inverse_dynamics(weightless, rest, {}, robot.workspace, springs).ok());
    unit[std::size_t(k)] = 1;
    ASSERT_TRUE(inverse_dynamics(weightless, rest, {.a = unit}, robot.workspace, column).ok());
    newton.col(k) = view(column) - view(springs);
  }
  // and from the kinetic energy of bodies whose twists are derivatives of their poses
  const Eigen::MatrixXd plain = PlainMechanics(robot.model).mass_matrix(robot.state.q);

  // entries are sums of at most a few hundred products of size max|M|
  const double tolerance = 1e-12 * std::max(1.0, composite.cwiseAbs().maxCoeff());
  EXPECT_LT((composite - newton).cwiseAbs().maxCoeff(), tolerance) << robot;
  EXPECT_LT((composite - plain).cwiseAbs().maxCoeff(), tolerance) << robot;
}

TEST_P(EverySmallRobot, poses_are_those_of_the_users_own_frames) {
  shows({"M-77", "kinematics", "pose"}, {"G-23", "kinematics", "pose"}, {"M-76", "kinematics"});
  RandomRobot robot = small_robot(GetParam());
  Kinematics kinematics_(robot.model);
  ASSERT_TRUE(kinematics(robot.model, robot.state, {}, robot.workspace, kinematics_).ok());
  const auto plain = PlainMechanics(robot.model).poses(robot.state.q);
  for (std::size_t b = 0; b < plain.size(); ++b) {
    const Pose<double> X = pose(robot.model, kinematics_, {BodyId(int(b))});
    const Vec3<double> d[] = {X.R.x - plain[b].R.x, X.R.y - plain[b].R.y, X.R.z - plain[b].R.z,
                              X.p - plain[b].p};
    for (const Vec3<double>& e : d) EXPECT_LT(norm(e), 1e-12) << robot << ", body " << b;
  }
}

TEST_P(EveryRobot, power_is_the_rate_of_energy) {
  shows({"Y-13", "inverse_dynamics"}, {"G-36", "inverse_dynamics"}, {"M-39", "inverse_dynamics"});
  RandomRobot robot(GetParam());
  std::vector<double> tau(robot.a.size()), passive(robot.a.size());
  ASSERT_TRUE(
      inverse_dynamics(robot.model, robot.state, {.a = robot.a}, robot.workspace, tau).ok());
  const Moving moving(robot, robot.a);
  const KernelInput<double, Duals> input{robot.model, robot.model.numbers()};
  const BasicEnergy<Duals> energy_ =
      kernel::energy<double, Duals>(input, moving.q, moving.kinematics);

  double power = view(tau).dot(view(robot.state.v)), size = 1;
  for (std::size_t k = 0; k < tau.size(); ++k) size += std::abs(tau[k] * robot.state.v[k]);
  for (const auto& element : robot.model.numbers().passive) {
    const double v = robot.state.v[std::size_t(element.v)];
    power -= element.damping * v * v;  // dampers dissipate, springs store
  }
  EXPECT_NEAR(energy_.total().derivative[0], power, 1e-11 * size) << robot;
}

TEST_P(EverySmallRobot, energy_is_that_of_plain_mechanics) {
  shows({"R-02", "energy"});
  RandomRobot robot = small_robot(GetParam());
  const PlainMechanics plain(robot.model);
  Energy energy_;
  ASSERT_TRUE(energy(robot.model, robot.state, robot.workspace, energy_).ok());
  const double kinetic = plain.kinetic_energy(robot.state.q, robot.state.v);
  const double gravity = plain.gravity_energy(robot.state.q);
  EXPECT_NEAR(energy_.kinetic, kinetic, 1e-12 * std::max(1.0, kinetic)) << robot;
  EXPECT_NEAR(energy_.gravity, gravity, 1e-11 * std::max(1.0, std::abs(gravity))) << robot;
}

TEST_P(EverySmallRobot, momentum_is_kept_when_nothing_holds_the_base) {
  shows({"Y-15", "forward_dynamics"});
  RandomRobot robot = small_robot(GetParam(), /*floating=*/true);
  const Model model = robot.model.with_gravity({0, 0, 0});
  std::vector<double> tau = robot.random.numbers(model.nv()), a(tau.size());
  std::fill_n(tau.begin(), 6, 0.0);  // internal forces only
  // no damper between base and ground, which would be an external force: the seeds exclude it
  ASSERT_TRUE(forward_dynamics(model, robot.state, {.tau = tau}, robot.workspace, a).ok());
  const Moving moving(robot, a);
  const KernelInput<double, Duals> input{model, model.numbers()};
  const auto momentum_ = kernel::momentum<double, Duals>(input, moving.kinematics);
  const double scale = std::max(1.0, largest(a));
  for (const Vec3<Duals>& part : {momentum_.angular, momentum_.linear})
    for (const Duals& x : {part.x, part.y, part.z})
      EXPECT_NEAR(x.derivative[0], 0, 1e-11 * scale) << robot;
}

TEST_P(EverySmallRobot, momentum_changes_by_gravity_and_by_what_the_first_joint_carries) {
  shows({"M-10", "reactions"}, {"Y-17", "reactions"});
  RandomRobot robot = small_robot(GetParam());
  const Moving moving(robot, robot.a);
  const KernelInput<double, Duals> input{robot.model, robot.model.numbers()};
  const auto momentum_ = kernel::momentum<double, Duals>(input, moving.kinematics);
  CenterOfMass center;
  Kinematics kinematics_(robot.model);
  std::vector<Force<double>> carried;
  ASSERT_TRUE(center_of_mass(robot.model, robot.state, robot.workspace, center).ok());
  ASSERT_TRUE(kinematics(robot.model, robot.state, {}, robot.workspace, kinematics_).ok());
  ASSERT_TRUE(reactions(robot.model, robot.state, {.a = robot.a}, robot.workspace, carried).ok());

  const Vec3<double> weight = center.mass * robot.model.gravity();
  Force<double> sum{cross(center.position, weight), weight};
  for (std::size_t k = 0; k < robot.model.joints().size(); ++k) {
    const NamedJoint& joint = robot.model.joints()[k];
    const bool from_ground = index(joint.parent) == 0, to_ground = index(joint.child) == 0;
    if (!from_ground && !to_ground) continue;
    const Force<double> F =
        to_parent(pose(robot.model, kinematics_, {joint.child, joint.X_CM}), carried[k]);
    sum = from_ground ? sum + F : sum - F;
  }
  // a body fixed to ground loads its joint but has no momentum and is not in the center of mass
  for (std::size_t b = 1; b < robot.model.named_bodies().size(); ++b)
    if (robot.model.named_bodies()[b].tree_body == 0) {
      const Inertia<double>& I = robot.model.numbers().own_inertia[b];
      const Pose<double> X = pose(robot.model, kinematics_, {BodyId(int(b))});
      const Vec3<double> g = robot.model.gravity();
      sum = sum + Force<double>{cross(I.mass * X.p + X.R * I.first_moment, g), I.mass * g};
    }
  const double scale = std::max(1.0, norm(sum.moment) + norm(sum.force)) * 50;
  const auto slope = [](const Vec3<Duals>& x) {
    return Vec3<double>{x.x.derivative[0], x.y.derivative[0], x.z.derivative[0]};
  };
  EXPECT_LT(norm(slope(momentum_.linear) - sum.force), 1e-11 * scale) << robot;
  EXPECT_LT(norm(slope(momentum_.angular) - sum.moment), 1e-11 * scale) << robot;
}

TEST_P(EverySmallRobot, the_reaction_along_the_dofs_is_the_whole_effort) {
  shows({"M-09", "reactions", "inverse_dynamics"}, {"R-04", "inverse_dynamics"});
  RandomRobot robot = small_robot(GetParam());
  std::vector<double> tau(robot.a.size()), passive(robot.a.size());
  std::vector<Force<double>> carried;
  ASSERT_TRUE(
      inverse_dynamics(robot.model, robot.state, {.a = robot.a}, robot.workspace, tau).ok());
  ASSERT_TRUE(passive_forces(robot.model, robot.state, robot.workspace, passive).ok());
  ASSERT_TRUE(reactions(robot.model, robot.state, {.a = robot.a}, robot.workspace, carried).ok());
  Kinematics kinematics_(robot.model);
  ASSERT_TRUE(kinematics(robot.model, robot.state, {}, robot.workspace, kinematics_).ok());
  for (std::size_t j = 0; j < robot.model.joints().size(); ++j) {
    const NamedJoint& joint = robot.model.joints()[j];
    if (joint.role != NamedJoint::Role::tree) continue;
    for (int k = joint.v_start; k < joint.v_start + joint.nv; ++k) {
      // velocity of M relative to F per unit of this degree of freedom, from the Jacobians of both
      // sides
      Eigen::MatrixXd J_child(6, robot.model.nv()), J_parent(6, robot.model.nv());
      const FrameRef M{joint.child, joint.X_CM};
      ASSERT_TRUE(jacobian(robot.model, kinematics_, M, Axes::body, J_child).ok());
      const Pose<double> X_WM = pose(robot.model, kinematics_, M);
      const Pose<double> X_WP = pose(robot.model, kinematics_, {joint.parent});
      ASSERT_TRUE(jacobian(robot.model, kinematics_, {joint.parent, inverse(X_WP) * X_WM},
                           Axes::body, J_parent)
                      .ok());
      const Eigen::VectorXd s = J_child.col(k) - J_parent.col(k);
      const Force<double>& F = carried[j];
      const double effort = s[0] * F.moment.x + s[1] * F.moment.y + s[2] * F.moment.z +
                            s[3] * F.force.x + s[4] * F.force.y + s[5] * F.force.z;
      const double scale = 1 + norm(F.moment) + norm(F.force);
      EXPECT_NEAR(effort, tau[std::size_t(k)] + passive[std::size_t(k)], 1e-11 * scale)
          << robot << ", joint " << joint.name;
    }
  }
}

TEST_P(EverySmallRobot, jacobians_give_velocities_and_accelerations) {
  shows({"M-38", "jacobian"}, {"M-44", "jacobian_rate"}, {"Y-19", "jacobian_rate"});
  RandomRobot robot = small_robot(GetParam());
  Kinematics kinematics_(robot.model);
  ASSERT_TRUE(
      kinematics(robot.model, robot.state, {.a = robot.a}, robot.workspace, kinematics_).ok());
  const PlainMechanics plain(robot.model);
  const auto twists = plain.twists(robot.state.q, robot.state.v);
  const int nv = robot.model.nv();
  const FrameRef place{BodyId(int(robot.model.named_bodies().size()) - 1),
                       {exponential_rotation(robot.random.vector()), robot.random.vector()}};
  Eigen::MatrixXd J(6, nv);
  const auto six = [](const Motion<double>& V) {
    Eigen::VectorXd x(6);
    x << V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z;
    return x;
  };

  // J v is the twist from differentiated poses
  const Motion<double> V = to_child(place.X_UA, twists.back());
  ASSERT_TRUE(jacobian(robot.model, kinematics_, place, Axes::body, J).ok());
  const double size = 1 + six(V).norm();
  EXPECT_LT((J * view(robot.state.v) - six(V)).norm(), 1e-12 * size) << robot;

  // J a + dJ/dt v is the acceleration, in both axes, and the difference quotient of world
  // velocities
  for (const Axes axes : {Axes::body, Axes::world}) {
    Motion<double> rate_;
    ASSERT_TRUE(jacobian(robot.model, kinematics_, place, axes, J).ok());
    ASSERT_TRUE(jacobian_rate(robot.model, robot.state, place, axes, robot.workspace, rate_).ok());
    const Eigen::VectorXd A = six(acceleration(robot.model, kinematics_, place, axes));
    EXPECT_LT((J * view(robot.a) + six(rate_) - A).norm(), 1e-12 * (1 + A.norm())) << robot;
  }
  const double h = 1e-5;
  Eigen::VectorXd ahead[2];
  for (const int side : {0, 1}) {
    const double t = side == 0 ? h : -h;
    State moved = robot.state;
    std::vector<double> step(robot.state.v);
    for (std::size_t k = 0; k < step.size(); ++k)
      step[k] = t * (robot.state.v[k] + 0.5 * t * robot.a[k]), moved.v[k] += t * robot.a[k];
    integrate(robot.model, robot.state.q, step, moved.q);
    ASSERT_TRUE(kinematics(robot.model, moved, {}, robot.workspace, kinematics_).ok());
    ahead[side] = six(velocity(robot.model, kinematics_, place, Axes::world));
  }
  ASSERT_TRUE(
      kinematics(robot.model, robot.state, {.a = robot.a}, robot.workspace, kinematics_).ok());
  const Eigen::VectorXd A = six(acceleration(robot.model, kinematics_, place, Axes::world));
  // central differences: h^2 of the third derivative, and rounding / h
  EXPECT_LT(((ahead[0] - ahead[1]) / (2 * h) - A).norm(), 1e-6 * (1 + A.norm()) * size) << robot;
}

TEST_P(EverySmallRobot, a_turned_and_moved_base_changes_nothing) {
  RandomRobot robot = small_robot(GetParam());
  const Vec3<double> rpy = robot.random.vector(3), xyz = robot.random.vector();
  const Mat3<double> R = rotation_rpy(sin_cos(rpy.x), sin_cos(rpy.y), sin_cos(rpy.z));

  // all bodies hang from a base at another pose, under rotated gravity
  Description moved = robot.description;
  const Vec3<double> g = R * robot.model.gravity();
  moved.gravity = {g.x, g.y, g.z};
  moved.body("base", {});
  for (JointDescription& joint : moved.joints) {
    if (joint.parent == "ground") joint.parent = "base";
    if (joint.child == "ground") joint.child = "base";
  }
  moved.joint("mount", JointKind::fixed, "ground", "base",
              {.at = {{xyz.x, xyz.y, xyz.z}, {rpy.x, rpy.y, rpy.z}}});
  const Model model = build_model(moved);
  Workspace workspace(model);
  ASSERT_EQ(model.nv(), robot.model.nv());
  std::vector<double> here(robot.a.size()), there(robot.a.size());
  ASSERT_TRUE(
      inverse_dynamics(robot.model, robot.state, {.a = robot.a}, robot.workspace, here).ok());
  ASSERT_TRUE(inverse_dynamics(model, robot.state, {.a = robot.a}, workspace, there).ok());
  EXPECT_LT(difference_of(there, here), 1e-12) << robot;
}

TEST_P(EverySmallRobot, an_accelerating_ground_is_gravity) {
  shows({"M-03", "inverse_dynamics"}, {"M-04", "inverse_dynamics"}, {"G-35", "inverse_dynamics"});
  RandomRobot robot = small_robot(GetParam());
  const Vec3<double> g = robot.model.gravity();
  const Model weightless = robot.model.with_gravity({0, 0, 0});
  std::vector<double> heavy(robot.a.size()), lifted(robot.a.size());
  ASSERT_TRUE(
      inverse_dynamics(robot.model, robot.state, {.a = robot.a}, robot.workspace, heavy).ok());
  const Support lift{.velocity = {}, .acceleration = {{}, -g}};
  ASSERT_TRUE(inverse_dynamics(weightless, robot.state, {.a = robot.a, .ground = lift},
                               robot.workspace, lifted)
                  .ok());
  EXPECT_LT(difference_of(lifted, heavy), 1e-13) << robot;
}

TEST_P(EverySmallRobot, a_moving_ground_is_a_first_joint_that_moves) {
  shows({"Y-14", "inverse_dynamics"}, {"M-02", "build_model"});
  RandomRobot robot = small_robot(GetParam());
  // the same tree on a body with a free joint, moved as the ground was
  Description carried = robot.description;
  carried.body("carrier", {.mass = 1.0, .inertia = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
  for (JointDescription& joint : carried.joints) {
    if (joint.parent == "ground") joint.parent = "carrier";
    if (joint.child == "ground") joint.child = "carrier";
  }
  JointDescription flight;
  flight.name = "flight", flight.kind = JointKind::free;
  flight.parent = "ground", flight.child = "carrier";
  carried.joints.insert(carried.joints.begin(), flight);
  const Model model = build_model(carried);
  Workspace workspace(model);

  const Motion<double> V{robot.random.vector(), robot.random.vector()};
  const Motion<double> A{robot.random.vector(), robot.random.vector()};
  State state = neutral_state(model);
  std::vector<double> a(static_cast<std::size_t>(model.nv()));
  const double v6[] = {V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z};
  // the rate of the velocity in body axes is the acceleration minus omega x v
  const Vec3<double> rate_ = A.linear - cross(V.angular, V.linear);
  const double a6[] = {A.angular.x, A.angular.y, A.angular.z, rate_.x, rate_.y, rate_.z};
  std::copy_n(v6, 6, state.v.begin());
  std::copy_n(a6, 6, a.begin());
  std::copy(robot.state.q.begin(), robot.state.q.end(), state.q.begin() + 7);
  std::copy(robot.state.v.begin(), robot.state.v.end(), state.v.begin() + 6);
  std::copy(robot.a.begin(), robot.a.end(), a.begin() + 6);

  std::vector<double> on_ground(robot.a.size()), on_tree_body(a.size());
  ASSERT_TRUE(inverse_dynamics(robot.model, robot.state,
                               {.a = robot.a, .ground = {.velocity = V, .acceleration = A}},
                               robot.workspace, on_ground)
                  .ok());
  ASSERT_TRUE(inverse_dynamics(model, state, {.a = a}, workspace, on_tree_body).ok());
  on_tree_body.erase(on_tree_body.begin(), on_tree_body.begin() + 6);
  EXPECT_LT(difference_of(on_ground, on_tree_body), 1e-12) << robot;
}

TEST_P(EverySmallRobot, an_outside_wrench_does_the_work_its_jacobian_says) {
  shows({"M-34", "inverse_dynamics"}, {"G-42", "inverse_dynamics", "forward_dynamics"},
        {"G-33", "jacobian"});
  RandomRobot robot = small_robot(GetParam());
  const int nv = robot.model.nv();
  const FrameRef place{BodyId(int(robot.model.named_bodies().size()) - 1),
                       {exponential_rotation(robot.random.vector()), robot.random.vector()}};
  const Force<double> F{robot.random.vector(), robot.random.vector()};
  Kinematics kinematics_(robot.model);
  ASSERT_TRUE(kinematics(robot.model, robot.state, {}, robot.workspace, kinematics_).ok());
  for (const Axes axes : {Axes::body, Axes::world}) {
    Eigen::MatrixXd J(6, nv);
    Eigen::VectorXd f(6);
    f << F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z;
    ASSERT_TRUE(jacobian(robot.model, kinematics_, place, axes, J).ok());
    const Wrench wrenches[] = {{place, F, axes}};
    std::vector<double> without(robot.a.size()), with(robot.a.size()), back(robot.a.size());
    ASSERT_TRUE(
        inverse_dynamics(robot.model, robot.state, {.a = robot.a}, robot.workspace, without).ok());
    ASSERT_TRUE(inverse_dynamics(robot.model, robot.state, {.a = robot.a, .wrenches = wrenches},
                                 robot.workspace, with)
                    .ok());
    const Eigen::VectorXd given = J.transpose() * f;
    EXPECT_LT((view(without) - view(with) - given).norm(),
              1e-12 * (1 + largest(without) + given.norm()))
        << robot;
    // and forward dynamics includes the same wrench
    ASSERT_TRUE(forward_dynamics(robot.model, robot.state, {.tau = with, .wrenches = wrenches},
                                 robot.workspace, back)
                    .ok());
    const Eigen::MatrixXd M = mass_matrix_of(robot);
    EXPECT_LT((M * (view(back) - view(robot.a))).lpNorm<Eigen::Infinity>(),
              1e-11 * (largest(with) + M.cwiseAbs().maxCoeff() + 1))
        << robot;
  }
}

}  // namespace
}  // namespace trammel::every_robot_test
