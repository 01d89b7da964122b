// Closed systems of [Yesiloglu 2007]: arms on a platform that grasp one payload (E-02), the
// parallelogram with pseudo joints (E-03), deficient arms (E-04), underactuated arms in space
// (E-05).
#include "tests/reference/from_gallery.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/operator_matrices.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel::closed_test {
namespace {

// half a unit of the last printed digit
constexpr double digits7 = 5.1e-8, digits8 = 5.1e-9, digits9 = 5.1e-10;

Description without(Description description, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    std::erase_if(description.bodies, [&](const auto& body) { return body.name == name; });
    std::erase_if(description.joints, [&](const auto& joint) { return joint.name == name; });
  }
  return description;
}
double condition(const Eigen::MatrixXd& A) {
  const Eigen::VectorXd values = A.jacobiSvd().singularValues();
  return values[0] / values[values.size() - 1];
}

TEST(yesiloglu_closed, underactuated_arms_in_space_begin_as_computed) {
  FromGallery arms("e_05");
  std::vector<double> tau = arms.effort("left2", {1});
  tau[std::size_t(arms.posed.model[*arms.posed.model.find_joint("right3")].v_start)] = 1;
  const Eigen::VectorXd a = arms.posed.a({.tau = tau});
  expect_near(arms.of(a, "float"), {-0.06432853, -0.25471698, 0.24579617}, digits8, "platform");
  const double joints[] = {-2.77977252, 3.27276208,  0.74197286,
                           1.97494446,  -6.23667188, 5.49668984};
  for (int k = 0; k < 6; ++k) {
    const std::string name = (k < 3 ? "left" : "right") + std::to_string(k % 3 + 1);
    EXPECT_NEAR(arms.of(a, name)[0], joints[k], digits8) << name;
  }
  // wrench of each arm on the load at its grip: moment, force
  const UniqueReactions carried = arms.carried({.tau = tau});
  const double printed[][3] = {{-0.55387939, -1.21747158, 2.49107803},
                               {1.6362247, 1.1627366, -0.6231535}};
  for (int i = 0; i < 2; ++i) {
    const Force<double> F = carried.force[arms.joint(i == 0 ? "left_grip" : "right_grip")];
    EXPECT_NEAR(F.moment.z, printed[i][0], digits7);
    EXPECT_NEAR(F.force.x, printed[i][1], digits7);
    EXPECT_NEAR(F.force.y, printed[i][2], digits7);
  }
}

TEST(yesiloglu_closed, underactuated_arms_have_the_matrices_computed) {
  FromGallery arms("e_05");
  Posed tree(without(arms.posed.model.description(), {"load", "left_grip", "right_grip"}),
             arms.posed.state.q);
  const Eigen::MatrixXd M = tree.M();  // platform x, y, angle, then the arms
  const double diagonal[] = {26,         26,        6.4560254,  1.8080127, 0.63317302,
                             0.08333333, 1.8080127, 0.63317302, 0.08333333};
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(M(k, k), diagonal[k], digits7);
  EXPECT_NEAR(M(2, 0), -3.96410162, digits8);
  EXPECT_NEAR(M(3, 4), 0.92892619, digits8);
  EXPECT_NEAR(M(4, 5), 0.19158651, digits8);
  EXPECT_NEAR(M(3, 5), 0.29983968, digits8);
  EXPECT_NEAR(condition(M), 1235.13, 5.1e-3);
  // planar: rotation, x, y of both tips; and the payload from them
  Eigen::MatrixXd J(6, 9), A(6, 3);
  for (int i = 0; i < 2; ++i) {
    FrameRef tip = frame_ref(tree.model, i == 0 ? "left3" : "right3");
    tip.X_UA.p = {0.5, 0, 0};
    const Eigen::MatrixXd all = tree.J(tip, Axes::world);
    J.middleRows(3 * i, 3) << all.row(2), all.row(3), all.row(4);
    A.middleRows(3 * i, 3) << 1, 0, 0, 0, 1, 0, (i == 0 ? -0.3 : 0.3), 0, 1;
  }
  EXPECT_NEAR(condition(J), 8.0978611, digits7);
  const Eigen::Matrix3d M_load = Eigen::Vector3d(0.1, 2, 2).asDiagonal();
  EXPECT_NEAR(condition(J * M.inverse() * J.transpose() + A * M_load.inverse() * A.transpose()),
              84.241875, 5.1e-7);
}

