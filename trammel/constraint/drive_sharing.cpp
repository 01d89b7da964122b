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

Status share_among_drives(const Question& question, const Kinematics& kinematics, const Rows& rows,
                          const RankPlan& plan, std::span<const double> effort, DriveEfforts& out) {
  const Model& model = question.model();
  // what the motions that remain need, shared among the drives
  const std::vector<int> drives = driven_freedoms(model), loops = driven_loop_freedoms(model);
  const Eigen::MatrixXd T = complement(rows.jacobian().topRows(rows.planned_start()), plan);
  const auto n = Eigen::Index(drives.size());
  Eigen::MatrixXd A(T.cols(), n + Eigen::Index(loops.size()));
  for (std::size_t k = 0; k < drives.size(); ++k)
    A.col(Eigen::Index(k)) = T.row(drives[k]).transpose();
  for (std::size_t k = 0; k < loops.size(); ++k)
    A.col(n + Eigen::Index(k)) = T.transpose() * effort_of_loop(model, kinematics, loops[k]);
  const Eigen::VectorXd needed = T.transpose() * as_vector(effort);
  const Eigen::VectorXd u = A.size() > 0
                                ? Eigen::VectorXd(A.completeOrthogonalDecomposition().solve(needed))
                                : Eigen::VectorXd::Zero(A.cols());
  const Eigen::VectorXd lacking = needed - A * u;
  if (lacking.norm() > 1e-9 * (1 + as_vector(effort).norm()))
    return cannot_drive(question, T * lacking);
  out.tau = Eigen::VectorXd::Zero(model.nv());
  out.loop_tau = Eigen::VectorXd::Zero(model.closure_nv());
  for (std::size_t k = 0; k < drives.size(); ++k) out.tau[drives[k]] = u[Eigen::Index(k)];
  for (std::size_t k = 0; k < loops.size(); ++k) out.loop_tau[loops[k]] = u[n + Eigen::Index(k)];
  return {};
}

}  // namespace trammel
