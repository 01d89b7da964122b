#include "trammel/constraint/mobility/reachability.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/mobility/joint_components.hpp"
#include "trammel/constraint/mobility/lie_brackets.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Brackets of depth four are accurate to about 1e-7 of the fields' size. Those without a new
// direction are zero; the others are as large as the wheelbase over the characteristic length.
constexpr double tolerance = 1e-5;
constexpr double reachable_rank_tolerance = 1e-9;

// Constraint Jacobian at any position, columns in units of the dof sizes.
class RowsAround {
 public:
  RowsAround(const Model& model, const State& state, Workspace& workspace)
      : model_(model),
        workspace_(workspace),
        rows_(model),
        sizes_(dof_sizes(model, state, workspace)) {}

  const ConstraintRows& rows() const { return rows_; }
  const Eigen::VectorXd& sizes() const { return sizes_; }
  void evaluate(const std::vector<double>& q) {
    // not the public function: near a consistent state loops are violated slightly
    const std::span<const double> zero = workspace_->zero;
    kernel::kernels().kinematics({model_, model_.numbers()}, q, zero, zero, *workspace_,
                                 workspace_->kinematics);
    rows_.evaluate(model_, workspace_->kinematics, q, zero, zero, {});
  }
  // These rows and columns of J at a position.
  Eigen::MatrixXd at(const std::vector<double>& q, const std::vector<int>& which,
                     const std::vector<int>& dofs) {
    evaluate(q);
    return rows_.sparse_jacobian().block(which, dofs) * sizes_(dofs).asDiagonal();
  }

 private:
  const Model& model_;
  Workspace& workspace_;
  ConstraintRows rows_;
  Eigen::VectorXd sizes_;
};

// Assembled state at rest.
Status closed_state(const Model& model, const State& state, Workspace& workspace, State& out) {
  out = state;
  std::ranges::fill(out.v, 0.0);
  RowBasis chosen;  // fails for large violations, flat wheels and invalid input
  if (Status status = row_basis(model, out, workspace, chosen); !status) return status;
  if (Status status = assemble(model, out, workspace, {.nudges = 0}); !status) return status;
  std::ranges::fill(out.v, 0.0);
  return {};
}

// Indices of a largest independent subset of these rows.
std::vector<int> independent(const Eigen::MatrixXd& J, const std::vector<int>& rows) {
  if (rows.empty()) return {};
  const PivotedQr qr(J.transpose(), reachable_rank_tolerance);
  std::vector<int> chosen;
  for (Eigen::Index k = 0; k < qr.rank(); ++k) chosen.push_back(rows[std::size_t(qr.order()[k])]);
  return chosen;
}

// An orthonormal basis, grown vector by vector.
class Span {
 public:
  explicit Span(Eigen::MatrixXd basis) : basis_(std::move(basis)) {}
  int dimension() const { return int(basis_.cols()); }
  bool grows_by(const Eigen::VectorXd& x) {
    Eigen::VectorXd rest = x - basis_ * (basis_.transpose() * x);
    if (!(rest.norm() > tolerance)) return false;
    rest -= basis_ * (basis_.transpose() * rest);
    basis_.conservativeResize(Eigen::NoChange, basis_.cols() + 1);
    basis_.rightCols(1) = rest.normalized();
    return true;
  }

 private:
  Eigen::MatrixXd basis_;
};

// Reachability of the dofs of one component, the others fixed.
Reachability reachability_of(RowsAround& around, const LieBrackets& brackets, const State& closed,
                             const MatrixComponent& component) {
  Reachability out;
  const std::vector<int>& dofs = component.columns;
  const int n = int(dofs.size());
  std::vector<int> all, of_position;
  for (const int k : component.rows) {
    if (around.rows().name(k).starts_with("prescribed motion")) continue;
    all.push_back(k);
    if (around.rows().is_holonomic(k)) of_position.push_back(k);
  }
  const std::vector<int> constrained = independent(around.at(closed.q, all, dofs), all);
  out.dofs = n - int(constrained.size());
  out.configuration =
      n - int(independent(around.at(closed.q, of_position, dofs), of_position).size());
  out.growth = {out.dofs};
  out.reachable = out.dofs;
  if (out.dofs == out.configuration) return out;

  // allowed velocities as fields: a fixed velocity projected onto the null space of J, as smooth
  // as J
  const auto spread = [&](const Eigen::VectorXd& x) {
    Eigen::VectorXd whole = Eigen::VectorXd::Zero(around.sizes().size());
    whole(dofs) = x;
    return whole;
  };
  const auto shadow = [&](const std::vector<double>& q, const Eigen::VectorXd& x) {
    if (constrained.empty()) return spread(x);
    const Eigen::MatrixXd J = around.at(q, constrained, dofs);
    return spread(x - J.transpose() * Ldlt(J * J.transpose()).solve(J * x));
  };
  Eigen::MatrixXd ways = Eigen::MatrixXd::Identity(n, n);
  if (!constrained.empty()) {
    const Eigen::MatrixXd J = around.at(closed.q, constrained, dofs);
    ways = Qr(J.transpose()).q().rightCols(out.dofs);
  }
  std::vector<LieBrackets::Field> fields;
  for (Eigen::Index k = 0; k < ways.cols(); ++k)
    fields.emplace_back(
        [&shadow, way = Eigen::VectorXd(ways.col(k))](const auto& q) { return shadow(q, way); });

  // where ranks are locally constant, only brackets that added a direction can lead to more
  Span span(ways);
  std::vector<LieBrackets::Field> newest = fields;
  for (int depth = 1; !newest.empty() && span.dimension() < out.configuration; ++depth) {
    if (depth > Reachability::deepest) {
      out.is_complete = false;
      break;
    }
    std::vector<LieBrackets::Field> found;
    for (const LieBrackets::Field& f : fields)
      for (const LieBrackets::Field& g : newest) {
        if (span.dimension() == out.configuration) break;
        const LieBrackets::Field both = brackets.bracket(f, g);
        if (span.grows_by(both(closed.q)(dofs))) found.push_back(both);
      }
    if (!found.empty()) out.growth.push_back(span.dimension());
    newest = std::move(found);
  }
  out.reachable = span.dimension();
  return out;
}

}  // namespace

