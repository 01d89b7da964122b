// The notation of [Gutenkunst 2012]: 4x4 and 6x6 matrices, linear part first, written down from the
// printed formulas and their corrections; and the robots of its examples.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <unsupported/Eigen/MatrixFunctions>
#include <vector>

#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/spatial/conventions.hpp"
#include "trammel/spatial/tensor.hpp"

namespace trammel::gutenkunst {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

inline Eigen::Vector3d eigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
inline Eigen::Matrix3d eigen(const Mat3<double>& R) {
  Eigen::Matrix3d out;
  out << eigen(R.x), eigen(R.y), eigen(R.z);
  return out;
}
inline Vector6 eigen(const Motion<double>& V) { return Vector6(linear_first(V).data()); }
inline Vector6 eigen(const Force<double>& F) { return Vector6(linear_first(F).data()); }
inline Eigen::Map<const Eigen::VectorXd> eigen(const std::vector<double>& x) {
  return {x.data(), std::ptrdiff_t(x.size())};
}
inline Motion<double> motion(const Vector6& x) {
  return motion_from_linear_first<double>({x[0], x[1], x[2], x[3], x[4], x[5]});
}
inline Force<double> force(const Vector6& x) {
  return force_from_linear_first<double>({x[0], x[1], x[2], x[3], x[4], x[5]});
}
inline double largest(const Eigen::MatrixXd& A) { return A.cwiseAbs().maxCoeff(); }

// Cross product as a matrix, typed from (2.3): shares nothing with skew() of Trammel.
inline Eigen::Matrix3d hat(const Eigen::Vector3d& a) {
  Eigen::Matrix3d out;
  out << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return out;
}
// (2.11): a pose as a 4x4 matrix
inline Eigen::Matrix4d homogeneous(const Pose<double>& X) {
  Eigen::Matrix4d T = Eigen::Matrix4d::Identity();
  T.topLeftCorner<3, 3>() = eigen(X.R);
  T.topRightCorner<3, 1>() = eigen(X.p);
  return T;
}
// (2.12), (2.29): a twist (v; w) as a 4x4 matrix
inline Eigen::Matrix4d wedge(const Vector6& xi) {
  Eigen::Matrix4d X = Eigen::Matrix4d::Zero();
  X.topLeftCorner<3, 3>() = hat(xi.tail<3>());
  X.topRightCorner<3, 1>() = xi.head<3>();
  return X;
}
inline Vector6 vee(const Eigen::Matrix4d& X) {
  Vector6 xi;
  xi << X.topRightCorner<3, 1>(), X(2, 1), X(0, 2), X(1, 0);
  return xi;
}
// Ad_T = [R [p]R; 0 R] (2.36), of T or of the pose it represents
inline Matrix6 adjoint(const Eigen::Matrix4d& T) {
  Matrix6 out = Matrix6::Zero();
  const Eigen::Matrix3d R = T.topLeftCorner<3, 3>();
  out.topLeftCorner<3, 3>() = out.bottomRightCorner<3, 3>() = R;
  out.topRightCorner<3, 3>() = hat(T.topRightCorner<3, 1>()) * R;
  return out;
}
inline Matrix6 adjoint(const Pose<double>& X) { return adjoint(homogeneous(X)); }
// ad_V = [[w] [v]; 0 [w]] (2.38)
inline Matrix6 bracket(const Vector6& V) {
  Matrix6 out = Matrix6::Zero();
  out.topLeftCorner<3, 3>() = out.bottomRightCorner<3, 3>() = hat(V.tail<3>());
  out.topRightCorner<3, 3>() = hat(V.head<3>());
  return out;
}
// Matrix of a linear map of six numbers, column by column.
template <class Map> Matrix6 matrix_of(const Map& map) {
  Matrix6 out;
  for (int k = 0; k < 6; ++k) out.col(k) = map(Vector6(Vector6::Unit(k)));
  return out;
}

inline Motion<double> random_twist(Random& random) { return {random.vector(2), random.vector(2)}; }
inline Pose<double> random_pose(Random& random) {
  return {exponential_rotation(random.vector(3)), random.vector(2)};
}

// A robot and its state, with results as vectors.
struct Robot {
  explicit Robot(const Description& description)
      : model(build_model(description)), workspace(model), state(neutral_state(model)) {}

