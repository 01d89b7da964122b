// The five stages for several arms on one object [Rodriguez 1988], and their consequences, against
// the engine for the same mechanism (R-EX2), which uses other algorithms.
#include "tests/reference/rodriguez/five_stages.hpp"

#include "tests/reference/from_gallery.hpp"
#include "tests/support/capability.hpp"
#include "trammel/constraint/mobility/dof_roles.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"

namespace trammel::five_stages_test {
namespace {

// The model of two arms on one object; `scale` of the mass and inertia of the object.
struct Held {
  explicit Held(bool is_moving = true, double scale = 1)
      : file("r_ex2"), posed(description(file.posed.model.description(), is_moving, scale), {}) {
    posed.state = file.posed.state;
    if (!is_moving) posed.state.v.assign(12, 0.0);
  }
  static Description description(Description description, bool is_moving, double scale) {
    if (!is_moving) description.gravity = {0.0, 0.0, 0.0};
    for (BodyDescription& body : description.bodies)
      if (body.name == "object") {
        body.solid.mass = 10 * scale;
        body.solid.inertia = {0.2 * scale, 0.0, 0.0, 0.3 * scale, 0.0, 0.25 * scale};
      }
    return description;
  }
  // wrench of arm i on the object at its tip, in world axes; the frame of the weld is that of the
  // object
  Vector6 contact(int i, const std::vector<double>& tau) {
    UniqueReactions carried;
    EXPECT_TRUE(
        constrained_reactions(posed.model, posed.state, {.tau = tau}, posed.workspace, carried)
            .ok());
    const std::string number = std::to_string(i + 1);
    const Force<double> F =
        carried.force[std::size_t(index(*posed.model.find_joint("grip" + number)))];
    const Vec3<double> l = posed.X("object").p - posed.X("arm" + number + "_tip").p;
    return column(Force<double>{F.moment + cross(l, F.force), F.force});
  }
  Vector6 object_acceleration(const Eigen::VectorXd& a) {
    const std::vector<double> list = list_of(a);
    return six(acceleration(posed.model, posed.moving({.a = list}),
                            frame_ref(posed.model, "object"), Axes::world));
  }
  FromGallery file;
  Posed posed;
};

// free accelerations of 900 rad/s^2 and a condition of 2e4 cost digits [Rodriguez 1988, traps 9 and
// 10]
constexpr double lost = 1e-9;

// The same with both hands cut from the object, which floats: the tree is the arms alone.
struct Apart {
  explicit Apart(Held& held) : posed(opened(held.posed.model.description()), {}) {
    posed.state = neutral_state(posed.model);
    const State& from = held.posed.state;
    for (int i = 0; i < 12; ++i) {
      const NamedJoint& joint = posed.model[*posed.model.find_joint(name_of(i))];
      const NamedJoint& same = held.posed.model[*held.posed.model.find_joint(name_of(i))];
      posed.state.q[std::size_t(joint.q_start)] = from.q[std::size_t(same.q_start)];
      posed.state.v[std::size_t(joint.v_start)] = from.v[std::size_t(same.v_start)];
      dofs.push_back(joint.v_start);
    }
    const NamedJoint& floats = posed.model[*posed.model.find_joint("float")];
    const Pose<double> X = held.posed.X("object");  // without rotation
    const double q[] = {1, 0, 0, 0, X.p.x, X.p.y, X.p.z};
    std::copy_n(q, 7, posed.state.q.begin() + floats.q_start);
    const Vector6 V = six(velocity(held.posed.model, held.posed.moving(),
                                   frame_ref(held.posed.model, "object"), Axes::body));
    std::copy_n(V.begin(), 6, posed.state.v.begin() + floats.v_start);
  }
  static std::string name_of(int i) {
    return "arm" + std::to_string(1 + i / 6) + "_joint" + std::to_string(1 + i % 6);
  }
  static Description opened(Description description) {
    for (JointDescription& joint : description.joints)
      if (joint.name.starts_with("grip")) joint.options.cut = true;
    description.start_positions.clear(), description.start_velocities.clear();
    description.joint("float", JointKind::free, "ground", "object");
    return description;
  }
  // both arms, base to tip, and back
  Eigen::VectorXd of_arms(const Eigen::VectorXd& all) const { return all(dofs); }
  std::vector<double> efforts(const std::vector<double>& tau) const {
    std::vector<double> all(std::size_t(posed.model.nv()));
    for (std::size_t k = 0; k < 12; ++k) all[std::size_t(dofs[k])] = tau[k];
    return all;
  }
  Posed posed;
  std::vector<int> dofs;
};

TEST(rodriguez_five_stages, end_where_the_engine_does) {
  shows({"R-34", "free_and_correction"}, {"R-37", "constrained_reactions"});
  TwoArmsOnObject seed;
  FiveStages stages = seed.stages();
  stages.finish();
  Held held;
  const Eigen::VectorXd a = held.posed.a({.tau = seed.tau});
  EXPECT_LT(largest(seed.joined(stages.accelerations) - a), lost * largest(a));
  // stage 4 corrects the free innovations to those of the closed chain; the resulting change of the
  // joint accelerations is what the loops of the engine add to those of the free arms
  Apart apart(held);
  const std::vector<double> efforts = apart.efforts(seed.tau);
  FreeAndCorrection split;
  const Status status = free_and_correction(apart.posed.model, apart.posed.state, {.tau = efforts},
                                            apart.posed.workspace, split);
  ASSERT_TRUE(status.ok()) << status.message();
  const Eigen::VectorXd free =
      seed.joined({stages.sweeps[0].acceleration, stages.sweeps[1].acceleration});
  EXPECT_LT(largest(apart.of_arms(split.free) - free), lost * largest(free));
  EXPECT_LT(largest(apart.of_arms(split.correction) - (seed.joined(stages.accelerations) - free)),
            lost * largest(free));

  // only with them the second smoother gives the joint reactions of the engine, x(k) = z(k) + dz(k)
  // + P(k) lambda(k)
  UniqueReactions carried;
  ASSERT_TRUE(constrained_reactions(held.posed.model, held.posed.state, {.tau = seed.tau},
                                    held.posed.workspace, carried)
                  .ok());
  const Kinematics moving = held.posed.moving();
  for (int i = 0; i < 2; ++i) {
    const TipToBase& arm = seed.arms[std::size_t(i)];
    const FilterAndSmoother& sweep = stages.sweeps[std::size_t(i)];
    Vector6 x = held.contact(i, seed.tau);  // from the engine, link by link inward
    for (std::size_t k = 1; k <= std::size_t(arm.N); ++k) {
      const Vector6& lambda = stages.lambda[std::size_t(i)][k];
      x = arm.phi[k] * x + arm.m[k] * lambda + arm.b[k];
      const Vector6 sum = sweep.z[k] + stages.corrections[std::size_t(i)][k] + sweep.P[k] * lambda;
      EXPECT_LT(largest(x - sum), 1e-8 * (1 + largest(x)));
      const JointId id = *held.posed.model.find_joint(Apart::name_of(6 * i + arm.body(int(k)) - 1));
      const NamedJoint& joint = held.posed.model[id];
      const Mat3<double> R = pose(held.posed.model, moving, {joint.child, joint.X_CM}).R;
      EXPECT_LT(largest(column(turned(R, carried.force[std::size_t(index(id))])) - sum),
                1e-8 * (1 + largest(x)))
          << joint.name;
      EXPECT_NEAR(arm.h[k].dot(x), seed.torques[std::size_t(i)][k], 1e-8 * (1 + largest(x)));
    }
  }
}

TEST(rodriguez_five_stages, two_point_boundary_problem_is_solved) {
  shows({"R-27", "forward_dynamics", "constrained_reactions"}, {"R-13", "constrained_reactions"});
  // accelerations and contact forces of the engine, substituted into every equation of section 7
  TwoArmsOnObject seed;
  Held held;
  const Eigen::VectorXd a = held.posed.a({.tau = seed.tau});
  const Vector6 alpha = held.object_acceleration(a);
  Vector6 sum = Vector6::Zero();
  const FiveStages stages = seed.stages();
  for (int i = 0; i < 2; ++i) {
    const TipToBase& arm = seed.arms[std::size_t(i)];
    const std::vector<double> thdd = arm.from_base_to_tip(list_of(a.segment(6 * i, 6)));
    std::vector<Vector6> lambda(arm.size(), Vector6::Zero());
    for (std::size_t k = std::size_t(arm.N); k > 0; --k)  // fixed at the base
      lambda[k] = arm.phi[k + 1].transpose() * lambda[k + 1] + arm.h[k] * thdd[k] + arm.eta[k];
    lambda[0] = arm.phi[1].transpose() * lambda[1] + arm.eta[0];
    Vector6 x = held.contact(i, seed.tau);
    sum += stages.A.middleCols<6>(6 * i) * x;
    // mixed at the tip: A^T alpha + a_C, with alpha from all contact forces
    const Vector6 expected =
        stages.A.middleCols<6>(6 * i).transpose() * alpha + stages.a_C.segment<6>(6 * i);
    EXPECT_LT(largest(lambda[0] - expected), lost * largest(expected));
    for (std::size_t k = 1; k <= std::size_t(arm.N); ++k) {
      x = arm.phi[k] * x + arm.m[k] * lambda[k] + arm.b[k];
      EXPECT_NEAR(arm.h[k].dot(x), seed.torques[std::size_t(i)][k], lost * (1 + largest(x)));
    }
  }
  // and alpha is the acceleration of the object by those forces: so lambda(0) is affine in x(0)
  EXPECT_LT(largest(alpha - seed.object.M().inverse() * (sum - seed.object.b())),
            lost * largest(alpha));
}

TEST(rodriguez_five_stages, contact_forces_need_no_last_stages) {
  shows({"R-30", "operational_space_inertia", "forward_dynamics"});
  TwoArmsOnObject seed;
  const FiveStages stages = seed.stages();  // three of them
  Held held;
  const Eigen::VectorXd a = held.posed.a({.tau = seed.tau});
  for (int i = 0; i < 2; ++i) {
    const Vector6 x = held.contact(i, seed.tau);
    EXPECT_LT(largest(stages.contact(i) - x), lost * largest(x));
    // D'Alembert forces: the inertia at the free tip times its acceleration. Applied to the tip
    // they stop it
    GenericArm arm(i + 1);
    arm.state.v = seed.two.arm[i].state.v;
    std::vector<double> free(6);
    ASSERT_TRUE(forward_dynamics(arm.model, arm.state, {.tau = arm.tau}, arm.workspace, free).ok());
    const Kinematics falling = kinematics_of(arm.model, arm.state, arm.workspace, {.a = free});
    const Vector6 lambda = column(acceleration(arm.model, falling, arm.tip, Axes::world));
    Eigen::MatrixXd Lambda_inverse(6, 6);
    ASSERT_TRUE(operational_space_inertia(arm.model, arm.state,
                                          factors_of(arm.model, arm.state, arm.workspace), arm.tip,
                                          Axes::world, arm.workspace, Lambda_inverse)
                    .ok());
    const Vector6 stop = Lambda_inverse * lambda;
    const Vector6 by_stages =
        stages.Lambda.block<6, 6>(6 * i, 6 * i).ldlt().solve(stages.lambda_free.segment<6>(6 * i));
    EXPECT_LT(largest(stop - by_stages), lost * largest(stop));
    const Wrench on_tip[] = {{arm.tip, -force(stop), Axes::world}};
    std::vector<double> stopped(6);
    ASSERT_TRUE(forward_dynamics(arm.model, arm.state, {.tau = arm.tau, .wrenches = on_tip},
                                 arm.workspace, stopped)
                    .ok());
    Kinematics moving(arm.model);
    ASSERT_TRUE(kinematics(arm.model, arm.state, {.a = stopped}, arm.workspace, moving).ok());
    const Vector6 tip = column(acceleration(arm.model, moving, arm.tip, Axes::world));
    EXPECT_LT(largest(tip), lost * largest(stages.lambda_free));
  }
  const Vector6 alpha = held.object_acceleration(a);
  EXPECT_LT(largest(stages.alpha - alpha), lost * largest(alpha));
}

TEST(rodriguez_five_stages, arms_that_drop_the_object_are_two_arms) {
  shows({"R-36", "forward_dynamics"});
  // stages 1 and 2 alone
  TwoArmsOnObject seed;
  const FiveStages stages = seed.stages();
  const Eigen::VectorXd free =
      seed.joined({stages.sweeps[0].acceleration, stages.sweeps[1].acceleration});
  // the engine, without object and welds
  Held held;
  Description description = held.posed.model.description();
  std::erase_if(description.bodies, [](const auto& body) { return body.name == "object"; });
  std::erase_if(description.joints,
                [](const auto& joint) { return joint.name.starts_with("grip"); });
  Posed dropped(description, held.posed.state.q, held.posed.state.v);
  const Eigen::VectorXd a = dropped.a({.tau = seed.tau});
  EXPECT_LT(largest(free - a), lost * largest(a));
  for (int i = 0; i < 2; ++i) {
    GenericArm& arm = seed.two.arm[i];
    std::vector<double> alone(6);
    ASSERT_TRUE(
        forward_dynamics(arm.model, arm.state, {.tau = arm.tau}, arm.workspace, alone).ok());
    EXPECT_LT(largest(a.segment(6 * i, 6) - column(alone)), 1e-10 * largest(a));
  }
  expect_near(
      a.head(6),
      {6.736242909, -25.573580820, 54.670317598, 24.463704786, -912.857820938, 980.360982267}, 5e-8,
      "free accelerations of arm 1");
}

// Section 3.7: in operator form. At rest without gravity, so that no bias hides an error.
TEST(rodriguez_five_stages, operators_do_what_sweeps_do) {
  shows({"R-40", "forward_dynamics"});
  TwoArmsOnObject seed(false);
  const FiveStages stages = seed.stages();
  Eigen::MatrixXd L = Eigen::MatrixXd::Zero(12, 12), HPsiB = Eigen::MatrixXd::Zero(12, 12);
  Eigen::VectorXd D(12), T(12);
  for (int i = 0; i < 2; ++i) {  // rows from tip to base
    const TipToBase& arm = seed.arms[std::size_t(i)];
    const FilterAndSmoother& sweep = stages.sweeps[std::size_t(i)];
    for (std::size_t k = 1; k <= 6; ++k) {
      const Eigen::Index row = 6 * i + Eigen::Index(k) - 1;
      D[row] = sweep.D[k];
      T[row] = seed.torques[std::size_t(i)][k];
      Matrix6 psi = Matrix6::Identity();  // psi(k, j), j going down
      for (std::size_t j = k; j > 0; --j) {
        if (j > 1) L(row, 6 * i + Eigen::Index(j) - 2) = arm.h[k].dot(psi * sweep.G[j]);
        psi = psi * sweep.psi[j];
      }
      HPsiB.block<1, 6>(row, 6 * i) = arm.h[k].transpose() * psi;
    }
  }
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(12, 12);
  const Eigen::VectorXd root = D.cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd K = root.asDiagonal() * HPsiB;
  const Eigen::VectorXd a =
      (one - L.transpose()) *
      (root.asDiagonal() * ((one - K * stages.Omega.inverse() * K.transpose()) *
                            (root.asDiagonal() * ((one - L) * T))));
  Held held(false);
  const Eigen::VectorXd ours = held.posed.a({.tau = seed.tau});
  Eigen::VectorXd base_to_tip(12);
  base_to_tip << a.head(6).reverse(), a.tail(6).reverse();
  EXPECT_LT(largest(base_to_tip - ours), lost * largest(ours));
  expect_near(held.object_acceleration(ours),
              {-19.044733874, 4.485072442, 2.220885506, 0.411075300, -1.085408470, 15.641650959},
              2e-8, "object at rest without gravity");
}

TEST(rodriguez_five_stages, gain_corrects_free_forces_and_bias_acceleration) {
  shows({"R-45", "constrained_reactions"}, {"R-50", "forward_dynamics", "acceleration"});
  TwoArmsOnObject seed;
  const FiveStages stages = seed.stages();
  const Matrix6 M = seed.object.M();
  const Eigen::MatrixXd& A = stages.A;
  const Eigen::MatrixXd P = stages.Lambda.inverse();
  const Eigen::MatrixXd gain = P * A.transpose() * (A * P * A.transpose() + M).inverse();
  const Eigen::MatrixXd other = stages.Omega.ldlt().solve(A.transpose() * M.inverse());
  EXPECT_LT(largest(gain - other), lost * largest(gain));
  const Eigen::VectorXd free = stages.lambda_free - stages.a_C, x_free = P * free;
  const Vector6 b = seed.object.b(), bias = -M.inverse() * b;
  Held held;
  const Eigen::VectorXd x = x_free + gain * (b - A * x_free);
  for (int i = 0; i < 2; ++i) {
    const Vector6 ours = held.contact(i, seed.tau);
    EXPECT_LT(largest(x.segment<6>(6 * i) - ours), lost * largest(x_free));
  }
  const Vector6 alpha = bias + gain.transpose() * (free - A.transpose() * bias);
  const Vector6 ours = held.object_acceleration(held.posed.a({.tau = seed.tau}));
  EXPECT_LT(largest(alpha - ours), lost * largest(ours));
}

TEST(rodriguez_five_stages, heavy_object_rests_and_light_one_follows) {
  shows({"R-47", "constrained_reactions"}, {"R-48", "constrained_reactions"});
  // at rest without gravity
  TwoArmsOnObject seed(false);
  Held heavy(false, 1e6), light(false, 1e-6);
  const FiveStages stages = seed.stages();
  const Eigen::VectorXd x_free = stages.Lambda.ldlt().solve(stages.lambda_free);
  Vector6 sum = Vector6::Zero();
  double largest_contact = 0;
  for (int i = 0; i < 2; ++i) {
    // the free forces of the arms, up to the effect of a millionth of their weight
    const Vector6 stopped = heavy.contact(i, seed.tau);
    EXPECT_LT(largest(stopped - x_free.segment<6>(6 * i)), 1e-5 * largest(x_free));
    const Vector6 x = light.contact(i, seed.tau);
    sum += stages.A.middleCols<6>(6 * i) * x;
    largest_contact = std::max(largest_contact, largest(x));
  }
  EXPECT_LT(largest(heavy.object_acceleration(heavy.posed.a({.tau = seed.tau}))), 1e-3);
  // their sum on a light object is zero, though each pushes
  EXPECT_LT(largest(sum), 1e-4 * largest_contact);
  EXPECT_GT(largest_contact, 1);
}

TEST(rodriguez_five_stages, object_alone_falls_and_turns_as_its_bias_says) {
  shows({"R-12", "forward_dynamics"}, {"R-49", "forward_dynamics", "acceleration"});
  Description description("object");
  description.body("object", {.mass = 10.0, .inertia = {0.2, 0.0, 0.0, 0.3, 0.0, 0.25}});
  description.joint("float", JointKind::free, "ground", "object");
  Posed posed(description, {1, 0, 0, 0, 0, 0, 0}, {0.1, -0.2, 0.3, 0.05, 0.1, -0.08});
  const Eigen::VectorXd a = posed.a();
  const std::vector<double> list = list_of(a);
  const Vector6 alpha = six(acceleration(posed.model, posed.moving({.a = list}),
                                         frame_ref(posed.model, "object"), Axes::world));
  Object object;
  object.twist << 0.1, -0.2, 0.3, 0.05, 0.1, -0.08;
  EXPECT_LT(largest(alpha + object.M().inverse() * object.b()), 1e-14);
  // Euler's equations by hand
  EXPECT_NEAR(alpha[0], (0.3 - 0.25) * -0.2 * 0.3 / 0.2, 1e-15);
  EXPECT_NEAR(alpha[5], -9.81, 1e-14);
}

}  // namespace
}  // namespace trammel::five_stages_test
