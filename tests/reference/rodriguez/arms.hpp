// Reference case R-EX2 [Rodriguez 1988]: two generic six-joint arms, here without the object they
// grasp; and the indexing of [Rodriguez 1988].
#pragma once

#include <algorithm>
#include <numbers>

#include "tests/support/operator_matrices.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel {

struct GenericArm {
  // number 1 or 2; with slides, the second and fourth joint from the base are prismatic
  explicit GenericArm(int number, bool with_slides = false)
      : model(build_model(described(number, with_slides))),
        workspace(model),
        state(neutral_state(model)),
        tip(frame_ref(model, "tip")) {
    state.q = number == 1 ? std::vector{0.2, -0.5, 0.9, 0.3, 0.6, -0.4}
                          : std::vector{-0.1, -0.6, 1.0, -0.2, 0.5, 0.3};
    tau = number == 1 ? std::vector{3.0, -150.0, -55.0, 1.0, -12.0, 0.5}
                      : std::vector{-2.0, -145.0, -50.0, 0.5, -11.5, -0.3};
  }

  static Description described(int number, bool with_slides) {
    Description description("generic arm");
    description.gravity = {0.0, 0.0, -9.81};
    add_to(description, number, with_slides, "");
    return description;
  }
  // table of the reference, from base to tip; arms 1 and 2 face each other, arm 3 stands next to
  // them
  static void add_to(Description& description, int number, bool with_slides,
                     const std::string& prefix) {
    struct Row {
      Vec3<double> axis, position;
      double mass;
      Vec3<double> com, inertia;
    };
    const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    const Row rows[] = {{z, {0, 0, 0}, 12, {0, 0, .20}, {.20, .20, .08}},
                        {y, {0, 0, .40}, 8, {.225, 0, .40}, {.02, .15, .15}},
                        {y, {.45, 0, .40}, 5, {.55, 0, .40}, {.01, .03, .03}},
                        {x, {.65, 0, .40}, 2, {.75, 0, .40}, {.004, .01, .01}},
                        {y, {.85, 0, .40}, 1, {.89, 0, .40}, {.002, .002, .002}},
                        {x, {.93, 0, .40}, .5, {.99, 0, .40}, {.0005, .0008, .0008}}};
    const Vec3<double> tip{1.05, 0, .40};
    const auto said_of = [](const Vec3<double>& a) { return Vec3<Expr>{a.x, a.y, a.z}; };

    std::string parent = "ground";
    Vec3<double> before;
    for (int i = 0; i < 6; ++i) {
      const Row& row = rows[i];
      const std::string name = prefix + "link " + std::to_string(i + 1);
      const Vec3<double> com = row.com - row.position;
      description.body(name,
                       {.mass = row.mass,
                        .com = said_of(com),
                        .inertia = {row.inertia.x, 0.0, 0.0, row.inertia.y, 0.0, row.inertia.z}});
      Placement where = {.xyz = said_of(row.position - before)};
      if (i == 0) {
        const double pi = std::numbers::pi;
        const Placement bases[] = {{.xyz = {-1.1, 0.0, 0.0}},
                                   {.xyz = {1.1, 0.0, 0.0}, .rpy = {0.0, 0.0, pi}},
                                   {.xyz = {0.0, -1.1, 0.0}, .rpy = {0.0, 0.0, pi / 2}}};
        where = bases[number - 1];
      }
      const bool slides = with_slides && (i == 1 || i == 3);
      description.joint(prefix + "joint " + std::to_string(i + 1),
                        slides ? JointKind::prismatic : JointKind::revolute, parent, name,
                        {.at = where, .axis = said_of(row.axis)});
      parent = name;
      before = row.position;
    }
    description.frame(prefix + "tip", parent, {.xyz = said_of(tip - before)});
  }

  Eigen::Vector3d tip_position() {
    return column(pose(model, kinematics_of(model, state, workspace), tip).p);
  }
  Eigen::MatrixXd tip_jacobian() {
    Eigen::MatrixXd J(6, model.nv());
    EXPECT_TRUE(jacobian(model, kinematics_of(model, state, workspace), tip, Axes::world, J).ok());
    return J;
  }

