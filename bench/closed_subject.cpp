#include "bench/closed_subject.hpp"

#include <array>
#include <limits>

#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/simulate/simulate.hpp"

namespace bench {

namespace {

void expect(const trammel::Status& status) {
  if (!status) throw std::runtime_error(status.message());
}

// Number of independent velocities; basis T and change of the velocities by q; derivatives by q, v
// (all nv x mobility) and by efforts, row by row.
std::vector<double> joined(const trammel::ConstrainedDerivatives& derivatives) {
  std::vector<double> all{double(derivatives.T.cols())};
  for (const Eigen::MatrixXd* part :
       {&derivatives.T, &derivatives.v_by_q, &derivatives.dq, &derivatives.dv, &derivatives.dtau})
    for (Eigen::Index row = 0; row < part->rows(); ++row)
      for (Eigen::Index k = 0; k < part->cols(); ++k) all.push_back((*part)(row, k));
  return all;
}

}  // namespace

EvalContext ClosedSubject::question(const std::string& name) {
  if (name == "closed_inverse") return inverse();
  if (name == "closed_derivatives") return derivatives();
  if (name == "linearize") return linearization();
  if (name == "reactions") return reactions();
  if (name == "step") return steps(1);
  if (name == "steps") return steps(10);
  return Subject::question(name);
}

// Of the accelerations of a free motion: the efforts of least norm that produce it.
EvalContext ClosedSubject::inverse() {
  for (std::size_t s = free_a_.size(); s < states_.size(); ++s) {
    free_a_.emplace_back(out_.size());
    expect(forward_dynamics(model_, states_[s], {.tau = tau_[s]}, workspace_, free_a_[s]));
  }
  const auto ask = [this](std::size_t s) {
    expect(inverse_dynamics(model_, states_[s], {.a = free_a_[s]}, workspace_, out_));
  };
  return {repeated(states_.size(), ask), [this, ask](std::size_t s) {
            expect_state(s);
            ask(s);
            return swapped(out_);
          }};
}

EvalContext ClosedSubject::reactions() {
  const auto ask = [this](std::size_t s) {
    expect(trammel::reactions(model_, states_[s], {.tau = tau_[s]}, workspace_, reactions_));
  };
  return {repeated(states_.size(), ask), [this](std::size_t s) { return tree_reactions(s); }};
}

// Along a null-space basis, which is computed in each call.
EvalContext ClosedSubject::derivatives() {
  const auto ask = [this](std::size_t s) {
    expect(constrained_derivatives(model_, states_[s], {.tau = tau_[s]}, workspace_,
                                   closed_derivatives_));
  };
  return {repeated(states_.size(), ask), [this, ask](std::size_t s) {
            expect_state(s);
            ask(s);
            return joined(closed_derivatives_);
          }};
}

EvalContext ClosedSubject::linearization() {
  const auto ask = [this](std::size_t s) {
    expect(linearize(model_, states_[s], {.tau = tau_[s]}, workspace_, linear_));
  };
  return {repeated(states_.size(), ask), [this, ask](std::size_t s) {
            expect_state(s);
            ask(s);
            return std::vector<double>(linear_.A.data(), linear_.A.data() + linear_.A.size());
          }};
}

EvalContext ClosedSubject::steps(int count) {
  for (std::size_t s = inputs_.size(); s < states_.size(); ++s) {
    trammel::SimulationInputs& inputs = inputs_.emplace_back(model_);
    for (std::size_t k = 0; k < tau_[s].size(); ++k)
      if (tau_[s][k] != 0) inputs.add_effort(int(k), trammel::Signal::constant(tau_[s][k]));
  }
  const double duration = 1e-3 * count;
  const auto ask = [this, duration](std::size_t s) {
    moving_ = states_[s];
    trammel::RunStatistics statistics;
    expect(simulate(
        model_, moving_, inputs_[s],
        {.duration = duration, .method = trammel::Method::rk4, .step = 1e-3}, workspace_,
        [](const trammel::State&) { return trammel::Status(); }, statistics));
  };
  return {repeated(states_.size(), ask), [this, ask, duration](std::size_t s) {
            expect_state(s);
            ask(s);
            std::vector<double> mean = moving_.v;
            for (std::size_t k = 0; k < mean.size(); ++k)
              mean[k] = (mean[k] - states_[s].v[k]) / duration;
            return swapped(mean);
          }};
}

// Moment and force that each joint of the tree transmits to its body, at its frame and in its axes;
// NaN where they are not unique.
std::vector<double> ClosedSubject::tree_reactions(std::size_t s) {
  expect_state(s);
  trammel::UniqueReactions found;
  expect(constrained_reactions(model_, states_[s], {.tau = tau_[s]}, workspace_, found));
  std::vector<double> all(6 * (model_.bodies().size() - 1));
  for (std::size_t j = 0; j < model_.joints().size(); ++j) {
    const trammel::NamedJoint& joint = model_.joints()[j];
    if (joint.role != trammel::NamedJoint::Role::tree) continue;
    const auto& [n, f] = found.force[j];
    const std::array<double, 6> numbers{n.x, n.y, n.z, f.x, f.y, f.z};
    for (std::size_t k = 0; k < 6; ++k)
      all[6 * std::size_t(joint.body - 1) + k] =
          found.is_unique[j][k] ? numbers[k] : std::numeric_limits<double>::quiet_NaN();
  }
  return all;
}

}  // namespace bench
