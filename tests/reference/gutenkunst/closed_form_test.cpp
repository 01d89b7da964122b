// The recursion and the stacked closed form of the Newton-Euler equations [Gutenkunst 2012,
// (3.20)-(3.40), corrected] are the same.
#include "tests/reference/gutenkunst/common.hpp"
#include "tests/support/capability.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/dynamics/operators.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel::gutenkunst::closed_form_test {
namespace {

// sums over a few hundred products; relative to the largest entry
constexpr double rounding = 1e-12;

const std::vector<double> some_accelerations = {.2, -.7, .4, .9, -.3, .6, -.8, .1};

TransmissionForm form_of(Robot& robot) {
  TransmissionForm form;
  EXPECT_TRUE(transmission_form(robot.model, robot.state, robot.workspace, form).ok());
  return form;
}
// dV_0/dt = (-g; 0)
Vector6 base_acceleration(const Robot& robot) {
  Vector6 out = Vector6::Zero();
  out.head<3>() = -eigen(robot.model.gravity());
  return out;
}
// wrenches on the named bodies, at their origins in their axes, stacked linear first
Eigen::VectorXd stacked(const Robot& robot, const std::vector<Wrench>& wrenches) {
  Eigen::VectorXd out =
      Eigen::VectorXd::Zero(6 * (std::ptrdiff_t(robot.model.named_bodies().size()) - 1));
  for (const Wrench& wrench : wrenches)
    out.segment<6>(6 * (index(wrench.at.body) - 1)) += eigen(wrench.F);
  return out;
}

TEST(Outward, velocities_and_accelerations_are_derivatives_and_gravity_is_the_base_accelerating) {
  shows({"G-35", "velocity", "acceleration", "inverse_dynamics"});
  Robot robot = nine_module_robot();
  const State here = robot.state;
  const std::vector<double>& a = some_accelerations;
  const Kinematics now = robot.at({.a = a});
  const double h = 1e-5;
  const auto at_time = [&](double t) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      robot.state.q[k] = here.q[k] + t * here.v[k] + 0.5 * t * t * a[k];
      robot.state.v[k] = here.v[k] + t * a[k];
    }
    return robot.at();
  };
  const Kinematics before = at_time(-h), after = at_time(h);
  robot.state = here;
  const Model& model = robot.model;
  for (int j = 1; j <= 8; ++j) {
    const FrameRef place{BodyId(j)};
    // V = vee(T^-1 dT/dt), and dV/dt is the rate of its six components in body axes
    const Eigen::Matrix4d T_dot =
        (homogeneous(pose(model, after, place)) - homogeneous(pose(model, before, place))) /
        (2 * h);
    const Vector6 V = vee(homogeneous(pose(model, now, place)).inverse() * T_dot);
    const Motion<double> told = velocity(model, now, place, Axes::body);
    EXPECT_LT((eigen(told) - V).norm(), 1e-8);  // h^2 of the third derivative, rounding / h
    const Vector6 V_dot = (eigen(velocity(model, after, place, Axes::body)) -
                           eigen(velocity(model, before, place, Axes::body))) /
                          (2 * h);
    const Motion<double> A =
        spatial_acceleration(acceleration(model, now, place, Axes::body), told);
    EXPECT_LT((eigen(A) - V_dot).norm(), 1e-8);
  }

  // without gravity, a base that accelerates by -g needs the same efforts
  Robot weightless = nine_module_robot();
  weightless.model = robot.model.with_gravity({0, 0, 0});
  const Eigen::VectorXd tau = robot.efforts({.a = a});
  const Support rising{.acceleration = {{}, {0, 0, -9.81}}};
  EXPECT_LT((weightless.efforts({.a = a, .ground = rising}) - tau).norm(), rounding * 30);
  EXPECT_GT((weightless.efforts({.a = a}) - tau).norm(), 1);
}

class ClosedForm : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, ClosedForm, testing::Range(1, 61));

