#include "trammel/simulate/events/singular_crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "trammel/constraint/equations/closure_error.hpp"

namespace trammel {

namespace {

constexpr int count = SingularCrossing::count;
// Nodes in units of the radius. In 1 to 3 the weights stay below 6; with closer nodes they would
// grow faster than the truncation error falls.
constexpr std::array<double, count> places{-3, -2.6, -2.2, -1.8, -1.4, -1,
                                           1,  1.4,  1.8,  2.2,  2.6,  3};
constexpr std::array<double, 4> radii{SingularCrossing::radius, 0.025, 0.0125, 0.00625};
// Difference of the polynomials that is accepted: the rounding at the largest radius.
constexpr double agrees = 1e-11;
constexpr double disagrees = 1e-7;  // at every radius: not smooth here
// Allowed constraint violation of an interpolated position, relative to the characteristic length.
// Ten times that of a projected position; branches with a smaller gap count as meeting.
constexpr double closed = 1e-12;
// A node on another branch is displaced sideways by about its distance from the pose.
constexpr double sideways = 0.3;
constexpr int most_failures = 8;

// Lagrange weights of the polynomial through places[begin .. end), at x in units of the radius.
std::array<double, count> lagrange(double x, int begin, int end) {
  std::array<double, count> weights{};
  for (int k = begin; k < end; ++k) {
    double weight = 1;
    for (int j = begin; j < end; ++j)
      if (j != k)
        weight *= (x - places[std::size_t(j)]) / (places[std::size_t(k)] - places[std::size_t(j)]);
    weights[std::size_t(k)] = weight;
  }
  return weights;
}

Eigen::Map<const Eigen::VectorXd> as_vector(const std::vector<double>& x) {
  return {x.data(), Eigen::Index(x.size())};
}

}  // namespace

SingularCrossing::SingularCrossing(const Model& model, Dofs dofs, bool moves_in_time,
                                   RowDistance row_distance)
    : model_(model),
      dofs_(std::move(dofs)),
      moves_in_time_(moves_in_time),
      row_distance_(std::move(row_distance)),
      way_(std::size_t(model.nv())),
      moved_(way_),
      q_(std::size_t(model.nq())) {}

double SingularCrossing::distance_at(const State& state) {
  constexpr double step = 0.01;  // of a unit
  const double here = row_distance_(state.q);
  const auto distance_of = [&](double distance) {
    for (std::size_t f = 0; f < way_.size(); ++f) moved_[f] = distance * way_[f];
    integrate(model_, state.q, moved_, q_);
    return row_distance_(q_);
  };
  // the distance is |x| times a constant: the larger difference belongs to the side leading away
  const double ahead = distance_of(step), behind = distance_of(-step);
  const double rate = std::max(ahead - here, behind - here) / step;
  if (!(rate > 0)) return std::numeric_limits<double>::infinity();
  return (ahead > behind ? here : -here) / rate;
}

bool SingularCrossing::project(State& state, Workspace& workspace, const Project& at_node) {
  if (failures_ == most_failures) return false;
  if (expected_) {
    const double moved = expected_->speed * (state.time - expected_->time);
    if (std::abs(expected_->x + moved) > 3 * radius + std::abs(moved)) return false;
  }
  speed_ = as_vector(state.v).cwiseProduct(dofs_.weight).lpNorm<Eigen::Infinity>();
  fastest_ = as_vector(state.v).cwiseQuotient(dofs_.unit).lpNorm<Eigen::Infinity>();
  if (!(speed_ > 0) || !std::isfinite(fastest_)) return false;
  for (std::size_t f = 0; f < way_.size(); ++f)
    way_[f] = dofs_.is_in_rows[f] != 0 ? state.v[f] / speed_ : 0;
  const double x = distance_at(state);
  double best = std::numeric_limits<double>::infinity(), best_radius = 0, last = 0;
  for (const double r : radii) {
    if (!(std::abs(x) < r) || best < agrees) break;
    last = r;
    if (const double apart = interpolate(state, x, r, at_node); apart < best)
      best = apart, best_radius = r;
  }
  if (last > 0 && std::isinf(best)) ++failures_;
  if (!(best < disagrees)) return false;
  if (best_radius != last) interpolate(state, x, best_radius, at_node);
  State found = state;
  integrate(model_, state.q, {shift_.data(), way_.size()}, found.q);
  std::copy_n(v_.data(), found.v.size(), found.v.begin());
  if (!(closure_error(model_, found, workspace).position <=
        closed * model_.characteristic_length()))
    return false;
  std::swap(state.q, found.q);
  std::swap(state.v, found.v);
  return true;
}

double SingularCrossing::interpolate(const State& state, double x, double r,
                                     const Project& at_node) {
  constexpr double failed = std::numeric_limits<double>::infinity();
  weights_ = lagrange(x / r, 0, count);
  const Weights fewer = lagrange(x / r, 1, count - 1);
  const Eigen::Index nv = dofs_.unit.size();
  shift_ = v_ = Eigen::VectorXd::Zero(nv);
  Eigen::VectorXd shift = shift_, v = v_;
  // nodes ahead first: if the motion ends, it ends there
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::size_t k = (i + count / 2) % count;
    State& node = nodes_[k];
    node = state;
    const double place = places[k] * r, distance = place - x;
    for (std::size_t f = 0; f < way_.size(); ++f) moved_[f] = distance * way_[f];
    integrate(model_, state.q, moved_, node.q);
    if (moves_in_time_) node.time += distance / speed_;
    if (!at_node(node).ok()) return failed;
    difference(model_, state.q, node.q, moved_);
    const Eigen::VectorXd gone = as_vector(moved_) - distance * as_vector(way_);
    if (!(gone.cwiseQuotient(dofs_.unit).lpNorm<Eigen::Infinity>() < sideways * std::abs(place)))
      return failed;
    // Lagrange interpolation reproduces the linear part exactly: only deviations are summed
    shift_ += weights_[k] * gone;
    shift += fewer[k] * gone;
    v_ += weights_[k] * as_vector(node.v);
    v += fewer[k] * as_vector(node.v);
  }
  return std::max((shift - shift_).cwiseQuotient(dofs_.unit).lpNorm<Eigen::Infinity>(),
                  (v - v_).cwiseQuotient(dofs_.unit).lpNorm<Eigen::Infinity>() / fastest_);
}

}  // namespace trammel
