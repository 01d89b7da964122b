#include "trammel/analyze/linearize.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <numeric>
#include <optional>

#include "trammel/analyze/local_coordinates.hpp"
#include "trammel/analyze/turned_axes.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/solver/acceleration_derivatives.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

namespace {

// The dofs whose efforts are inputs: of the tree, then of loop joints.
struct DrivenDofs {
  std::vector<int> tree, loop;
  Eigen::Index count() const { return Eigen::Index(tree.size() + loop.size()); }
};
DrivenDofs driven_dofs(const Model& model) {
  std::vector<int> all;
  DrivenDofs driven;
  for (const NamedJoint& joint : model.joints())
    for (int f = joint.v_start; f < joint.v_start + joint.nv; ++f) {
      if (model.is_prescribed(f)) continue;
      all.push_back(f);
      if (joint.drive == Drive::torque) driven.tree.push_back(f);
    }
  for (int f = 0; f < model.loop_nv(); ++f)
    if (model.closure_drive(f) == Drive::torque) driven.loop.push_back(f);
  if (driven.count() == 0) driven.tree = all;
  std::ranges::sort(driven.tree);
  return driven;
}
// Efforts on the dofs of the tree for a unit of each input: nv x inputs.
Eigen::MatrixXd unit_efforts(const Model& model, const Kinematics& kinematics,
                             const DrivenDofs& driven) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(model.nv(), driven.count());
  Eigen::Index k = 0;
  for (const int f : driven.tree) out(f, k++) = 1;
  for (const int f : driven.loop) out.col(k++) = effort_of_loop(model, kinematics, f);
  return out;
}

Status fill(const Model& model, const State& state, const LocalCoordinates& local_coordinates,
            const AccelerationDerivatives& derivatives, const Eigen::MatrixXd& by_w,
            const Eigen::MatrixXd& efforts, Linearization& out) {
  const std::vector<int>&positions = local_coordinates.position_dofs(),
        &velocities = local_coordinates.velocity_dofs();
  const Eigen::Index np = local_coordinates.positions(), nw = local_coordinates.velocities(),
                     nv = model.nv();
  // derivatives of positions, velocities and accelerations of the tree with respect to x and w
  const Eigen::MatrixXd by_x = local_coordinates.position_directions();
  Eigen::MatrixXd dq = Eigen::MatrixXd::Zero(nv, np + nw), dv(nv, np + nw), da;
  dq.leftCols(np) = by_x;
  dv << local_coordinates.following_velocities(derivatives.rates(by_x)), by_w;
  if (Status status = derivatives.along(dq, dv, da); !status) return status;

  Eigen::MatrixXd x_dot = dv;
  x_dot.leftCols(np) += turned_back(model, state.v, by_x);
  out.A.resize(np + nw, np + nw);
  out.A << x_dot(positions, Eigen::all), da(velocities, Eigen::all);
  out.C.resize(2 * nv, np + nw);
  out.C << dq, dv;
  out.B = Eigen::MatrixXd::Zero(np + nw, efforts.cols());
  out.B.bottomRows(nw) = (derivatives.by_efforts() * efforts)(velocities, Eigen::all);
  out.D = Eigen::MatrixXd::Zero(2 * nv, efforts.cols());
  out.acceleration = nw > 0 ? max_abs(derivatives.a()(velocities)) : 0;
  return {};
}

void name(const Model& model, const LocalCoordinates& local_coordinates, Linearization& out) {
  const auto names = [&](const char* prefix, const auto& dofs) {
    std::vector<std::string> list;
    for (const int f : dofs) list.push_back(prefix + model.dof_name(f));
    return list;
  };
  const auto append = [](std::vector<std::string>& to, std::vector<std::string> more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  std::vector<int> every(std::size_t(model.nv()));
  std::iota(every.begin(), every.end(), 0);
  out.states = names("q.", local_coordinates.position_dofs());
  append(out.states, names("v.", local_coordinates.velocity_dofs()));
  const DrivenDofs driven = driven_dofs(model);
  out.inputs = names("tau.", driven.tree);
  for (const int f : driven.loop) out.inputs.push_back("tau." + model.closure_dof_name(f));
  out.outputs = names("q.", every);
  append(out.outputs, names("v.", every));
}

void find_modes(Linearization& out) {
  if (out.A.rows() == 0) return;
  const GeneralEigen solved = general_eigen(out.A);
  std::vector<Eigen::Index> order(std::size_t(out.A.rows()));
  std::iota(order.begin(), order.end(), 0);
  const Eigen::VectorXcd& all = solved.values;
  std::ranges::stable_sort(
      order, [&](Eigen::Index a, Eigen::Index b) { return std::abs(all[a]) < std::abs(all[b]); });
  out.eigenvalues.resize(out.A.rows());
  out.modes.resize(out.A.rows(), out.A.rows());
  for (Eigen::Index k = 0; k < out.A.rows(); ++k) {
    const Eigen::Index from = order[std::size_t(k)];
    Eigen::VectorXcd mode = solved.vectors.col(from);
    Eigen::Index largest = 0;
    max_abs(mode, largest);
    out.eigenvalues[k] = all[from];
    out.modes.col(k) = mode / mode[largest];
  }
}

}  // namespace

Status linearize(const Model& model, const State& state, const Inputs& inputs, Workspace& workspace,
                 Linearization& out) {
  const auto fail = [](const Status& status) {
    return Status::failure("linearize: " + status.message());
  };
  if (Status status = without_element_states("linearize", model); !status) return status;
  std::optional<LocalCoordinates> local_coordinates;
  if (Status status = LocalCoordinates::of(model, state, workspace, local_coordinates); !status)
    return fail(status);
  RowBasis basis;
  if (Status status = row_basis(model, state, workspace, basis); !status) return fail(status);
  const Eigen::MatrixXd by_w = local_coordinates->velocity_directions();
  if (by_w.cols() != model.nv() - basis.rank())
    return Status::failure(
        "linearize: the constraint rows are nearly dependent, so the number of degrees of freedom "
        "is uncertain: move away from the singular pose");
  const EvalContext context("linearize", model, state, inputs, workspace, Constraints::honored,
                            Forces::acting);
  if (!context.ok()) return context.status();
  const AccelerationDerivatives derivatives(context, workspace, basis, by_w);
  if (!derivatives.status().ok()) return derivatives.status();
  Kinematics where(model);
  if (Status status = kinematics(model, state, {}, workspace, where); !status) return fail(status);
  const Eigen::MatrixXd efforts = unit_efforts(model, where, driven_dofs(model));
  if (Status status = fill(model, state, *local_coordinates, derivatives, by_w, efforts, out);
      !status)
    return status;
  name(model, *local_coordinates, out);
  find_modes(out);
  // negligible velocities, and accelerations within the tolerance of equilibrium()
  const bool is_at_rest = out.acceleration < 1e-8 && std::ranges::all_of(state.v, [](double v) {
                            return std::abs(v) < 1e-12;
                          });
  out.uncontrollable_modes = uncontrollable_modes(
      out.A, out.B, out.eigenvalues, local_coordinates->positions(), is_at_rest, out.states);
  return {};
}

}  // namespace trammel