TEST_P(ClosedForm, the_recursion_gives_M_a_plus_C_v_plus_N_minus_what_pushes_from_outside) {
  shows({"G-36", "inverse_dynamics", "transmission_form"});
  Robot robot(random_tree(GetParam()));
  Random random(GetParam() + 1000);
  robot.state = RandomRobot::random_state(robot.model, random);
  const int nv = robot.model.nv();
  if (nv == 0) return;  // all bodies fixed
  const std::vector<double> a = random.numbers(nv);
  const int last = int(robot.model.named_bodies().size()) - 1;
  const std::vector<Wrench> wrenches = {
      {{BodyId(last)}, {random.vector(3), random.vector(3)}, Axes::body},
      {{BodyId(1 + last / 2)}, {random.vector(3), random.vector(3)}, Axes::body}};

  const TransmissionForm form = form_of(robot);
  const Eigen::MatrixXd M = form.mass_matrix();
  const Eigen::VectorXd v = eigen(robot.state.v), C_v = form.coriolis_matrix() * v,
                        N = form.gravity_load(robot.model.gravity()),
                        outside =
                            form.S.transpose() * form.G.transpose() * stacked(robot, wrenches);
  const Eigen::VectorXd tau = M * eigen(a) + C_v + N - outside;
  const double scale = 1 + largest(M) + C_v.norm() + N.norm() + outside.norm();  // terms of the sum
  EXPECT_LT(largest(robot.mass_matrix() - M), rounding * scale) << "seed " << GetParam();
  EXPECT_LT((robot.coriolis() - C_v).norm(), rounding * scale) << "seed " << GetParam();
  EXPECT_LT((robot.gravity() - N).norm(), rounding * scale) << "seed " << GetParam();
  EXPECT_LT((robot.efforts({.a = a, .wrenches = wrenches}) - tau).norm(), rounding * scale)
      << "seed " << GetParam();
}

TEST(StackedForm, is_the_recursion_written_in_one_line) {
  shows({"G-37", "transmission_form", "reactions"});
  Robot robot = nine_module_robot();
  const std::vector<double>& a = some_accelerations;
  const std::vector<Wrench> wrenches = {{{BodyId(5)}, {{1, 2, 3}, {4, 5, 6}}, Axes::body}};
  const Inputs inputs{.a = a, .wrenches = wrenches};
  const TransmissionForm form = form_of(robot);
  const Eigen::VectorXd v = eigen(robot.state.v);

  // (3.29)-(3.33)
  const Eigen::VectorXd V = form.G * form.S * v;
  const Eigen::VectorXd V_dot =
      form.G * (form.S * eigen(a) + form.A_1 * V) + form.G_0 * base_acceleration(robot);
  const Eigen::VectorXd F =
      form.G.transpose() * (form.M * V_dot + form.A_2 * form.M * V - stacked(robot, wrenches));
  const Eigen::VectorXd tau = form.S.transpose() * F;

  const Kinematics at = robot.at(inputs);
  std::vector<Force<double>> carried;
  ASSERT_TRUE(reactions(robot.model, robot.state, inputs, robot.workspace, carried).ok());
  for (std::size_t k = 0; k < robot.model.joints().size(); ++k) {
    const BodyId j = robot.model.joints()[k].child;
    const std::ptrdiff_t row = 6 * (index(j) - 1);
    const Motion<double> V_j = velocity(robot.model, at, {j}, Axes::body);
    Motion<double> A_j = spatial_acceleration(acceleration(robot.model, at, {j}, Axes::body), V_j);
    const Pose<double> X_0j = pose(robot.model, at, {j});
    A_j.linear = A_j.linear - transpose_times(X_0j.R, robot.model.gravity());
    EXPECT_LT((V.segment<6>(row) - eigen(V_j)).norm(), rounding);
    EXPECT_LT((form.V.segment<6>(row) - eigen(V_j)).norm(), rounding);
    EXPECT_LT((V_dot.segment<6>(row) - eigen(A_j)).norm(), rounding * 10);
    EXPECT_LT((F.segment<6>(row) - eigen(carried[k])).norm(), rounding * 50);
  }
  EXPECT_LT((tau - robot.efforts(inputs)).norm(), rounding * 50);
}

TEST(TransmissionMatrix, has_blocks_for_ancestors_only) {
  shows({"G-38", "transmission_form"});
  Robot robot = nine_module_robot();
  const TransmissionForm form = form_of(robot);
  const auto is_ancestor = [](int i, int j) {  // from the description itself
    for (int k = j; k != 0; k = nine_modules()[std::size_t(k - 1)].parent)
      if (k == i) return true;
    return false;
  };
  int blocks = 0;
  for (int j = 1; j <= 8; ++j) {
    const Pose<double> X_0j = robot.pose_of(j);
    EXPECT_LT(largest(form.G_0.middleRows<6>(6 * (j - 1)) - adjoint(inverse(X_0j))), rounding);
    for (int i = 1; i <= 8; ++i) {
      const Matrix6 block = form.G.block<6, 6>(6 * (j - 1), 6 * (i - 1));
      if (!is_ancestor(i, j)) {
        EXPECT_EQ(largest(block), 0) << "v" << i << " is no ancestor of v" << j;
        continue;
      }
      const Pose<double> X_ij = inverse(robot.pose_of(i)) * X_0j;
      EXPECT_LT(largest(block - adjoint(inverse(X_ij))), rounding);
      if (i != j) ++blocks;
    }
  }
  EXPECT_EQ(blocks, 7);  // the indirect transformations of section 4.6
}

