// Force elements of the user: the same as built-in ones, and with states of their own.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "tests/support/motion_of.hpp"
#include "trammel/analyze/equilibrium.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/constraint/system/constrained_derivatives.hpp"
#include "trammel/dynamics/force_elements.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/simulate/checks/audit.hpp"
#include "trammel/simulate/checks/power.hpp"
#include "trammel/write/model/toml.hpp"

namespace trammel::user_force_test {
namespace {

// A spring and damper between points, as the built-in one.
struct OwnSpring {
  double stiffness, length, damping;
  template <class S> ElementWrench<S> wrench(const BodyPair<S>& frames, std::span<const S>) const {
    const Vec3<S> d = frames.X_WC.p - frames.X_WP.p;
    const S distance = norm(d);
    const Vec3<S> along = (1.0 / distance) * d;
    const Vec3<S> v = frames.X_WC.R * frames.V_C.linear - frames.X_WP.R * frames.V_P.linear;
    const S pull = stiffness * (distance - length) + damping * dot(along, v);
    return {{{}, -pull * along}, frames.X_WC.p};
  }
  template <class S> S potential_energy(const BodyPair<S>& frames, std::span<const S>) const {
    const S stretch = norm(frames.X_WC.p - frames.X_WP.p) - length;
    return 0.5 * stiffness * stretch * stretch;
  }
  double dissipated_power(const BodyPair<double>& frames, std::span<const double>) const {
    const Vec3<double> d = frames.X_WC.p - frames.X_WP.p;
    const double rate =
        dot(d, frames.X_WC.R * frames.V_C.linear - frames.X_WP.R * frames.V_P.linear) / norm(d);
    return damping * rate * rate;
  }
  bool is_conservative() const { return damping == 0; }
};

Description arm(bool is_own, double damping) {
  Description out("arm");
  out.body("upper", thin_rod(1.0, 0.4, {0.2, 0.0, 0.0}));
  out.body("lower", box(1.0, {0.3, 0.05, 0.1}, {0.15, 0.0, 0.02}));
  out.joint("shoulder", JointKind::universal, "ground", "upper");
  out.joint("elbow", JointKind::revolute, "upper", "lower",
            {.at = {.xyz = {0.4, 0.0, 0.0}}, .axis = {0.0, 1.0, 0.0}, .damping = {0.2}});
  out.frame("tip", "lower", {.xyz = {0.3, 0.02, 0.01}, .rpy = {0.3, 0.1, -0.2}});
  out.frame("post", "ground", {.xyz = {0.6, 0.1, 0.2}, .rpy = {0.0, 0.4, 0.0}});
  if (is_own)
    out.user_forces.push_back(
        {"tie", "post", "tip", user_force_element(OwnSpring{50, 0.2, damping})});
  else
    out.springs.push_back({"tie", "post", "tip", 50.0, 0.2, damping, {}});
  return out;
}

TEST(UserForce, acts_as_the_built_in_element_of_the_same_law) {
  for (const double damping : {0.0, 2.0}) {
    const Model built_in = build_model(arm(false, damping)), own = build_model(arm(true, damping));
    Workspace workspace(built_in), room(own);
    State state = neutral_state(own);
    state.q = {0.3, -0.4, 0.9};
    state.v = {0.5, -0.7, 1.1};
    std::vector<double> a(3), b(3);
    ASSERT_TRUE(forward_dynamics(built_in, state, {}, workspace, a).ok());
    ASSERT_TRUE(forward_dynamics(own, state, {}, room, b).ok());
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-11);
    const std::vector<double> given = {0.1, 0.2, 0.3};
    ASSERT_TRUE(inverse_dynamics(built_in, state, {.a = given}, workspace, a).ok());
    ASSERT_TRUE(inverse_dynamics(own, state, {.a = given}, room, b).ok());
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-12);
    Energy one, two;
    ASSERT_TRUE(energy(built_in, state, workspace, one).ok());
    ASSERT_TRUE(energy(own, state, room, two).ok());
    EXPECT_NEAR(one.elastic, two.elastic, 1e-13);
    Linearization near, also;
    ASSERT_TRUE(linearize(built_in, state, {}, workspace, near).ok());
    ASSERT_TRUE(linearize(own, state, {}, room, also).ok());
    EXPECT_LT((near.A - also.A).norm(), 1e-11 * near.A.norm());
    State rest = state, rest_too = state;
    ASSERT_TRUE(equilibrium(built_in, rest, {}, workspace, {}).ok());
    ASSERT_TRUE(equilibrium(own, rest_too, {}, room, {}).ok());
    EXPECT_LT(apart(own, rest, rest_too), 1e-10);
  }
}

