#include "trammel/constraint/drive_sharing.hpp"

#include <fmt/format.h>

#include <Eigen/QR>

#include "trammel/constraint/instant.hpp"
#include "trammel/constraint/loop_forces.hpp"

namespace trammel {

namespace {

// Freedoms of joints with a drive, locked ones too; of all joints if no drive was said.
std::vector<int> driven_freedoms(const Model& model) {
  std::vector<int> driven, all;
  bool has_drive = driven_loop_freedom(model) >= 0;
  for (const NamedJoint& joint : model.joints())
    for (int f = joint.v_start; f < joint.v_start + joint.nv; ++f) {
      all.push_back(f);
      if (joint.drive != Drive::none) driven.push_back(f);
      has_drive |= joint.drive != Drive::none && joint.drive != Drive::locked;
    }
  return has_drive ? driven : all;
}
std::vector<int> driven_loop_freedoms(const Model& model) {
  std::vector<int> driven;
  for (int f = 0; f < model.closure_nv(); ++f)
    if (model.closure_drive(f) != Drive::none) driven.push_back(f);
  return driven;
}
Status cannot_drive(const Question& question, const Eigen::VectorXd& motion) {
  Eigen::Index most = 0;
  motion.cwiseAbs().maxCoeff(&most);
  return Status::failure(fmt::format(
      "{}: the drives cannot produce this motion: none of them acts on the one in which joint "
      "'{}' moves most; drive another joint, or ask forward_dynamics what it does by itself",
      question.name(), question.model().freedom_name(int(most))));
}

}  // namespace

int driven_loop_freedom(const Model& model) {
  const std::vector<int> driven = driven_loop_freedoms(model);
  return driven.empty() ? -1 : driven.front();
}

void demand_on_drives(const Model& model, const Kinematics& kinematics, const Rows& rows,
                      const RankPlan& plan, std::span<const double> effort, DriveDemand& out) {
  out.T = complement(rows.jacobian().topRows(rows.planned_start()), plan);
  out.freedoms = driven_freedoms(model);
  out.loop_freedoms = driven_loop_freedoms(model);
  const auto n = Eigen::Index(out.freedoms.size());
  out.A.resize(out.T.cols(), n + Eigen::Index(out.loop_freedoms.size()));
  for (Eigen::Index k = 0; k < n; ++k)
    out.A.col(k) = out.T.row(out.freedoms[std::size_t(k)]).transpose();
  for (std::size_t k = 0; k < out.loop_freedoms.size(); ++k)
    out.A.col(n + Eigen::Index(k)) =
        out.T.transpose() * effort_of_loop(model, kinematics, out.loop_freedoms[k]);
  out.needed = out.T.transpose() * as_vector(effort);
}

Status share_among_drives(const Question& question, const Kinematics& kinematics, const Rows& rows,
                          const RankPlan& plan, std::span<const double> effort, DriveEfforts& out) {
  const Model& model = question.model();
  DriveDemand demand;
  demand_on_drives(model, kinematics, rows, plan, effort, demand);
  const Eigen::VectorXd u =
      demand.A.size() > 0
          ? Eigen::VectorXd(demand.A.completeOrthogonalDecomposition().solve(demand.needed))
          : Eigen::VectorXd::Zero(demand.A.cols());
  const Eigen::VectorXd lacking = demand.needed - demand.A * u;
  if (lacking.norm() > 1e-9 * (1 + as_vector(effort).norm()))
    return cannot_drive(question, demand.T * lacking);
  out = efforts_of(model, demand, u);
  return {};
}

Status efforts_of_planned(const Question& question, const Rows& rows,
                          const ConstrainedAnswer& answer, DriveEfforts& out) {
  const Eigen::MatrixXd sets = dependent_sets(rows.jacobian(), answer.plan);
  out.tau = as_vector(question.tau());
  out.loop_tau = Eigen::VectorXd::Zero(question.model().closure_nv());
  std::ranges::copy(question.inputs().loop_tau, out.loop_tau.begin());
  for (int row = rows.planned_start(); row < rows.count(); ++row) {
    if (sets.cols() > 0 && sets.row(row).cwiseAbs().maxCoeff() > 0)
      return Status::failure(fmt::format(
          "{}: the effort of the {} is not unique, because others hold the same motion: plan or "
          "lock fewer joints, or ask forward_dynamics for the accelerations",
          question.name(), rows.name(row)));
    if (const int freedom = rows.planned_freedom(row); freedom >= 0)
      out.tau[freedom] += answer.lambda[row];
    else
      out.loop_tau[rows.planned_loop_freedom(row)] += answer.lambda[row];
  }
  return {};
}

DriveEfforts efforts_of(const Model& model, const DriveDemand& demand, const Eigen::VectorXd& u) {
  DriveEfforts out{Eigen::VectorXd::Zero(model.nv()), Eigen::VectorXd::Zero(model.closure_nv())};
  const std::size_t n = demand.freedoms.size();
  for (std::size_t k = 0; k < n; ++k) out.tau[demand.freedoms[k]] = u[Eigen::Index(k)];
  for (std::size_t k = 0; k < demand.loop_freedoms.size(); ++k)
    out.loop_tau[demand.loop_freedoms[k]] = u[Eigen::Index(n + k)];
  return out;
}

}  // namespace trammel
