#include "trammel/analyze/linearize.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>
#include <optional>

#include "trammel/analyze/neighbours.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"

namespace trammel {

namespace {

// Sixth order: the error is step^6 / 140 times a seventh derivative, rounding 1e-16 / step.
constexpr double step = 1e-2;
template <class Function>
Status slope_of(const Function& function, Eigen::Index n, Eigen::VectorXd& out) {
  out = Eigen::VectorXd::Zero(n);
  constexpr double weights[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
  for (int k = 1; k <= 3; ++k)
    for (const double side : {1.0, -1.0}) {
      Eigen::VectorXd value(n);
      if (Status status = function(side * k * step, value); !status) return status;
      out += side * weights[k - 1] / step * value;
    }
  return {};
}

class Linearizer {
 public:
  Linearizer(const Model& model, const State& state, const Inputs& inputs, Workspace& workspace,
             Neighbours& neighbours)
      : model_(model),
        state_(state),
        inputs_(inputs),
        workspace_(workspace),
        neighbours_(neighbours),
        np_(neighbours.positions()),
        nw_(neighbours.velocities()),
        tau_(inputs.tau.begin(), inputs.tau.end()) {
    tau_.resize(std::size_t(model.nv()));
    for (const NamedJoint& joint : model.joints())
      for (int f = joint.v_start; f < joint.v_start + joint.nv; ++f) {
        if (model.is_prescribed(f)) continue;
        all_.push_back(f);
        if (joint.drive == Drive::torque) driven_.push_back(f);
      }
    if (driven_.empty()) driven_ = all_;
    std::ranges::sort(driven_);
  }

  Status fill(Linearization& out) {
    const Eigen::Index n = np_ + nw_, nv = model_.nv(), nu = Eigen::Index(driven_.size());
    out.A.resize(n, n);
    out.B.resize(n, nu);
    out.C.resize(2 * nv, n);
    out.D = Eigen::MatrixXd::Zero(2 * nv, nu);
    Eigen::VectorXd column;
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto along = [&](double by, Eigen::VectorXd& value) {
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
        z[k] = by;
        return look(z, tau_, value);
      };
      if (Status status = slope_of(along, n + 2 * nv, column); !status) return status;
      out.A.col(k) = column.head(n);
      out.C.col(k) = column.tail(2 * nv);
    }
    for (Eigen::Index k = 0; k < nu; ++k) {
      const auto along = [&](double by, Eigen::VectorXd& value) {
        std::vector<double> tau = tau_;
        tau[std::size_t(driven_[std::size_t(k)])] += by;
        return look(Eigen::VectorXd::Zero(n), tau, value);
      };
      if (Status status = slope_of(along, n + 2 * nv, column); !status) return status;
      out.B.col(k) = column.head(n);
    }
    Eigen::VectorXd here(n + 2 * nv);
    if (Status status = look(Eigen::VectorXd::Zero(n), tau_, here); !status) return status;
    out.acceleration = nw_ > 0 ? here.segment(np_, nw_).cwiseAbs().maxCoeff() : 0;
    name(out);
    return {};
  }

 private:
  // x' at x, then how far the tree's positions have moved, and its velocities
  Status look(const Eigen::VectorXd& x, const std::vector<double>& tau, Eigen::VectorXd& out) {
    State beside;
    if (Status status = neighbours_.at(x.head(np_), x.tail(nw_), beside); !status) return status;
    std::vector<double> a(std::size_t(model_.nv())), gone(a);
    Inputs inputs = inputs_;
    inputs.tau = tau;
    if (Status status = forward_dynamics(model_, beside, inputs, workspace_, a); !status)
      return status;
    difference(model_, state_.q, beside.q, gone);
    const auto& positions = neighbours_.position_freedoms();
    const auto& velocities = neighbours_.velocity_freedoms();
    Eigen::Index k = 0;
    for (const int f : positions) out[k++] = beside.v[std::size_t(f)];
    for (const int f : velocities) out[k++] = a[std::size_t(f)];
    for (const double moved : gone) out[k++] = moved;
    for (const double v : beside.v) out[k++] = v;
    return {};
  }

  void name(Linearization& out) const {
    const auto names = [&](const char* prefix, const auto& freedoms) {
      std::vector<std::string> list;
      for (const int f : freedoms) list.push_back(prefix + model_.freedom_name(f));
      return list;
    };
    const auto append = [](std::vector<std::string>& to, std::vector<std::string> more) {
      to.insert(to.end(), more.begin(), more.end());
    };
    std::vector<int> every(std::size_t(model_.nv()));
    std::iota(every.begin(), every.end(), 0);
    out.states = names("q.", neighbours_.position_freedoms());
    append(out.states, names("v.", neighbours_.velocity_freedoms()));
    out.inputs = names("tau.", driven_);
    out.outputs = names("q.", every);
    append(out.outputs, names("v.", every));
  }

  const Model& model_;
  const State& state_;
  const Inputs& inputs_;
  Workspace& workspace_;
  Neighbours& neighbours_;
  Eigen::Index np_, nw_;
  std::vector<double> tau_;
  std::vector<int> all_, driven_;
};

void find_modes(Linearization& out) {
  if (out.A.rows() == 0) return;
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(out.A);
  std::vector<Eigen::Index> order(std::size_t(out.A.rows()));
  std::iota(order.begin(), order.end(), 0);
  const Eigen::VectorXcd all = solver.eigenvalues();
  std::ranges::stable_sort(
      order, [&](Eigen::Index a, Eigen::Index b) { return std::abs(all[a]) < std::abs(all[b]); });
  out.eigenvalues.resize(out.A.rows());
  out.modes.resize(out.A.rows(), out.A.rows());
  for (Eigen::Index k = 0; k < out.A.rows(); ++k) {
    const Eigen::Index from = order[std::size_t(k)];
    Eigen::VectorXcd mode = solver.eigenvectors().col(from);
    Eigen::Index largest = 0;
    mode.cwiseAbs().maxCoeff(&largest);
    out.eigenvalues[k] = all[from];
    out.modes.col(k) = mode / mode[largest];
  }
}

}  // namespace

Status linearize(const Model& model, const State& state, const Inputs& inputs, Workspace& workspace,
                 Linearization& out) {
  std::optional<Neighbours> neighbours;
  Status status = Neighbours::of(model, state, workspace, neighbours);
  if (status.ok()) status = Linearizer(model, state, inputs, workspace, *neighbours).fill(out);
  if (!status.ok()) return Status::failure("linearize: " + status.message());
  find_modes(out);
  // slower than any motion is looked at, and accelerating by no more than equilibrium() leaves
  const bool is_at_rest = out.acceleration < 1e-8 && std::ranges::all_of(state.v, [](double v) {
                            return std::abs(v) < 1e-12;
                          });
  out.unreached = unreached_modes(out.A, out.B, out.eigenvalues, neighbours->positions(),
                                  is_at_rest, out.states);
  return {};
}

}  // namespace trammel