// Maxwell element along x: a spring in series with a damper. Its state is the position of the
// damper: z' = k/c (x - z), force k (x - z).
struct Maxwell {
  double k, c, start;
  template <class S> static S stretch(const BodyPair<S>& frames, std::span<const S> z) {
    return frames.X_WC.p.x - frames.X_WP.p.x - z[0];
  }
  template <class S>
  ElementWrench<S> wrench(const BodyPair<S>& frames, std::span<const S> z) const {
    return {{{}, {-k * stretch(frames, z), S(0.0), S(0.0)}}, frames.X_WC.p};
  }
  template <class S> S potential_energy(const BodyPair<S>& frames, std::span<const S> z) const {
    const S s = stretch(frames, z);
    return 0.5 * k * s * s;
  }
  double dissipated_power(const BodyPair<double>& frames, std::span<const double> z) const {
    const double force = k * stretch(frames, z);
    return force * force / c;
  }
  bool is_conservative() const { return false; }
  int nz() const { return 1; }
  void initial_z(std::span<double> z) const { z[0] = start; }
  template <class S>
  void z_rates(const BodyPair<S>& frames, std::span<const S> z, std::span<S> z_dot) const {
    z_dot[0] = (k / c) * stretch(frames, z);
  }
};

Description cart(bool has_controller) {
  Description out("cart");
  out.gravity = {0.0, 0.0, 0.0};
  out.body("cart", box(2.0, {0.2, 0.1, 0.1}));
  out.joint("rail", JointKind::prismatic, "ground", "cart", {.axis = {1.0, 0.0, 0.0}});
  out.user_forces.push_back({"creep", "ground", "cart", user_force_element(Maxwell{30, 5, -0.1})});
  out.start_positions.push_back({"rail", {0.4}});
  out.start_velocities.push_back({"rail", {-0.3}});
  if (has_controller) {
    ControllerDescription hold;
    hold.name = "hold", hold.joint = "rail", hold.i = 4.0;
    hold.target.profile = "constant";
    hold.target.numbers = {{"constant", {0.0}}};
    out.controllers.push_back(hold);
  }
  return out;
}

// x'' = -k/m (x - z), z' = k/c (x - z): the exponential of its matrix. With an integral controller
// its state w comes behind: x'' -= i w/m with w' = x.
TEST(UserForce, has_states_that_are_integrated_with_the_motion) {
  for (const bool has_controller : {false, true}) {
    MotionOf motion(build_model(cart(has_controller)));
    EXPECT_EQ(motion.model.nz(), 1);
    ASSERT_EQ(motion.state.z, std::vector<double>{-0.1});
    ASSERT_TRUE(motion.go(1.5).ok());
    const double k = 30, c = 5, m = 2, i = has_controller ? 4 : 0;
    Eigen::MatrixXd A(4, 4);  // x, v, z, and with the controller w = integral of x
    A << 0, 1, 0, 0, -k / m, 0, k / m, -i / m, k / c, 0, -k / c, 0, 1, 0, 0, 0;
    const Eigen::Index n = has_controller ? 4 : 3;  // with w alone 0 is a defective eigenvalue
    const Eigen::ComplexEigenSolver<Eigen::MatrixXd> solved(A.topLeftCorner(n, n).eval());
    Eigen::VectorXcd y = Eigen::VectorXcd::Zero(n);
    y.head(3) << 0.4, -0.3, -0.1;
    y = solved.eigenvectors().partialPivLu().solve(y);
    const Eigen::VectorXcd factor = (1.5 * solved.eigenvalues().array()).exp();
    const Eigen::VectorXd expected =
        (solved.eigenvectors() * (factor.array() * y.array()).matrix()).real();
    // tolerance of the run times its steps
    EXPECT_NEAR(motion.q("rail"), expected[0], 1e-9) << has_controller;
    EXPECT_NEAR(motion.v("rail"), expected[1], 1e-9);
    EXPECT_NEAR(motion.state.z[0], expected[2], 1e-9);
    if (has_controller) { EXPECT_NEAR(motion.state.z[1], -expected[3], 1e-9); }
    // power balance: the energy of the spring follows z as well
    for (const State& state : motion.samples) {
      std::vector<double> a(1);
      SimulationInputs::Acting acting(motion.model);
      motion.run_inputs.evaluate(state, acting);
      const Inputs inputs = motion.run_inputs.inputs(acting);
      ASSERT_TRUE(forward_dynamics(motion.model, state, inputs, motion.workspace, a).ok());
      Power now;
      ASSERT_TRUE(power(motion.model, state, inputs, a, motion.workspace, now).ok());
      EXPECT_LT(std::abs(now.residual()), 1e-12);
      Kinematics moving(motion.model);
      ASSERT_TRUE(kinematics(motion.model, state, {}, motion.workspace, moving).ok());
      EXPECT_NEAR(now.losses, -dissipated_power(motion.model, moving, state.z), 1e-12);
    }
  }
}

