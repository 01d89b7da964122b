// Pinocchio's results, from its headers alone: see bench/serve.hpp for the commands.
#include <Eigen/Core>
#include <unsupported/Eigen/CXX11/Tensor>

// Pinocchio's Data has four tensors of nv^3 numbers that are not used here: 34 GB for a chain of
// 1,024. Left uninitialized they are never touched, so they take addresses and no memory.
namespace Eigen {
template <> inline Tensor<double, 3>& TensorBase<Tensor<double, 3>, WriteAccessors>::setZero() {
  return static_cast<Tensor<double, 3>&>(*this);
}
// Beyond 8 GB each not even addresses: nothing else here is as large.
namespace internal {
template <> inline double* conditional_aligned_new_auto<double, true>(std::size_t size) {
  const std::size_t most = std::size_t{1} << 30;
  return size == 0
             ? nullptr
             : static_cast<double*>(aligned_malloc(sizeof(double) * (size > most ? 1 : size)));
}
}  // namespace internal
}  // namespace Eigen

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics-derivatives.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "bench/serve.hpp"

namespace {

using Eigen::VectorXd;
using pinocchio::Data;
using pinocchio::Model;

// the joint type with which Pinocchio is fastest
pinocchio::JointModel joint(const bench::RobotBody& body) {
  if (body.is_free) return pinocchio::JointModelFreeFlyer();
  const Eigen::Vector3d axis(body.axis.data());
  if (body.is_prismatic && axis == Eigen::Vector3d::UnitZ()) return pinocchio::JointModelPZ();
  if (body.is_prismatic) return pinocchio::JointModelPrismaticUnaligned(axis);
  if (axis == Eigen::Vector3d::UnitX()) return pinocchio::JointModelRX();
  if (axis == Eigen::Vector3d::UnitY()) return pinocchio::JointModelRY();
  if (axis == Eigen::Vector3d::UnitZ()) return pinocchio::JointModelRZ();
  return pinocchio::JointModelRevoluteUnaligned(axis);
}

Model build(const bench::Robot& robot) {
  Model model;
  model.gravity.linear() = Eigen::Vector3d(robot.gravity.data());
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    const bench::RobotBody& body = robot.bodies[i];
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> R(body.R.data());
    const pinocchio::SE3 placement(R, Eigen::Vector3d(body.p.data()));
    const auto id = model.addJoint(pinocchio::JointIndex(body.parent + 1), joint(body), placement,
                                   "j" + std::to_string(i));
    const auto& [xx, xy, xz, yy, yz, zz] = body.inertia;
    Eigen::Matrix3d inertia;
    inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    model.appendBodyToJoint(id, {body.mass, Eigen::Vector3d(body.com.data()), inertia});
  }
  return model;
}

pinocchio::SE3 frame(const std::array<double, 9>& R, const std::array<double, 3>& p) {
  return {Eigen::Matrix<double, 3, 3, Eigen::RowMajor>(R.data()), Eigen::Vector3d(p.data())};
}

// It has no revolute loop constraint: a pin in the plane becomes a point constraint, one row of
// which is redundant.
std::vector<pinocchio::RigidConstraintModel> loops(const bench::Robot& robot, const Model& model) {
  std::vector<pinocchio::RigidConstraintModel> all;
  for (const bench::RobotLoop& loop : robot.loops)
    all.emplace_back(loop.rows == 6 ? pinocchio::CONTACT_6D : pinocchio::CONTACT_3D, model,
                     pinocchio::JointIndex(loop.body + 1), frame(loop.R, loop.p),
                     pinocchio::JointIndex(loop.other + 1), frame(loop.R_other, loop.p_other),
                     pinocchio::LOCAL);
  return all;
}