  Model model;
  Workspace workspace;
  State state;
  FrameRef tip;
  std::vector<double> tau;
};

// Both arms at the rates with which they move the object.
struct TwoArms {
  TwoArms() : arm{GenericArm(1), GenericArm(2)} {
    const Eigen::Vector3d tips[] = {arm[0].tip_position(), arm[1].tip_position()};
    C = (tips[0] + tips[1]) / 2 + Eigen::Vector3d(0, 0, 0.05);
    object_twist << 0.1, -0.2, 0.3, 0.05, 0.1, -0.08;
    for (int i = 0; i < 2; ++i) {  // rates consistent with the object
      tip_twist[i] = twist_shift(tips[i] - C) * object_twist;
      arm[i].state.v = numbers(arm[i].tip_jacobian().partialPivLu().solve(tip_twist[i]));
    }
  }
  GenericArm arm[2];
  Eigen::Vector3d C;  // center of mass of the object
  Vector6 object_twist, tip_twist[2];
};

// A serial arm of one-dof joints in the indexing of [Rodriguez 1988]: joint 1 has the last link,
// joint N is on the base, 0 is the tip. Its joint k is our body N + 1 - k: this struct alone
// converts. Spatial vectors in world axes, classical accelerations (variant I).
struct TipToBase {
  TipToBase(const Model& model, const State& state, const FrameRef& tip, Workspace& workspace)
      : N(model.nv()),
        h(size()),
        eta(size()),
        b(size()),
        G(size()),
        V(size()),
        phi(size(), Matrix6::Identity()),
        psi(phi),
        m(size()),
        P(size(), Matrix6::Zero()),
        D(size()),
        rate(D) {
    const Kinematics at = kinematics_of(model, state, workspace);
    const ArticulatedInertias factors = factors_of(model, state, workspace);
    const SpatialOperators O = operators_of(model, state, workspace);
    const Eigen::Vector3d g = column(model.gravity());
    const Eigen::Vector3d tip_at = column(pose(model, at, tip).p);
    const auto where = [&](int k) -> Eigen::Vector3d {
      return k == 0 ? tip_at : column(at.X_WB[std::size_t(body(k))].p);
    };
    V[idx(N + 1)].setZero();
    for (int k = N; k > 0; --k) {
      const std::size_t i = std::size_t(body(k));
      const int row = 6 * (body(k) - 1), dof = body(k) - 1;
      h[idx(k)] = column(at.axes[std::size_t(dof)]);
      rate[idx(k)] = state.v[std::size_t(dof)];
      m[idx(k)] = O.M.block<6, 6>(row, row);
      // factors of the stage
      P[idx(k)] = O.P.block<6, 6>(row, row);
      D[idx(k)] = factors.D[std::size_t(dof)][0];
      const Vector6 gain = column(turned(at.X_WB[i].R, factors.W[std::size_t(dof)]));
      if (k < N) {  // the frame of the base is put at joint N
        phi[idx(k + 1)] = twist_shift(where(k) - where(k + 1)).transpose();
        G[idx(k + 1)] = phi[idx(k + 1)] * gain;
        psi[idx(k + 1)] = phi[idx(k + 1)] - G[idx(k + 1)] * h[idx(k)].transpose();
      } else {
        G[idx(k + 1)].setZero();
      }

      // sections 3.1 and 3.2: velocities and biases, L the present vector if the joint slides
      V[idx(k)] = phi[idx(k + 1)].transpose() * V[idx(k + 1)] + h[idx(k)] * rate[idx(k)];
      const Eigen::Vector3d outer = V[idx(k + 1)].head<3>(), w = V[idx(k)].head<3>();
      const Eigen::Vector3d L = where(k) - where(std::min(k + 1, N));
      eta[idx(k)] << outer.cross(h[idx(k)].head<3>() * rate[idx(k)]),
          outer.cross(outer.cross(L)) + 2 * outer.cross(h[idx(k)].tail<3>() * rate[idx(k)]);
      const double mass = m[idx(k)](5, 5);
      const Eigen::Matrix3d rc = m[idx(k)].topRightCorner<3, 3>();  // mass times [c]
      const Eigen::Vector3d mc(rc(2, 1), rc(0, 2), rc(1, 0));
      b[idx(k)] << w.cross(m[idx(k)].topLeftCorner<3, 3>() * w) - mc.cross(g),
          w.cross(w.cross(mc)) - mass * g;
    }
    phi[1] = twist_shift(where(0) - where(1)).transpose();
    psi[1] = phi[1];
    G[1].setZero();
    const Eigen::Vector3d w = V[1].head<3>();
    eta[0] << Eigen::Vector3d::Zero(), w.cross(w.cross(where(0) - where(1)));
    V[0] = phi[1].transpose() * V[1];
  }

