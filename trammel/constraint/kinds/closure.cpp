#include "trammel/constraint/kinds/closure.hpp"

#include <Eigen/Core>
#include <array>
#include <cmath>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/kinds/joint_wrenches.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

namespace {

// A joint's coordinates with their sines and cosines.
template <Scalar S> struct Turned {
  Turned(const S* q, int nq, const double* constants_) : constants(constants_) {
    for (int k = 0; k < nq; ++k) {
      const auto [s, c] = sin_cos(q[k]);
      angle[k] = q[k];
      sin[k] = s;
      cos[k] = c;
    }
  }
  Coordinates<S, double> coordinates() const {
    if constexpr (std::same_as<S, double>)
      return {{angle, sin, cos, constants}};
    else
      return {angle, constants};
  }
  S angle[7], sin[7], cos[7];
  const double* constants;
};

using Matrix6 = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

Vector6 eigen(const Motion<double>& V) {
  Vector6 x;
  x << V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z;
  return x;
}
template <class J> Matrix6 columns_of(const J& joint, const Coordinates<double, double>& q) {
  Motion<double> keep[6];
  const auto S = axes(joint, q, keep);
  Matrix6 matrix(6, S.n);
  for (int k = 0; k < S.n; ++k) matrix.col(k) = eigen(column<double>(S, k));
  return matrix;
}

// Coordinates that bring the joint nearest to the pose X; q is the initial guess. Joint types
// without a closed form: Gauss-Newton method.
template <class J>
void fit(const J& joint, const Pose<double>& X, const double* constants, double* q) {
  if constexpr (requires { joint.fit(X, constants, q); }) {
    joint.fit(X, constants, q);
  } else {
    if (joint.nq() == 0) return;
    for (int step = 0; step < 20; ++step) {
      const Turned<double> turned(q, joint.nq(), constants);
      const Matrix6 S = columns_of(joint, turned.coordinates());
      const Vector6 e = eigen(logarithm(inverse(joint.pose(turned.coordinates())) * X));
      const Eigen::VectorXd dq = OrthogonalDecomposition(S).solve(e);
      joint.integrate(q, dq.data(), q);
      if (dq.norm() < 1e-15 * (1 + std::abs(q[0]))) return;
    }
  }
}

// Constraint wrenches of the joint, in M's axes. Joint types without a closed form: an orthonormal
// basis of the wrenches that do no work on the columns.
template <class J, Scalar S>
void add_rows(const J& joint, const Coordinates<S, double>& q, BasicClosureAt<S>& at) {
  if constexpr (requires { joint.wrenches(q, at.row); }) {
    at.rows = joint.wrenches(q, at.row);
  } else if (joint.nv() == 0) {
    at.rows = put_units<S>({0, 1, 2, 3, 4, 5}, at.row);
  } else {
    const auto idle =
        wrenches_idle_on<S>(std::span<const Motion<S>>(at.columns, std::size_t(joint.nv())));
    std::copy_n(idle.begin(), 6 - joint.nv(), at.row);
    at.rows = 6 - joint.nv();
  }
}

// Displacement from one pose to another: for doubles between any two poses, for Dual numbers
// between poses of equal value (derivatives only).
Motion<double> way_to(const Pose<double>& from, const Pose<double>& to) {
  return logarithm(inverse(from) * to);
}
Motion<Duals> way_to(const Pose<Duals>& from, const Pose<Duals>& to) {
  const Pose<Duals> X = inverse(from) * to;
  return {0.5 * Vec3<Duals>{X.R.y.z - X.R.z.y, X.R.z.x - X.R.x.z, X.R.x.y - X.R.y.x}, X.p};
}

// Joint velocities that fit V best along the columns; of least norm if they are not unique. Zero on
// entry, and where V is zero.
void rates_in(const Motion<double>& V, std::span<const Motion<double>> columns, double* v) {
  if (columns.empty() || (dot(V.angular, V.angular) == 0 && dot(V.linear, V.linear) == 0)) return;
  if (columns.size() == 1) {
    const auto& [w, u] = columns[0];
    const double square = dot(w, w) + dot(u, u);
    v[0] = square > 0 ? (dot(w, V.angular) + dot(u, V.linear)) / square : 0;
    return;
  }
  Matrix6 S(6, Eigen::Index(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) S.col(Eigen::Index(k)) = eigen(columns[k]);
  const Eigen::VectorXd rates = OrthogonalDecomposition(S).solve(eigen(V));
  std::copy_n(rates.data(), columns.size(), v);
}
void rates_in(const Motion<Duals>& V, std::span<const Motion<Duals>> columns, Duals* v) {
  const auto read = wrenches_reading<Duals>(columns);
  for (std::size_t k = 0; k < columns.size(); ++k) v[k] = dot(V, read[k]);
}

template <class J>
void fit_closure(const J& joint, const Pose<double>& X, const double* constants, const double* near,
                 double* q) {
  std::copy_n(near, joint.nq(), q);
  fit(joint, X, constants, q);
}
// Fit in doubles, followed by one Newton step whose value is zero and which carries the
// derivatives.
template <class J>
void fit_closure(const J& joint, const Pose<Duals>& X, const double* constants, const double* near,
                 Duals* q) {
  double fitted[7];
  const auto value = [](const Vec3<Duals>& a) {
    return Vec3<double>{a.x.value, a.y.value, a.z.value};
  };
  fit_closure(joint, Pose<double>{{value(X.R.x), value(X.R.y), value(X.R.z)}, value(X.p)},
              constants, near, fitted);
  const Turned<double> turned(fitted, joint.nq(), constants);
  Motion<double> keep[6];
  const auto axes_there = axes(joint, turned.coordinates(), keep);
  for (int k = 0; k < axes_there.n; ++k) keep[k] = column<double>(axes_there, k);
  const auto read =
      wrenches_reading<double>(std::span<const Motion<double>>(keep, std::size_t(axes_there.n)));
  const Pose<double> there = Pose<double>::identity() * pose(joint, turned.coordinates());
  const auto& [w, u] = way_to(Pose<Duals>{there.R, there.p}, X);
  Duals from[7], step[6];
  for (int k = 0; k < axes_there.n; ++k) {
    const auto& [moment, force] = read[std::size_t(k)];
    step[k] = dot(w, moment) + dot(u, force);
    step[k].value = 0;
  }
  std::copy_n(fitted, joint.nq(), from);
  joint.integrate(from, step, q);
}

}  // namespace

template <Scalar S>
BasicClosureAt<S> evaluate_closure(const Model& model, int closure,
                                   const BasicKinematics<S>& kinematics, const double* near) {
  const Closure& what = model.closures()[std::size_t(closure)];
  const ClosureNumbers<double>& where = model.numbers().closures[std::size_t(closure)];
  const Pose<S> X_PF{where.X_PF.R, where.X_PF.p}, X_CM{where.X_CM.R, where.X_CM.p};
  const int P = model[what.parent].tree_body, C = model[what.child].tree_body;
  BasicClosureAt<S> at;
  at.X_WM = kinematics.X_WB[std::size_t(C)] * X_CM;
  const Pose<S> X_FM = inverse(kinematics.X_WB[std::size_t(P)] * X_PF) * at.X_WM;
  const Pose<S> X_PM = X_PF * X_FM;
  const Motion<S> V_P = to_child(X_PM, kinematics.V[std::size_t(P)]);
  at.V = to_child(X_CM, kinematics.V[std::size_t(C)]) - V_P;
  at.A = to_child(X_CM, kinematics.A[std::size_t(C)]) -
         to_child(X_PM, kinematics.A[std::size_t(P)]) - cross(V_P, at.V);

  const double* constants = model.numbers().constants.data() + what.constant_start;
  std::visit(
      [&](const auto& joint) {
        fit_closure(joint, X_FM, constants, near, at.q);
        const Turned<S> turned(at.q, joint.nq(), constants);
        const Coordinates<S, double> q = turned.coordinates();
        Motion<S> keep[6];
        const auto ways = axes(joint, q, keep);
        for (int k = 0; k < ways.n; ++k) at.columns[k] = column<S>(ways, k);
        rates_in(at.V, {at.columns, std::size_t(ways.n)}, at.v);
        at.A = at.A - (Motion<S>{} + bias(joint, q, at.v));
        at.error = way_to(Pose<S>::identity() * pose(joint, q), X_FM);
        add_rows(joint, q, at);
        if constexpr (std::same_as<S, double>) at.fault = position_fault(joint, at.q);
      },
      what.joint);
  return at;
}

template ClosureAt evaluate_closure(const Model&, int, const Kinematics&, const double*);
template BasicClosureAt<Duals> evaluate_closure(const Model&, int, const BasicKinematics<Duals>&,
                                                const double*);

int dof_count(const Joint& joint) {
  return std::visit([](const auto& j) { return j.nv(); }, joint);
}

template <Scalar S> std::array<Force<S>, 6> duals(const BasicClosureAt<S>& at, int dofs) {
  return wrenches_reading(std::span<const Motion<S>>(at.columns, std::size_t(dofs)));
}
template std::array<Force<double>, 6> duals(const ClosureAt&, int);
template std::array<Force<Duals>, 6> duals(const BasicClosureAt<Duals>&, int);

std::optional<FixedRows> fixed_rows(const Joint& joint) {
  return std::visit(
      []<class J>(const J& j) -> std::optional<FixedRows> {
        RowAlignment alignment = RowAlignment::all;
        if constexpr (requires { J::row_alignment; })
          alignment = J::row_alignment;
        else if (j.nv() > 0)
          return std::nullopt;
        const double zero[7] = {};
        ClosureAt at;
        add_rows(j, Turned<double>(zero, j.nq(), nullptr).coordinates(), at);
        return FixedRows{{at.row, at.row + at.rows}, alignment};
      },
      joint);
}

bool has_single_coordinates(const Joint& joint) {
  return std::visit([](const auto& j) { return j.nq() == j.nv() && j.nv() > 0; }, joint);
}

bool comes_round(const Joint& joint, int k) {
  return std::visit([&](const auto& j) -> bool { return j.is_periodic(k); }, joint);
}

int row_count(const Joint& joint) {
  return std::visit([](const auto& j) { return 6 - j.nv(); }, joint);
}

std::string row_name(const Joint& joint, int row) {
  constexpr const char* unit_names[] = {"moment x", "moment y", "moment z",
                                        "force x",  "force y",  "force z"};
  return std::visit(
      [&](const auto& j) -> std::string {
        if constexpr (requires { j.row_name(row); })
          return j.row_name(row);
        else if constexpr (requires { j.row_names; })
          return j.row_names[row];
        else
          return j.nv() == 0 ? unit_names[row] : "wrench " + std::to_string(row + 1);
      },
      joint);
}

}  // namespace trammel
