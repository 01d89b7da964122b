#include "trammel/constraint/forces/allocation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/constraint/forces/effort_qp.hpp"
#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct SimulationInputs {
  std::vector<std::string> names;
  std::vector<double> limits;  // effort limits of the model
};

double limit_of(const NamedJoint& joint, int k) {
  const std::vector<double>& effort = joint.limits.effort;
  if (effort.empty()) return infinity;
  return effort.size() == 1 ? effort[0] : effort[std::size_t(k)];
}

SimulationInputs drives_of(const Model& model, const DriveDemand& demand) {
  SimulationInputs drives;
  for (const int dof : demand.dofs) {
    drives.names.push_back(model.dof_name(dof));
    for (const NamedJoint& joint : model.joints())
      if (joint.role == NamedJoint::Role::tree && joint.v_start <= dof &&
          dof < joint.v_start + joint.nv)
        drives.limits.push_back(limit_of(joint, dof - joint.v_start));
  }
  for (const int dof : demand.loop_dofs) {
    drives.names.push_back(model.closure_dof_name(dof));
    int before = 0;
    for (const Closure& closure : model.closures()) {
      const int count = std::visit([](const auto& joint) { return joint.nv(); }, closure.joint);
      if (before <= dof && dof < before + count)
        drives.limits.push_back(closure.named ? limit_of(model[*closure.named], dof - before)
                                              : infinity);
      before += count;
    }
  }
  return drives;
}

Eigen::Index find_drive(const SimulationInputs& drives, const std::string& name) {
  const auto found = std::ranges::find(drives.names, name);
  if (found != drives.names.end()) return found - drives.names.begin();
  const auto near = suggest(name, drives.names);
  throw std::invalid_argument(
      fmt::format("allocate_efforts: there is no drive '{}'; {}", name,
                  near ? fmt::format("did you mean '{}'?", *near)
                       : fmt::format("there are {}", fmt::join(drives.names, ", "))));
}

void expect_not_negative(const char* what, const std::string& name, double value,
                         bool may_be_zero) {
  if (value > 0 || (may_be_zero && value == 0)) return;
  throw std::invalid_argument(
      fmt::format("allocate_efforts: the {} of '{}' is {}; give a number {}", what, name, value,
                  may_be_zero ? "of zero or more" : "above zero"));
}

std::string quoted(const SimulationInputs& drives, const std::vector<Eigen::Index>& which) {
  std::string text;
  for (const Eigen::Index k : which)
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", drives.names[std::size_t(k)]);
  return text;
}

}  // namespace

Status allocate_efforts(const Model& model, const State& state, const Inputs& inputs,
                        Workspace& workspace, Allocation& out, const AllocationOptions& options) {
  out = {};
  DriveDemand demand;
  if (Status status = drive_demand(model, state, inputs, workspace, demand); !status) return status;
  const SimulationInputs drives = drives_of(model, demand);
  const Eigen::Index n = demand.A.cols();

  Eigen::VectorXd weights = Eigen::VectorXd::Ones(n),
                  limits = Eigen::VectorXd::Constant(n, infinity);
  if (options.heeds_model_limits)
    limits = Eigen::Map<const Eigen::VectorXd>(drives.limits.data(), n);
  for (const auto& [name, weight] : options.weights) {
    expect_not_negative("weight", name, weight, false);
    weights[find_drive(drives, name)] = weight;
  }
  for (const auto& [name, limit] : options.limits) {
    expect_not_negative("limit", name, limit, true);
    limits[find_drive(drives, name)] = limit;
  }
  std::vector<bool> is_idle(std::size_t(n), false);
  for (const std::string& name : options.idle)
    is_idle[std::size_t(find_drive(drives, name))] = true;
  std::vector<Eigen::Index> acting;
  for (Eigen::Index k = 0; k < n; ++k)
    if (!is_idle[std::size_t(k)]) acting.push_back(k);

  const EffortQp least = effort_qp({.A = demand.A(Eigen::all, acting),
                                    .needed = demand.needed,
                                    .weights = weights(acting),
                                    .lower = -limits(acting),
                                    .upper = limits(acting)});
  if (least.verdict == EffortQp::Verdict::out_of_reach) {
    Eigen::Index most = 0;
    max_abs(demand.T * least.uncontrollable_modes, most);
    return Status::failure(fmt::format(
        "allocate_efforts: {}the drives {}cannot produce this motion: none of them acts on the one "
        "in which joint '{}' moves most; drive another joint, or call forward_dynamics for the "
        "motion without drives",
        Eigen::Index(acting.size()) < demand.A.rows()
            ? fmt::format("{} drive{} for mobility {}: ", acting.size(),
                          acting.size() == 1 ? "" : "s", demand.A.rows())
            : "",
        options.idle.empty() ? "" : fmt::format("without '{}' ", fmt::join(options.idle, "', '")),
        model.dof_name(int(most))));
  }
  std::vector<Eigen::Index> limited;
  for (const std::vector<int>* list : {&least.at_lower, &least.at_upper})
    for (const int k : *list) limited.push_back(acting[std::size_t(k)]);
  std::ranges::sort(limited);
  if (least.verdict == EffortQp::Verdict::exceeds_limits) {
    out.lacking = least.lacking;
    return Status::failure(fmt::format(
        "allocate_efforts: there is no solution within the limits: {} {} {:.4g} more than allowed "
        "[N m or N]; raise these limits, drive another joint, or reduce the accelerations",
        quoted(drives, limited), limited.size() == 1 ? "would need" : "would each need",
        least.lacking));
  }

  Eigen::VectorXd efforts = Eigen::VectorXd::Zero(n);
  for (std::size_t k = 0; k < acting.size(); ++k)
    efforts[acting[k]] = least.effort[Eigen::Index(k)];
  out.efforts = efforts_of(model, demand, efforts);
  for (const Eigen::Index k : limited) out.at_limit.push_back(drives.names[std::size_t(k)]);
  out.cost = weights.dot(efforts.cwiseAbs2());
  return {};
}

}  // namespace trammel