TEST(ForwardDynamics, keeps_the_energy_of_a_triple_pendulum) {
  shows({"G-40", "forward_dynamics", "energy"});
  // [Gutenkunst 2012], G-EX5, the extra triple pendulum: all numbers of this test
  Robot robot(pendulum({1.0, 0.8, 0.6}, {1.0, 1.0, 1.0}));
  robot.state.q = {0.5, -0.3, 0.7};
  robot.state.v = {0.4, 0.9, -1.2};
  const auto energy_now = [&] {
    Energy out;
    EXPECT_TRUE(energy(robot.model, robot.state, robot.workspace, out).ok());
    return out.total();
  };
  const double start = energy_now();
  EXPECT_NEAR(start, -42.681104500, 1e-9);  // printed digits
  // (3.40) with the closed form's C v and N
  const TransmissionForm form = form_of(robot);
  const Eigen::VectorXd by_closed_form = form.mass_matrix().ldlt().solve(
      -form.coriolis_matrix() * eigen(robot.state.v) - form.gravity_load(robot.model.gravity()));
  EXPECT_LT((robot.accelerations() - by_closed_form).norm(), rounding * 100);

  const double step = 5e-4;  // the fourth power is 6e-14
  robot.run(1, step);
  EXPECT_LT((eigen(robot.state.q) - Eigen::Vector3d(-0.053997757, -0.022632840, 0.197459440))
                .lpNorm<Eigen::Infinity>(),
            1e-9);
  robot.run(2, step);
  EXPECT_LT((eigen(robot.state.q) - Eigen::Vector3d(0.389938086, 0.354427571, -0.214810038))
                .lpNorm<Eigen::Infinity>(),
            1e-9);
  EXPECT_NEAR(energy_now(), start, 1e-10 * std::abs(start));
}

TEST(ExternalWrench, holds_a_pendulum_aside_and_pushes_a_free_robot_by_its_center_of_mass) {
  shows({"G-42", "forward_dynamics", "inverse_dynamics"});
  // static equilibrium: a transverse force F and the weight m g along y align the rod with (F, m g)
  Robot rod(pendulum({0.7}, {1.3}));
  const double push = 4.0, weight = 1.3 * 9.81;
  rod.state.q = {std::atan2(push, weight)};  // a rotation about x takes y toward z
  const Wrench aside[] = {
      {{BodyId(1), {Mat3<double>::identity(), {0, 0.7, 0}}}, {{}, {0, 0, push}}}};
  EXPECT_LT(rod.accelerations({.wrenches = aside}).norm(), rounding * 10);
  EXPECT_LT(rod.efforts({.wrenches = aside}).norm(), rounding * 10);
  EXPECT_GT(rod.accelerations().norm(), 1);

  // the center of mass of a free robot accelerates by F / m, for any point of action of F; from
  // rest
  Description description("free robot");
  description.gravity = {};
  for (int j = 1; j <= 4; ++j) {
    const std::string name = "v" + std::to_string(j);
    description.body(name, box(double(j), {0.1, 0.2, 0.3}));
    if (j == 1)
      description.joint("free", JointKind::free, "ground", name);
    else
      description.joint("e" + std::to_string(j), JointKind::revolute, "v" + std::to_string(j - 1),
                        name, {.at = {{0.0, 1.0, 0.0}}, .axis = {1.0, 0.0, 0.0}});
  }
  Robot robot(description);
  Random random(42);
  robot.state = RandomRobot::random_state(robot.model, random);
  std::fill(robot.state.v.begin(), robot.state.v.end(), 0.0);
  const Vec3<double> F{0.3, -0.8, 0.5};
  for (int j = 1; j <= 4; ++j) {
    const Wrench somewhere[] = {{{BodyId(j), random_pose(random)}, {random.vector(), F}}};
    const Eigen::VectorXd a = robot.accelerations({.wrenches = somewhere});
    Eigen::MatrixXd A(6, robot.model.nv());
    ASSERT_TRUE(centroidal_momentum_matrix(robot.model, robot.state, robot.workspace, A).ok());
    EXPECT_LT(((A * a).tail<3>() - eigen(F)).norm(), rounding * 10);  // mass 10 times acceleration
  }
}

}  // namespace
}  // namespace trammel::gutenkunst::closed_form_test
