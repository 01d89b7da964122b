// Velocities and accelerations of several arms and one object [Rodriguez 1988, sections 4 and 5],
// on R-EX2 and, with redundant arms, R-EX4.
#include "tests/reference/from_gallery.hpp"
#include "tests/reference/rodriguez/arms.hpp"
#include "tests/support/capability.hpp"

namespace trammel::kinematics_test {
namespace {

Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& X) { return X.partialPivLu().inverse(); }

// Both arms of a model of the gallery, their tips and the object, in the notation of
// [Rodriguez 1988].
struct Hands {
  explicit Hands(const std::string& name)
      : held(name), n(held.posed.model.nv()), J(Eigen::MatrixXd::Zero(12, n)), A(6, 12) {
    C = three(held.posed.X("object").p);
    for (int i = 0; i < 2; ++i) {
      const std::string tip = "arm" + std::to_string(i + 1) + "_tip";
      // the second arm is on ground, too: the joints of the first do not move it
      J.middleRows<6>(6 * i) = held.posed.J(tip, Axes::world);
      l[i] = three(held.posed.X(tip).p) - C;
      A.middleCols<6>(6 * i) = twist_shift(l[i]).transpose();
    }
    const Kinematics moving = held.posed.moving();
    v_C =
        six(velocity(held.posed.model, moving, frame_ref(held.posed.model, "object"), Axes::world));
  }
  Eigen::VectorXd rates() const { return vector_of(held.posed.state.v); }
  Eigen::VectorXd centripetal() const {
    Eigen::VectorXd a_C = Eigen::VectorXd::Zero(12);
    const Eigen::Vector3d w = v_C.head<3>();
    for (int i = 0; i < 2; ++i) a_C.segment<3>(6 * i + 3) = w.cross(w.cross(l[i]));
    return a_C;
  }
  // tip accelerations without joint accelerations
  Eigen::VectorXd beta() {
    Eigen::VectorXd out(12);
    out << held.posed.J_rate("arm1_tip", Axes::world), held.posed.J_rate("arm2_tip", Axes::world);
    return out;
  }
  // rows orthogonal to all motions of the object: N A^T = 0
  Eigen::MatrixXd across() const {
    Eigen::MatrixXd N(6, 12);
    N << Eigen::MatrixXd::Identity(6, 6), -twist_shift(l[0] - l[1]);
    return N;
  }