TEST(yesiloglu_closed, parallelogram_is_two_cooperating_arms) {
  shows({"Y-41", "forward_dynamics", "constrained_reactions"});
  FromGallery bars("e_03");
  const std::vector<double> tau = bars.effort("left", {5});
  const Eigen::VectorXd a = bars.posed.a({.tau = tau});
  // (2 m l^2/3 + m_c l^2) theta'' = tau - (m + m_c) g l cos(theta)
  const double angle = 50 * std::numbers::pi / 180;
  const double expected = (5 - (1 + 2) * 9.81 * std::cos(angle)) / (2.0 / 3 + 2);
  EXPECT_NEAR(expected, -5.218964757, digits9);
  for (const char* crank : {"left", "right"}) EXPECT_NEAR(bars.of(a, crank)[0], expected, 1e-12);
  EXPECT_NEAR(bars.of(a, "left_pin")[0], -expected, 1e-12);
  EXPECT_EQ(bars.ways().finite, 1);
  // wrench of one half of the coupler on the other
  const Force<double> F = bars.carried({.tau = tau}).force[bars.joint("cut")];
  EXPECT_NEAR(F.moment.z, -2.5803495, digits7);
  EXPECT_NEAR(F.force.x, -3.26351822, digits8);
  EXPECT_NEAR(F.force.y, 0, 1e-12);
}

TEST(yesiloglu_closed, pseudo_joints_give_the_force_in_the_cranks) {
  FromGallery bars("e_03");
  const std::vector<double> tau = bars.effort("left", {5});
  // cut in the middle of the coupler, as in [Yesiloglu 2007]: two arms with three joints each
  Description description = bars.posed.model.description();
  for (JointDescription& joint : description.joints) joint.options.cut = joint.name == "cut";
  Posed locked(description, {}), open(description, {});
  ASSERT_TRUE(assembled_start(locked.model, locked.workspace, locked.state).ok());
  ConstrainedAnswer answer;
  const auto dof = [&](const std::string& name) {
    return locked.model[*locked.model.find_joint(name)].v_start;
  };
  std::vector<double> efforts(std::size_t(locked.model.nv()));
  efforts[std::size_t(dof("left"))] = 5;
  ASSERT_TRUE(
      constrained_dynamics(locked.model, locked.state, {.tau = efforts}, locked.workspace, answer)
          .ok());
  const std::vector<std::string> names = row_names(locked.model);
  const double T_p[] = {6.8508449, 11.04634306}, C_less[] = {-2.09774908, 2.09774908};
  const std::string slides[] = {"left_middle", "right_middle"};
  const Eigen::VectorXd C = locked.bias_forces();
  for (int k = 0; k < 2; ++k) {
    const auto row = std::ranges::find(names, "locked joint '" + slides[k] + "'");
    ASSERT_NE(row, names.end());
    const double T = answer.lambda[row - names.begin()];
    EXPECT_NEAR(T, T_p[k], digits7);
    EXPECT_NEAR(T - C[dof(slides[k])], C_less[k], digits8);
    // and it is the reaction of the joint along the crank, for every cut
    EXPECT_NEAR(bars.carried({.tau = tau}).force[bars.joint(slides[k])].force.x, T, 1e-10);
  }
  // d4: acceleration of the slides when released
  for (JointDescription& joint : description.joints)
    if (joint.name.ends_with("_middle")) joint.options.drive = Drive::none;
  Posed loose(description, locked.state.q, locked.state.v);
  const Eigen::VectorXd before = loose.a();
  Eigen::Matrix2d d4;
  for (int k = 0; k < 2; ++k) {
    std::vector<double> unit(std::size_t(loose.model.nv()));
    unit[std::size_t(dof(slides[k]))] = 1;
    const Eigen::VectorXd by = loose.a({.tau = unit}) - before;
    for (int l = 0; l < 2; ++l) d4(l, k) = by[dof(slides[l])];
  }
  EXPECT_NEAR(d4(0, 0), 0.71714406, digits8);
  EXPECT_NEAR(d4(1, 1), 0.71714406, digits8);
  EXPECT_NEAR(d4(0, 1), -0.05047739, digits8);
  EXPECT_NEAR(d4(1, 0), -0.05047739, digits8);
}

