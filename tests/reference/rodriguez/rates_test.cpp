// Velocities and accelerations of arms that grasp one object [Rodriguez 1988, section 3.1], on
// R-EX2 (two arms of six joints) and R-EX4 (two of seven).
#include "tests/reference/posed.hpp"
#include "tests/reference/rodriguez/arms.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/placement_of.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/constraint/assembly/inverse_kinematics.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel::rates_test {
namespace {

// R-EX4: an extra joint about x in the upper arm
void add_seven_jointed(Description& description, int number, const std::string& prefix) {
  struct Row {
    Vec3<double> axis, position;
    double mass;
    Vec3<double> com, inertia;
  };
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const Row rows[] = {{z, {0, 0, 0}, 12, {0, 0, .20}, {.20, .20, .08}},
                      {y, {0, 0, .40}, 4, {.125, 0, .40}, {.01, .03, .03}},
                      {x, {.25, 0, .40}, 4, {.35, 0, .40}, {.01, .03, .03}},
                      {y, {.45, 0, .40}, 5, {.55, 0, .40}, {.01, .03, .03}},
                      {x, {.65, 0, .40}, 2, {.75, 0, .40}, {.004, .01, .01}},
                      {y, {.85, 0, .40}, 1, {.89, 0, .40}, {.002, .002, .002}},
                      {x, {.93, 0, .40}, .5, {.99, 0, .40}, {.0005, .0008, .0008}}};
  const auto said_of = [](const Vec3<double>& a) { return Vec3<Expr>{a.x, a.y, a.z}; };
  std::string parent = "ground";
  Vec3<double> before;
  for (int i = 0; i < 7; ++i) {
    const Row& row = rows[i];
    const std::string name = prefix + "link " + std::to_string(i + 1);
    description.body(name,
                     {.mass = row.mass,
                      .com = said_of(row.com - row.position),
                      .inertia = {row.inertia.x, 0.0, 0.0, row.inertia.y, 0.0, row.inertia.z}});
    Placement where = {.xyz = said_of(row.position - before)};
    if (i == 0)
      where = number == 1 ? Placement{.xyz = {-1.1, 0.0, 0.0}}
                          : Placement{.xyz = {1.1, 0.0, 0.0}, .rpy = {0.0, 0.0, std::numbers::pi}};
    description.joint(prefix + "joint " + std::to_string(i + 1), JointKind::revolute, parent, name,
                      {.at = where, .axis = said_of(row.axis)});
    parent = name;
    before = row.position;
  }
  description.frame(prefix + "tip", parent, {.xyz = said_of(Vec3<double>{1.05, 0, .40} - before)});
}

// Two arms and their object, and the matrices J, A of [Rodriguez 1988].
struct Held {
  explicit Held(int joints) : N(joints) {
    const std::vector<double> q =
        N == 6 ? std::vector{0.2, -0.5, 0.9, 0.3, 0.6, -0.4, -0.1, -0.6, 1.0, -0.2, 0.5, 0.3}
               : std::vector{0.2,  -0.5, 0.25, 0.9, 0.3,  0.6, -0.4,
                             -0.1, -0.6, -0.3, 1.0, -0.2, 0.5, 0.3};
    Description open("arms"), closed("arms and object");
    for (Description* description : {&open, &closed}) {
      description->gravity = {0.0, 0.0, -9.81};
      for (int i = 1; i <= 2; ++i)
        if (N == 6)
          GenericArm::add_to(*description, i, false, prefix(i));
        else
          add_seven_jointed(*description, i, prefix(i));
    }
    arms = std::make_unique<Posed>(open, q);
    for (int i = 1; i <= 2; ++i) C = C + 0.5 * arms->X(prefix(i) + "tip").p;
    C.z += 0.05;
    closed.body("object", {.mass = 10.0, .inertia = {0.2, 0.0, 0.0, 0.3, 0.0, 0.25}});
    for (int i = 1; i <= 2; ++i) {
      const std::string hand = prefix(i) + "link " + std::to_string(N);
      const Pose<double> X_HO = inverse(arms->X(hand)) * Pose<double>{Mat3<double>::identity(), C};
      closed.joint(prefix(i) + "weld", JointKind::fixed, hand, "object",
                   {.at = placement_of(X_HO), .cut = i > 1});
    }
    held = std::make_unique<Posed>(closed, q);
    twist << 0.1, -0.2, 0.3, 0.05, 0.1, -0.08;
    J = Eigen::MatrixXd::Zero(12, 2 * N);
    A.resize(6, 12);
    for (int i = 0; i < 2; ++i) {
      const std::string tip = prefix(i + 1) + "tip";
      J.middleRows<6>(6 * i) = arms->J(tip, Axes::world);
      A.middleCols<6>(6 * i) = twist_shift(three(arms->X(tip).p - C)).transpose();
    }
  }
  static std::string prefix(int i) { return "arm " + std::to_string(i) + " "; }

