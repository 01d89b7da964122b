// The notation of [van der Merwe 1995, sections 3.0 to 3.2, 3.17]: transforms, joints and tables,
// by closed forms and differences.
#include <gtest/gtest.h>

#include <numbers>

#include "tests/reference/posed.hpp"
#include "tests/reference/sdof_arms.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/operator_matrices.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/generate/denavit_hartenberg.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel::notation_test {
namespace {

Eigen::Matrix3d skew_of(const Eigen::Vector3d& a) {
  return matrix(skew<double>({a[0], a[1], a[2]}));
}
// X = [A 0; A tilde(b)^T, A]
Eigen::MatrixXd motion_transform(const Eigen::Matrix3d& A, const Eigen::Vector3d& b) {
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(6, 6);
  X.topLeftCorner(3, 3) = X.bottomRightCorner(3, 3) = A;
  X.bottomLeftCorner(3, 3) = A * skew_of(b).transpose();
  return X;
}
// A pose is the transform of the reference with A = R^T, b = p.
Eigen::MatrixXd motion_transform(const Pose<double>& X) {
  return motion_transform(matrix(X.R).transpose(), three(X.p));
}
// A of section 3.1, entry by entry
Eigen::Matrix3d closed_form(double x, double y, double z) {
  const double sx = std::sin(x), cx = std::cos(x), sy = std::sin(y), cy = std::cos(y),
               sz = std::sin(z), cz = std::cos(z);
  Eigen::Matrix3d A;
  // clang-format off
  A <<  cz * cy,  cz * sy * sx + sz * cx, -cz * sy * cx + sz * sx,
       -sz * cy, -sz * sy * sx + cz * cx,  sz * sy * cx + cz * sx,
        sy,      -cy * sx,                 cy * cx;
  // clang-format on
  return A;
}
Pose<double> random_pose(Random& random) {
  return {exponential_rotation(random.vector(3)), random.vector()};
}
Motion<double> random_motion(Random& random) { return {random.vector(), random.vector()}; }
Force<double> random_force(Random& random) { return {random.vector(), random.vector()}; }

// a dozen products of numbers of size one
constexpr double rounding = 5e-15;

class SdofNotation : public testing::TestWithParam<int> {
 protected:
  Random random{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(seeds, SdofNotation, testing::Range(1, 21));

TEST_P(SdofNotation, forces_go_by_the_transpose_and_power_stays) {
  shows({"M-06", "to_parent", "dot"}, {"M-07", "to_child"});
  const Pose<double> X_01 = random_pose(random), X_12 = random_pose(random);
  const Eigen::MatrixXd X1 = motion_transform(X_01), X2 = motion_transform(X_12);
  const Motion<double> V = random_motion(random);
  const Force<double> F = random_force(random);

  EXPECT_LT(largest_of(six(to_child(X_01, V)) - X1 * six(V)), rounding);
  EXPECT_LT(largest_of(six(to_parent(X_01, F)) - X1.transpose() * six(F)), rounding);
  EXPECT_NEAR(dot(to_child(X_01, V), F), dot(V, to_parent(X_01, F)), rounding);
  EXPECT_NEAR(dot(V, F), six(V).dot(six(F)), rounding);
  // composition, and the inverse
  EXPECT_LT(largest_of(motion_transform(X_01 * X_12) - X2 * X1), rounding);
  EXPECT_LT(largest_of(motion_transform(inverse(X_01)) * X1 - Eigen::MatrixXd::Identity(6, 6)),
            rounding);
  // in the other order of a force, (2.4), it transforms by X as motions do
  const auto as_motion = [](const Force<double>& f) { return Motion<double>{f.force, f.moment}; };
  EXPECT_LT(largest_of(six(to_child(X_01, as_motion(F))) - six(as_motion(to_child(X_01, F)))),
            rounding);
}

// One link on a joint with the first `freedoms` of six oblique motions.
Description oblique_joint(Random& random, int dofs) {
  const auto any = [&] {
    const Vec3<double> n = random.direction();
    return Vec3<Expr>{n.x, n.y, n.z};
  };
  Description description;
  description.gravity = {1.0, 2.0, -9.0};
  description.body("link",
                   {.mass = 2.0, .com = {0.3, 0.1, -0.2}, .inertia = {0.1, 0, 0, 0.2, 0, 0.15}});
  const std::vector<JointStep> all = {turn(any()),  slide(any()), turn(any()),
                                      slide(any()), turn(any()),  slide(any())};
  JointOptions how;
  how.motions.assign(all.begin(), all.begin() + dofs);
  description.joint("joint", dofs == 0 ? JointKind::fixed : JointKind::compound, "ground", "link",
                    how);
  return description;
}

TEST_P(SdofNotation, a_joint_splits_its_force_by_dual_bases) {
  shows({"M-09", "reactions", "inverse_dynamics"});
  const int n = GetParam() % 7;  // degrees of freedom
  Posed link(oblique_joint(random, n), random.numbers(n), random.numbers(n));
  const std::vector<double> a = random.numbers(n);
  const Eigen::MatrixXd phi = link.J("link", Axes::body);
  const Eigen::VectorXd f = six(link.carried({.a = a})[0]);

  // any complement is valid
  Eigen::MatrixXd basis(6, 6);
  for (int k = 0; k < 6; ++k) basis.col(k) = k < n ? phi.col(k) : six(random_motion(random));
  const Eigen::MatrixXd phi_c = basis.rightCols(6 - n), dual = basis.inverse().transpose();
  const Eigen::MatrixXd psi = dual.leftCols(n), psi_c = dual.rightCols(6 - n);
  const double condition = Eigen::JacobiSVD<Eigen::MatrixXd>(basis).singularValues()[0] /
                           Eigen::JacobiSVD<Eigen::MatrixXd>(basis).singularValues()[5];
  const double loss = 1e-14 * condition * (1 + f.norm());

  const Eigen::VectorXd tau = link.tau({.a = a}), tau_c = phi_c.transpose() * f;
  EXPECT_LT((tau - phi.transpose() * f).norm(), 1e-13);  // sums of size thirty
  EXPECT_LT((psi * tau + psi_c * tau_c - f).norm(), loss);
  // (2.12)-(2.15)
  EXPECT_LT((phi.transpose() * psi - Eigen::MatrixXd::Identity(n, n)).norm(), loss);
  EXPECT_LT((phi_c.transpose() * psi_c - Eigen::MatrixXd::Identity(6 - n, 6 - n)).norm(), loss);
  EXPECT_LT((phi.transpose() * psi_c).norm() + (phi_c.transpose() * psi).norm(), loss);
  // motion of the joint: v = phi qdot, and of the split acceleration g = psi^T a
  const Eigen::VectorXd V =
      six(velocity(link.model, link.moving(), frame_ref(link.model, "link"), Axes::body));
  EXPECT_LT((V - phi * vector_of(link.state.v)).norm(), 1e-14);
  EXPECT_LT((psi.transpose() * V - vector_of(link.state.v)).norm(), loss);
}

TEST_P(SdofNotation, a_modified_table_is_a_turn_about_x_and_one_about_z) {
  shows({"M-11", "add_dh_chain"});
  const double a = random(), alpha = random(-2, 2), d = random(), theta = random(-2, 2);
  Description description;
  add_dh_chain(description,
               {.rows = {{.a = a, .alpha = alpha, .d = d, .solid = solid(1, {}, 1, 1, 1)}}});
  Posed link(description, {theta});
  const double st = std::sin(theta), ct = std::cos(theta), sa = std::sin(alpha),
               ca = std::cos(alpha);
  Eigen::Matrix3d A;
  A << ct, st * ca, st * sa, -st, ct * ca, ct * sa, 0, -sa, ca;  // (2.18)
  const Pose<double> X = link.X("link1");
  EXPECT_LT(largest_of(matrix(X.R).transpose() - A), rounding);
  EXPECT_LT(largest_of(three(X.p) - numbers({a, -d * sa, d * ca})), rounding);
  EXPECT_LT(largest_of(A - closed_form(0, 0, theta) * closed_form(alpha, 0, 0)), rounding);
}

TEST_P(SdofNotation, a_modified_table_has_the_same_chain_as_six_numbers_a_link) {
  shows({"M-11", "add_dh_chain", "to_sdof"});
  DhTable table;
  table.base_at = {random.vector(), random.vector(3)};
  table.tool = {random.vector(), random.vector()};
  for (int i = 0; i < 5; ++i)
    table.rows.push_back({.a = random(),
                          .alpha = random(-2, 2),
                          .d = random(),
                          .theta = random(),
                          .kind = random.below(2) ? JointKind::revolute : JointKind::prismatic,
                          .solid = solid(1, random.vector(), 0.1, 0.2, 0.15)});
  const SdofChain chain = to_sdof(table);
  Description description;
  add_dh_chain(description, table);
  Posed dh(description, random.numbers(5), random.numbers(5));
  std::vector<double> q = dh.state.q;
  for (std::size_t k = 0; k < 5; ++k) q[k] += table_position(chain)[k].constant();
  Posed sdof(described(chain, {0.0, 0.0, -9.81}), q, dh.state.v);

  EXPECT_LT(largest_of(motion_transform(dh.X("tip")) - motion_transform(sdof.X("tip"))), 1e-13);
  // chains of five meters of one kilogram: sums of size a hundred
  EXPECT_LT(largest_of(dh.M() - sdof.M()), 1e-13);
  EXPECT_LT(largest_of(dh.tau() - sdof.tau()), 1e-12);
}

TEST_P(SdofNotation, a_gimbal_has_the_closed_form_of_its_rotation_and_of_its_axes) {
  shows({"M-12", "add_sdof_chain"}, {"M-14", "jacobian"});
  const Solid any = solid(1, {0.1, 0.2, 0.3}, 0.1, 0.1, 0.1);
  const std::vector<double> table = random.numbers(6);
  SdofChain chain;
  chain.links = {
      {.free = {Sdof::rx, Sdof::ry, Sdof::rz, Sdof::dx, Sdof::dy, Sdof::dz}, .solid = any}};
  for (std::size_t k = 0; k < 6; ++k) chain.links[0].gamma[k] = table[k];
  const std::vector<double> q = random.numbers(6);
  Posed link(described(chain, {}), q);
  const Eigen::Matrix3d A = closed_form(q[0], q[1], q[2]);
  EXPECT_LT(largest_of(matrix(link.X("link1").R).transpose() - A), rounding);
  EXPECT_LT(largest_of(A * A.transpose() - Eigen::Matrix3d::Identity()), rounding);
  // b_2 = D(q), without the values of the table
  EXPECT_LT(largest_of(three(link.X("tip").p) - A.transpose() * numbers({q[3], q[4], q[5]})),
            rounding);

  // the columns at the gimbal: velocity of the material point of the link there
  const FrameRef gimbal{
      *link.model.find_body("link1"),
      {Mat3<double>::identity(), {table[3] - q[3], table[4] - q[4], table[5] - q[5]}}};
  const double sy = std::sin(q[1]), cy = std::cos(q[1]), sz = std::sin(q[2]), cz = std::cos(q[2]);
  Eigen::MatrixXd phi = Eigen::MatrixXd::Identity(6, 6);
  phi.topLeftCorner(3, 3) << cz * cy, sz, 0, -sz * cy, cz, 0, sy, 0, 1;
  EXPECT_LT(largest_of(link.J(gimbal, Axes::body) - phi), rounding);

  // and by differences of A: dA = -tilde(phi) A
  const double h = 1e-5;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d e = Eigen::Vector3d::Unit(k) * h, t(q[0], q[1], q[2]);
    const Eigen::Matrix3d dA = (closed_form(t[0] + e[0], t[1] + e[1], t[2] + e[2]) -
                                closed_form(t[0] - e[0], t[1] - e[1], t[2] - e[2])) /
                               (2 * h);
    const Eigen::Vector3d column = phi.block<3, 1>(0, k);
    EXPECT_LT(largest_of(dA + skew_of(column) * A), 1e-10);  // h^2
  }
}

// Every set of free entries that has a name in the reference.
TEST(SdofJoints, of_every_kind_move_as_they_should_and_keep_their_energy) {
  shows({"M-13", "add_sdof_chain"});
  using enum Sdof;
  const std::vector<std::pair<std::string, std::vector<Sdof>>> kinds = {
      {"revolute", {ry}},
      {"prismatic", {dz}},
      {"cylindrical", {rx, dx}},
      {"universal", {ry, rz}},
      {"gimbal", {rx, ry, rz}},
      {"planar", {rz, dx, dy}},
      {"leg of ME-5", {ry, rz, dx}},
      {"free", {rx, ry, rz, dx, dy, dz}}};
  for (const auto& [name, free] : kinds) {
    SdofChain chain;
    chain.links = {{.gamma = {0.2, -0.3, 0.4, 0.5, 0.1, -0.2},
                    .free = free,
                    .solid = solid(2, {0.1, 0.2, -0.1}, 0.1, 0.2, 0.15)},
                   {.gamma = {0.3, 0.1, -0.2, 0.3, 0.0, 0.0},
                    .free = {ry},
                    .solid = solid(1, {0.2, 0.0, 0.1}, 0.02, 0.03, 0.04)}};
    std::vector<double> q, v;
    for (const Expr& x : table_position(chain))
      q.push_back(x.constant()), v.push_back(0.5 - q.back());
    Posed link(described(chain, {1.0, -3.0, -9.0}), q, v);
    const int n = int(free.size());
    ASSERT_EQ(link.model.nv(), n + 1) << name;
    EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(link.J("link1", Axes::body)).rank(), n) << name;

    const double before = link.energies().total();
    link.run(1e-3, 300);
    // Runge-Kutta of order four: 1e-12 times fifth derivatives of a few thousand
    EXPECT_NEAR(link.energies().total(), before, 1e-8) << name;
    EXPECT_GT(largest_of(vector_of(link.state.q) - vector_of(q)), 0.05) << name;  // it moved
  }
}

TEST(SdofJoints, at_zero_forget_the_number_of_the_table) {
  shows({"M-15", "add_sdof_chain"});
  SdofChain chain;
  chain.links = {{.gamma = {0.0, -0.5235988, -1.1669367, 1.0874871, 0.0, 0.0},  // ME-5, leg 1
                  .free = {Sdof::ry, Sdof::rz, Sdof::dx},
                  .solid = solid(2, {0.5, 0.0, 0.0}, 0.05, 0.5, 0.5)}};
  Posed leg(described(chain, {}), {0, 0, 0});
  EXPECT_LT(largest_of(motion_transform(leg.X("tip")) - Eigen::MatrixXd::Identity(6, 6)), 1e-15);
  leg.state.q = {-0.5235988, -1.1669367, 1.0874871};
  // the gimbal of leg 1 has its tip on the ring of radius d = 1/sqrt(3) - 0.15 below, 1 m down
  const double d = 1 / std::numbers::sqrt3 - 0.15, c = std::sqrt(0.75);
  EXPECT_LT(largest_of(three(leg.X("tip").p) - numbers({c * d, -1, d / 2})), 5e-8);
}

TEST(SdofJoints, stand_on_their_current_axes_not_on_the_tables) {
  shows({"M-14", "jacobian"});
  SdofChain chain;
  chain.links = {{.gamma = {0.0, 0.0, 1.1669367, 0.1, 0.0, 0.0},  // ME-5, link 2 of a leg
                  .free = {Sdof::ry, Sdof::rz},
                  .solid = solid(0.5, {0.05, 0.0, 0.0}, 0.00006, 0.0006, 0.0006)},
                 {.gamma = {0.0, 0.0, 1.1669367, 0.1, 0.0, 0.0},  // with Rz locked
                  .free = {Sdof::ry},
                  .solid = solid(0.5, {0.05, 0.0, 0.0}, 0.00006, 0.0006, 0.0006)}};
  Posed leg(described(chain, {}), {0, 1.1669367, 0});
  // section 3.1: seven decimals
  const Eigen::VectorXd phi = numbers({0.9195511, 0.3929704, 0});
  EXPECT_LT(largest_of(leg.J("link1", Axes::body).col(0).head(3) - phi), 5.1e-8);
  EXPECT_LT(largest_of(leg.J("link2", Axes::body).col(2).head(3) - phi), 5.1e-8);
}

// The frame of the tip, by closed forms of planar links: with the axes of the base (ME-3), or fixed
// to the last link (ME-4).
TEST(SdofTip, may_be_expressed_in_link_or_base_axes) {
  shows({"M-16", "jacobian", "jacobian_rate"});
  const auto jacobians_of = [](Posed& chain, Axes axes) {
    Eigen::MatrixXd J(6, chain.model.nv());
    EXPECT_TRUE(jacobian(chain.model, chain.moving(), frame_ref(chain.model, "tip"), axes, J).ok());
    Motion<double> rate;
    EXPECT_TRUE(jacobian_rate(chain.model, chain.state, frame_ref(chain.model, "tip"), axes,
                              chain.workspace, rate)
                    .ok());
    return std::pair(J, six(rate));
  };
  // a rotation about y by the sum of all angles so far applies to (x, z) of a link
  const auto turned = [](double t, const Eigen::Vector2d& r) {
    return Eigen::Vector2d(std::cos(t) * r[0] + std::sin(t) * r[1],
                           -std::sin(t) * r[0] + std::cos(t) * r[1]);
  };
  const Eigen::Vector2d links[] = {{0, 2}, {1, 0}, {0, 1}, {1, 0}};
  for (const auto& [q, v] : {std::pair(std::vector<double>{0, 0, 0, 0}, std::vector<double>(4)),
                             {{0.4, -1.1, 0.7, 2.3}, {1.5, -0.6, 0.9, -2}}}) {
    Posed chain(planar_chain(), q, v);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, 4);
    Eigen::VectorXd rate = Eigen::VectorXd::Zero(6);
    J.row(1).setOnes();
    double angle = 0, speed = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      angle += q[i], speed += v[i];
      const Eigen::Vector2d r = turned(angle, links[i]);
      // every joint up to this one rotates the link: y x (x, z) is (z, -x)
      for (Eigen::Index k = 0; k <= Eigen::Index(i); ++k) J(3, k) += r[1], J(5, k) -= r[0];
      rate[3] -= speed * speed * r[0], rate[5] -= speed * speed * r[1];
    }
    const auto [J_base, rate_base] = jacobians_of(chain, Axes::world);
    EXPECT_LT(largest_of(J_base - J), 1e-14);
    EXPECT_LT(largest_of(rate_base - rate), 1e-13);
    // (5.73): in the axes of the link it is the same, rotated back
    const auto [J_link, rate_link] = jacobians_of(chain, Axes::body);
    for (int row = 0; row < 6; row += 3)
      for (Eigen::Index k = 0; k < 4; ++k) {
        const Eigen::Vector2d back = turned(-angle, {J(row, k), J(row + 2, k)});
        EXPECT_NEAR(J_link(row, k), back[0], 1e-14);
        EXPECT_NEAR(J_link(row + 1, k), J(row + 1, k), 1e-14);
        EXPECT_NEAR(J_link(row + 2, k), back[1], 1e-14);
      }
    const Eigen::Vector2d back = turned(-angle, {rate[3], rate[5]});
    EXPECT_LT(largest_of(rate_link - numbers({0, 0, 0, back[0], 0, back[1]})), 1e-13);
    EXPECT_EQ(largest_of(J_base - J_link) < 1e-12, angle == 0);
  }
  // ME-4, fixed to the link: J = (0, 1, 0, 0, 0, -1.5) in any direction; with the axes of the base
  // it rotates
  for (const double angle : {std::numbers::pi / 4, -0.3, 2.0}) {
    Posed link(carrying_link(), {angle}, {1.7});
    const auto [J, rate] = jacobians_of(link, Axes::body);
    EXPECT_LT(largest_of(J - numbers({0, 1, 0, 0, 0, -1.5})), 1e-15);
    EXPECT_LT(largest_of(rate - numbers({0, 0, 0, -1.5 * 1.7 * 1.7, 0, 0})), 1e-14);
    EXPECT_LT(largest_of(jacobians_of(link, Axes::world).first -
                         numbers({0, 1, 0, -1.5 * std::sin(angle), 0, -1.5 * std::cos(angle)})),
              1e-15 * 2);
  }
}