  int body(int k) const { return N + 1 - k; }
  // numbers from base to tip, converted to tip to base with entry 0 unused; and back
  std::vector<double> from_base_to_tip(const std::vector<double>& x) const {
    std::vector<double> out(size());
    for (int k = 1; k <= N; ++k) out[idx(k)] = x[std::size_t(N - k)];
    return out;
  }
  Eigen::VectorXd to_base_to_tip(const std::vector<double>& x) const {
    Eigen::VectorXd out(N);
    for (int k = 1; k <= N; ++k) out[N - k] = x[idx(k)];
    return out;
  }
  Eigen::MatrixXd to_base_to_tip(const Eigen::MatrixXd& A) const { return A.reverse(); }

  static std::size_t idx(int k) { return std::size_t(k); }
  std::size_t size() const { return std::size_t(N + 2); }

  int N;
  // entry k belongs to joint k; entry k of phi, psi, G is phi(k, k-1), psi(k, k-1), G(k, k-1)
  std::vector<Vector6> h, eta, b, G, V;
  std::vector<Matrix6> phi, psi, m, P;
  std::vector<double> D, rate;
};

// Stages 1 and 2 of the algorithm (section 3.4), computed here from m, phi, h alone.
struct FilterAndSmoother {
  FilterAndSmoother(const TipToBase& arm, const std::vector<double>& T)
      : P(arm.size(), Matrix6::Zero()),
        psi(arm.psi),
        Lambda(arm.size(), Matrix6::Zero()),
        G(arm.size(), Vector6::Zero()),
        z(G),
        lambda(G),
        D(arm.size()),
        epsilon(D),
        acceleration(D) {
    const int N = arm.N;
    for (std::size_t k = 1; k <= std::size_t(N); ++k) {
      if (k > 1) {
        G[k] = arm.phi[k] * P[k - 1] * arm.h[k - 1] / D[k - 1];
        psi[k] = arm.phi[k] - G[k] * arm.h[k - 1].transpose();
        z[k] = psi[k] * (z[k - 1] + P[k - 1] * arm.eta[k - 1]) + G[k] * T[k - 1];
        P[k] = psi[k] * P[k - 1] * psi[k].transpose();
      }
      z[k] += arm.b[k];
      P[k] += arm.m[k];
      D[k] = arm.h[k].dot(P[k] * arm.h[k]);
      epsilon[k] = T[k] - arm.h[k].dot(z[k] + P[k] * arm.eta[k]);
    }
    for (std::size_t k = std::size_t(N); k > 0; --k) {
      acceleration[k] = epsilon[k] / D[k] - G[k + 1].dot(lambda[k + 1]);
      lambda[k] =
          arm.phi[k + 1].transpose() * lambda[k + 1] + arm.h[k] * acceleration[k] + arm.eta[k];
      Lambda[k] = psi[k + 1].transpose() * Lambda[k + 1] * psi[k + 1] +
                  arm.h[k] * arm.h[k].transpose() / D[k];
    }
    lambda[0] = arm.phi[1].transpose() * lambda[1] + arm.eta[0];
    Lambda[0] = arm.phi[1].transpose() * Lambda[1] * arm.phi[1];
  }
  std::vector<Matrix6> P, psi, Lambda;
  std::vector<Vector6> G, z, lambda;
  std::vector<double> D, epsilon, acceleration;
};

}  // namespace trammel
