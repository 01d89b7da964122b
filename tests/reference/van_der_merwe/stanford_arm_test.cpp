// The Stanford arm of [van der Merwe 1995]: ME-1 with symbols, ME-2 number for number.
// Accelerations there are classical ones, in body axes, with gravity as an acceleration of the
// base.
#include <gtest/gtest.h>

#include "tests/reference/posed.hpp"
#include "tests/reference/sdof_arms.hpp"
#include "tests/support/capability.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/tree/kinematics.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel::stanford_arm_test {
namespace {

// exact decimals in the reference: only rounding of sums of size fifty
constexpr double me2_rounding = 1e-13;

const std::vector<double> me2_q = {0, 0, 0.8, 0, 0}, me2_v = {1.5, 0, 0.4, 1, 3};
Posed me2() { return Posed(stanford5(), me2_q, me2_v); }
Posed mx1() { return Posed(stanford6(), mx1_q, mx1_v); }
std::string link(int i) { return "link" + std::to_string(i); }

// Gravity as an acceleration of the base, which then is part of every a_i.
Posed without_gravity(Posed arm) {
  arm.model = arm.model.with_gravity({});
  return arm;
}
const Inputs rising_base{.ground = {.acceleration = {{}, {0, 9.81, 0}}}};

// f_i of the reference is at the gimbal; M is ahead of it by the free slides, and has its axes.
Force<double> at_gimbal(const Force<double>& at_M, const Vec3<double>& slide) {
  return to_parent(Pose<double>{Mat3<double>::identity(), slide}, at_M);
}

TEST(StanfordArm, is_numbered_from_the_base_outward) {
  shows({"M-02", "add_sdof_chain", "build_model"});
  Posed arm = me2();
  const std::vector<std::string> dofs = {"joint1", "joint2.turn", "joint2.slide", "joint3",
                                         "joint4"};
  for (int n = 1; n <= 4; ++n) {
    const NamedJoint& joint = arm.model[*arm.model.find_joint("joint" + std::to_string(n))];
    EXPECT_EQ(arm.model[joint.parent].name, n == 1 ? "ground" : link(n - 1));
    EXPECT_EQ(arm.model[joint.child].name, link(n));
  }
  for (int k = 0; k < 5; ++k) EXPECT_EQ(arm.model.dof_name(k), dofs[std::size_t(k)]);
  // a missing or a repeated number
  for (const int wrong : {1, 3}) {
    SdofChain chain = stanford_chain();
    chain.links[0].number = 1;
    chain.links[1].number = wrong;
    EXPECT_THROW(described(chain, {}), ModelError);
  }
}

TEST(StanfordArm, reaches_the_sum_of_its_lengths_in_symbols) {
  shows({"M-12", "add_sdof_chain", "table_position"});
  Description description("ME-1");
  const Expr h = description.parameter("h", 0.5), o = description.parameter("o", 0.15),
             r = description.parameter("r", 0.8), l = description.parameter("l", 0.2),
             m = description.parameter("m", 0.05);
  const Solid any = solid(1, {}, 1, 1, 1);
  SdofChain chain;
  chain.links = {{{0.0, 0.0, 0.0, 0.0, h, -o}, {Sdof::ry}, any},
                 {{0.0, 0.0, 0.0, r, 0.0, 0.0}, {Sdof::rz, Sdof::dx}, any},
                 {{0.0, 0.0, 0.0, l, 0.0, 0.0}, {Sdof::rx, Sdof::rz}, any},
                 {{0.0, 0.0, 0.0, m, 0.0, 0.0}, {Sdof::rx}, any}};
  add_sdof_chain(description, chain);
  const Model model = build_model(description);
  ASSERT_EQ(model.nv(), 6);

  // the whole kinematics with symbols, at the position of the table
  const std::vector<Expr> symbols = {h, o, r, l, m}, zero(6), q = table_position(chain);
  const ModelParameters<Expr> parameters = make_numbers<Expr>(model, symbols);
  BasicWorkspace<Expr> workspace(model);
  BasicKinematics<Expr> drawn(model);
  kernel::kinematics<Expr, Expr>({model, parameters}, q, zero, zero, workspace, drawn);
  const BodyId last = *model.find_body("link4");
  const Pose<Expr> X =
      drawn.X_WB[std::size_t(model[last].tree_body)] * parameters.X_BU[std::size_t(index(last))];
  const Vec3<Expr> tip = X * Vec3<Expr>{m, 0.0, 0.0};
  for (const std::vector<double>& lengths :
       {std::vector{0.5, 0.15, 0.8, 0.2, 0.05}, std::vector{3.0, 5.0, 7.0, 11.0, 13.0}}) {
    const Values<double> value(description.graph, lengths);
    EXPECT_NEAR(value(tip.x), lengths[2] + lengths[3] + lengths[4], 1e-15 * 31);
    EXPECT_NEAR(value(tip.y), lengths[0], 1e-15);
    EXPECT_NEAR(value(tip.z), -lengths[1], 1e-15);
    EXPECT_NEAR(value(X.R.x.x) + value(X.R.y.y) + value(X.R.z.z), 3, 1e-15);  // A = 1
  }
}

TEST(StanfordArm, has_the_inertias_of_me2_about_its_gimbals) {
  shows({"M-23", "inertia_about_com"}, {"M-27", "inertia_about_com"});
  const SdofChain chain = stanford_chain();
  const auto inertia = [&](std::size_t i) {
    const Solid& s = chain.links[i].solid;
    const auto n = [](const Expr& x) { return x.constant(); };
    return inertia_about_com<double>(n(s.mass), {n(s.com.x), n(s.com.y), n(s.com.z)},
                                     {n(s.inertia.xx), n(s.inertia.xy), n(s.inertia.xz),
                                      n(s.inertia.yy), n(s.inertia.yz), n(s.inertia.zz)});
  };
  // the 6x6 matrix of a link, by its effect on unit motions
  const auto matrix = [&](std::size_t i) {
    Eigen::MatrixXd I(6, 6);
    for (std::size_t k = 0; k < 6; ++k) {
      std::array<double, 6> unit{};
      unit[(k + 3) % 6] = 1;
      I.col(int(k)) = six(inertia(i) * motion_from_linear_first(unit));
    }
    return I;
  };
  Eigen::MatrixXd first(6, 6);
  // clang-format off
  first << 0.2898, 0,      0,      0,    0.14, 0.6,
           0,      0.0298, 0.042, -0.14, 0,    0,
           0,      0.042,  0.28,  -0.6,  0,    0,
           0,     -0.14,  -0.6,    2,    0,    0,
           0.14,   0,      0,      0,    2,    0,
           0.6,    0,      0,      0,    0,    2;
  // clang-format on
  EXPECT_LT(largest_of(matrix(0) - first), 1e-15);
  const double about[3][3] = {
      {0.002, 0.43, 0.43}, {0.002, 0.01952, 0.01952}, {0.001, 0.00525, 0.00525}};
  const double ms[3] = {0.6, 0.096, 0.025};
  for (std::size_t i = 0; i < 3; ++i) {
    const Inertia<double> I = inertia(i + 1);
    EXPECT_NEAR(I.rotational.xx, about[i][0], 1e-16);
    EXPECT_NEAR(I.rotational.yy, about[i][1], 1e-16);
    EXPECT_NEAR(I.rotational.zz, about[i][2], 1e-16);
    EXPECT_NEAR(I.first_moment.x, ms[i], 1e-16);
  }
}

TEST(StanfordArm, moves_its_links_as_me2_prints) {
  shows({"M-05", "velocity", "acceleration"}, {"M-28", "velocity"}, {"M-29", "acceleration"});
  Posed arm = without_gravity(me2());
  const Kinematics moving = arm.moving(rising_base);
  const Eigen::VectorXd v[] = {numbers({0, 1.5, 0, 0, 0, 0}), numbers({0, 1.5, 0, 0.175, 0, 0}),
                               numbers({0, 1.5, 1, 0.175, 0, -1.2}),
                               numbers({3, 1.5, 1, 0.175, 0.2, -1.5})};
  const Eigen::VectorXd a[] = {numbers({0, 0, 0, 0, 9.81, 0}), numbers({0, 0, 0, 0, 9.81, -0.8625}),
                               numbers({1.5, 0, 0, -1.8, 9.81, -0.8625}),
                               numbers({1.5, 3, -4.5, -2.45, 9.81, -0.8625})};
  for (int i = 1; i <= 4; ++i) {
    const FrameRef place = frame_ref(arm.model, link(i));
    EXPECT_LT(largest_of(six(velocity(arm.model, moving, place, Axes::body)) - v[i - 1]),
              me2_rounding);
    EXPECT_LT(largest_of(six(acceleration(arm.model, moving, place, Axes::body)) - a[i - 1]),
              me2_rounding);
  }
}

const Eigen::VectorXd me2_F[] = {numbers({1.4679, 0, 0, 0, 19.62, 0.315}),
                                 numbers({0, 0.5175, 5.886, -1.35, 19.62, -1.725}),
                                 numbers({0.003, 0.0828, 0.94176, -1.752, 7.848, -0.69}),
                                 numbers({0.0015, 0.0245625, 0.24075, -1.30625, 4.905, -0.43125})};
const Eigen::VectorXd me2_f[] = {
    numbers({4.905225, 2.26935, 20.456035, -4.40825, 51.993, -2.53125}),
    numbers({0.0045, 1.6081125, 18.25191, -4.40825, 32.373, -2.84625}),
    numbers({0.0045, 0.1936125, 2.16351, -3.05825, 12.753, -1.12125}), me2_F[3]};

TEST(StanfordArm, needs_the_resultant_forces_of_me2) {
  shows({"M-30", "acceleration", "spatial_acceleration"});
  Posed arm = without_gravity(me2());
  const Kinematics moving = arm.moving(rising_base);
  for (int i = 1; i <= 4; ++i) {
    const FrameRef place = frame_ref(arm.model, link(i));
    const Motion<double> V = velocity(arm.model, moving, place, Axes::body);
    const Motion<double> A =
        spatial_acceleration(acceleration(arm.model, moving, place, Axes::body), V);
    // the link in the model, in its own frame
    const BodyId body = place.body;
    const Inertia<double> I =
        to_parent(inverse(arm.model.numbers().X_BU[std::size_t(index(body))]),
                  arm.model.numbers().bodies[std::size_t(arm.model[body].tree_body)].inertia);
    EXPECT_LT(largest_of(six(I * A + cross(V, I * V)) - me2_F[i - 1]), me2_rounding) << i;
  }
}

TEST(StanfordArm, carries_the_joint_forces_of_me2) {
  shows({"M-10", "reactions"}, {"M-31", "reactions"});
  Posed arm = me2();
  const std::vector<Force<double>> carried = arm.carried();
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3<double> slide{i == 1 ? me2_q[2] : 0, 0, 0};
    EXPECT_LT(largest_of(six(at_gimbal(carried[i], slide)) - me2_f[i]), me2_rounding) << i + 1;
  }
  // the resultant on a link is the incoming minus the outgoing force
  const Vec3<double> b[] = {{0, 0.5, -0.15}, {0.8, 0, 0}, {0.2, 0, 0}};
  for (std::size_t i = 0; i < 3; ++i) {
    const Force<double> in = at_gimbal(carried[i], {i == 1 ? me2_q[2] : 0, 0, 0});
    const Force<double> out = at_gimbal(carried[i + 1], {i + 1 == 1 ? me2_q[2] : 0, 0, 0});
    EXPECT_LT(largest_of(six(in - at_gimbal(out, b[i])) - me2_F[i]), me2_rounding) << i + 1;
  }
}

