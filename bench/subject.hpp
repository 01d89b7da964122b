// One robot in Trammel, with all functions of the benchmarks. Only public calls, checks included.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "bench/serve.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/derivatives.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/stages.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace bench {

class Subject {
 public:
  explicit Subject(const Robot& robot);

  // inverse, forward, mass, kinematics_jacobian, inverse_derivatives, forward_derivatives;
  // inverse_batch, forward_batch, mass_batch, with "/64" for a batch of 64; for a robot with loops,
  // closed and closed_batch; to check the others, bias, inverse_of_forward and closed_kkt.
  EvalContext question(const std::string& name);
  std::string memory() const;

 private:
  friend class ClosedSubject;
  // a batch: column s is state s of the file, repeated from the start when all are used
  struct Batch {
    Batch(const Subject& subject, std::size_t size, int threads);
    trammel::States states() const { return {q, v}; }
    Eigen::MatrixXd q, v, a, tau, out;
    trammel::BatchWorkspace workspace;
  };

  void expect_state(std::size_t s) const;
  EvalContext about_forces(const std::string& name);
  EvalContext mass();
  EvalContext kinematics_jacobian();
  EvalContext derivatives(const std::string& name);
  EvalContext batch(const std::string& name);

  // The file has [linear; angular] for a free base, Trammel [angular; linear]: index of degree of
  // freedom k in the other order, in both directions.
  std::size_t swapped(std::size_t k) const { return is_floating_ && k < 6 ? (k + 3) % 6 : k; }
  std::vector<double> swapped(const std::vector<double>& x) const;
  std::vector<double> swapped_columns(const Eigen::Ref<const Eigen::MatrixXd>& x) const;  // by rows
  trammel::State state(const RobotState& description) const;

  bool is_floating_;
  trammel::Model model_;
  trammel::Workspace workspace_;
  trammel::Positions positions_;
  trammel::FrameRef end_effector_;
  std::vector<trammel::State> states_;
  std::vector<std::vector<double>> a_, tau_;
  std::vector<double> out_;
  Eigen::MatrixXd M_, J_;
  trammel::Derivatives derivatives_;
  std::optional<trammel::DerivativeWorkspace> derivative_workspace_;
  std::map<std::string, Batch> batches_;
};

}  // namespace bench
