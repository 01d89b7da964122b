#include "trammel/constraint/mobility/reachability.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
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
  Eigen::MatrixXd at(const std::vector<double>& q, const std::vector<int>& which) {
    // not the public function: near a consistent state loops are violated slightly
    const std::span<const double> zero = workspace_->zero;
    kernel::kernels().kinematics({model_, model_.numbers()}, q, zero, zero, *workspace_,
                                 workspace_->kinematics);
    rows_.evaluate(model_, workspace_->kinematics, q, zero, zero, {});
    Eigen::MatrixXd J(Eigen::Index(which.size()), model_.nv());
    for (Eigen::Index k = 0; k < J.rows(); ++k)
      J.row(k) = rows_.jacobian().row(which[std::size_t(k)]);
    return J * sizes_.asDiagonal();
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

}  // namespace

Status reachability(const Model& model, const State& state, Workspace& workspace,
                    Reachability& out) {
  out = {};
  State closed;
  if (Status status = closed_state(model, state, workspace, closed); !status) return status;
  RowsAround around(model, closed, workspace);

  std::vector<int> all, of_position;
  for (int k = 0; k < around.rows().count(); ++k) {
    if (around.rows().name(k).starts_with("prescribed motion")) continue;
    all.push_back(k);
    if (around.rows().is_holonomic(k)) of_position.push_back(k);
  }
  const std::vector<int> constrained = independent(around.at(closed.q, all), all);
  out.dofs = model.nv() - int(constrained.size());
  out.configuration =
      model.nv() - int(independent(around.at(closed.q, of_position), of_position).size());

  // allowed velocities as fields: a fixed velocity projected onto the null space of J, as smooth
  // as J
  const auto shadow = [&](const std::vector<double>& q, const Eigen::VectorXd& x) {
    if (constrained.empty()) return x;
    const Eigen::MatrixXd J = around.at(q, constrained);
    return Eigen::VectorXd(x - J.transpose() * Ldlt(J * J.transpose()).solve(J * x));
  };
  Eigen::MatrixXd ways = Eigen::MatrixXd::Identity(model.nv(), model.nv());
  if (!constrained.empty()) {
    const Eigen::MatrixXd J = around.at(closed.q, constrained);
    ways = Qr(J.transpose()).q().rightCols(out.dofs);
  }
  std::vector<LieBrackets::Field> fields;
  for (Eigen::Index k = 0; k < ways.cols(); ++k)
    fields.emplace_back(
        [&shadow, way = Eigen::VectorXd(ways.col(k))](const auto& q) { return shadow(q, way); });

  // where ranks are locally constant, only brackets that added a direction can lead to more
  const LieBrackets brackets(model, around.sizes(), closed.q);
  Span span(ways);
  out.growth = {span.dimension()};
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
        if (span.grows_by(both(closed.q))) found.push_back(both);
      }
    if (!found.empty()) out.growth.push_back(span.dimension());
    newest = std::move(found);
  }
  out.reachable = span.dimension();
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
  for (int k = 0; k < around.rows().count(); ++k) {
    RowNature& nature = out.emplace_back();
    nature.name = around.rows().name(k);
    nature.is_rheonomic = nature.name.starts_with("prescribed motion");
    nature.is_catastatic = !nature.is_rheonomic;
    const Eigen::VectorXd j = around.at(closed.q, {k}).row(0);
    if (!(j.norm() > 0)) continue;
    const Eigen::Index n = model.nv();

    // a row of a joint is expressed in axes that move; but it constrains a function, and where the
    // constraints are satisfied the row is the gradient of that function
    if (around.rows().is_holonomic(k) && !nature.is_rheonomic) {
      const LieBrackets::Field error = [&](const std::vector<double>& q) -> Eigen::VectorXd {
        around.at(q, {});
        return Eigen::VectorXd::Constant(1, around.rows().error()[k] / j.norm());
      };
      Eigen::VectorXd derivative(n);
      for (Eigen::Index f = 0; f < n; ++f)
        derivative[f] = brackets.change(error, closed.q, Eigen::VectorXd::Unit(n, f))[0];
      nature.asymmetry = max_abs(derivative - j.normalized());
      nature.is_exact = nature.is_integrable = nature.asymmetry < tolerance;
      continue;
    }

    // exterior derivative: dj(x, y) = (change of j y along x) - (change of j x along y) - j [x, y]
    const LieBrackets::Field row = [&](const std::vector<double>& q) -> Eigen::VectorXd {
      return around.at(q, {k}).row(0).transpose() / j.norm();
    };
    Eigen::MatrixXd derivative(n, n);
    for (Eigen::Index f = 0; f < n; ++f)
      derivative.col(f) = brackets.change(row, closed.q, Eigen::VectorXd::Unit(n, f));
    Eigen::MatrixXd twist = derivative - derivative.transpose();
    for (Eigen::Index a = 0; a < n; ++a)
      for (Eigen::Index b = 0; b < n; ++b)
        twist(b, a) -= j.dot(brackets.frame_bracket(Eigen::VectorXd::Unit(n, a),
                                                    Eigen::VectorXd::Unit(n, b))) /
                       j.norm();
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