  static MotionTarget as_target(const Posed& posed, const Vector6& motion) {
    return {frame_ref(posed.model, "object"), Vec3<double>{motion[0], motion[1], motion[2]},
            Vec3<double>{motion[3], motion[4], motion[5]}};
  }
  Eigen::VectorXd rates(const std::vector<MotionTarget>& targets, SelfMotion self_motion) {
    std::vector<double> v(std::size_t(2 * N));
    const Status status = inverse_kinematics_velocity(held->model, held->state, targets,
                                                      held->workspace, v, self_motion);
    EXPECT_TRUE(status.ok()) << status.message();
    return vector_of(v);
  }
  Eigen::VectorXd rates_for(const Vector6& wanted, SelfMotion self_motion = SelfMotion::none) {
    return rates({as_target(*held, wanted)}, self_motion);
  }
  Eigen::VectorXd accelerations_for(const Vector6& wanted, SelfMotion self_motion,
                                    const std::vector<double>& prior) {
    std::vector<double> a(std::size_t(2 * N));
    const std::vector<MotionTarget> targets = {as_target(*held, wanted)};
    const Status status = inverse_kinematics_acceleration(
        held->model, held->state, targets, {.a = prior}, held->workspace, a, self_motion);
    EXPECT_TRUE(status.ok()) << status.message();
    return vector_of(a);
  }
  // twist of the object nearest to the twists of the tips
  Vector6 object_twist(const Eigen::VectorXd& tips) const {
    return (A * A.transpose()).ldlt().solve(A * tips);
  }
  // velocity-dependent accelerations of the tips, and of the contact points of the object
  Eigen::VectorXd beta() {
    Eigen::VectorXd out(12);
    for (int i = 0; i < 2; ++i) {
      arms->state.v = held->state.v;
      out.segment<6>(6 * i) = arms->J_rate(prefix(i + 1) + "tip", Axes::world);
    }
    return out;
  }
  Eigen::VectorXd a_C(const Eigen::Vector3d& w) {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(12);
    for (int i = 0; i < 2; ++i)
      out.segment<3>(6 * i + 3) = w.cross(w.cross(three(arms->X(prefix(i + 1) + "tip").p - C)));
    return out;
  }