TEST(FreeBodies, are_kept_as_unit_quaternions_and_have_no_lock) {
  shows({"M-17", "integrate"});
  Description description;
  description.gravity = {};
  description.body("body", solid(1, {}, 0.1, 0.2, 0.15));
  description.joint("free", JointKind::free, "ground", "body");
  Posed body(description, {1, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0});
  ASSERT_EQ(body.model.nq(), 7);
  ASSERT_EQ(body.model.nv(), 6);

  // nose straight up: singular for a gimbal, regular for the quaternion
  const std::vector<double> q = body.state.q, v = {0, std::numbers::pi / 2, 0, 0, 0, 0};
  integrate(body.model, q, v, body.state.q);
  const std::vector<double>& now = body.state.q;
  EXPECT_NEAR(now[0] * now[0] + now[1] * now[1] + now[2] * now[2] + now[3] * now[3], 1, 1e-15);
  EXPECT_LT(
      largest_of(matrix(body.X("body").R) - matrix(turn_about_y(sin_cos(std::numbers::pi / 2)))),
      1e-15);
  EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(body.J("body", Axes::body)).rank(), 6);

  SdofChain chain;
  chain.links = {{.free = {Sdof::rx, Sdof::ry, Sdof::rz}, .solid = solid(1, {}, 0.1, 0.2, 0.15)}};
  Posed gimbal(described(chain, {}), {0.3, std::numbers::pi / 2, -0.2});
  Eigen::FullPivLU<Eigen::MatrixXd> columns(gimbal.J("link1", Axes::body));
  columns.setThreshold(1e-12);
  EXPECT_EQ(columns.rank(), 2);
}