TEST(UserForce, with_states_is_named_where_they_are_not_supported) {
  const Model model = build_model(cart(false));
  Workspace workspace(model);
  State state = start_state(model);
  Linearization near;
  EXPECT_EQ(linearize(model, state, {}, workspace, near).message(),
            "linearize: the model 'cart' has force elements with states of their own, which this "
            "function does not support: user_force 'creep'; simulate does");
  EXPECT_EQ(equilibrium(model, state, {}, workspace, {}).message(),
            "equilibrium: the model 'cart' has force elements with states of their own, which this "
            "function does not support: user_force 'creep'; simulate does");
  OrthogonalComplement complement;
  ASSERT_TRUE(orthogonal_complement(model, state, {}, workspace, complement).ok());
  ConstrainedDerivatives derivatives;
  EXPECT_EQ(constrained_derivatives(model, state, {}, complement, workspace, derivatives).message(),
            "constrained_derivatives: the model 'cart' has force elements with states of their "
            "own, which "
            "this function does not support: user_force 'creep'; simulate does");
  std::vector<double> a(1);
  state.z.clear();
  try {
    static_cast<void>(forward_dynamics(model, state, {}, workspace, a));
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "forward_dynamics: z has 0 entries, the force elements of the model have nz = 1: "
                 "begin with neutral_state() or start_state()");
  }
  state.z = {std::nan("")};
  EXPECT_EQ(forward_dynamics(model, state, {}, workspace, a).message(),
            "forward_dynamics: z[0], a state of a force element, is nan: give it a finite number");
}

TEST(UserForce, is_refused_without_an_element_and_by_files) {
  Description out = cart(false);
  EXPECT_THROW(static_cast<void>(write_toml(out)), std::invalid_argument);
  out.user_forces[0].element.reset();
  try {
    static_cast<void>(build_model(out));
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(to_string(error.diagnostics().list()[0]),
              "error: user_force 'creep' has no element\n  hint: give it one, as in "
              "user_force_element(MyLaw{})");
  }
}

struct Odd : Maxwell {
  int nz() const { return -1; }
};
TEST(UserForce, is_refused_with_a_negative_number_of_states_and_as_a_formula) {
  Description out = cart(false);
  out.user_forces[0].element = user_force_element(Odd{{30, 5, 0}});
  try {
    static_cast<void>(build_model(out));
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(to_string(error.diagnostics().list()[0]),
              "error: user_force 'creep' has -1 states\n  hint: it is zero or more");
  }
  const UserForceNumbers<double> element{.element = user_force_element(OwnSpring{50, 0.2, 0})};
  const Pose<Expr> X = Pose<Expr>::identity();
  const Motion<Expr> still{};
  try {
    static_cast<void>(element.potential_energy<Expr>({X, X, still, still}, {}));
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "energy: a user force element is code, and its energy is no formula: take it out "
                 "of the model, or evaluate with numbers");
  }
}

}  // namespace
}  // namespace trammel::user_force_test