Status reachability(const Model& model, const State& state, Workspace& workspace,
                    Reachability& out) {
  out = {};
  State closed;
  if (Status status = closed_state(model, state, workspace, closed); !status) return status;
  RowsAround around(model, closed, workspace);
  const LieBrackets brackets(model, around.sizes(), closed.q);
  const SparseRows pattern = joint_components(model, around.rows().sparse_jacobian());
  int alone = model.nv();  // dofs in no component: their brackets are velocities of their joints
  for (const MatrixComponent& component : pattern.components())
    alone -= int(component.columns.size());
  out.dofs = out.configuration = out.reachable = alone;
  out.growth = {alone};
  // the distributions are sums of those of the components, which commute
  for (const MatrixComponent& component : pattern.components()) {
    const Reachability own = reachability_of(around, brackets, closed, component);
    out.dofs += own.dofs;
    out.configuration += own.configuration;
    out.is_complete &= own.is_complete;
    out.growth.resize(std::max(out.growth.size(), own.growth.size()), out.reachable);
    for (std::size_t k = 0; k < out.growth.size(); ++k)
      out.growth[k] += own.growth[std::min(k, own.growth.size() - 1)];
    out.reachable += own.reachable;
  }
  out.hidden = out.configuration - out.reachable;
  return {};
}

Status row_natures(const Model& model, const State& state, Workspace& workspace,
                   std::vector<RowNature>& out) {
  out.clear();
  State closed;
  if (Status status = closed_state(model, state, workspace, closed); !status) return status;
  RowsAround around(model, closed, workspace);
  const LieBrackets brackets(model, around.sizes(), closed.q);
  const SparseRows pattern = joint_components(model, around.rows().sparse_jacobian());
  for (int k = 0; k < around.rows().count(); ++k) {
    RowNature& nature = out.emplace_back();
    nature.name = around.rows().name(k);
    nature.is_rheonomic = nature.name.starts_with("prescribed motion");
    nature.is_catastatic = !nature.is_rheonomic;
    // the row depends on the dofs of its own pattern only
    const std::vector<int> dofs(pattern.columns(k).begin(), pattern.columns(k).end());
    const Eigen::VectorXd j = around.at(closed.q, {k}, dofs).row(0);
    if (!(j.norm() > 0)) continue;
    const auto n = Eigen::Index(dofs.size());
    const auto along = [&](Eigen::Index f) {
      return Eigen::VectorXd(Eigen::VectorXd::Unit(model.nv(), dofs[std::size_t(f)]));
    };

    // a row of a joint is expressed in axes that move; but it constrains a function, and where the
    // constraints are satisfied the row is the gradient of that function
    if (around.rows().is_holonomic(k) && !nature.is_rheonomic) {
      const LieBrackets::Field error = [&](const std::vector<double>& q) -> Eigen::VectorXd {
        around.evaluate(q);
        return Eigen::VectorXd::Constant(1, around.rows().error()[k] / j.norm());
      };
      Eigen::VectorXd derivative(n);
      for (Eigen::Index f = 0; f < n; ++f)
        derivative[f] = brackets.change(error, closed.q, along(f))[0];
      nature.asymmetry = max_abs(derivative - j.normalized());
      nature.is_exact = nature.is_integrable = nature.asymmetry < tolerance;
      continue;
    }

    // exterior derivative: dj(x, y) = (change of j y along x) - (change of j x along y) - j [x, y]
    const LieBrackets::Field row = [&](const std::vector<double>& q) -> Eigen::VectorXd {
      return around.at(q, {k}, dofs).row(0).transpose() / j.norm();
    };
    Eigen::MatrixXd derivative(n, n);
    for (Eigen::Index f = 0; f < n; ++f)
      derivative.col(f) = brackets.change(row, closed.q, along(f));
    Eigen::MatrixXd twist = derivative - derivative.transpose();
    for (Eigen::Index a = 0; a < n; ++a)
      for (Eigen::Index b = 0; b < n; ++b)
        twist(b, a) -= j.dot(brackets.frame_bracket(along(a), along(b))(dofs)) / j.norm();
    nature.asymmetry = max_abs(twist);
    nature.is_exact = nature.asymmetry < tolerance;
    // restricted to motions that the row itself allows
    const Eigen::VectorXd unit = j.normalized();
    const Eigen::MatrixXd P = Eigen::MatrixXd::Identity(n, n) - unit * unit.transpose();
    nature.is_integrable = max_abs(P * twist * P) < tolerance;
  }
  return {};
}

}  // namespace trammel
