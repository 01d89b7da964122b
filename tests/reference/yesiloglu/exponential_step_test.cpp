// Flexible joints by exponential integrator steps [Yesiloglu 2007, section 3.11; (4.16) to (4.18)]:
// with all loops cut, and masses and efforts frozen over a step, the flexible joints obey a linear
// equation that is solved exactly by the matrix exponential; the loops correct it afterwards.
// Tested on E-05, against the classical Runge-Kutta method with small steps.
#include <Eigen/Dense>
#include <unsupported/Eigen/MatrixFunctions>

#include "tests/reference/posed.hpp"
#include "tests/support/motion_of.hpp"
#include "trammel/constraint/mobility/dof_roles.hpp"

namespace trammel::exponential_step_test {
namespace {

// phi_1(Z) = Z^-1 (e^Z - 1), defined also for singular Z: a block of a larger exponential.
Eigen::MatrixXd phi1(const Eigen::MatrixXd& Z) {
  const Eigen::Index n = Z.rows();
  Eigen::MatrixXd both = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  both.topLeftCorner(n, n) = Z;
  both.topRightCorner(n, n).setIdentity();
  return Eigen::MatrixXd(both.exp()).topRightCorner(n, n);
}

// W = [deflections; rates] of the flexible joints with loops cut, and its rate, a time h later.
struct FlexibleStep {
  FlexibleStep(const FlexibleForm& form, double h)
      : Y(-form.M_s.ldlt().solve(form.L_s)),
        W_dot_0(form.M_s.ldlt().solve(form.T_s - form.L_s * form.W)),
        W_dot((Y * h).exp() * W_dot_0),
        W(form.W + h * phi1(Y * h) * W_dot_0) {}
  Eigen::MatrixXd Y;
  Eigen::VectorXd W_dot_0, W_dot, W;
};

ReadOptions springs(double stiffness, double damping) {
  ReadOptions options;
  options.set = {{"soft", stiffness}, {"loss", damping}};
  return options;
}

// E-05 with both hands open: the arms on their platform, and the floating load. As in
// [Yesiloglu 2007] the grasp constraint is written at the tips.
struct OpenHands {
  OpenHands(double stiffness, double damping) : posed(description(stiffness, damping), {}) {
    posed.state = start_state(posed.model);
    // the load lies between the tips
    const Vec3<double> p = 0.5 * (tip(0).p + tip(1).p);
    const std::size_t q = std::size_t(posed.model[*posed.model.find_joint("load_float")].q_start);
    posed.state.q[q] = p.x, posed.state.q[q + 1] = p.y;
    for (int i = 0; i < 2; ++i) EXPECT_LT(norm(tip(i).p - held(i).p), 1e-12);
  }
  static Description description(double stiffness, double damping) {
    Description description = load_model("@e_05", springs(stiffness, damping)).description();
    std::erase_if(description.joints,
                  [](const auto& joint) { return joint.name.ends_with("_grip"); });
    description.joint("load_float", JointKind::planar, "ground", "load");
    description.inputs.clear();
    return description;
  }
  FrameRef tip_at(int arm) const {
    FrameRef place = frame_ref(posed.model, arm == 0 ? "left3" : "right3");
    place.X_UA.p = {0.5, 0, 0};
    return place;
  }
  FrameRef held_at(int arm) const {
    FrameRef place = frame_ref(posed.model, "load");
    place.X_UA.p = {arm == 0 ? -0.3 : 0.3, 0, 0};
    return place;
  }
  Pose<double> tip(int arm) { return pose(posed.model, posed.moving(), tip_at(arm)); }
  Pose<double> held(int arm) { return pose(posed.model, posed.moving(), held_at(arm)); }