TEST(yesiloglu_closed, joints_out_of_the_plane_take_the_stress_and_do_not_move) {
  FromGallery bars("e_03");
  EXPECT_EQ(bars.plan().redundant(), 3);
  Description description = bars.posed.model.description();
  const Vec3<Expr> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
  for (JointDescription& joint : description.joints)
    if (joint.name == "left_pin") {
      joint.kind = JointKind::compound;
      joint.options.motions = {turn(z), turn(x), turn(y), slide(z)};
    }
  std::erase_if(description.start_positions,
                [](const auto& start) { return start.joint == "left_pin"; });
  std::erase_if(description.start_velocities, [](const auto&) { return true; });
  Posed posed(description, {});
  ASSERT_TRUE(assembled_start(posed.model, posed.workspace, posed.state).ok());
  RowBasis basis;
  ASSERT_TRUE(row_basis(posed.model, posed.state, posed.workspace, basis).ok());
  EXPECT_EQ(basis.redundant(), 0);
  Mobility ways;
  ASSERT_TRUE(mobility(posed.model, posed.state, posed.workspace, ways).ok());
  EXPECT_EQ(ways.finite, 1);
  const int pin = posed.model[*posed.model.find_joint("left_pin")].v_start;
  const Eigen::VectorXd before = posed.a();
  for (int k = 1; k <= 3; ++k) {
    std::vector<double> unit(std::size_t(posed.model.nv()));
    unit[std::size_t(pin + k)] = 1;
    EXPECT_LT(largest_of(posed.a({.tau = unit}) - before), 1e-10);  // immobile: d4 = 0
  }
}

// Section 3.12, corrected: rows that span the range of [J A], not of J alone.
TEST(yesiloglu_closed, deficient_arms_need_the_range_of_arms_and_payload) {
  shows({"Y-38", "mobility", "forward_dynamics"});
  FromGallery held("e_04"), flying("e_04_free");
  EXPECT_EQ(held.ways().finite, 0);
  EXPECT_EQ(flying.ways().finite, 6);
  EXPECT_LT(largest_of(held.posed.a()), 1e-12);
  for (FromGallery* arms : {&held, &flying}) {
    Posed tree(without(arms->posed.model.description(), {"payload", "left_grip", "right_grip"}),
               arms->posed.state.q);
    const Eigen::Index n = tree.model.nv();
    Eigen::MatrixXd J(12, n), A(12, 6);
    for (int i = 0; i < 2; ++i) {
      FrameRef tip = frame_ref(tree.model, i == 0 ? "left2" : "right2");
      tip.X_UA.p = {0.4, 0, 0};
      J.middleRows(6 * i, 6) = tree.J(tip, Axes::world);
      A.middleRows<6>(6 * i).setIdentity();  // both grasp it at its origin
    }
    Eigen::MatrixXd both(12, n + 6);
    both << J, A;
    const auto rank = [](const Eigen::MatrixXd& X) {
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> found;
      found.setThreshold(1e-10);
      return found.compute(X).rank();
    };
    const Mobility ways = arms->ways();
    EXPECT_EQ(n + 6 - rank(both), ways.finite);
    // the range of J alone always leaves six: right for a free base, wrong for a fixed one
    EXPECT_EQ(n + 6 - rank(J), 6);
    // with R, the reduced system is regular and gives the accelerations of the engine
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(both, Eigen::ComputeThinU);
    const Eigen::MatrixXd R = svd.matrixU().leftCols(rank(both)).transpose();
    Matrix6 M_c = Matrix6::Zero();
    const Eigen::Vector3d c(0, 0.05, 0.1);
    M_c.topLeftCorner<3, 3>() = Eigen::Vector3d(0.1, 0.12, 0.08).asDiagonal();
    M_c.topLeftCorner<3, 3>() -= 3 * cross_matrix(c) * cross_matrix(c);
    M_c.topRightCorner<3, 3>() = 3 * cross_matrix(c);
    M_c.bottomLeftCorner<3, 3>() = -3 * cross_matrix(c);
    M_c.bottomRightCorner<3, 3>().diagonal().setConstant(3);
    const Eigen::Vector3d g = column(arms->posed.model.gravity());
    Vector6 b_c;
    b_c << -3 * c.cross(g), -3 * g;
    const Eigen::MatrixXd M_inverse = tree.M().inverse(), J_r = R * J, A_r = R * A;
    std::vector<double> tau(std::size_t(n), 0.0);
    tau.back() = 2;
    const Eigen::VectorXd T = vector_of(tau) - tree.bias_forces();
    const Eigen::MatrixXd Omega =
        J_r * M_inverse * J_r.transpose() + A_r * M_c.inverse() * A_r.transpose();
    EXPECT_EQ(rank(Omega), Omega.rows());
    const Eigen::VectorXd F = Omega.ldlt().solve(J_r * M_inverse * T + A_r * M_c.inverse() * b_c);
    const Eigen::VectorXd a = M_inverse * (T - J_r.transpose() * F);
    const Eigen::VectorXd ours = arms->posed.a({.tau = tau});
    EXPECT_LT(largest_of(a - ours), 1e-9 * (1 + largest_of(T)));
  }
}

