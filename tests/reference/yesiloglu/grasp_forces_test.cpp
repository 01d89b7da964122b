// Arms that grasp one payload [Yesiloglu 2007, section 3.7, as corrected]: the forces of the hands
// by Omega, and the reduced equation of motion theta'' = D Tbar + E, against KKT.
#include "tests/reference/from_gallery.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/maximal_kkt.hpp"

namespace trammel::grasp_forces_test {
namespace {

// Matrices of p arms that grasp a payload of the gallery, from the arms alone.
struct Grasp {
  Grasp(const std::string& name, int arms, const Eigen::Vector3d& gravity)
      : held(name), p(arms), tree(without_payload(held.posed.model.description()), {}) {
    // everything moves: platform, if there is one, arms and payload
    for (std::size_t k = 0; k < held.posed.state.v.size(); ++k)
      held.posed.state.v[k] += 0.1 * std::sin(1.0 + double(k));
    const Status status = assemble(held.posed.model, held.posed.state, held.posed.workspace);
    EXPECT_TRUE(status.ok()) << status.message();
    tree.state = held.posed.state;
    const Eigen::Index n = tree.model.nv();
    const Kinematics moving = held.posed.moving();
    const FrameRef payload = frame_ref(held.posed.model, "object");
    const Vector6 V_c = column(velocity(held.posed.model, moving, payload, Axes::world));
    const Eigen::Vector3d c = column(pose(held.posed.model, moving, payload).p), w = V_c.head<3>();
    const Eigen::Matrix3d R = matrix(pose(held.posed.model, moving, payload).R);
    const Eigen::Matrix3d inertia =
        R * Eigen::Vector3d(0.2, 0.3, 0.25).asDiagonal() * R.transpose();
    M_c.setZero();
    M_c.topLeftCorner<3, 3>() = inertia;
    M_c.bottomRightCorner<3, 3>() = 10 * Eigen::Matrix3d::Identity();
    b_c << w.cross(inertia * w), -10 * gravity;
    M = tree.M();
    C = tree.bias_forces();
    J.resize(6 * p, n), A.resize(6 * p, 6), rate.resize(6 * p), a_c.setZero(6 * p);
    for (int i = 0; i < p; ++i) {
      const std::string tip = "arm" + std::to_string(i + 1) + "_tip";
      J.middleRows<6>(6 * i) = tree.J(tip, Axes::world);
      rate.segment<6>(6 * i) = tree.J_rate(tip, Axes::world);
      const Eigen::Vector3d l = three(tree.X(tip).p) - c;
      A.middleRows<6>(6 * i) = twist_shift(l);
      a_c.segment<3>(6 * i + 3) = w.cross(w.cross(l));
    }
    EXPECT_LT(largest(J * vector_of(tree.state.v) - A * V_c), 1e-12);
    const std::size_t size = std::size_t(n);
    for (std::size_t k = 0; k < size; ++k) tau.push_back(k + 12 < size ? 0 : double(k % 7) - 3);
    T_bar = vector_of(tau) - C;
  }
  static Description without_payload(Description description) {
    std::erase_if(description.bodies, [](const auto& body) { return body.name == "object"; });
    std::erase_if(description.joints,
                  [](const auto& joint) { return joint.name.starts_with("grip"); });
    return description;
  }
  Eigen::MatrixXd M_inverse() const { return M.inverse(); }
  Eigen::MatrixXd Omega() const {
    return J * M_inverse() * J.transpose() + A * M_c.inverse() * A.transpose();
  }
  // one system: joints, payload, hands
  struct Kkt {
    Eigen::VectorXd joints, payload, hands;
  };
  Kkt kkt() const {
    const Eigen::Index n = M.rows(), m = 6 * p;
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + 6 + m, n + 6 + m);
    K.topLeftCorner(n, n) = M;
    K.block(n, n, 6, 6) = M_c;
    K.block(0, n + 6, n, m) = J.transpose();
    K.block(n, n + 6, 6, m) = -A.transpose();
    K.block(n + 6, 0, m, n) = J;
    K.block(n + 6, n, m, 6) = -A;
    Eigen::VectorXd right(n + 6 + m);
    right << T_bar, -b_c, a_c - rate;
    const Eigen::VectorXd x = K.fullPivLu().solve(right);
    return {x.head(n), x.segment(n, 6), x.tail(m)};
  }
  // wrench of hand i on the payload from the engine, at the tip, in world axes
  Vector6 hand(int i) {
    const std::string number = std::to_string(i + 1);
    const Force<double> F = held.carried({.tau = tau}).force[held.joint("grip" + number)];
    const Pose<double> X = held.posed.X("object");
    const Vec3<double> moment = X.R * F.moment, f = X.R * F.force;
    const Vec3<double> l = X.p - held.posed.X("arm" + number + "_tip").p;
    return column(Force<double>{moment + cross(l, f), f});
  }