  // Loop closure, planar: rotation, x, y of each tip against the load; J a + rate = 0.
  struct Closure {
    Eigen::MatrixXd J;
    Eigen::VectorXd rate;
  };
  Closure closure() {
    Closure out{Eigen::MatrixXd(6, posed.model.nv()), Eigen::VectorXd(6)};
    const std::vector<int> planar = {2, 3, 4};
    for (int arm = 0; arm < 2; ++arm) {
      Motion<double> of_tip, of_load;
      EXPECT_TRUE(
          jacobian_rate(posed.model, posed.state, tip_at(arm), Axes::world, posed.workspace, of_tip)
              .ok());
      EXPECT_TRUE(jacobian_rate(posed.model, posed.state, held_at(arm), Axes::world,
                                posed.workspace, of_load)
                      .ok());
      out.J.middleRows(3 * arm, 3) = (posed.J(tip_at(arm), Axes::world) -
                                      posed.J(held_at(arm), Axes::world))(planar, Eigen::all);
      out.rate.segment(3 * arm, 3) = (six(of_tip) - six(of_load))(planar);
    }
    return out;
  }

  // Accelerations over a step: of the flexible joints at its end, from the exponential; of the
  // others from their equations; then the correction by the loops, with the free accelerations on
  // the right-hand side of the closure.
  Eigen::VectorXd accelerations(const std::vector<double>& tau, double h) {
    FlexibleForm form;
    EXPECT_TRUE(flexible_form(posed.model, posed.state, {.tau = tau}, posed.workspace, form).ok());
    const std::vector<int>& order = form.roles.order;
    const Eigen::Index rigid = form.roles.rigid, n = posed.model.nv() - rigid;
    const Eigen::MatrixXd M = posed.M(), sorted = M(order, order);
    const Eigen::VectorXd T = vector_of(tau)(order), C = posed.bias_forces()(order);
    Eigen::VectorXd free(rigid + n), a(rigid + n);
    free.tail(n) = FlexibleStep(form, h).W_dot.tail(n);
    free.head(rigid) =
        sorted.topLeftCorner(rigid, rigid)
            .ldlt()
            .solve(T.head(rigid) - sorted.topRightCorner(rigid, n) * free.tail(n) - C.head(rigid));
    a(order) = free;
    const auto [J, rate] = closure();
    const Eigen::MatrixXd per_force = M.ldlt().solve(J.transpose());
    const Eigen::VectorXd force = (J * per_force).ldlt().solve(-(J * a + rate));
    return a + per_force * force;
  }

  // To `end`, velocities first; stops on divergence.
  void run(double end, double h) {
    const int n = int(std::lround(end / h));
    const std::size_t left = v("left2"), right = v("right3");
    for (int k = 0; k < n && !is_lost(); ++k) {
      std::vector<double> tau(posed.state.v.size());
      tau[left] = tau[right] = 0.02 * (k * h);  // until 5 s
      const Eigen::VectorXd a = accelerations(tau, h);
      Eigen::VectorXd step = h * (vector_of(posed.state.v) + h * a);
      posed.state.v = list_of(step / h);
      const std::vector<double> q = posed.state.q;
      integrate(posed.model, q, list_of(step), posed.state.q);
    }
  }
  bool is_lost() const {
    for (const double rate : posed.state.v)
      if (!(std::abs(rate) < 100)) return true;
    return false;
  }
  std::size_t v(const char* joint) const {
    return std::size_t(posed.model[*posed.model.find_joint(joint)].v_start);
  }
  std::vector<double> joints() const {
    std::vector<double> q;
    for (const char* joint : {"left1", "left2", "left3", "right1", "right2", "right3"})
      q.push_back(posed.state.q[std::size_t(posed.model[*posed.model.find_joint(joint)].q_start)]);
    return q;
  }

