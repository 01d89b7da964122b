// Shared parts of the tests of spatial operators: six-vectors and 6x6 matrices written by hand, the
// operators of a mechanism at a state, and derivatives by differences.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <initializer_list>
#include <vector>

#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/dynamics/operators.hpp"

namespace trammel {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

inline Eigen::Vector3d column(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
inline Vec3<double> vec3(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }
inline Eigen::VectorXd column(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), std::ptrdiff_t(x.size()));
}
inline std::vector<double> numbers(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }
inline Eigen::Matrix3d matrix(const Mat3<double>& R) {
  Eigen::Matrix3d out;
  out << column(R.x), column(R.y), column(R.z);
  return out;
}
// angular part first, as in both source theses
inline Vector6 column(const Motion<double>& V) {
  Vector6 out;
  out << column(V.angular), column(V.linear);
  return out;
}
inline Vector6 column(const Force<double>& F) {
  Vector6 out;
  out << column(F.moment), column(F.force);
  return out;
}
inline Motion<double> motion(const Vector6& x) { return {vec3(x.head<3>()), vec3(x.tail<3>())}; }
inline Force<double> force(const Vector6& x) { return {vec3(x.head<3>()), vec3(x.tail<3>())}; }

inline Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d out;
  out << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return out;
}
// Phi_{y,x}: shifts the twist of a body from the point x to the point y = x + l [Yesiloglu 2007,
// section 3.0]
inline Matrix6 twist_shift(const Eigen::Vector3d& l) {
  Matrix6 out = Matrix6::Identity();
  out.bottomLeftCorner<3, 3>() = -cross_matrix(l);
  return out;
}

inline Eigen::MatrixXd identity_like(const Eigen::MatrixXd& A) {
  return Eigen::MatrixXd::Identity(A.rows(), A.cols());
}
inline double largest(const Eigen::MatrixXd& A) {
  return A.size() == 0 ? 0 : A.cwiseAbs().maxCoeff();
}

inline SpatialOperators operators_of(const Model& model, const State& state, Workspace& workspace) {
  SpatialOperators out;
  EXPECT_TRUE(spatial_operators(model, state, workspace, out).ok());
  return out;
}
inline SpatialBias bias_of(const Model& model, const State& state, Workspace& workspace) {
  SpatialBias out;
  EXPECT_TRUE(spatial_bias(model, state, workspace, out).ok());
  return out;
}
inline Eigen::MatrixXd place_operator_of(const Model& model, const State& state,
                                         const FrameRef& place, Workspace& workspace) {
  Eigen::MatrixXd out(6, 6 * (std::ptrdiff_t(model.bodies().size()) - 1));
  EXPECT_TRUE(place_operator(model, state, place, workspace, out).ok());
  return out;
}
inline Kinematics kinematics_of(const Model& model, const State& state, Workspace& workspace,
                                const Inputs& inputs = {}) {
  Kinematics out(model);
  EXPECT_TRUE(kinematics(model, state, inputs, workspace, out).ok());
  return out;
}
inline Eigen::MatrixXd mass_matrix_of(const Model& model, const State& state,
                                      Workspace& workspace) {
  Eigen::MatrixXd M(model.nv(), model.nv());
  EXPECT_TRUE(mass_matrix(model, state, workspace, M).ok());
  return M;
}
inline ArticulatedInertias factors_of(const Model& model, const State& state,
                                      Workspace& workspace) {
  ArticulatedInertias out(model);
  EXPECT_TRUE(articulated_inertias(model, state, workspace, out).ok());
  return out;
}

// Velocities of the forward recursion: six rows per body of the tree, at its origin in world axes.
inline Eigen::VectorXd stacked_velocity(const Model& model, const Kinematics& at) {
  const int n = int(model.bodies().size()) - 1;
  Eigen::VectorXd out(6 * n);
  for (int i = 1; i <= n; ++i)
    out.segment<6>(6 * (i - 1)) = column(turned(at.X_WB[std::size_t(i)].R, at.V[std::size_t(i)]));
  return out;
}

// The state a little later, on a curve with the velocity of the state and the acceleration a.
inline State later(const Model& model, const State& state, const std::vector<double>& a,
                   double time) {
  State out = state;
  std::vector<double> step = state.v;
  for (double& x : step) x *= time;
  integrate(model, state.q, step, out.q);
  for (std::size_t k = 0; k < a.size(); ++k) out.v[k] += time * a[k];
  return out;
}
// df/dt at 0 by a central difference of fourth order. With this step its error, h^4/30 times the
// fifth derivative, is near 1e-16 of it, and rounding, divided by h, near 1e-12 of f.
template <class F> Eigen::VectorXd time_derivative(const F& f, double h = 2e-4) {
  const Eigen::VectorXd near = f(h) - f(-h), far = f(2 * h) - f(-2 * h);
  return (8 * near - far) / (12 * h);
}

inline void expect_near(const Eigen::VectorXd& got, std::initializer_list<double> wanted,
                        double tolerance, const std::string& what) {
  ASSERT_EQ(got.size(), std::ptrdiff_t(wanted.size())) << what;
  std::ptrdiff_t k = 0;
  for (const double value : wanted) {
    EXPECT_NEAR(got[k], value, tolerance) << what << ", entry " << k;
    ++k;
  }
}

}  // namespace trammel