  FromGallery held;
  Eigen::Index n;
  Eigen::MatrixXd J, A;
  Eigen::Vector3d C, l[2];
  Eigen::VectorXd v_C;
};

const std::vector<double> torques6 = {3, -150, -55, 1, -12, 0.5, -2, -145, -50, 0.5, -11.5, -0.3};

TEST(rodriguez_kinematics, contact_points_move_with_the_object) {
  shows({"R-10", "velocity", "kinematics"}, {"R-16", "jacobian", "velocity"});
  Hands hands("r_ex2");
  EXPECT_LT(largest(hands.across() * hands.A.transpose()), 1e-15);
  // V(0) = A^T v(C), by differences of the tip positions, for the arms alone
  const State& start = hands.held.posed.state;
  for (int i = 0; i < 2; ++i) {
    GenericArm arm(i + 1);
    const auto from = start.q.begin() + 6 * i, speed = start.v.begin() + 6 * i;
    arm.state.q.assign(from, from + 6);
    arm.state.v.assign(speed, speed + 6);
    const State now = arm.state;
    const auto tip_at = [&](double time) -> Eigen::VectorXd {
      arm.state = later(arm.model, now, {}, time);
      return arm.tip_position();
    };
    const Eigen::VectorXd V = hands.A.middleCols<6>(6 * i).transpose() * hands.v_C;
    // rounding of a meter over the step, 2e-4
    EXPECT_LT(largest(time_derivative(tip_at) - V.tail(3)), 1e-11);
  }
  // J thetadot = A^T v(C), and the inverse arm by arm
  const Eigen::VectorXd V = hands.A.transpose() * hands.v_C;
  EXPECT_LT(largest(hands.J * hands.rates() - V), 1e-14);
  for (int i = 0; i < 2; ++i) {
    const Eigen::MatrixXd J = hands.J.block(6 * i, 6 * i, 6, 6);
    const Eigen::VectorXd rates = J.partialPivLu().solve(V.segment<6>(6 * i));
    EXPECT_LT(largest(rates - hands.rates().segment<6>(6 * i)), 1e-13);
  }
  expect_near(
      hands.rates().head(6),
      {-0.0255556584, 0.2437602499, -0.0983085380, 0.5333879343, -0.2498738263, -0.7348434658},
      5.1e-11, "arm 1");
}

TEST(rodriguez_kinematics, contact_points_accelerate_with_the_object) {
  shows({"R-11", "forward_dynamics", "velocity"});
  Hands hands("r_ex2");
  Posed& posed = hands.held.posed;
  const Eigen::VectorXd a = posed.a({.tau = torques6});
  const std::vector<double> list = list_of(a);
  const Eigen::VectorXd alpha = hands.held.acceleration_of("object", a);
  const State start = posed.state;
  for (int i = 0; i < 2; ++i) {
    const std::string tip = "arm" + std::to_string(i + 1) + "_tip";
    const auto twist_at = [&](double time) -> Eigen::VectorXd {
      // along the joint accelerations, for the arms alone
      GenericArm arm(i + 1);
      const auto from = start.q.begin() + 6 * i, speed = start.v.begin() + 6 * i;
      arm.state.q.assign(from, from + 6);
      arm.state.v.assign(speed, speed + 6);
      const std::vector<double> own(list.begin() + 6 * i, list.begin() + 6 * i + 6);
      const State then = later(arm.model, arm.state, own, time);
      const Kinematics moving = kinematics_of(arm.model, then, arm.workspace);
      return column(velocity(arm.model, moving, arm.tip, Axes::world));
    };
    const Eigen::VectorXd expected =
        hands.A.middleCols<6>(6 * i).transpose() * alpha + hands.centripetal().segment<6>(6 * i);
    // differences: 1e-10 of the accelerations
    EXPECT_LT(largest(time_derivative(twist_at) - expected), 1e-9 * (1 + largest(expected)));
  }
}

TEST(rodriguez_kinematics, object_velocity_follows_from_joint_rates) {
  Hands hands("r_ex2");
  const Eigen::MatrixXd least = inverse_of(hands.A * hands.A.transpose()) * hands.A;
  EXPECT_LT(largest(least * hands.J * hands.rates() - hands.v_C), 1e-13);
  // rates inconsistent with any object: the residual is orthogonal to its motions
  Eigen::VectorXd torn = hands.rates();
  torn[2] += 0.3, torn[9] -= 0.5;
  const Eigen::VectorXd v = least * hands.J * torn;
  const Eigen::VectorXd left = hands.J * torn - hands.A.transpose() * v;
  EXPECT_GT(largest(left), 0.01);
  EXPECT_LT(largest(hands.A * left), 1e-14);
  // the residual of rates is zero if they are consistent, and nonzero otherwise
  const Eigen::MatrixXd J_inverse = inverse_of(hands.J);
  const auto error = [&](const Eigen::VectorXd& rates) -> Eigen::VectorXd {
    return rates - J_inverse * hands.A.transpose() * (least * hands.J * rates);
  };
  EXPECT_LT(largest(error(hands.rates())), 1e-13);
  EXPECT_GT(largest(error(torn)), 0.01);
}

TEST(rodriguez_kinematics, redundant_arms_take_the_least_rates) {
  Hands hands("r_ex4");
  const Eigen::VectorXd V = hands.A.transpose() * hands.v_C;
  expect_near(hands.v_C, {0.1, -0.2, 0.3, 0.05, 0.1, -0.08}, 1e-14, "object");
  const Eigen::MatrixXd Q = hands.J * hands.J.transpose();
  const Eigen::VectorXd least = hands.J.transpose() * Q.partialPivLu().solve(V);
  EXPECT_LT(largest(hands.J * least - V), 1e-13);
  EXPECT_LT(largest(least - hands.rates()), 1e-13);  // the file starts with them
  // orthogonal to all motions that leave the hands at rest
  const Eigen::MatrixXd self =
      Eigen::MatrixXd::Identity(14, 14) - hands.J.transpose() * Q.partialPivLu().solve(hands.J);
  EXPECT_NEAR(self.trace(), 2, 1e-12);  // one self-motion each
  EXPECT_LT(largest(self * least), 1e-13);
  // for arms with six joints it is the inverse
  Hands square("r_ex2");
  const Eigen::MatrixXd six_joints = square.J * square.J.transpose();
  EXPECT_LT(largest(square.J.transpose() *
                        six_joints.partialPivLu().solve(square.A.transpose() * square.v_C) -
                    square.rates()),
            1e-12);

  // the same by an outward and an inward recursion, for the first arm, whose base is not rotated
  const Model arm = load_model("@r_ex4_arm");
  Workspace workspace(arm);
  State state = neutral_state(arm);
  state.q.assign(hands.held.posed.state.q.begin(), hands.held.posed.state.q.begin() + 7);
  const TipToBase doc(arm, state, frame_ref(arm, "tip"), workspace);
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(6, 6);
  for (std::size_t k = std::size_t(doc.N); k > 0; --k)
    covariance =
        doc.phi[k + 1].transpose() * covariance * doc.phi[k + 1] + doc.h[k] * doc.h[k].transpose();
  covariance = doc.phi[1].transpose() * covariance * doc.phi[1];
  EXPECT_LT(largest(covariance - Q.topLeftCorner(6, 6)), 1e-13);
  Eigen::VectorXd X = covariance.partialPivLu().solve(V.head(6));
  std::vector<double> rates(doc.size());
  for (std::size_t k = 1; k <= std::size_t(doc.N); ++k) {
    X = doc.phi[k] * X;
    rates[k] = doc.h[k].dot(X);
  }
  EXPECT_LT(largest(doc.to_base_to_tip(rates) - least.head(7)), 1e-12);
}

TEST(rodriguez_kinematics, torn_rates_are_made_to_fit) {
  Hands hands("r_ex4");
  const Eigen::MatrixXd &J = hands.J, &A = hands.A, one = Eigen::MatrixXd::Identity(12, 12);
  const Eigen::MatrixXd J_least = J.transpose() * inverse_of(J * J.transpose());
  const Eigen::MatrixXd onto = A.transpose() * inverse_of(A * A.transpose()) * A;
  const Eigen::MatrixXd constraint = hands.across() * J;
  const Eigen::MatrixXd a = J_least * onto * J,
                        b = Eigen::MatrixXd::Identity(14, 14) - J_least * (one - onto) * J,
                        c = Eigen::MatrixXd::Identity(14, 14) -
                            constraint.transpose() *
                                inverse_of(constraint * constraint.transpose()) * constraint;
  Eigen::VectorXd torn(14);
  for (int k = 0; k < 14; ++k) torn[k] = std::sin(1.0 + 2.3 * k);
  // rates of the null space of both arms: self-motion only
  const Eigen::VectorXd self = torn - J_least * J * torn;
  const Eigen::VectorXd fit = hands.rates() + self;
  Eigen::MatrixXd rows;
  Posed& posed = hands.held.posed;
  ASSERT_TRUE(constraint_jacobian(posed.model, posed.state, posed.workspace, rows).ok());
  for (const Eigen::MatrixXd* P : {&a, &b, &c}) {
    EXPECT_LT(largest(constraint * (*P * torn)), 1e-12);
    EXPECT_LT(largest(rows * (*P * torn)), 1e-12);  // by the rows of the engine
    EXPECT_LT(largest(*P * *P - *P), 1e-12);
  }
  // (a) removes self-motion even from consistent rates, (b) and (c) keep it
  EXPECT_GT(largest(a * fit - fit), 0.1);
  EXPECT_LT(largest(b * fit - fit), 1e-12);
  EXPECT_LT(largest(c * fit - fit), 1e-12);
  // (c) has the smallest change
  EXPECT_LE((c * torn - torn).norm(), (b * torn - torn).norm());
  EXPECT_LE((c * torn - torn).norm(), (a * torn - torn).norm());
}

TEST(rodriguez_kinematics, joint_accelerations_follow_from_the_objects) {
  for (const char* name : {"r_ex2", "r_ex4"}) {
    Hands hands(name);
    std::vector<double> tau(std::size_t(hands.n));
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] = 3 * std::cos(double(k));
    const Eigen::VectorXd a = hands.held.posed.a({.tau = tau});
    const Eigen::VectorXd alpha = hands.held.acceleration_of("object", a);
    const Eigen::VectorXd wanted = hands.A.transpose() * alpha + hands.centripetal() - hands.beta();
    const double size = 1 + largest(a);
    EXPECT_LT(largest(hands.J * a - wanted), 1e-10 * size);
    const Eigen::MatrixXd J_least = hands.J.transpose() * inverse_of(hands.J * hands.J.transpose());
    const Eigen::VectorXd least = J_least * wanted;
    EXPECT_LT(largest(hands.J * least - wanted), 1e-9 * size);
    if (hands.n == 12) {
      EXPECT_LT(largest(least - a), 1e-9 * size);  // square: unique
    }
    EXPECT_LE(least.norm(), a.norm() * (1 + 1e-12));
    // projection: accelerations inconsistent with any object
    Eigen::VectorXd torn = a;
    torn[1] += 0.5, torn[8] -= 0.7;
    const Eigen::VectorXd fits = inverse_of(hands.A * hands.A.transpose()) * hands.A *
                                 (hands.J * torn + hands.beta() - hands.centripetal());
    const Eigen::VectorXd projected =
        J_least * (hands.A.transpose() * fits + hands.centripetal() - hands.beta());
    EXPECT_LT(largest(hands.across() * (hands.J * projected + hands.beta() - hands.centripetal())),
              1e-9 * size);
  }
}

