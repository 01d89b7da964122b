#include "trammel/analyze/linearized_dynamics.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "trammel/analyze/tangent_operators.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"

namespace trammel {

namespace {

void expect_size(const char* function, const char* what, Eigen::Index size, Eigen::Index wanted) {
  if (size != wanted)
    throw std::invalid_argument(fmt::format("LinearizedDynamics::{}: {} has {} entries, not {}",
                                            function, what, size, wanted));
}

std::span<double> writable(Eigen::VectorXd& x) { return {x.data(), std::size_t(x.size())}; }

}  // namespace

using Operators = LinearizedDynamics::Operators;

void Operators::mass_times(const Eigen::VectorXd& a, Eigen::VectorXd& out) const {
  out.resize(a.size());
  products.apply_mass(as_span(a), writable(out));
}

bool Operators::factorize() const {
  if (is_factorized) return inertia.is_positive_definite();
  is_factorized = true;
  const Eigen::Index n = count_velocities();
  Eigen::MatrixXd reduced(n, n);
  Eigen::VectorXd a, f;
  for (Eigen::Index k = 0; k < n; ++k) {
    a = velocities_by_w.col(k);
    mass_times(a, f);
    reduced.col(k) = velocities_by_w_transposed * f;
  }
  inertia.compute(reduced);
  return n == 0 || inertia.is_positive_definite();
}

void Operators::differentiate_along(const Eigen::VectorXd& x) const {
  const auto of_positions = x.head(count_positions());
  dq = positions_by_x * of_positions;
  dv = velocities_by_x * of_positions + velocities_by_w * x.tail(count_velocities());
  rates = s_by_q * dq + s_by_v * dv;
  particular = cancelling * rates;
  load_changes.assign(model.bodies().size(), {});
  for (const LocalDerivatives::LoadDerivative& load : loads)
    load_changes[std::size_t(load.body)] += dq[load.dof] * load.by_q + dv[load.dof] * load.by_v;
  force.resize(model.nv());
  products.apply(as_span(dq), as_span(dv), as_span(particular), load_changes, writable(force));
}

Eigen::VectorXd Operators::respond(const Eigen::VectorXd& f) const {
  if (count_velocities() == 0) return Eigen::VectorXd::Zero(model.nv());
  Eigen::VectorXd a;
  if (response && (*response)(f, a)) return a;
  factorize();
  return velocities_by_w * inertia.solve(velocities_by_w_transposed * f);
}

LinearizedDynamics::LinearizedDynamics(std::unique_ptr<Operators> operators)
    : operators_(std::move(operators)) {}
LinearizedDynamics::LinearizedDynamics(LinearizedDynamics&&) noexcept = default;
LinearizedDynamics& LinearizedDynamics::operator=(LinearizedDynamics&&) noexcept = default;
LinearizedDynamics::~LinearizedDynamics() = default;

const std::vector<std::string>& LinearizedDynamics::states() const { return operators_->states; }
const std::vector<std::string>& LinearizedDynamics::inputs() const { return operators_->inputs; }
const std::vector<std::string>& LinearizedDynamics::outputs() const { return operators_->outputs; }
int LinearizedDynamics::positions() const { return int(operators_->position_dofs.size()); }
double LinearizedDynamics::acceleration() const { return operators_->acceleration; }

Eigen::VectorXd LinearizedDynamics::apply(const Eigen::VectorXd& x) const {
  const Operators& at = *operators_;
  expect_size("apply", "x", x.size(), at.size());
  at.differentiate_along(x);
  const Eigen::VectorXd x_dot = at.dv + at.turned_back * at.dq;
  const Eigen::VectorXd a = at.particular - at.respond(at.force);
  Eigen::VectorXd out(at.size());
  out << x_dot(at.position_dofs), a(at.velocity_dofs);
  return out;
}

// The steps of apply() transposed, in the opposite order; G is symmetric.
Eigen::VectorXd LinearizedDynamics::apply_transposed(const Eigen::VectorXd& y) const {
  const Operators& at = *operators_;
  expect_size("apply_transposed", "y", y.size(), at.size());
  const Eigen::Index nv = at.model.nv();
  Eigen::VectorXd of_rates = Eigen::VectorXd::Zero(nv), of_accelerations = of_rates;
  of_rates(at.position_dofs) = y.head(at.count_positions());
  of_accelerations(at.velocity_dofs) = y.tail(at.count_velocities());

  const Eigen::VectorXd along = -at.respond(of_accelerations);
  for (Eigen::VectorXd* out : {&at.dq, &at.dv, &at.da}) out->resize(nv);
  at.products.apply_transposed(as_span(along), writable(at.dq), writable(at.dv), writable(at.da),
                               at.motions);
  for (const LocalDerivatives::LoadDerivative& load : at.loads) {
    at.dq[load.dof] -= dot(at.motions[std::size_t(load.body)], load.by_q);
    at.dv[load.dof] -= dot(at.motions[std::size_t(load.body)], load.by_v);
  }
  const Eigen::VectorXd of_s = at.cancelling.transpose() * (of_accelerations + at.da);
  at.dq += at.s_by_q.transpose() * of_s + at.turned_back.transpose() * of_rates;
  at.dv += at.s_by_v.transpose() * of_s + of_rates;
  Eigen::VectorXd out(at.size());
  out << at.positions_by_x.transpose() * at.dq + at.velocities_by_x.transpose() * at.dv,
      at.velocities_by_w_transposed * at.dv;
  return out;
}

Eigen::VectorXd LinearizedDynamics::apply_inputs(const Eigen::VectorXd& u) const {
  const Operators& at = *operators_;
  expect_size("apply_inputs", "u", u.size(), at.efforts.cols());
  Eigen::VectorXd out = Eigen::VectorXd::Zero(at.size());
  out.tail(at.count_velocities()) = at.respond(at.efforts * u)(at.velocity_dofs);
  return out;
}

Eigen::VectorXd LinearizedDynamics::apply_inputs_transposed(const Eigen::VectorXd& y) const {
  const Operators& at = *operators_;
  expect_size("apply_inputs_transposed", "y", y.size(), at.size());
  Eigen::VectorXd of_accelerations = Eigen::VectorXd::Zero(at.model.nv());
  of_accelerations(at.velocity_dofs) = y.tail(at.count_velocities());
  return at.efforts.transpose() * at.respond(of_accelerations);
}

Eigen::VectorXd LinearizedDynamics::apply_outputs(const Eigen::VectorXd& x) const {
  const Operators& at = *operators_;
  expect_size("apply_outputs", "x", x.size(), at.size());
  Eigen::VectorXd out(2 * at.model.nv());
  out << at.positions_by_x * x.head(at.count_positions()),
      at.velocities_by_x * x.head(at.count_positions()) +
          at.velocities_by_w * x.tail(at.count_velocities());
  return out;
}

Eigen::MatrixXd LinearizedDynamics::A() const {
  const Operators& at = *operators_;
  const Eigen::Index n = at.size(), np = at.count_positions(), nw = at.count_velocities();
  Eigen::MatrixXd out(n, n), reduced(nw, n);
  const bool is_solved_at_once = at.factorize();
  for (Eigen::Index k = 0; k < n; ++k) {
    at.differentiate_along(Eigen::VectorXd::Unit(n, k));
    const Eigen::VectorXd x_dot = at.dv + at.turned_back * at.dq;
    out.col(k).head(np) = x_dot(at.position_dofs);
    out.col(k).tail(nw) = at.particular(at.velocity_dofs);
    if (is_solved_at_once)
      reduced.col(k) = at.velocities_by_w_transposed * at.force;
    else
      out.col(k).tail(nw) -= at.respond(at.force)(at.velocity_dofs);
  }
  // rows of T at the independent velocities are those of the identity
  if (is_solved_at_once && nw > 0) out.bottomRows(nw) -= at.inertia.solve(reduced);
  return out;
}

Eigen::MatrixXd LinearizedDynamics::B() const {
  const Operators& at = *operators_;
  const Eigen::Index nw = at.count_velocities();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(at.size(), at.efforts.cols());
  if (nw == 0) return out;
  if (at.factorize())
    out.bottomRows(nw) =
        at.inertia.solve(Eigen::MatrixXd(at.velocities_by_w_transposed * at.efforts));
  else
    for (Eigen::Index k = 0; k < out.cols(); ++k)
      out.col(k) = apply_inputs(Eigen::VectorXd::Unit(out.cols(), k));
  return out;
}

Eigen::MatrixXd LinearizedDynamics::C() const {
  const Operators& at = *operators_;
  const Eigen::Index nv = at.model.nv(), np = at.count_positions();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(2 * nv, at.size());
  out.topLeftCorner(nv, np) = at.positions_by_x;
  out.bottomLeftCorner(nv, np) = at.velocities_by_x;
  out.bottomRightCorner(nv, at.count_velocities()) = at.velocities_by_w;
  return out;
}

Status linearized_dynamics(const Model& model, const State& state, const Inputs& inputs,
                           Workspace& workspace, std::optional<LinearizedDynamics>& out) {
  out.reset();
  std::unique_ptr<Operators> operators;
  bool is_undifferentiable = false;
  if (Status status = make_operators("linearized_dynamics", model, state, inputs, workspace,
                                     operators, is_undifferentiable);
      !status)
    return status;
  out.emplace(LinearizedDynamics(std::move(operators)));
  return {};
}

}  // namespace trammel
