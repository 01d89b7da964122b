#include "trammel/constraint/assembly.hpp"

#include <Eigen/QR>

#include "trammel/constraint/gaps.hpp"
#include "trammel/constraint/rows.hpp"
#include "trammel/dynamics/kernel/table.hpp"
#include "trammel/dynamics/question.hpp"

namespace trammel {

namespace {

// Closed is what no double can close further: a few rounding errors of the mechanism's size.
constexpr double closed = 1e-13;

class Assembler {
 public:
  Assembler(const Model& model, State& state, Workspace& workspace, const AssemblyOptions& options)
      : model_(model), state_(state), workspace_(workspace), rows_(model) {
    std::vector<bool> is_kept(std::size_t(model.nv()), false);
    for (const JointId id : options.keep)
      for (int k = 0; k < model[id].nv; ++k) is_kept[std::size_t(model[id].v_start + k)] = true;
    for (int f = 0; f < model.nv(); ++f)
      if (!is_kept[std::size_t(f)] && model.prescription(f) != Drive::locked) free_.push_back(f);
    steps_ = options.steps;
  }

  Status close() {
    double gap = look(state_.q);
    for (int step = 0; step < steps_ && gap > closed * (1 + size()); ++step) {
      const Eigen::VectorXd dv = newton_step();
      if (!take(dv, gap)) break;
    }
    look(state_.q);
    const double left = rows_.error().size() > 0 ? weighted_error().norm() : 0;
    if (left > 1e-9 * size()) return still_open();
    make_velocities_consistent();
    return {};
  }

 private:
  double size() const { return model_.characteristic_length(); }

  double look(std::span<const double> q) {
    const Scene<double, double> scene{model_, model_.numbers()};
    kernel::kernels().kinematics(scene, q, state_.v, workspace_.zero, workspace_,
                                 workspace_.kinematics);
    rows_.evaluate(model_, workspace_.kinematics, q, state_.v, workspace_.zero, {});
    return weighted_error().norm();
  }
  // all in metres
  Eigen::VectorXd weighted_error() const {
    Eigen::VectorXd e = rows_.error();
    for (Eigen::Index k = 0; k < e.size(); ++k)
      if (rows_.is_turn(int(k))) e[k] *= size();
    return e;
  }
  // for positions only rows that hold a position count
  Eigen::MatrixXd free_jacobian(bool for_positions) const {
    Eigen::MatrixXd J(rows_.count(), Eigen::Index(free_.size()));
    for (std::size_t k = 0; k < free_.size(); ++k)
      J.col(Eigen::Index(k)) = rows_.jacobian().col(free_[k]);
    for (Eigen::Index k = 0; k < J.rows(); ++k)
      if (for_positions && !rows_.is_holonomic(int(k)))
        J.row(k).setZero();
      else if (rows_.is_turn(int(k)))
        J.row(k) *= size();
    return J;
  }
  Eigen::VectorXd spread(const Eigen::VectorXd& x) const {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(model_.nv());
    for (std::size_t k = 0; k < free_.size(); ++k) all[free_[k]] = x[Eigen::Index(k)];
    return all;
  }
  Eigen::VectorXd solve(const Eigen::VectorXd& rhs, bool for_positions) const {
    if (free_.empty()) return Eigen::VectorXd::Zero(model_.nv());
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> J;
    J.setThreshold(1e-9);
    J.compute(free_jacobian(for_positions));
    return spread(J.solve(rhs));
  }
  Eigen::VectorXd newton_step() const {
    Eigen::VectorXd dv = -solve(weighted_error(), true);
    const double largest = dv.cwiseAbs().maxCoeff();
    if (largest > 0.5) dv *= 0.5 / largest;  // rad, or metres: far away the tangent is no guide
    return dv;
  }
  // halves the step until the gap shrinks
  bool take(Eigen::VectorXd dv, double& gap) {
    std::vector<double> q(state_.q.size());
    for (int half = 0; half < 40; ++half, dv *= 0.5) {
      integrate(model_, state_.q, {dv.data(), std::size_t(dv.size())}, q);
      const double next = look(q);
      if (next >= gap) continue;
      state_.q = q;
      gap = next;
      return true;
    }
    return false;
  }
  void make_velocities_consistent() {
    Eigen::VectorXd rate = rows_.rate();
    for (Eigen::Index k = 0; k < rate.size(); ++k)
      if (rows_.is_turn(int(k))) rate[k] *= size();
    const Eigen::VectorXd dv = solve(rate, false);
    for (std::size_t k = 0; k < state_.v.size(); ++k) state_.v[k] -= dv[Eigen::Index(k)];
  }
  Status still_open() const {
    return Status::failure(fmt::format(
        "assemble: the loops cannot be closed from here: {}; the state is the nearest found. Start "
        "from another guess, free a joint that is kept, or look at the lengths",
        widest_gap(model_, rows_)));
  }

  const Model& model_;
  State& state_;
  Workspace& workspace_;
  Rows rows_;
  std::vector<int> free_;
  int steps_ = 0;
};

}  // namespace

Status assemble(const Model& model, State& state, Workspace& workspace,
                const AssemblyOptions& options) {
  expects_same_model("assemble", workspace, model);
  if (Status status = answerable("assemble", model, Constraints::honoured, Forces::apart); !status)
    return status;
  if (!model.has_constraints()) return {};
  return Assembler(model, state, workspace, options).close();
}

Status assembled_start(const Model& model, Workspace& workspace, State& out) {
  out = start_state(model);
  AssemblyOptions options;
  for (const StartDescription& start : model.description().start_positions)
    if (const auto id = model.find_joint(start.joint);
        id && model[*id].role == NamedJoint::Role::tree)
      options.keep.push_back(*id);
  return assemble(model, out, workspace, options);
}

}  // namespace trammel
