#include "trammel/constraint/mobility/lie_brackets.hpp"

#include <utility>

#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

namespace {

// Truncation error of the differences: step^6 / 140 times the seventh derivative, about 1e-11;
// rounding of 1e-15 grows by 1 / step with each nested difference, to 1e-9 after four.
constexpr double step = 0.03;
constexpr struct { double at, weight; } stencil[] = {{1, 3.0 / 4}, {2, -3.0 / 20}, {3, 1.0 / 60}};

}  // namespace

Eigen::VectorXd dof_sizes(const Model& model, const State& state, Workspace& workspace) {
  Kinematics moving(model);
  Eigen::VectorXd sizes = Eigen::VectorXd::Ones(model.nv());
  if (!kinematics(model, state, {}, workspace, moving).ok()) return sizes;
  for (Eigen::Index f = 0; f < sizes.size(); ++f)
    if (!(norm(moving.axes[std::size_t(f)].angular) > 0)) sizes[f] = model.characteristic_length();
  return sizes;
}

LieBrackets::LieBrackets(const Model& model, Eigen::VectorXd sizes, const std::vector<double>& q)
    : model_(model), sizes_(std::move(sizes)) {
  // joint velocities are left-invariant fields of a Lie group: their structure constants do not
  // depend on q
  for (const NamedJoint& joint : model.joints()) {
    if (joint.role != NamedJoint::Role::tree) continue;
    for (int a = joint.v_start; a < joint.v_start + joint.nv; ++a)
      for (int b = joint.v_start; b < a; ++b) {
        // Richardson extrapolation: cancels the errors of order h^2 and h^4
        const double h = 0.02;
        const Eigen::VectorXd left = 1.5 * loop_left(q, a, b, h) - 0.6 * loop_left(q, a, b, 2 * h) +
                                     0.1 * loop_left(q, a, b, 3 * h);
        if (left.norm() > 1e-6) constants_.push_back({a, b, left});
      }
  }
}

std::vector<double> LieBrackets::moved(const std::vector<double>& q,
                                       const Eigen::VectorXd& x) const {
  const Eigen::VectorXd v = sizes_.cwiseProduct(x);
  std::vector<double> there(q.size());
  integrate(model_, q, {v.data(), std::size_t(v.size())}, there);
  return there;
}

Eigen::VectorXd LieBrackets::loop_left(const std::vector<double>& q, int a, int b,
                                       double length) const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(model_.nv());
  for (const double h : {length, -length}) {
    std::vector<double> there = q;
    for (const auto& [f, far] :
         {std::pair(a, h), std::pair(b, h), std::pair(a, -h), std::pair(b, -h)})
      there = moved(there, far * Eigen::VectorXd::Unit(model_.nv(), f));
    std::vector<double> left(std::size_t(model_.nv()));
    difference(model_, q, there, left);
    for (Eigen::Index f = 0; f < sum.size(); ++f) sum[f] += left[std::size_t(f)] / sizes_[f];
  }
  return sum / (2 * length * length);
}

Eigen::VectorXd LieBrackets::frame_bracket(const Eigen::VectorXd& x,
                                           const Eigen::VectorXd& y) const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(model_.nv());
  for (const Constant& c : constants_) sum += (x[c.a] * y[c.b] - x[c.b] * y[c.a]) * c.left;
  return sum;
}

Eigen::VectorXd LieBrackets::change(const Field& field, const std::vector<double>& q,
                                    const Eigen::VectorXd& x) const {
  // constant step length, independent of |x|
  const double speed = x.norm();
  if (!(speed > 0)) return Eigen::VectorXd::Zero(field(q).size());
  const Eigen::VectorXd ahead = step / speed * x;
  Eigen::VectorXd sum;
  for (const auto& [at, weight] : stencil) {
    const Eigen::VectorXd one =
        weight * (field(moved(q, at * ahead)) - field(moved(q, -at * ahead)));
    if (sum.size() == 0)
      sum = one;
    else
      sum += one;
  }
  return speed / step * sum;
}

LieBrackets::Field LieBrackets::bracket(const Field& f, const Field& g) const {
  return [this, f, g](const std::vector<double>& q) -> Eigen::VectorXd {
    const Eigen::VectorXd f_here = f(q), g_here = g(q);
    return change(g, q, f_here) - change(f, q, g_here) + frame_bracket(f_here, g_here);
  };
}

}  // namespace trammel