template <class Vector> VectorXd copy(const Vector& x) {
  return VectorXd::Map(x.data(), Eigen::Index(x.size()));
}
template <class Matrix> std::vector<double> by_rows(const Matrix& x) {
  std::vector<double> numbers;
  for (Eigen::Index row = 0; row < x.rows(); ++row)
    for (Eigen::Index k = 0; k < x.cols(); ++k) numbers.push_back(x(row, k));
  return numbers;
}
std::vector<double> joined(const std::vector<std::vector<double>>& parts) {
  std::vector<double> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

class Subject {
 public:
  explicit Subject(const bench::Robot& robot)
      : model_(build(robot)),
        data_(model_),
        J_(pinocchio::Data::Matrix6x::Zero(6, model_.nv)),
        J_other_(J_),
        robot_loops_(robot.loops),
        loops_(loops(robot, model_)),
        end_effector_(pinocchio::JointIndex(robot.end_effector + 1)) {
    for (const auto& loop : loops_) loop_data_.emplace_back(loop);
    if (!loops_.empty()) initConstraintDynamics(model_, data_, loops_, loop_data_);
    // with a redundant row only a regularized system can be solved; two iterations reduce the error
    // to below 1e-9
    const bool has_spare = !robot.loops.empty() && robot.loops[0].rows == 2;
    settings_ = pinocchio::ProximalSettings(1e-12, has_spare ? 1e-8 : 0, has_spare ? 2 : 1);
    for (const bench::RobotState& state : robot.states)
      states_.push_back({copy(state.q), copy(state.v), copy(state.a), copy(state.tau)});
  }
  std::string memory() const { throw std::runtime_error("not counted"); }

  bench::EvalContext question(const std::string& name) {
    if (name == "inverse")
      return requested([this](const State& x) { rnea(model_, data_, x.q, x.v, x.a); },
                       [this] { return by_rows(data_.tau); });
    if (name == "forward")
      return requested([this](const State& x) { aba(model_, data_, x.q, x.v, x.tau, local); },
                       [this] { return by_rows(data_.ddq); });
    if (name == "closed")
      return requested(
          [this](const State& x) {
            constraintDynamics(model_, data_, x.q, x.v, x.tau, loops_, loop_data_, settings_);
          },
          [this] { return by_rows(data_.ddq); });
    if (name == "closed_lcaba") {  // by elimination, without a matrix of the whole mechanism
      // with data of its own: what it leaves behind changes the derivatives of the other
      if (!lcaba_data_) {
        lcaba_data_ = std::make_unique<Data>(model_);
        for (const auto& loop : loops_) lcaba_loop_data_.emplace_back(loop);
        computeJointMinimalOrdering(model_, *lcaba_data_, loops_);
      }
      return requested(
          [this](const State& x) {
            lcaba(model_, *lcaba_data_, x.q, x.v, x.tau, loops_, lcaba_loop_data_, lcaba_settings_);
          },
          [this] { return by_rows(lcaba_data_->ddq); });
    }
    if (name == "closed_derivatives")
      return requested(
          [this](const State& x) {
            constraintDynamics(model_, data_, x.q, x.v, x.tau, loops_, loop_data_, settings_);
            computeConstraintDynamicsDerivatives(model_, data_, loops_, loop_data_, settings_);
          },
          [this] {
            return joined({by_rows(data_.ddq_dq), by_rows(data_.ddq_dv), by_rows(data_.ddq_dtau)});
          });
    if (name == "closed_inverse") return inverse_of_loops();
    if (name == "reactions") return reactions();
    if (name == "step") return step();
    if (name == "forward_world")
      return requested([this](const State& x) { aba(model_, data_, x.q, x.v, x.tau, world); },
                       [this] { return by_rows(data_.ddq); });
    if (name == "mass")
      return requested([this](const State& x) { crba(model_, data_, x.q, local); },
                       [this] { return mass(); });
    if (name == "mass_world")
      return requested([this](const State& x) { crba(model_, data_, x.q, world); },
                       [this] { return mass(); });
    if (name == "kinematics_jacobian")
      return requested(
          [this](const State& x) {
            computeJointJacobians(model_, data_, x.q);
            getJointJacobian(model_, data_, end_effector_, pinocchio::LOCAL_WORLD_ALIGNED, J_);
          },
          [this] { return by_rows(J_); });
    if (name == "inverse_derivatives")
      return requested(
          [this](const State& x) { computeRNEADerivatives(model_, data_, x.q, x.v, x.a); },
          [this] {
            return joined({by_rows(data_.dtau_dq), by_rows(data_.dtau_dv), mass()});
          });
    if (name == "forward_derivatives")
      return requested(
          [this](const State& x) { computeABADerivatives(model_, data_, x.q, x.v, x.tau); },
          [this] {
            const Eigen::MatrixXd inverse = data_.Minv.selfadjointView<Eigen::Upper>();
            return joined({by_rows(data_.ddq_dq), by_rows(data_.ddq_dv), by_rows(inverse)});
          });
    throw std::runtime_error("there is no question '" + name + "'");
  }

 private:
  struct State {
    VectorXd q, v, a, tau;
  };
  static constexpr auto local = pinocchio::Convention::LOCAL;
  static constexpr auto world = pinocchio::Convention::WORLD;

  template <class Ask, class Tell> bench::EvalContext requested(const Ask& ask, const Tell& tell) {
    return {bench::repeated(states_.size(), [this, ask](std::size_t s) { ask(states_[s]); }),
            [this, ask, tell](std::size_t s) { return ask(states_.at(s)), tell(); }};
  }
  // Efforts of least norm for the accelerations of a free motion: inverse dynamics of the tree, of
  // which the part across the loops' admitted motions is left out: tau - J^T (J J^T)^-1 J tau.
  bench::EvalContext inverse_of_loops() {
    Eigen::Index rows = 0;
    for (const bench::RobotLoop& loop : robot_loops_) rows += loop.rows;
    J_loops_.setZero(rows, model_.nv);
    if (free_a_.empty())
      for (const State& x : states_)
        free_a_.push_back(
            constraintDynamics(model_, data_, x.q, x.v, x.tau, loops_, loop_data_, settings_));
    const auto ask = [this](std::size_t s) {
      const State& x = states_.at(s);
      rnea(model_, data_, x.q, x.v, free_a_[s]);
      write_loop_jacobian(x.q);
      JJ_.noalias() = J_loops_ * J_loops_.transpose();
      factors_.compute(JJ_);
      multipliers_.noalias() = J_loops_ * data_.tau;
      factors_.solveInPlace(multipliers_);
      efforts_ = data_.tau;
      efforts_.noalias() -= J_loops_.transpose() * multipliers_;
    };
    return {bench::repeated(states_.size(), ask), [this, ask](std::size_t s) {
              ask(s);
              return by_rows(efforts_);
            }};
  }
  // Independent rows: a pin in the plane has the two of its point that are in the plane.
  void write_loop_jacobian(const VectorXd& q) {
    computeJointJacobians(model_, data_, q);
    Eigen::Index row = 0;
    for (std::size_t k = 0; k < loops_.size(); ++k) {
      const auto& loop = loops_[k];
      const int rows = robot_loops_[k].rows;
      J_.setZero(), J_other_.setZero();
      getFrameJacobian(model_, data_, loop.joint1_id, loop.joint1_placement,
                       pinocchio::LOCAL_WORLD_ALIGNED, J_);
      getFrameJacobian(model_, data_, loop.joint2_id, loop.joint2_placement,
                       pinocchio::LOCAL_WORLD_ALIGNED, J_other_);
      J_ -= J_other_;
      if (rows == 2) {
        const Eigen::Matrix3d R =
            data_.oMi[loop.joint1_id].rotation() * loop.joint1_placement.rotation();
        J_loops_.row(row).noalias() = R.col(0).transpose() * J_.topRows<3>();
        J_loops_.row(row + 1).noalias() = R.col(2).transpose() * J_.topRows<3>();
      } else {
        J_loops_.middleRows(row, rows) = J_.topRows(rows);
      }
      row += rows;
    }
  }
  // Force of each joint on its body: inverse dynamics of the tree, with the loops' forces.
  bench::EvalContext reactions() {
    const auto ask = [this](const State& x) {
      constraintDynamics(model_, data_, x.q, x.v, x.tau, loops_, loop_data_, settings_);
      for (pinocchio::Force& force : loop_forces_) force.setZero();
      for (std::size_t k = 0; k < loops_.size(); ++k) {
        const pinocchio::Force& force = loop_data_[k].contact_force;
        loop_forces_[loops_[k].joint1_id] += loops_[k].joint1_placement.act(force);
        loop_forces_[loops_[k].joint2_id] -=
            loops_[k].joint2_placement.act(loop_data_[k].c1Mc2.actInv(force));
      }
      v_ = data_.ddq;
      rnea(model_, data_, x.q, x.v, v_, loop_forces_);
    };
    loop_forces_.assign(std::size_t(model_.njoints), pinocchio::Force::Zero());
    return requested(ask, [this] {  // [moment; force]
      std::vector<double> all;
      for (std::size_t i = 1; i < std::size_t(model_.njoints); ++i)
        for (const Eigen::Vector3d& part :
             {Eigen::Vector3d(data_.f[i].angular()), Eigen::Vector3d(data_.f[i].linear())})
          all.insert(all.end(), part.data(), part.data() + 3);
      return all;
    });
  }
  // The classical Runge-Kutta method of order 4, 1 ms, without projection to the loops.
  bench::EvalContext step() {
    const auto rk4 = [this](const State& x) {
      constexpr double h = 1e-3;
      const std::array<double, 4> part{0, 0.5 * h, 0.5 * h, h}, weight{1, 2, 2, 1};
      V_.setZero(model_.nv), A_.setZero(model_.nv);
      v_ = x.v, data_.ddq.setZero();
      for (std::size_t k = 0; k < 4; ++k) {
        integrate(model_, x.q, part[k] * v_, q_);
        v_ = x.v + part[k] * data_.ddq;
        constraintDynamics(model_, data_, q_, v_, x.tau, loops_, loop_data_, settings_);
        V_ += weight[k] / 6 * v_, A_ += weight[k] / 6 * data_.ddq;
      }
      integrate(model_, x.q, h * V_, q_);
      v_ = x.v + h * A_;
    };
    q_ = states_[0].q;
    return requested(rk4, [this] { return by_rows(A_); });  // mean acceleration
  }
  // only the upper triangle is computed
  std::vector<double> mass() const {
    return by_rows(Eigen::MatrixXd(data_.M.selfadjointView<Eigen::Upper>()));
  }

  Model model_;
  Data data_;
  Data::Matrix6x J_, J_other_;
  std::vector<bench::RobotLoop> robot_loops_;
  std::vector<pinocchio::RigidConstraintModel> loops_;
  std::vector<pinocchio::RigidConstraintData> loop_data_;
  pinocchio::ProximalSettings settings_;
  std::unique_ptr<Data> lcaba_data_;
  std::vector<pinocchio::RigidConstraintData> lcaba_loop_data_;
  // a penalty of 1e6, in world axes: a smaller regularization loses more digits than it gains
  pinocchio::ProximalSettings lcaba_settings_{1e-12, 1e-6, 3};
  VectorXd q_, v_, V_, A_;
  std::vector<VectorXd> free_a_;  // by state
  Eigen::MatrixXd J_loops_, JJ_;
  Eigen::LLT<Eigen::MatrixXd> factors_;
  VectorXd multipliers_, efforts_;
  std::vector<pinocchio::Force> loop_forces_;  // on the body of each joint
  pinocchio::JointIndex end_effector_;
  std::vector<State> states_;
};

struct Pinocchio {
  using Subject = ::Subject;
  static std::string about() { return "Pinocchio " PINOCCHIO_VERSION ", " + bench::compiler(); }
  static long allocations() { return -1; }
};

}  // namespace

int main() { return bench::Server<Pinocchio>().run(); }