  Posed posed;
};

// The same by the classical Runge-Kutta method with small steps of the engine.
std::vector<double> by_small_steps(double stiffness, double damping, double end) {
  MotionOf motion(load_model("@e_05", springs(stiffness, damping)));
  RunOptions options;
  options.method = Method::rk4;
  options.step = 0.002;
  motion.at(end, options);
  std::vector<double> q;
  for (const char* joint : {"left1", "left2", "left3", "right1", "right2", "right3"})
    q.push_back(motion.q(joint));
  return q;
}
double largest_miss(const std::vector<double>& found, const std::vector<double>& wanted) {
  return (vector_of(found) - vector_of(wanted)).cwiseAbs().maxCoeff();
}

// The frozen equation is linear: the exponential solves it for steps of any length.
TEST(yesiloglu_exponential_step, solves_the_frozen_flexible_joints_exactly) {
  OpenHands arms(5, 0.5);
  arms.run(1, 0.01);  // to a general moving state
  std::vector<double> tau(arms.posed.state.v.size());
  tau[arms.v("left2")] = 1, tau[arms.v("right3")] = -0.5;
  FlexibleForm form;
  ASSERT_TRUE(
      flexible_form(arms.posed.model, arms.posed.state, {.tau = tau}, arms.posed.workspace, form)
          .ok());
  for (const double h : {0.01, 0.1, 1.0}) {
    const FlexibleStep step(form, h);
    // M_s W' + L_s W = T_s by the classical method, with steps of a thousandth of the shortest
    // period
    Eigen::VectorXd W = form.W;
    const int n = int(std::ceil(h / 1e-5));
    const double part = h / n;
    const auto slope = [&](const Eigen::VectorXd& at) {
      return Eigen::VectorXd(step.W_dot_0 + step.Y * (at - form.W));
    };
    for (int k = 0; k < n; ++k) {
      const Eigen::VectorXd k1 = slope(W), k2 = slope(W + part / 2 * k1),
                            k3 = slope(W + part / 2 * k2), k4 = slope(W + part * k3);
      W += part / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    EXPECT_LT((step.W - W).norm(), 1e-9 * (1 + W.norm())) << h;
    EXPECT_LT((step.W_dot - slope(W)).norm(), 1e-8 * (1 + step.W_dot_0.norm())) << h;
    // as printed, (4.17), which requires stiffness in every joint:
    //   W = L^-1 (T - M e^{Y h} W'_0)
    const Eigen::VectorXd printed =
        form.L_s.fullPivLu().solve(form.T_s - form.M_s * (step.Y * h).exp() * step.W_dot_0);
    EXPECT_LT((step.W - printed).norm(), 1e-11 * (1 + W.norm())) << h;
  }
}

TEST(yesiloglu_exponential_step, follows_small_steps_of_the_classical_method) {
  // soft and stiff, at 4 s: eight printed decimals
  const std::vector<double> soft = by_small_steps(5, 0.5, 4), stiff = by_small_steps(5000, 5, 4);
  expect_near(soft, {-0.0177438, 0.07398855, -0.08016175, 0.02692509, -0.01431938, -0.03652271},
              2e-8, "soft, small steps");
  expect_near(stiff, {-0.00001805, 0.0499209, -0.07025837, 0.02544498, -0.00001481, -0.04578569},
              2e-8, "stiff, small steps");
  const auto miss = [](double stiffness, double damping, double h,
                       const std::vector<double>& wanted) {
    OpenHands arms(stiffness, damping);
    arms.run(4, h);
    return arms.is_lost() ? 1e9 : largest_miss(arms.joints(), wanted);
  };
  // first order: measured errors of 3.5e-5 and 3.9e-4, in two digits
  EXPECT_NEAR(miss(5, 0.5, 0.002, soft), 3.5e-5, 0.05e-5);
  EXPECT_NEAR(miss(5, 0.5, 0.02, soft), 3.9e-4, 0.05e-4);
  // stiff: stable with 5 ms and unstable with 10, as in the reference, since the exponential does
  // not include the loops
  EXPECT_LT(miss(5000, 5, 0.005, stiff), 1e-4);
  EXPECT_GT(miss(5000, 5, 0.01, stiff), 1);
}

}  // namespace
}  // namespace trammel::exponential_step_test
