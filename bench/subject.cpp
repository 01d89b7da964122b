#include "bench/subject.hpp"

#include <cmath>

#include "bench/memory.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/model/build/builder.hpp"

namespace bench {

using trammel::Axes;
using trammel::Expr;
using trammel::JointKind;
using trammel::Vec3;

namespace {

Vec3<Expr> vector(const std::array<double, 3>& x) { return {x[0], x[1], x[2]}; }

// angles about fixed x, y, z whose rotation is R (by rows)
Vec3<Expr> roll_pitch_yaw(const std::array<double, 9>& R) {
  const double c = std::hypot(R[0], R[3]);  // cosine of pitch
  if (c < 1e-12) return {std::atan2(-R[5], R[4]), std::atan2(-R[6], c), 0.0};
  return {std::atan2(R[7], R[8]), std::atan2(-R[6], c), std::atan2(R[3], R[0])};
}

JointKind joint_kind(const RobotBody& body) {
  return body.is_free        ? JointKind::free
         : body.is_prismatic ? JointKind::prismatic
                             : JointKind::revolute;
}

std::string body_name(int i) { return i < 0 ? "ground" : "b" + std::to_string(i); }

trammel::Model build(const Robot& robot) {
  trammel::Description description(robot.name);
  description.gravity = vector(robot.gravity);
  for (int i = 0; i < int(robot.bodies.size()); ++i) {
    const RobotBody& body = robot.bodies[std::size_t(i)];
    const auto& I = body.inertia;
    description.body(body_name(i),
                     {body.mass, vector(body.com), {I[0], I[1], I[2], I[3], I[4], I[5]}});
    description.joint("j" + std::to_string(i), joint_kind(body), body_name(body.parent),
                      body_name(i),
                      {.at = {vector(body.p), roll_pitch_yaw(body.R)},
                       .axis = body.is_free ? Vec3<Expr>{0.0, 0.0, 1.0} : vector(body.axis)});
  }
  for (std::size_t k = 0; k < robot.loops.size(); ++k) {
    const RobotLoop& loop = robot.loops[k];
    description.joint("loop" + std::to_string(k),
                      loop.rows == 2   ? JointKind::revolute
                      : loop.rows == 3 ? JointKind::spherical
                                       : JointKind::fixed,
                      body_name(loop.body), body_name(loop.other),
                      {.at = {vector(loop.p), roll_pitch_yaw(loop.R)},
                       .child_at = {vector(loop.p_other), roll_pitch_yaw(loop.R_other)},
                       .axis = {0.0, 1.0, 0.0},
                       .cut = true});
  }
  // the start is the file's first state, where the loops are closed
  const std::vector<double>& q = robot.states[0].q;
  for (std::size_t i = 0; i < robot.bodies.size() && !robot.loops.empty(); ++i) {
    std::vector<Expr> values{q[robot.is_floating() ? i + 6 : i]};
    if (robot.bodies[i].is_free) values = {q[6], q[3], q[4], q[5], q[0], q[1], q[2]};
    description.start_positions.push_back({.joint = "j" + std::to_string(i), .values = values});
  }
  return build_model(description);
}

// a function that fails is not timed
void expect(const trammel::Status& status) {
  if (!status) throw std::runtime_error(status.message());
}

void expect_below(std::size_t s, std::size_t states) {
  if (s >= states) throw std::runtime_error("there are only " + std::to_string(states) + " states");
}

Eigen::Map<const Eigen::VectorXd> view(const std::vector<double>& x) {
  return {x.data(), Eigen::Index(x.size())};
}

}  // namespace

Subject::Subject(const Robot& robot)
    : is_floating_(robot.is_floating()),
      model_(build(robot)),
      workspace_(model_),
      positions_(model_),
      end_effector_(frame_ref(model_, body_name(robot.end_effector))),
      out_(robot.nv()) {
  for (const RobotState& description : robot.states) {
    states_.push_back(state(description));
    a_.push_back(swapped(description.a));
    tau_.push_back(swapped(description.tau));
  }
}

std::string Subject::memory() const {
  const std::size_t before = bytes_in_use();
  const trammel::Model copy = model_;
  const std::size_t with_model = bytes_in_use();
  const trammel::Workspace workspace(copy);
  return std::to_string(with_model - before) + " " + std::to_string(bytes_in_use() - with_model);
}

void Subject::expect_state(std::size_t s) const { expect_below(s, states_.size()); }

EvalContext Subject::question(const std::string& name) {
  if (name == "mass") return mass();
  if (name == "kinematics_jacobian") return kinematics_jacobian();
  if (name.find("_derivatives") != std::string::npos) return derivatives(name);
  if (name.find("_batch") != std::string::npos) return batch(name);
  return about_forces(name);
}

EvalContext Subject::about_forces(const std::string& name) {
  const auto requested = [this](const auto& ask) {
    const auto answer = [this, ask](std::size_t s) {
      expect_state(s);
      ask(s);
      return swapped(out_);
    };
    return EvalContext{repeated(states_.size(), ask), answer};
  };
  if (name == "inverse")
    return requested([this](std::size_t s) {
      expect(inverse_dynamics(model_, states_[s], {.a = a_[s]}, workspace_, out_));
    });
  if (name == "forward")
    return requested([this](std::size_t s) {
      expect(forward_dynamics(model_, states_[s], {.tau = tau_[s]}, workspace_, out_));
    });
  if (name == "closed")  // the same call, for a model with loops
    return requested([this](std::size_t s) {
      expect(forward_dynamics(model_, states_[s], {.tau = tau_[s]}, workspace_, out_));
    });
  if (name == "closed_kkt")
    return requested([this](std::size_t s) {
      trammel::ConstrainedAnswer answer;
      expect(constrained_dynamics(model_, states_[s], {.tau = tau_[s]}, workspace_, answer,
                                  trammel::ConstraintSolver::kkt));
      std::copy_n(answer.a.data(), out_.size(), out_.begin());
    });
  if (name == "bias")
    return requested(
        [this](std::size_t s) { expect(bias(model_, states_[s], {}, workspace_, out_)); });
  if (name == "inverse_of_forward")
    return requested([this](std::size_t s) {
      expect(forward_dynamics(model_, states_[s], {.tau = tau_[s]}, workspace_, out_));
      const std::vector<double> a = out_;
      expect(inverse_dynamics(model_, states_[s], {.a = a}, workspace_, out_));
    });
  throw std::runtime_error("there is no question '" + name + "'");
}

EvalContext Subject::mass() {
  M_.resize(model_.nv(), model_.nv());
  const auto ask = [this](std::size_t s) {
    expect(mass_matrix(model_, states_[s], workspace_, M_));
  };
  return {repeated(states_.size(), ask), [this, ask](std::size_t s) {
            expect_state(s);
            ask(s);
            Eigen::MatrixXd rows(M_.rows(), M_.cols());
            for (Eigen::Index k = 0; k < M_.rows(); ++k)
              rows.row(k) = M_.row(Eigen::Index(swapped(std::size_t(k))));
            return swapped_columns(rows);
          }};
}

EvalContext Subject::kinematics_jacobian() {
  J_.resize(6, model_.nv());
  const auto ask = [this](std::size_t s) {
    expect(positions(model_, states_[s], workspace_, positions_));
    expect(jacobian(model_, positions_, end_effector_, Axes::world, J_));
  };
  return {repeated(states_.size(), ask), [this, ask](std::size_t s) {
            expect_state(s);
            ask(s);
            Eigen::MatrixXd rows(6, J_.cols());
            rows << J_.bottomRows<3>(), J_.topRows<3>();
            return swapped_columns(rows);
          }};
}

EvalContext Subject::derivatives(const std::string& name) {
  if (!derivative_workspace_) derivative_workspace_.emplace(model_);
  const bool is_inverse = name == "inverse_derivatives";
  if (!is_inverse && name != "forward_derivatives")
    throw std::runtime_error("there is no question '" + name + "'");

  const auto inverse = [this](std::size_t s) {
    expect(inverse_dynamics_derivatives(model_, states_[s], {.a = a_[s]}, workspace_,
                                        *derivative_workspace_, derivatives_));
  };
  const auto forward = [this](std::size_t s) {
    expect(forward_dynamics_derivatives(model_, states_[s], {.tau = tau_[s]}, workspace_,
                                        *derivative_workspace_, derivatives_));
  };
  const auto answer = [this, inverse, forward, is_inverse](std::size_t s) {
    expect_state(s);
    is_inverse ? inverse(s) : forward(s);
    std::vector<double> all;
    for (const Eigen::MatrixXd* part : {&derivatives_.dq, &derivatives_.dv, &derivatives_.dx}) {
      Eigen::MatrixXd rows(part->rows(), part->cols());
      for (Eigen::Index k = 0; k < rows.rows(); ++k)
        rows.row(k) = part->row(Eigen::Index(swapped(std::size_t(k))));
      const std::vector<double> numbers = swapped_columns(rows);
      all.insert(all.end(), numbers.begin(), numbers.end());
    }
    return all;
  };
  const std::size_t n = states_.size();
  return {is_inverse ? repeated(n, inverse) : repeated(n, forward), answer};
}

namespace {

// "inverse_batch/4096@2" is shared among two threads
int batch_threads(const std::string& question) {
  const std::size_t at = question.find('@');
  return at == std::string::npos ? 1 : std::stoi(question.substr(at + 1));
}

}  // namespace

Subject::Batch::Batch(const Subject& subject, std::size_t size, int threads)
    : q(subject.model_.nq(), size),
      v(subject.model_.nv(), size),
      a(v),
      tau(v),
      workspace(subject.model_, threads) {
  for (std::size_t s = 0; s < size; ++s) {
    const std::size_t from = s % subject.states_.size();
    q.col(Eigen::Index(s)) = view(subject.states_[from].q);
    v.col(Eigen::Index(s)) = view(subject.states_[from].v);
    a.col(Eigen::Index(s)) = view(subject.a_[from]);
    tau.col(Eigen::Index(s)) = view(subject.tau_[from]);
  }
}

EvalContext Subject::batch(const std::string& name) {
  const std::size_t size = batch_states(name);
  Batch& b = batches_.try_emplace(name, *this, size, batch_threads(name)).first->second;
  const bool is_mass = name.starts_with("mass_batch");
  b.out.resize(is_mass ? model_.nv() * model_.nv() : model_.nv(), Eigen::Index(size));

  const auto requested = [&](const auto& ask) {
    const auto answer = [this, ask, is_mass, &b](std::size_t s) {
      expect_below(s, std::size_t(b.out.cols()));
      ask(s);
      const Eigen::VectorXd column = b.out.col(Eigen::Index(s));
      std::vector<double> numbers(std::size_t(column.size()));
      const std::size_t nv = std::size_t(model_.nv());
      for (std::size_t k = 0; k < numbers.size(); ++k)
        numbers[k] =
            column[Eigen::Index(is_mass ? swapped(k / nv) * nv + swapped(k % nv) : swapped(k))];
      return numbers;
    };
    return EvalContext{repeated(1, ask), answer, int(size)};
  };
  if (is_mass)
    return requested([this, &b](std::size_t) {
      expect(mass_matrix_batch(model_, b.states(), b.workspace, b.out));
    });
  if (name.starts_with("inverse_batch"))
    return requested([this, &b](std::size_t) {
      expect(inverse_dynamics_batch(model_, b.states(), b.a, b.workspace, b.out));
    });
  if (name.starts_with("forward_batch") || name.starts_with("closed_batch"))
    return requested([this, &b](std::size_t) {
      expect(forward_dynamics_batch(model_, b.states(), b.tau, b.workspace, b.out));
    });
  throw std::runtime_error("there is no question '" + name + "'");
}

std::vector<double> Subject::swapped(const std::vector<double>& x) const {
  std::vector<double> y(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) y[k] = x[swapped(k)];
  return y;
}

std::vector<double> Subject::swapped_columns(const Eigen::Ref<const Eigen::MatrixXd>& x) const {
  std::vector<double> numbers;
  for (Eigen::Index row = 0; row < x.rows(); ++row)
    for (std::size_t k = 0; k < std::size_t(x.cols()); ++k)
      numbers.push_back(x(row, Eigen::Index(swapped(k))));
  return numbers;
}

// x y z qx qy qz qw becomes qw qx qy qz x y z
trammel::State Subject::state(const RobotState& description) const {
  trammel::State made = neutral_state(model_);
  made.q = description.q;
  made.v = swapped(description.v);
  if (is_floating_)
    for (std::size_t k = 0; k < 7; ++k)
      made.q[k] = description.q[k == 0 ? 6 : k < 4 ? k + 2 : k - 4];
  return made;
}

}  // namespace bench