TEST(rodriguez_kinematics, forces_of_the_hands_balance_on_the_object) {
  shows({"R-09", "constrained_reactions"});
  Hands hands("r_ex6");
  const std::vector<double> tau = {0, -107.2186393, -39.4220954, 1.6735593,  -5.5136936, 0,
                                   0, -104.0013192, -40.2410479, -0.9552837, -6.5933244, 0};
  const UniqueReactions carried = hands.held.carried({.tau = tau});
  Eigen::VectorXd x(12);
  Eigen::Vector3d moment = Eigen::Vector3d::Zero(), force = moment;
  for (int i = 0; i < 2; ++i) {
    const Force<double> F = carried.force[hands.held.joint("grip" + std::to_string(i + 1))];
    const Eigen::Vector3d at_C = three(F.moment), f = three(F.force);
    x.segment<6>(6 * i) << at_C - hands.l[i].cross(f), f;  // about the tip
    moment += x.segment<3>(6 * i) + hands.l[i].cross(f);   // by hand
    force += f;
  }
  Eigen::VectorXd sum(6);
  sum << moment, force;
  EXPECT_LT(largest(hands.A * x - sum), 1e-13);
  // at rest: no moment, its weight; torques are printed to seven decimals
  expect_near(hands.A * x, {0, 0, 0, 0, 0, 98.1}, 2e-5, "on the object");
}

