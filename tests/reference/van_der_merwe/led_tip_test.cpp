// A chain whose tip is attached to a moving point [van der Merwe 1995, sections 3.10 and 5.2.4]:
// contact of class I with a nonzero constraint acceleration g_c. The links are those of ME-3.
#include "tests/reference/from_gallery.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/maximal_kkt.hpp"

namespace trammel::led_tip_test {
namespace {

// The chain in a general state, its tip at the position and velocity of the carriage.
struct LedChain {
  LedChain() : led("me_3_led"), open(cut_off(led.posed.model.description()), q) {
    open.state.v = v;
    end = frame_ref(open.model, "link4");
    end.X_UA.p = {1, 0, 0};
    const Kinematics moving = open.moving();
    const Vec3<double> p = pose(open.model, moving, end).p;
    const Vec3<double> speed = velocity(open.model, moving, end).linear;
    led.posed.state.q = q, led.posed.state.v = v;
    for (const double x : {p.x - 2, p.z - 3}) led.posed.state.q.push_back(x);
    for (const double x : {speed.x, speed.z}) led.posed.state.v.push_back(x);
  }
  static Description cut_off(Description description) {
    std::erase_if(description.bodies, [](const auto& body) { return body.name == "carriage"; });
    description.inputs.clear();
    description.frames.clear();
    std::erase_if(description.joints, [](const auto& joint) {
      return joint.name == "carriage" || joint.name == "tip";
    });
    return description;
  }
  // force of the carriage on the tip, along x and z of the world
  Eigen::Vector2d held(const Inputs& inputs) {
    const Force<double> F = led.carried(inputs).force[led.joint("tip")];
    const Vec3<double> f = led.posed.X("link4").R * F.force;
    return {f.x, f.z};
  }