const Eigen::VectorXd me2_tau = numbers({2.26935, 18.25191, -4.40825, 2.16351, 0.0015});

TEST(StanfordArm, takes_the_efforts_of_me2) {
  shows({"M-32", "inverse_dynamics"});
  Posed arm = me2();
  EXPECT_LT(largest_of(arm.tau() - me2_tau), me2_rounding);
  // split: gravity alone, velocity alone
  EXPECT_LT(largest_of(arm.gravity_forces() - numbers({0, 18.25641, 0, 2.16801, 0})), me2_rounding);
  EXPECT_LT(largest_of(without_gravity(me2()).tau() -
                       numbers({2.26935, -0.0045, -4.40825, -0.0045, 0.0015})),
            me2_rounding);
}

TEST(StanfordArm, feels_a_rising_base_as_it_feels_gravity) {
  shows({"M-03", "inverse_dynamics"}, {"M-04", "inverse_dynamics", "gravity_load"});
  EXPECT_LT(largest_of(without_gravity(me2()).tau(rising_base) - me2_tau), me2_rounding);
  // at any state; and the gravity load is the gradient of the potential energy
  Posed arm = mx1(), lifted = without_gravity(mx1());
  Inputs rising = rising_base;
  rising.a = mx1_a;
  EXPECT_LT(largest_of(lifted.tau(rising) - arm.tau({.a = mx1_a})), me2_rounding);
  const Eigen::VectorXd load = arm.gravity_forces();
  const double h = 1e-5;
  for (std::size_t k = 0; k < 6; ++k) {
    arm.state.q[k] = mx1_q[k] + h;
    const double up = arm.energies().gravity;
    arm.state.q[k] = mx1_q[k] - h;
    const double down = arm.energies().gravity;
    arm.state.q[k] = mx1_q[k];
    EXPECT_NEAR((up - down) / (2 * h), load[int(k)], 5e-9);  // h^2 times a third derivative of ten
  }
}

}  // namespace
}  // namespace trammel::stanford_arm_test