// Section 3.9: one arm welded, one in point contact.
TEST(rodriguez_kinematics, contact_that_carries_no_moment) {
  shows({"R-06", "constrained_reactions"});
  FromGallery welded("r_ex2");
  Description description = welded.posed.model.description();
  const Pose<double> X_OT =
      inverse(welded.posed.X("object")) * welded.posed.X("arm2_tip");  // pose of the tip
  for (JointDescription& joint : description.joints)
    if (joint.name == "grip2") {
      joint.kind = JointKind::spherical;
      joint.options.at = {.xyz = {1.05 - 0.93, 0.0, 0.0}};
      joint.options.child_at = {.xyz = {X_OT.p.x, X_OT.p.y, X_OT.p.z}};
    }
  Posed posed(description, welded.posed.state.q, welded.posed.state.v);
  UniqueReactions carried;
  ASSERT_TRUE(
      constrained_reactions(posed.model, posed.state, {.tau = torques6}, posed.workspace, carried)
          .ok());
  const auto joint = [&](const char* name) {
    return carried.force[std::size_t(index(*posed.model.find_joint(name)))];
  };
  const Force<double> first = joint("grip1"), second = joint("grip2");
  const Vec3<double> l = posed.X("object").p - posed.X("arm1_tip").p;
  expect_near(six(Force<double>{first.moment + cross(l, first.force), first.force}),
              {-0.259585938, -4.473656127, -2.258605777, -4.958514774, -11.552425792, 72.092828595},
              2e-8, "arm 1");
  expect_near(six(Force<double>{second.moment, second.force}),
              {0, 0, 0, -18.215806330, -13.809696727, 62.805485855}, 2e-8, "arm 2");
}

}  // namespace
}  // namespace trammel::kinematics_test