  FromGallery held;
  int p;
  Posed tree;
  Eigen::MatrixXd M, J, A;
  Eigen::VectorXd C, rate, a_c, T_bar;
  Matrix6 M_c;
  Vector6 b_c;
  std::vector<double> tau;
};

// condition of Omega near 2e4, of the KKT matrix more
constexpr double lost = 1e-8;

void expect_forces_by_Omega(Grasp& grasp) {
  const Eigen::VectorXd F_t = grasp.Omega().ldlt().solve(grasp.J * grasp.M_inverse() * grasp.T_bar +
                                                         grasp.A * grasp.M_c.inverse() * grasp.b_c -
                                                         grasp.a_c + grasp.rate);
  const Grasp::Kkt kkt = grasp.kkt();
  EXPECT_LT(largest(F_t - kkt.hands), lost * largest(F_t));
  for (int i = 0; i < grasp.p; ++i)
    EXPECT_LT(largest(grasp.hand(i) - F_t.segment<6>(6 * i)), lost * largest(F_t)) << i;
  // and their sum moves the payload: A^T F_t = M_c V_c' + b_c
  const Eigen::VectorXd a = grasp.held.posed.a({.tau = grasp.tau});
  const Eigen::VectorXd V_dot = grasp.held.acceleration_of("object", a);
  EXPECT_LT(largest(grasp.A.transpose() * F_t - grasp.M_c * V_dot - grasp.b_c),
            lost * largest(F_t));
  EXPECT_LT(largest(V_dot - kkt.payload), lost * (1 + largest(V_dot)));
}

TEST(yesiloglu_grasp_forces, are_solved_by_Omega) {
  shows({"Y-21", "constrained_reactions"});
  Grasp flying("e_02", 2, {0, 0, 0});
  ASSERT_EQ(flying.M.rows(), 18);  // the platform flies
  expect_forces_by_Omega(flying);
  Grasp standing("r_ex3", 3, {0, 0, -9.81});
  expect_forces_by_Omega(standing);
  // solvable if [J A] has full rank: with one arm always, for any arm
  const Eigen::MatrixXd one =
      flying.A.topRows<6>() * flying.M_c.inverse() * flying.A.topRows<6>().transpose();
  EXPECT_GT(one.ldlt().vectorD().minCoeff(), 0);
}

void expect_reduced_equation(Grasp& grasp) {
  const Eigen::MatrixXd M_inverse = grasp.M_inverse(), Omega_inverse = grasp.Omega().inverse(),
                        through = M_inverse * grasp.J.transpose() * Omega_inverse;
  const Eigen::MatrixXd D = M_inverse - through * grasp.J * M_inverse;
  const Eigen::VectorXd E =
      -through * (grasp.A * grasp.M_c.inverse() * grasp.b_c - grasp.a_c + grasp.rate);
  const Eigen::VectorXd a = D * grasp.T_bar + E;
  // dense KKT of arms and payload; the solvers of the engine; maximal coordinates
  EXPECT_LT(largest(a - grasp.kkt().joints), lost * (1 + largest(a)));
  const Inputs inputs{.tau = grasp.tau};
  for (const ConstraintSolver solver : {ConstraintSolver::automatic, ConstraintSolver::kkt}) {
    ConstrainedAnswer answer;
    const Status status = constrained_dynamics(grasp.held.posed.model, grasp.held.posed.state,
                                               inputs, grasp.held.posed.workspace, answer, solver);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_LT(largest(a - answer.a), lost * (1 + largest(a)));
  }
  const MaximalKkt plain(grasp.held.posed.model, grasp.held.posed.state, inputs,
                         grasp.held.posed.workspace);
  EXPECT_LT(largest(a - plain.a), lost * (1 + largest(a)));
  // D maps torques to accelerations: symmetric, its rank is the mobility, and torques that only
  // squeeze the payload are in its null space
  EXPECT_LT(largest(D - D.transpose()), lost * largest(D));
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(D).eigenvalues();
  EXPECT_EQ((values.array() > 1e-9 * values.maxCoeff()).count(), grasp.held.ways().finite);
  const Eigen::MatrixXd press = grasp.A.transpose().fullPivLu().kernel();
  EXPECT_LT(largest(D * grasp.J.transpose() * press), lost * largest(D) * largest(grasp.J));
}

TEST(yesiloglu_grasp_forces, leave_a_reduced_equation_of_motion) {
  shows({"Y-22", "constrained_dynamics"});
  Grasp flying("e_02", 2, {0, 0, 0});
  expect_reduced_equation(flying);
  Grasp standing("r_ex3", 3, {0, 0, -9.81});
  expect_reduced_equation(standing);
}

}  // namespace
}  // namespace trammel::grasp_forces_test
