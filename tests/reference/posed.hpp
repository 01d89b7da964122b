// A model with its state and workspace, for one-line calls in tests. Every call must succeed.
#pragma once

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <string>
#include <vector>

#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/spatial/conventions.hpp"

namespace trammel {

inline Eigen::VectorXd vector_of(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), std::ptrdiff_t(x.size()));
}
inline std::vector<double> list_of(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }
template <class Six> Eigen::VectorXd six(const Six& x) {
  const std::array<double, 6> list = angular_first(x);
  return Eigen::Map<const Eigen::VectorXd>(list.data(), 6);
}
inline Eigen::Vector3d three(const Vec3<double>& x) { return {x.x, x.y, x.z}; }

struct Posed {
  Posed(const Description& description, const std::vector<double>& q,
        const std::vector<double>& v = {})
      : model(build_model(description)), workspace(model), state(neutral_state(model)) {
    state.q = q;
    if (!v.empty()) state.v = v;
  }

  Eigen::VectorXd tau(const Inputs& inputs = {}) {
    std::vector<double> out(std::size_t(model.nv()));
    EXPECT_TRUE(inverse_dynamics(model, state, inputs, workspace, out).ok());
    return vector_of(out);
  }
  Eigen::VectorXd bias_forces() {
    std::vector<double> out(std::size_t(model.nv()));
    EXPECT_TRUE(bias(model, state, {}, workspace, out).ok());
    return vector_of(out);
  }
  Eigen::VectorXd gravity_forces() {
    std::vector<double> out(std::size_t(model.nv()));
    EXPECT_TRUE(gravity_load(model, state, workspace, out).ok());
    return vector_of(out);
  }
  Eigen::VectorXd a(const Inputs& inputs = {}) {
    std::vector<double> out(std::size_t(model.nv()));
    EXPECT_TRUE(forward_dynamics(model, state, inputs, workspace, out).ok());
    return vector_of(out);
  }
  Eigen::MatrixXd M() {
    Eigen::MatrixXd out(model.nv(), model.nv());
    EXPECT_TRUE(mass_matrix(model, state, workspace, out).ok());
    return out;
  }
  Kinematics moving(const Inputs& inputs = {}) {
    Kinematics out(model);
    EXPECT_TRUE(kinematics(model, state, inputs, workspace, out).ok());
    return out;
  }
  Pose<double> X(const std::string& place) {
    return pose(model, moving(), frame_ref(model, place));
  }
  Eigen::MatrixXd J(const FrameRef& place, Axes axes) {
    Eigen::MatrixXd out(6, model.nv());
    EXPECT_TRUE(jacobian(model, moving(), place, axes, out).ok());
    return out;
  }
  Eigen::MatrixXd J(const std::string& place, Axes axes) {
    return J(frame_ref(model, place), axes);
  }
  // dJ/dt v
  Eigen::VectorXd J_rate(const std::string& place, Axes axes) {
    Motion<double> out;
    EXPECT_TRUE(jacobian_rate(model, state, frame_ref(model, place), axes, workspace, out).ok());
    return six(out);
  }
  Eigen::MatrixXd Lambda_inverse(const std::string& place, Axes axes) {
    ArticulatedInertias factors(model);
    EXPECT_TRUE(articulated_inertias(model, state, workspace, factors).ok());
    Eigen::MatrixXd out(6, 6);
    EXPECT_TRUE(operational_space_inertia_inverse(model, state, factors, frame_ref(model, place),
                                                  axes, workspace, out)
                    .ok());
    return out;
  }
  Energy energies() {
    Energy out;
    EXPECT_TRUE(energy(model, state, workspace, out).ok());
    return out;
  }
  std::vector<Force<double>> carried(const Inputs& inputs = {}) {
    std::vector<Force<double>> out;
    EXPECT_TRUE(reactions(model, state, inputs, workspace, out).ok());
    return out;
  }

  // Classical Runge-Kutta method of order four, without efforts; q is a vector, so no quaternions.
  void run(double step, int steps) {
    for (int i = 0; i < steps; ++i) {
      const Eigen::VectorXd q0 = vector_of(state.q), v0 = vector_of(state.v);
      const auto a_at = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
        state.q = list_of(q), state.v = list_of(v);
        return a();
      };
      const Eigen::VectorXd v1 = v0, a1 = a_at(q0, v1);
      const Eigen::VectorXd v2 = v0 + step / 2 * a1, a2 = a_at(q0 + step / 2 * v1, v2);
      const Eigen::VectorXd v3 = v0 + step / 2 * a2, a3 = a_at(q0 + step / 2 * v2, v3);
      const Eigen::VectorXd v4 = v0 + step * a3, a4 = a_at(q0 + step * v3, v4);
      state.q = list_of(q0 + step / 6 * (v1 + 2 * v2 + 2 * v3 + v4));
      state.v = list_of(v0 + step / 6 * (a1 + 2 * a2 + 2 * a3 + a4));
    }
  }

  Model model;
  Workspace workspace;
  State state;
};

inline Eigen::VectorXd numbers(std::initializer_list<double> x) { return vector_of({x}); }
inline double largest_of(const Eigen::MatrixXd& x) { return x.cwiseAbs().maxCoeff(); }

}  // namespace trammel