TEST(yesiloglu_closed, grasped_payload_moves_with_both_hands) {
  shows({"Y-20", "assemble", "constrained_reactions"});
  FromGallery arms("e_02");
  // with a moving platform
  arms.posed.state.v[1] = 0.3, arms.posed.state.v[5] = -0.2;
  ASSERT_TRUE(assemble(arms.posed.model, arms.posed.state, arms.posed.workspace).ok());
  const Kinematics moving = arms.posed.moving();
  const auto twist = [&](const FrameRef& place) {
    return six(velocity(arms.posed.model, moving, place, Axes::world));
  };
  const Eigen::VectorXd V_c = twist(frame_ref(arms.posed.model, "object"));
  const std::vector<double> tau = [&] {
    std::vector<double> list(18, 0.0);
    for (std::size_t k = 6; k < 18; ++k) list[k] = double(k) - 11;
    return list;
  }();
  const Eigen::VectorXd a = arms.posed.a({.tau = tau});
  const UniqueReactions carried = arms.carried({.tau = tau});
  const Vec3<double> C = arms.posed.X("object").p;
  Vector6 sum = Vector6::Zero();
  for (const char* i : {"1", "2"}) {
    const std::string arm = "arm" + std::string(i);
    const Eigen::Vector3d l = three(arms.posed.X(arm + "_tip").p - C);
    // V_t = A V_c
    const Eigen::VectorXd V_t = twist(frame_ref(arms.posed.model, arm + "_tip"));
    EXPECT_LT(largest_of(V_t - twist_shift(l) * V_c), 1e-14);
    // J theta'' + J' theta' = A V_c' + a_c
    Vector6 a_c = Vector6::Zero();
    const Eigen::Vector3d w = V_c.head<3>();
    a_c.tail<3>() = w.cross(w.cross(l));
    const Eigen::VectorXd residual = arms.acceleration_of(arm + "_tip", a) -
                                     twist_shift(l) * arms.acceleration_of("object", a) - a_c;
    EXPECT_LT(largest_of(residual), 1e-12 * (1 + largest_of(a)));
    // the dual: A^T F_t
    const Force<double> F = carried.force[arms.joint("grip" + std::string(i))];
    const Pose<double> X = arms.posed.X("object");
    sum += column(Force<double>{X.R * F.moment, X.R * F.force});
  }
  // ... equals M_c V_c' + b_c of the payload
  const Eigen::Vector3d inertia(0.2, 0.3, 0.25), w = V_c.head<3>();
  const Eigen::VectorXd alpha = arms.acceleration_of("object", a);
  Vector6 taken;
  taken << inertia.cwiseProduct(alpha.head<3>()) + w.cross(inertia.cwiseProduct(w)),
      10 * alpha.tail<3>();
  EXPECT_LT(largest_of(sum - taken), 1e-9 * (1 + largest_of(taken)));
}