  Eigen::MatrixXd mass_matrix() {
    Eigen::MatrixXd M(model.nv(), model.nv());
    EXPECT_TRUE(trammel::mass_matrix(model, state, workspace, M).ok());
    return M;
  }
  Eigen::VectorXd gravity() {  // N
    std::vector<double> N(std::size_t(model.nv()));
    EXPECT_TRUE(gravity_load(model, state, workspace, N).ok());
    return eigen(N);
  }
  Eigen::VectorXd coriolis() {  // C v
    std::vector<double> h(std::size_t(model.nv()));
    EXPECT_TRUE(bias(model, state, {}, workspace, h).ok());
    return eigen(h) - gravity();
  }
  Eigen::VectorXd efforts(const Inputs& inputs) {
    std::vector<double> tau(std::size_t(model.nv()));
    EXPECT_TRUE(inverse_dynamics(model, state, inputs, workspace, tau).ok());
    return eigen(tau);
  }
  Eigen::VectorXd accelerations(const Inputs& inputs = {}) {
    std::vector<double> a(std::size_t(model.nv()));
    EXPECT_TRUE(forward_dynamics(model, state, inputs, workspace, a).ok());
    return eigen(a);
  }
  Kinematics at(const Inputs& inputs = {}) {
    Kinematics out(model);
    EXPECT_TRUE(kinematics(model, state, inputs, workspace, out).ok());
    return out;
  }
  Pose<double> pose_of(int body) { return pose(model, at(), {BodyId(body)}); }

  // The classical Runge-Kutta method, without efforts; for joints with q' = v.
  void run(double until, double step) {
    const auto slope = [&](const std::vector<double>& q, const Eigen::VectorXd& v) {
      state.q = q;
      state.v.assign(v.begin(), v.end());
      return accelerations();
    };
    const int steps = int(std::lround(until / step));
    for (int k = 0; k < steps; ++k) {
      const Eigen::VectorXd q = eigen(state.q), v = eigen(state.v);
      const auto at_q = [](const Eigen::VectorXd& x) {
        return std::vector<double>(x.begin(), x.end());
      };
      const double h = step;
      const Eigen::VectorXd a1 = slope(at_q(q), v), v2 = v + h / 2 * a1;
      const Eigen::VectorXd a2 = slope(at_q(q + h / 2 * v), v2), v3 = v + h / 2 * a2;
      const Eigen::VectorXd a3 = slope(at_q(q + h / 2 * v2), v3), v4 = v + h * a3;
      const Eigen::VectorXd a4 = slope(at_q(q + h * v3), v4);
      state.q = at_q(q + h / 6 * (v + 2 * v2 + 2 * v3 + v4));
      state.v = at_q(v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4));
    }
  }

  Model model;
  Workspace workspace;
  State state;
};

// Point masses at the ends of rods along y, turning about x, gravity along +y (section 5.1).
inline Description pendulum(const std::vector<Expr>& l, const std::vector<Expr>& m) {
  Description description("pendulum");
  description.gravity = {0.0, 9.81, 0.0};
  for (std::size_t j = 0; j < l.size(); ++j) {
    const std::string name = "link" + std::to_string(j + 1);
    description.body(name, point_mass(m[j], {0.0, l[j], 0.0}));
    JointOptions how{.axis = {1.0, 0.0, 0.0}};
    if (j > 0) how.at.xyz = {0.0, l[j - 1], 0.0};
    description.joint("q" + std::to_string(j + 1), JointKind::revolute,
                      j == 0 ? "ground" : "link" + std::to_string(j), name, how);
  }
  return description;
}