  int N;
  Vec3<double> C;
  Vector6 twist;
  std::unique_ptr<Posed> arms, held;
  Eigen::MatrixXd J, A;
};
Eigen::VectorXd some_rates(int n, int seed) {
  Random random(seed);
  return vector_of(random.numbers(n));
}

TEST(rodriguez_rates, arms_of_six_joints_follow_the_object) {
  shows({"R-16", "inverse_kinematics_velocity"}, {"R-18", "inverse_kinematics_velocity"});
  Held arms(6);
  const Eigen::VectorXd v = arms.rates_for(arms.twist);
  EXPECT_LT((arms.J * v - arms.A.transpose() * arms.twist).norm(), 1e-13);
  for (int i = 0; i < 2; ++i) {  // arm by arm
    const Eigen::MatrixXd J = arms.J.block<6, 6>(6 * i, 6 * i);
    const Eigen::VectorXd alone =
        J.partialPivLu().solve(arms.A.middleCols<6>(6 * i).transpose() * arms.twist);
    EXPECT_LT((v.segment<6>(6 * i) - alone).norm(), 1e-12);
  }
}

TEST(rodriguez_rates, object_moves_with_the_arms_that_agree_and_between_those_that_do_not) {
  shows({"R-17", "velocity"});
  for (const int joints : {6, 7}) {
    Held arms(joints);
    const Eigen::VectorXd v = arms.rates_for(arms.twist);
    EXPECT_LT((arms.object_twist(arms.J * v) - arms.twist).norm(), 1e-13);
    arms.held->state.v = list_of(v);
    const Kinematics moving = arms.held->moving();
    const Eigen::VectorXd told =
        six(velocity(arms.held->model, moving, frame_ref(arms.held->model, "object")));
    EXPECT_LT((told - arms.twist).norm(), 1e-13);
    // inconsistent rates: no twist is nearer to the tips
    const Eigen::VectorXd tips = arms.J * some_rates(2 * joints, 3);
    const Vector6 nearest = arms.object_twist(tips);
    const double miss = (arms.A.transpose() * nearest - tips).norm();
    EXPECT_GT(miss, 0.1);
    for (int k = 0; k < 6; ++k)
      for (const double step : {1e-3, -1e-3})
        EXPECT_GT((arms.A.transpose() * (nearest + step * Vector6::Unit(k)) - tips).norm(), miss);
  }
}

TEST(rodriguez_rates, least_rates_of_arms_with_a_joint_to_spare) {
  shows({"R-19", "inverse_kinematics_velocity"}, {"R-20", "inverse_kinematics_velocity"});
  Held arms(7);
  const Eigen::VectorXd least = arms.rates_for(arms.twist);
  EXPECT_LT((arms.J * least - arms.A.transpose() * arms.twist).norm(), 1e-13);
  EXPECT_LT((arms.J.fullPivLu().kernel().transpose() * least).norm(), 1e-12);
  for (int i = 0; i < 2; ++i) {
    // the recursions of [Rodriguez 1988]: Q outward, X inward, indexed from tip to base
    Description alone("arm");
    add_seven_jointed(alone, i + 1, "");
    Posed arm(alone, {arms.held->state.q.begin() + 7 * i, arms.held->state.q.begin() + 7 * i + 7});
    const TipToBase counted(arm.model, arm.state, frame_ref(arm.model, "tip"), arm.workspace);
    Matrix6 Q = Matrix6::Zero();
    for (std::size_t k = 7; k > 0; --k)
      Q = (counted.phi[k + 1].transpose() * Q * counted.phi[k + 1] +
           counted.h[k] * counted.h[k].transpose())
              .eval();
    Q = (counted.phi[1].transpose() * Q * counted.phi[1]).eval();
    const Eigen::MatrixXd J = arms.J.block(6 * i, 7 * i, 6, 7);
    EXPECT_LT((Q - J * J.transpose()).norm(), 1e-13);
    Vector6 X = Q.ldlt().solve(arms.A.middleCols<6>(6 * i).transpose() * arms.twist);
    for (std::size_t k = 1; k <= 7; ++k) {
      X = (counted.phi[k] * X).eval();
      EXPECT_NEAR(counted.h[k].dot(X), least[7 * i + 7 - int(k)], 1e-12);
    }
  }
}

TEST(rodriguez_rates, arms_without_a_joint_to_spare_have_no_rate_of_their_own) {
  shows({"R-21", "inverse_kinematics_velocity"});
  Held six_joints(6), seven_joints(7);
  const Eigen::VectorXd v = six_joints.rates_for(six_joints.twist);
  six_joints.held->state.v = list_of(v);
  EXPECT_LT((v - six_joints.rates_for(six_joints.object_twist(six_joints.J * v))).norm(), 1e-12);
  // with a redundant joint, the remainder is self-motion, which moves no tip
  const Eigen::VectorXd least = seven_joints.rates_for(seven_joints.twist);
  const Eigen::VectorXd self_motion = seven_joints.J.fullPivLu().kernel().col(0);
  seven_joints.held->state.v = list_of(least + self_motion);
  const Eigen::VectorXd error = vector_of(seven_joints.held->state.v) -
                                seven_joints.rates_for(seven_joints.object_twist(
                                    seven_joints.J * vector_of(seven_joints.held->state.v)));
  EXPECT_LT((error - self_motion).norm(), 1e-12);
}

TEST(rodriguez_rates, rates_that_disagree_are_projected) {
  shows({"R-22", "inverse_kinematics_velocity", "project_velocity"});
  for (const int joints : {6, 7}) {
    Held arms(joints);
    const Eigen::VectorXd rates = some_rates(2 * joints, 5);
    const Eigen::MatrixXd &J = arms.J, &A = arms.A;
    const Eigen::MatrixXd Q_inverse = (J * J.transpose()).inverse();
    const Eigen::MatrixXd along = A.transpose() * (A * A.transpose()).inverse() * A;
    const Eigen::MatrixXd across = Eigen::MatrixXd::Identity(12, 12) - along;
    const Eigen::VectorXd a = J.transpose() * Q_inverse * along * J * rates;
    const Eigen::VectorXd b = rates - J.transpose() * Q_inverse * across * J * rates;
    const Eigen::MatrixXd constraint = across * J;
    const Eigen::VectorXd c =
        rates - constraint.completeOrthogonalDecomposition().solve(constraint * rates);

    arms.held->state.v = list_of(rates);
    const Vector6 twist = arms.object_twist(J * rates);
    // (a) removes self-motion, (b) keeps it, (c) is the smallest change
    EXPECT_LT((arms.rates_for(twist, SelfMotion::none) - a).norm(), 1e-11 * (1 + a.norm()));
    EXPECT_LT((arms.rates_for(twist, SelfMotion::kept) - b).norm(), 1e-11 * (1 + b.norm()));
    EXPECT_LT((arms.rates({}, SelfMotion::kept) - c).norm(), 1e-11 * (1 + c.norm()));
    EXPECT_LT((c - rates).norm(), (b - rates).norm() * (1 + 1e-12));
    for (const Eigen::VectorXd* x : {&a, &b, &c}) {
      EXPECT_LT((across * J * *x).norm(), 1e-11 * (1 + x->norm()));
      // idempotent: consistent rates do not change (except in (a), which removes self-motion)
      arms.held->state.v = list_of(*x);
      EXPECT_LT((arms.rates({}, SelfMotion::kept) - *x).norm(), 1e-11 * (1 + x->norm()));
    }
    // in the inertia metric: the plastic impact
    const Eigen::MatrixXd M_inverse = arms.held->M().inverse();
    Eigen::MatrixXd rows;
    arms.held->state.v.assign(std::size_t(2 * joints), 0.0);
    ASSERT_TRUE(
        constraint_jacobian(arms.held->model, arms.held->state, arms.held->workspace, rows).ok());
    const Eigen::VectorXd by_inertia =
        rates - M_inverse * rows.transpose() *
                    (rows * M_inverse * rows.transpose()).ldlt().solve(rows * rates);
    arms.held->state.v = list_of(rates);
    ASSERT_TRUE(project_velocity(arms.held->model, arms.held->state, arms.held->workspace).ok());
    EXPECT_LT((vector_of(arms.held->state.v) - by_inertia).norm(), 1e-9 * (1 + by_inertia.norm()));
  }
}

TEST(rodriguez_rates, joints_accelerate_as_the_object_is_to) {
  shows({"R-24", "inverse_kinematics_acceleration"});
  Vector6 alpha;
  alpha << 0.4, -1.0, 0.6, 2.0, -0.5, 1.5;
  for (const int joints : {6, 7}) {
    Held arms(joints);
    // with self-motion, so that beta is not zero
    Eigen::VectorXd v = arms.rates_for(arms.twist);
    if (joints == 7) v += 0.7 * arms.J.fullPivLu().kernel().col(0);
    arms.held->state.v = list_of(v);
    const Eigen::VectorXd bracket =
        arms.A.transpose() * alpha + arms.a_C(arms.twist.head<3>()) - arms.beta();
    const Eigen::MatrixXd J_inverse = arms.J.transpose() * (arms.J * arms.J.transpose()).inverse();
    const Eigen::VectorXd least = J_inverse * bracket;
    EXPECT_LT((arms.accelerations_for(alpha, SelfMotion::none, {}) - least).norm(),
              1e-11 * (1 + least.norm()));
    // given joint accelerations, preserved as far as the object allows
    const Eigen::VectorXd prior = some_rates(2 * joints, 9);
    const Eigen::VectorXd kept = prior + J_inverse * (bracket - arms.J * prior);
    const Eigen::VectorXd found = arms.accelerations_for(alpha, SelfMotion::kept, list_of(prior));
    EXPECT_LT((found - kept).norm(), 1e-11 * (1 + kept.norm()));
    EXPECT_LT((arms.J * found - bracket).norm(), 1e-11 * (1 + bracket.norm()));
  }
}

TEST(rodriguez_rates, motions_outside_the_range_of_an_arm_are_reported) {
  Held arms(6);
  Description description = GenericArm::described(1, false);
  description.joints.resize(4);
  description.bodies.resize(4);
  description.frames.clear();
  Posed small_chain(description, {0.2, -0.5, 0.9, 0.3});
  const std::vector<MotionTarget> all = {{frame_ref(small_chain.model, "link 4"),
                                          Vec3<double>{0.1, 0.2, 0.3},
                                          Vec3<double>{0.1, 0.2, 0.3}}};
  std::vector<double> v(4);
  const std::string words = inverse_kinematics_velocity(small_chain.model, small_chain.state, all,
                                                        small_chain.workspace, v)
                                .message();
  EXPECT_TRUE(
      words.starts_with("inverse_kinematics_velocity: a place on body 'link 4' cannot have the "
                        "target motion at this pose: "))
      << words;
}

}  // namespace
}  // namespace trammel::rates_test