TEST(yesiloglu_closed, torques_inside_change_no_momentum) {
  FromGallery arms("e_02");
  std::vector<double> tau(18, 0.0);
  for (std::size_t k = 6; k < 18; ++k) tau[k] = double(k) - 11;
  const std::vector<double> a = list_of(arms.posed.a({.tau = tau}));
  const State start = arms.posed.state;
  // same bodies without the second grip: on this curve the loop is closed to first order only
  Posed tree(without(arms.posed.model.description(), {"grip2"}), start.q, start.v);
  const auto momentum_at = [&](double time) -> Eigen::VectorXd {
    Momentum out;
    EXPECT_TRUE(momentum(tree.model, later(tree.model, start, a, time), tree.workspace, out).ok());
    Eigen::VectorXd both(6);
    both << three(out.angular), three(out.linear);
    return both;
  };
  // rounding of about 100 kg m/s, divided by the step of 2e-4
  EXPECT_LT(largest_of(time_derivative(momentum_at)), 1e-9);
  EXPECT_GT(largest_of(vector_of(a)), 1);
}

// Section 3.7: the rank of all arms together counts, not that of each alone.
TEST(yesiloglu_closed, short_arms_lose_rank_only_together) {
  const int table[][3] = {{6, 6, 12}, {3, 6, 12}, {2, 6, 12}, {3, 3, 12},
                          {4, 2, 12}, {3, 2, 11}, {2, 2, 10}};
  for (const auto& [first, second, rank] : table) {
    Random random(10 * first + second);
    Description description("short arms");
    const Solid solid{
        .mass = 1.0, .com = {0.1, 0.0, 0.0}, .inertia = {0.02, 0.0, 0.0, 0.03, 0.0, 0.04}};
    description.body("base", solid);
    description.joint("float", JointKind::free, "ground", "base");
    for (int i = 0; i < 2; ++i) {
      std::string parent = "base";
      for (int k = 0; k < (i == 0 ? first : second); ++k) {
        const std::string name = std::to_string(i) + "." + std::to_string(k);
        const Vec3<double> at = random.vector(0.5), turn = random.vector(2);
        description.body(name, solid);
        description.joint(name, JointKind::revolute, parent, name,
                          {.at = {{at.x, at.y, at.z}, {turn.x, turn.y, turn.z}}});
        parent = name;
      }
    }
    description.body("payload", solid);
    const auto last = [](int i, int count) {
      return std::to_string(i) + "." + std::to_string(count - 1);
    };
    description.joint("grip 0", JointKind::fixed, last(0, first), "payload");
    Posed open(description, neutral_state(build_model(description)).q);
    const Pose<double> there = inverse(open.X(last(1, second))) * open.X("payload");
    const Vec3<double> rpy{std::atan2(there.R.y.z, there.R.z.z), std::asin(-there.R.x.z),
                           std::atan2(there.R.x.y, there.R.x.x)};
    description.joint(
        "grip 1", JointKind::fixed, last(1, second), "payload",
        {.at = {{there.p.x, there.p.y, there.p.z}, {rpy.x, rpy.y, rpy.z}}, .cut = true});
    Posed closed(description, open.state.q);
    RowBasis basis;
    ASSERT_TRUE(row_basis(closed.model, closed.state, closed.workspace, basis).ok());
    EXPECT_EQ(12 - basis.redundant(), rank) << first << " and " << second << " joints";
  }
}

}  // namespace
}  // namespace trammel::closed_test
