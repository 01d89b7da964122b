// Any number of arms on one object, as spokes of a wheel [Rodriguez 1988, section 9]: recursions
// over every arm alone, with factors computed once by the engine, and one common solve at the
// object.
#pragma once

#include <optional>
#include <thread>

#include "tests/reference/rodriguez/five_stages.hpp"
#include "tests/reference/rodriguez/held_object.hpp"

namespace trammel {

// jobs 0 .. count - 1, distributed to threads
template <class Job> void on_threads(int threads, int count, const Job& job) {
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t)
    running.emplace_back([=, &job] {
      for (int k = t; k < count; k += threads) job(k);
    });
  for (std::thread& thread : running) thread.join();
}

// The two recursions of an arm: one for stages 1 and 4, the other for stages 2 and 5.
class Spoke {
 public:
  struct Uses {
    int factors = 0, covariances = 0, inward = 0, outward = 0;
  };
  Spoke(int number, const std::vector<double>& q, const std::vector<double>& v)
      : model_(build_model(GenericArm::described(number, false))),
        workspace_(model_),
        tip_(frame_ref(model_, "tip")) {
    state_ = neutral_state(model_);
    state_.q = q, state_.v = v;
  }

  void factor() {
    arm_.emplace(model_, state_, tip_, workspace_);
    ++uses_.factors;
  }
  const TipToBase& arm() const { return *arm_; }
  const Uses& uses() const { return uses_; }

  // Lambda(0), base to tip
  Matrix6 covariance() {
    ++uses_.covariances;
    Matrix6 Lambda = Matrix6::Zero();
    for (std::size_t k = std::size_t(arm_->N); k > 0; --k)
      Lambda = arm_->psi[k + 1].transpose() * Lambda * arm_->psi[k + 1] +
               arm_->h[k] * arm_->h[k].transpose() / arm_->D[k];
    return arm_->phi[1].transpose() * Lambda * arm_->phi[1];
  }
  // Tip to base: from joint torques and a wrench at the tip to innovations.
  std::vector<double> inward(const std::vector<double>& torques, const Vector6& at_tip,
                             bool has_bias) {
    ++uses_.inward;
    std::vector<double> innovations(arm_->size());
    Vector6 z = at_tip;
    for (std::size_t k = 1; k <= std::size_t(arm_->N); ++k) {
      if (has_bias && k > 1) z += arm_->P[k - 1] * arm_->eta[k - 1];
      z = (arm_->psi[k] * z + arm_->G[k] * torques[k - 1]).eval();
      if (has_bias) z += arm_->b[k];
      const Vector6 felt = has_bias ? Vector6(z + arm_->P[k] * arm_->eta[k]) : z;
      innovations[k] = torques[k] - arm_->h[k].dot(felt);
    }
    return innovations;
  }
  // Base to tip: from innovations to the accelerations of the joints and of the tip.
  struct Moved {
    std::vector<double> joints;
    Vector6 tip;
  };
  Moved outward(const std::vector<double>& innovations, bool has_bias) {
    ++uses_.outward;
    Moved out{std::vector<double>(arm_->size()), Vector6::Zero()};
    for (std::size_t k = std::size_t(arm_->N); k > 0; --k) {
      out.joints[k] = innovations[k] / arm_->D[k] - arm_->G[k + 1].dot(out.tip);
      out.tip = (arm_->phi[k + 1].transpose() * out.tip + arm_->h[k] * out.joints[k]).eval();
      if (has_bias) out.tip += arm_->eta[k];
    }
    out.tip = (arm_->phi[1].transpose() * out.tip).eval();
    if (has_bias) out.tip += arm_->eta[0];
    return out;
  }

 private:
  Model model_;
  Workspace workspace_;
  State state_;
  FrameRef tip_;
  std::optional<TipToBase> arm_;
  Uses uses_;
};

// Arms around one moving object.
struct SpokedWheel : HeldObject {
  explicit SpokedWheel(int count) : HeldObject(count) {
    object.C = column(C);
    object.twist = seed_twist();
    spokes.reserve(std::size_t(count));
    Posed closed(description, q);
    for (int i = 0; i < count; ++i) {
      tips.push_back(three(closed.X(prefix(i + 1) + "tip").p));
      spokes.emplace_back(i % 3 + 1, part(q, i), part(v, i));
    }
  }
  static std::vector<double> part(const std::vector<double>& x, int i) {
    return {x.begin() + 6 * i, x.begin() + 6 * (i + 1)};
  }

  // The five stages, spokes distributed to threads.
  struct Answer {
    Eigen::VectorXd a, x, alpha;
  };
  Answer turn(int threads) {
    const int count = int(spokes.size());
    const Eigen::Index n = 6 * count;
    Eigen::MatrixXd A(6, n), Lambda = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd lambda_free(n), a_C = Eigen::VectorXd::Zero(n);
    std::vector<std::vector<double>> innovations(spokes.size());
    on_threads(threads, count, [&](int i) {
      Spoke& spoke = spokes[std::size_t(i)];
      spoke.factor();
      const std::vector<double> torques = spoke.arm().from_base_to_tip(part(tau, i));
      innovations[std::size_t(i)] = spoke.inward(torques, Vector6::Zero(), true);
      lambda_free.segment<6>(6 * i) = spoke.outward(innovations[std::size_t(i)], true).tip;
      Lambda.block<6, 6>(6 * i, 6 * i) = spoke.covariance();
      const Eigen::Vector3d l = tips[std::size_t(i)] - object.C, w = object.twist.head<3>();
      A.middleCols<6>(6 * i) = twist_shift(l).transpose();
      a_C.segment<3>(6 * i + 3) = w.cross(w.cross(l));
    });
    const Matrix6 M_inverse = object.M().inverse();
    Answer out;
    out.x = (A.transpose() * M_inverse * A + Lambda)
                .ldlt()
                .solve(lambda_free - a_C + A.transpose() * M_inverse * object.b());
    out.alpha = M_inverse * (A * out.x - object.b());
    out.a.resize(n);
    on_threads(threads, count, [&](int i) {
      Spoke& spoke = spokes[std::size_t(i)];
      const std::vector<double> none(spoke.arm().size());
      const std::vector<double> change = spoke.inward(none, out.x.segment<6>(6 * i), false);
      std::vector<double>& corrected = innovations[std::size_t(i)];
      for (std::size_t k = 0; k < corrected.size(); ++k) corrected[k] += change[k];
      out.a.segment<6>(6 * i) = spoke.arm().to_base_to_tip(spoke.outward(corrected, true).joints);
    });
    return out;
  }

  std::vector<Eigen::Vector3d> tips;
  Object object;
  std::vector<Spoke> spokes;
};

}  // namespace trammel
