// The five stages of [Rodriguez 1988, section 3.4] (result 8.1 corrected, with biases): recursions
// over each arm, one small solve at the object, and back. Plain and dense, as a reference for the
// engine.
#pragma once

#include "tests/reference/rodriguez/arms.hpp"

namespace trammel {

// The object that both arms of R-EX2 grasp.
struct Object {
  double mass = 10;
  // in world axes at this instant, about its center of mass
  Eigen::Vector3d inertia{0.2, 0.3, 0.25};
  Eigen::Vector3d C;
  Vector6 twist;
  Eigen::Vector3d gravity{0, 0, -9.81};

  Matrix6 M() const {
    Matrix6 out = Matrix6::Zero();
    out.topLeftCorner<3, 3>() = inertia.asDiagonal();
    out.bottomRightCorner<3, 3>() = mass * Eigen::Matrix3d::Identity();
    return out;
  }
  Vector6 b() const {
    const Eigen::Vector3d w = twist.head<3>();
    Vector6 out;
    out << w.cross(inertia.cwiseProduct(w)), -mass * gravity;
    return out;
  }
};

struct FiveStages {
  // stages 1 to 3; `finish` runs the others
  FiveStages(const std::vector<TipToBase>& arms_, const std::vector<std::vector<double>>& torques,
             const std::vector<Eigen::Vector3d>& tips, const Object& object_)
      : arms(arms_), object(object_), NA(int(arms_.size())) {
    const Eigen::Index n = 6 * NA;
    A.resize(6, n);
    a_C = lambda_free = Eigen::VectorXd::Zero(n);
    Lambda = Eigen::MatrixXd::Zero(n, n);
    const Eigen::Vector3d w = object.twist.head<3>();
    for (int i = 0; i < NA; ++i) {
      const Eigen::Vector3d l = tips[std::size_t(i)] - object.C;
      A.middleCols<6>(6 * i) = twist_shift(l).transpose();
      a_C.segment<3>(6 * i + 3) = w.cross(w.cross(l));
      sweeps.emplace_back(arms[std::size_t(i)], torques[std::size_t(i)]);
      lambda_free.segment<6>(6 * i) = sweeps.back().lambda[0];
      Lambda.block<6, 6>(6 * i, 6 * i) = sweeps.back().Lambda[0];
    }
    const Matrix6 M_inverse = object.M().inverse();
    Omega = A.transpose() * M_inverse * A + Lambda;
    x = Omega.ldlt().solve(lambda_free - a_C + A.transpose() * M_inverse * object.b());
    alpha = M_inverse * (A * x - object.b());
  }

  // stage 4, tip to base: innovations corrected; stage 5, base to tip: joint accelerations
  void finish() {
    for (int i = 0; i < NA; ++i) {
      const TipToBase& arm = arms[std::size_t(i)];
      const FilterAndSmoother& sweep = sweeps[std::size_t(i)];
      std::vector<Vector6> dz(arm.size(), Vector6::Zero()), back = dz;
      std::vector<double> innovation = sweep.epsilon, acceleration(arm.size());
      dz[0] = x.segment<6>(6 * i);
      for (std::size_t k = 1; k <= std::size_t(arm.N); ++k) {
        dz[k] = sweep.psi[k] * dz[k - 1];
        innovation[k] -= arm.h[k].dot(dz[k]);
      }
      for (std::size_t k = std::size_t(arm.N); k > 0; --k) {
        acceleration[k] = innovation[k] / sweep.D[k] - sweep.G[k + 1].dot(back[k + 1]);
        back[k] =
            arm.phi[k + 1].transpose() * back[k + 1] + arm.h[k] * acceleration[k] + arm.eta[k];
      }
      back[0] = arm.phi[1].transpose() * back[1] + arm.eta[0];
      corrections.push_back(dz);
      lambda.push_back(back);
      accelerations.push_back(acceleration);
    }
  }
  Vector6 contact(int i) const { return x.segment<6>(6 * i); }

  std::vector<TipToBase> arms;
  Object object;
  int NA;
  Eigen::MatrixXd A, Lambda, Omega;  // 6 x 6NA, 6NA x 6NA
  Eigen::VectorXd a_C, lambda_free, x;
  Vector6 alpha;
  std::vector<FilterAndSmoother> sweeps;
  std::vector<std::vector<Vector6>> corrections, lambda;  // per arm: dz(k), lambda(k)
  std::vector<std::vector<double>> accelerations;
};

// R-EX2 for both: the recursions of [Rodriguez 1988], and a workspace for the engine.
struct TwoArmsOnObject {
  explicit TwoArmsOnObject(bool is_moving = true, double object_scale = 1) {
    for (GenericArm& arm : two.arm) {
      if (!is_moving) {
        arm.state.v.assign(6, 0.0);
        arm.model = arm.model.with_gravity({0, 0, 0});
      }
      arms.emplace_back(arm.model, arm.state, arm.tip, arm.workspace);
      torques.push_back(arms.back().from_base_to_tip(arm.tau));
      tips.push_back(arm.tip_position());
      tau.insert(tau.end(), arm.tau.begin(), arm.tau.end());
    }
    object.C = two.C;
    object.twist = is_moving ? two.object_twist : Vector6::Zero().eval();
    if (!is_moving) object.gravity.setZero();
    object.mass *= object_scale;
    object.inertia *= object_scale;
  }
  FiveStages stages() const { return {arms, torques, tips, object}; }
  // both arms, base to tip
  Eigen::VectorXd joined(const std::vector<std::vector<double>>& of_arms) const {
    Eigen::VectorXd all(12);
    all << arms[0].to_base_to_tip(of_arms[0]), arms[1].to_base_to_tip(of_arms[1]);
    return all;
  }

  TwoArms two;
  std::vector<TipToBase> arms;
  std::vector<std::vector<double>> torques;
  std::vector<Eigen::Vector3d> tips;
  std::vector<double> tau;
  Object object;
};

}  // namespace trammel