TEST_P(SdofNotation, a_pose_is_also_a_homogeneous_matrix) {
  shows({"M-18", "homogeneous", "pose_from_homogeneous"});
  const Pose<double> X_01 = random_pose(random), X_12 = random_pose(random);
  const auto four = [](const Pose<double>& X) {
    Eigen::Matrix4d T;
    const Homogeneous<double> rows = homogeneous(X);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) T(int(i), int(j)) = rows[i][j];
    return T;
  };
  const Vec3<double> x = random.vector();
  EXPECT_LT(largest_of(four(X_01 * X_12) - four(X_01) * four(X_12)), rounding);
  EXPECT_LT(
      largest_of(four(X_01) * Eigen::Vector4d(x.x, x.y, x.z, 1) - three(X_01 * x).homogeneous()),
      rounding);
  const Pose<double> back = pose_from_homogeneous(homogeneous(X_01));
  EXPECT_EQ(largest_of(matrix(back.R) - matrix(X_01.R)), 0);
  EXPECT_EQ(largest_of(three(back.p) - three(X_01.p)), 0);
}

TEST_P(SdofNotation, axes_may_be_oblique_and_the_columns_are_still_the_derivatives_of_the_pose) {
  shows({"M-77", "jacobian"});
  const int n = 1 + GetParam() % 6;
  Posed link(oblique_joint(random, n), random.numbers(n));
  const Eigen::MatrixXd phi = link.J("link", Axes::world);
  const Eigen::Matrix3d R = matrix(link.X("link").R);
  const double h = 1e-5;
  for (int k = 0; k < n; ++k) {
    double& q = link.state.q[std::size_t(k)];
    q += h;
    const Pose<double> ahead = link.X("link");
    q -= 2 * h;
    const Pose<double> behind = link.X("link");
    q += h;
    const Eigen::Matrix3d W = (matrix(ahead.R) - matrix(behind.R)) / (2 * h) * R.transpose();
    // h^2 times third derivatives of size one
    EXPECT_LT(largest_of(W - skew_of(phi.block<3, 1>(0, k))), 1e-9);
    EXPECT_LT(largest_of(three((0.5 / h) * (ahead.p - behind.p)) - phi.block<3, 1>(3, k)), 1e-9);
  }
}

}  // namespace
}  // namespace trammel::notation_test