// The nine modules of figure 3.1 with the dynamics of G-EX6: a joint about x at the center of every
// module, which is also its center of mass.
struct Module {
  int parent;                    // 0 is ground, module v0
  Eigen::Vector2d side;          // (y, z) of the docking side of the parent, a unit length away
  double turn;                   // about x, relative to the parent
  Eigen::Vector2d seen_at = {};  // (y, z) of the module at q = 0 (section 4.6)
};
inline const std::vector<Module>& nine_modules() {
  const double quarter = std::acos(-1.0) / 2;
  static const std::vector<Module> modules = {
      {0, {1, 0}, 0, {1, 0}},            // v1 at side 3 of v0
      {1, {1, 0}, 0, {2, 0}},            // v2 at side 3 of v1
      {0, {0, 1}, 0, {0, 1}},            // v3 at side 5 of v0
      {3, {-1, 0}, 0, {-1, 1}},          // v4 at side 4 of v3
      {4, {0, 1}, 0, {-1, 2}},           // v5 at side 5 of v4
      {0, {0, -1}, 0, {0, -1}},          // v6 at side 2 of v0
      {6, {-1, 0}, quarter, {-1, -1}},   // v7 at side 4 of v6, with its side 2
      {7, {-1, 0}, -quarter, {-1, -2}},  // v8 at side 4 of v7, with its side 5
  };
  return modules;
}
inline Description nine_module_tree() {
  Description description("nine modules");
  description.gravity = {0.0, 0.0, 9.81};  // dV_0/dt = (0, 0, -9.81, 0, 0, 0)
  for (std::size_t j = 0; j < nine_modules().size(); ++j) {
    const Module& module = nine_modules()[j];
    const std::string name = "v" + std::to_string(j + 1);
    description.body(name, {.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
    description.joint("e" + std::to_string(j + 1), JointKind::revolute,
                      module.parent == 0 ? "ground" : "v" + std::to_string(module.parent), name,
                      {.at = {{0.0, module.side[0], module.side[1]}, {module.turn, 0.0, 0.0}},
                       .axis = {1.0, 0.0, 0.0}});
  }
  return description;
}
inline Robot nine_module_robot() {
  Robot robot(nine_module_tree());
  robot.state.q = {.1, -.2, .3, .15, -.25, .05, .35, -.1};
  robot.state.v = {.5, -.4, .3, .2, -.1, .6, -.3, .25};
  return robot;
}

// Random trees of joints whose twists are fixed in their bodies, at any place on them.
inline Description random_tree(int seed) {
  Random random(seed);
  Description description("tree of seed " + std::to_string(seed));
  const auto vector = [&](double size) -> Vec3<Expr> { return random.vector(size); };
  description.gravity = vector(9.81);
  const JointKind kinds[] = {JointKind::revolute, JointKind::prismatic,   JointKind::screw,
                             JointKind::fixed,    JointKind::cylindrical, JointKind::spherical};
  const int n = 3 + seed % 9;
  for (int i = 1; i <= n; ++i) {
    const SymMat3<double> central =
        rotate(exponential_rotation(random.vector(2)), SymMat3<double>{0.02, 0, 0, 0.03, 0, 0.04});
    description.body("b" + std::to_string(i),
                     {.mass = random(0.5, 1.5), .com = vector(0.2), .inertia = central});
    const int parent = random.below(i);
    const JointKind kind = i == 1 && seed % 3 == 0 ? JointKind::free : kinds[random.below(6)];
    description.joint("j" + std::to_string(i), kind,
                      parent == 0 ? "ground" : "b" + std::to_string(parent),
                      "b" + std::to_string(i),
                      {.at = {vector(0.5), vector(3)},
                       .child_at = {vector(0.2), vector(3)},
                       .axis = random.direction(),
                       .pitch = kind == JointKind::screw ? random(-0.2, 0.2) : 0.0});
  }
  return description;
}

}  // namespace trammel::gutenkunst