  std::vector<double> q = {0.3, -0.2, 0.5, -0.4}, v = {0.7, -0.9, 0.4, 1.1};
  FromGallery led;
  Posed open;
  FrameRef end;
};

// Section 3.10 on the open chain: h_c from psi_c^T Lambda^-1 psi_c, psi_c: x and z.
struct ByFormula {
  ByFormula(LedChain& chain, const std::vector<double>& tau, const Eigen::Vector2d& g_c,
            const Vec3<double>& base = {}) {
    const std::vector<int> xz = {3, 5};
    Posed& open = chain.open;
    const Eigen::MatrixXd J = open.J(chain.end, Axes::world)(xz, Eigen::all);
    Motion<double> rate;
    EXPECT_TRUE(
        jacobian_rate(open.model, open.state, chain.end, Axes::world, open.workspace, rate).ok());
    // an accelerating base equals a reduced gravity, and adds to the acceleration of the tip
    const Model falling = open.model.with_gravity(Vec3<double>{0, 0, -10} - base);
    Workspace workspace(falling);
    std::vector<double> bias_list(4);
    EXPECT_TRUE(bias(falling, open.state, {}, workspace, bias_list).ok());
    const Eigen::MatrixXd H_inverse = open.M().inverse();
    const Eigen::VectorXd a_open = H_inverse * (vector_of(tau) - vector_of(bias_list));
    const Eigen::Vector2d x_open =
        J * a_open + Eigen::Vector2d(rate.linear.x + base.x, rate.linear.z + base.z);
    const Eigen::MatrixXd Omega = H_inverse * J.transpose();
    const Eigen::Vector2d h_c = (J * Omega).ldlt().solve(x_open - g_c);
    a = a_open - Omega * h_c;
    held = -h_c;  // h_c is the force of the tip on the carriage
  }
  Eigen::VectorXd a;
  Eigen::Vector2d held;
};

constexpr double rounding = 1e-11;  // of accelerations near 100, condition below 1e3

TEST(van_der_merwe_led_tip, accelerates_as_the_point_that_holds_it) {
  LedChain chain;
  const std::vector<double> effort = {3, -2, 1.5, -0.5};
  std::vector<double> tau = effort;
  tau.resize(6);
  for (const Eigen::Vector2d& g_c :
       {Eigen::Vector2d(0, 0), Eigen::Vector2d(1.5, -0.7), Eigen::Vector2d(-20, 35)}) {
    const ByFormula expected(chain, effort, g_c);
    const std::vector<double> plan = {0, 0, 0, 0, g_c[0], g_c[1]};
    const Inputs inputs{.tau = tau, .a = plan};
    for (const ConstraintSolver solver : {ConstraintSolver::automatic, ConstraintSolver::schur,
                                          ConstraintSolver::null_space, ConstraintSolver::kkt}) {
      ConstrainedAnswer answer;
      const Status status = constrained_dynamics(chain.led.posed.model, chain.led.posed.state,
                                                 inputs, chain.led.posed.workspace, answer, solver);
      ASSERT_TRUE(status.ok()) << status.message();
      EXPECT_LT(largest(answer.a.head(4) - expected.a), rounding * (1 + largest(expected.a)));
      EXPECT_LT(largest(answer.a.tail(2) - g_c), rounding * (1 + largest(expected.a)));
    }
    const Eigen::Vector2d held = chain.held(inputs);
    EXPECT_LT(largest(held - expected.held), rounding * (1 + largest(expected.held)));
    // and against maximal coordinates: all bodies, all rows
    const MaximalKkt plain(chain.led.posed.model, chain.led.posed.state, inputs,
                           chain.led.posed.workspace);
    EXPECT_LT(largest(plain.a.head(4) - expected.a), 1e-9 * (1 + largest(expected.a)));
  }
}

// The joint of the carriage may be the loop joint: then a loop joint is driven by motion, and
// nothing else changes.
TEST(van_der_merwe_led_tip, prescribed_motion_may_be_of_the_loop_joint) {
  LedChain chain;
  Description description = chain.led.posed.model.description();
  for (JointDescription& joint : description.joints) joint.options.cut = joint.name == "carriage";
  Posed other(description, {});
  other.state = neutral_state(other.model);
  const std::vector<double> effort = {3, -2, 1.5, -0.5, 0};
  // the carriage is outboard of the tip now, and does not rotate: minus the sum of all angles
  other.state.q = chain.q, other.state.v = chain.v;
  double angle = 0, rate = 0;
  for (std::size_t k = 0; k < 4; ++k) angle += chain.q[k], rate += chain.v[k];
  // the joint of the tip goes from carriage to link
  other.state.q.push_back(angle), other.state.v.push_back(rate);
  ASSERT_EQ(other.model[*other.model.find_joint("carriage")].role, NamedJoint::Role::loop);
  const std::vector<double> loop_a = {1.5, -0.7};
  const ByFormula expected(chain, {3, -2, 1.5, -0.5}, {1.5, -0.7});
  for (const ConstraintSolver solver : {ConstraintSolver::automatic, ConstraintSolver::schur,
                                        ConstraintSolver::null_space, ConstraintSolver::kkt}) {
    ConstrainedAnswer answer;
    const Status status =
        constrained_dynamics(other.model, other.state, {.tau = effort, .loop_a = loop_a},
                             other.workspace, answer, solver);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_LT(largest(answer.a.head(4) - expected.a), rounding * (1 + largest(expected.a)))
        << to_string(answer.solver) << "\n"
        << answer.a.transpose() << "\n"
        << expected.a.transpose();
  }
}

// An accelerating support, while the tip is attached to a point with another motion.
TEST(van_der_merwe_led_tip, base_may_accelerate_too) {
  LedChain chain;
  const Vec3<double> base{0.8, 0, -2.3};
  const Eigen::Vector2d g_c(1.5, -0.7);  // of the point, relative to the world
  const ByFormula expected(chain, {0, 0, 0, 0}, g_c, base);
  // the carriage is on the support: its prescribed motion is the difference
  const std::vector<double> plan = {0, 0, 0, 0, g_c[0] - base.x, g_c[1] - base.z};
  const Inputs inputs{.a = plan, .ground = {.acceleration = {{}, base}}};
  const Eigen::VectorXd a = chain.led.posed.a(inputs);
  EXPECT_LT(largest(a.head(4) - expected.a), rounding * (1 + largest(expected.a)));
  EXPECT_LT(largest(chain.held(inputs) - expected.held), rounding * (1 + largest(expected.held)));
}

// Simulation: the tip follows the point, which moves along two cosines; the work of the point on it
// is the change of energy of the chain.
TEST(van_der_merwe_led_tip, tip_tracks_an_accelerating_point) {
  shows({"M-51", "forward_dynamics", "constrained_reactions"});
  FromGallery led("me_3_led");
  Posed& posed = led.posed;
  const auto point = [](double t) {
    return Eigen::Vector2d(0.3 * (1 - std::cos(2 * t)), -0.15 * (1 - std::cos(3 * t)));
  };
  const auto speed = [](double t) {
    return Eigen::Vector2d(0.6 * std::sin(2 * t), -0.45 * std::sin(3 * t));
  };
  const auto plan = [](double t) -> std::vector<double> {
    return {0, 0, 0, 0, 1.2 * std::cos(2 * t), -1.35 * std::cos(3 * t)};
  };
  FrameRef end = frame_ref(posed.model, "link4");
  end.X_UA.p = {1, 0, 0};
  // without the energy of the carriage
  const auto energy_of_chain = [&] {
    const Energy all = posed.energies();
    const double vx = posed.state.v[4], vz = posed.state.v[5], z = 3 + posed.state.q[5];
    return all.total() - 0.5 * (vx * vx + vz * vz) / 2 - 0.5 * 10 * z;
  };
  const double start = energy_of_chain();
  const auto power = [&](double t) {
    const std::vector<double> a = plan(t);
    const Force<double> F = led.carried({.a = a}).force[led.joint("tip")];
    const Vec3<double> f = posed.X("link4").R * F.force;
    return f.x * speed(t)[0] + f.z * speed(t)[1];
  };

  // classical Runge-Kutta; between its stages the loop opens by less than 1e-6
  const double step = 5e-4;
  const int steps = 2000, look = 20;
  std::vector<double> powers = {power(0)};
  for (int i = 0; i < steps; ++i) {
    const double t = i * step;
    const Eigen::VectorXd q0 = vector_of(posed.state.q), v0 = vector_of(posed.state.v);
    const auto a_at = [&](double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
      posed.state.q = list_of(q), posed.state.v = list_of(v);
      const std::vector<double> a = plan(time);
      return posed.a({.a = a});
    };
    const Eigen::VectorXd a1 = a_at(t, q0, v0);
    const Eigen::VectorXd v2 = v0 + step / 2 * a1, a2 = a_at(t + step / 2, q0 + step / 2 * v0, v2);
    const Eigen::VectorXd v3 = v0 + step / 2 * a2, a3 = a_at(t + step / 2, q0 + step / 2 * v2, v3);
    const Eigen::VectorXd v4 = v0 + step * a3, a4 = a_at(t + step, q0 + step * v3, v4);
    posed.state.q = list_of(q0 + step / 6 * (v0 + 2 * v2 + 2 * v3 + v4));
    posed.state.v = list_of(v0 + step / 6 * (a1 + 2 * a2 + 2 * a3 + a4));
    if ((i + 1) % look != 0) continue;
    const double now = t + step;
    const std::vector<double> a = plan(now);
    const std::vector<double> found = list_of(posed.a({.a = a}));
    const Kinematics moving = posed.moving({.a = found});
    const Vec3<double> p = pose(posed.model, moving, end).p,
                       v = velocity(posed.model, moving, end).linear,
                       A = acceleration(posed.model, moving, end, Axes::world).linear;
    // fourth order in the step; accelerations exactly
    EXPECT_NEAR(p.x - 2, point(now)[0], 1e-9);
    EXPECT_NEAR(p.z - 3, point(now)[1], 1e-9);
    EXPECT_NEAR(v.x, speed(now)[0], 1e-9);
    EXPECT_NEAR(v.z, speed(now)[1], 1e-9);
    // velocities have errors of 1e-9, and rates near 10 multiply that
    EXPECT_NEAR(A.x, a[4], 1e-7);
    EXPECT_NEAR(A.z, a[5], 1e-7);
    powers.push_back(power(now));
  }
  // Simpson's rule over the samples
  double work = 0;
  for (std::size_t k = 0; k + 2 < powers.size(); k += 2)
    work += look * step / 3 * (powers[k] + 4 * powers[k + 1] + powers[k + 2]);
  EXPECT_NEAR(energy_of_chain() - start, work, 1e-5);
  EXPECT_GT(std::abs(work), 0.1);
}

}  // namespace
}  // namespace trammel::led_tip_test
