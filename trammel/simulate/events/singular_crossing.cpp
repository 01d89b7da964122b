#include "trammel/simulate/events/singular_crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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

}  // namespace

SingularCrossing::SingularCrossing(const Model& model, Dofs dofs, bool moves_in_time,
                                   RowDistances row_distances)
    : model_(model),
      dofs_(std::move(dofs)),
      moves_in_time_(moves_in_time),
      row_distances_(std::move(row_distances)),
      part_of_dof_(std::size_t(model.nv())),
      way_(std::size_t(model.nv())),
      moved_(way_),
      q_(std::size_t(model.nq())) {
  for (std::size_t f = 0; f < way_.size(); ++f) {
    if (dofs_.is_in_rows[f] == 0) continue;
    const auto c = std::size_t(dofs_.component[f]);
    if (c >= dofs_of_component_.size()) dofs_of_component_.resize(c + 1);
    dofs_of_component_[c].push_back(int(f));
  }
  begin_approach();
}

void SingularCrossing::begin_approach() {
  failures_.assign(way_.size(), 0);
  is_expected_ = false;
}

void SingularCrossing::expect(std::span<const Approach> approaches) {
  expected_.assign(approaches.begin(), approaches.end());
  is_expected_ = true;
}

std::vector<int> SingularCrossing::candidates(const State& state) const {
  std::vector<int> out;
  const auto add = [&](int component) {
    const std::vector<int>& dofs = dofs_of_component_[std::size_t(component)];
    if (!dofs.empty() &&
        failures_[std::size_t(dofs_.subsystem[std::size_t(dofs[0])])] < most_failures)
      out.push_back(component);
  };
  if (!is_expected_)
    for (int c = 0; c < int(dofs_of_component_.size()); ++c) add(c);
  for (const Approach& approach : expected_) {
    const double moved = approach.speed * (state.time - approach.time);
    if (is_expected_ && std::abs(approach.x + moved) <= 3 * radius + std::abs(moved))
      add(approach.component);
  }
  return out;
}

double SingularCrossing::set_way(const State& state, std::span<const int> components) {
  double speed = 0, fastest = 0;
  for (const int c : components)
    for (const int f : dofs_of_component_[std::size_t(c)]) {
      const double v = std::abs(state.v[std::size_t(f)]);
      speed = std::max(speed, v * dofs_.weight[f]);
      fastest = std::max(fastest, v / dofs_.unit[f]);
    }
  if (!(speed > 0) || !std::isfinite(fastest)) speed = 0;
  for (const int c : components)
    for (const int f : dofs_of_component_[std::size_t(c)])
      way_[std::size_t(f)] = speed > 0 ? state.v[std::size_t(f)] / speed : 0;
  return speed;
}

std::vector<double> SingularCrossing::distances_along_way(const State& state,
                                                          std::span<const std::vector<int>> sets) {
  constexpr double step = 0.01;  // of a unit
  // (sum of d^-4)^(-1/4), as of the rows of one component
  std::vector<int> all;
  for (const std::vector<int>& set : sets) all.insert(all.end(), set.begin(), set.end());
  const auto at = [&](std::span<const double> q) {
    const std::vector<double> of_components = row_distances_(q, all);
    std::vector<double> distances;
    for (const std::vector<int>& set : sets) {
      double sum = 0;
      for (const int c : set) sum += std::pow(of_components[std::size_t(c)], -4);
      distances.push_back(std::pow(sum, -0.25));
    }
    return distances;
  };
  const auto at_displaced = [&](double distance) {
    for (std::size_t f = 0; f < way_.size(); ++f) moved_[f] = distance * way_[f];
    integrate(model_, state.q, moved_, q_);
    return at(q_);
  };
  const std::vector<double> of = at(state.q), of_ahead = at_displaced(step),
                            of_behind = at_displaced(-step);
  std::vector<double> out;
  for (std::size_t k = 0; k < sets.size(); ++k) {
    // the distance is |x| times a constant: the larger difference belongs to the side leading away
    const double here = of[k], ahead = of_ahead[k], behind = of_behind[k];
    const double rate = std::max(ahead - here, behind - here) / step;
    out.push_back(rate > 0 ? (ahead > behind ? here : -here) / rate
                           : std::numeric_limits<double>::infinity());
  }
  return out;
}

void SingularCrossing::find_parts(const State& state) {
  parts_.clear();
  std::ranges::fill(part_of_dof_, 0);
  std::ranges::fill(way_, 0.0);
  std::vector<std::vector<int>> sets;
  std::vector<double> speeds;
  const auto add_set = [&](std::vector<int> set, std::span<const int> displaced) {
    speeds.push_back(set_way(state, displaced));
    if (speeds.back() > 0)
      sets.push_back(std::move(set));
    else
      speeds.pop_back();
  };
  const std::vector<int> candidates = this->candidates(state);
  if (candidates.empty()) return;
  if (moves_in_time_) {
    std::vector<int> all(dofs_of_component_.size());
    std::iota(all.begin(), all.end(), 0);
    add_set(candidates, all);
  } else {
    for (const int c : candidates) add_set({c}, {&c, 1});
  }
  if (sets.empty()) return;
  const auto subsystem = [&](const std::vector<int>& set) {
    return dofs_.subsystem[std::size_t(dofs_of_component_[std::size_t(set[0])][0])];
  };
  const auto keep_near = [&] {
    const std::vector<double> x = distances_along_way(state, sets);
    for (std::size_t k = 0; k < sets.size(); ++k)
      if (std::abs(x[k]) < radius) parts_.push_back({subsystem(sets[k]), sets[k], x[k], speeds[k]});
  };
  keep_near();
  if (moves_in_time_) return;
  // components of one subsystem are displaced together
  std::ranges::stable_sort(parts_, {}, &Part::subsystem);
  sets.clear();
  speeds.clear();
  bool are_joined = false;
  std::ranges::fill(way_, 0.0);
  for (std::size_t k = 0; k < parts_.size();) {
    std::vector<int> set;
    const std::size_t first = k;
    for (; k < parts_.size() && parts_[k].subsystem == parts_[first].subsystem; ++k)
      set.insert(set.end(), parts_[k].components.begin(), parts_[k].components.end());
    are_joined |= set.size() > 1;
    add_set(set, set);
  }
  if (are_joined) {
    parts_.clear();
    keep_near();
  }
  assign_dofs();
}

// The part of each dof; dofs of subsystems without a part stay.
void SingularCrossing::assign_dofs() {
  std::vector<int> part_of(way_.size(), -1);  // a subsystem
  for (std::size_t p = 0; p < parts_.size(); ++p)
    part_of[std::size_t(parts_[p].subsystem)] = int(p);
  for (std::size_t f = 0; f < way_.size(); ++f) {
    const int part = part_of[std::size_t(dofs_.subsystem[f])];
    part_of_dof_[f] = std::max(part, 0);
    if (part < 0) way_[f] = 0;
  }
}

bool SingularCrossing::project(State& state, Workspace& workspace, const Project& at_node) {
  find_parts(state);
  while (!parts_.empty()) {
    if (interpolate_parts(state, workspace, at_node)) return true;
    if (parts_.size() == 1) {
      if (std::isinf(parts_[0].best)) ++failures_[std::size_t(parts_[0].subsystem)];
      break;
    }
    // the others are crossed without those that fail alone
    std::vector<char> crosses;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      crosses.push_back(crosses_alone(p, state, workspace, at_node));
    std::vector<Part> kept;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (crosses[p] != 0) kept.push_back(parts_[p]);
    if (kept.size() == parts_.size()) break;
    parts_ = std::move(kept);
    assign_dofs();
  }
  return false;
}

bool SingularCrossing::crosses_alone(std::size_t part, const State& state, Workspace& workspace,
                                     const Project& at_node) {
  State copy = state;
  for (std::size_t p = 0; p < parts_.size(); ++p) parts_[p].is_parked = p != part;
  const bool crosses = interpolate_parts(copy, workspace, at_node);
  if (!crosses && std::isinf(parts_[part].best)) ++failures_[std::size_t(parts_[part].subsystem)];
  for (Part& of : parts_) of.is_parked = false;
  return crosses;
}

bool SingularCrossing::interpolate_parts(State& state, Workspace& workspace,
                                         const Project& at_node) {
  if (!find_radii(state, at_node)) return false;
  State found = state;
  for (std::size_t f = 0; f < way_.size(); ++f) {
    const Part& part = parts_[std::size_t(part_of_dof_[f])];
    moved_[f] = shift_[Eigen::Index(f)];
    if (part.is_parked) moved_[f] += (places[0] * part.r - part.x) * way_[f];
  }
  integrate(model_, state.q, moved_, found.q);
  std::copy_n(v_.data(), found.v.size(), found.v.begin());
  if (!(closure_error(model_, found, workspace).position <=
        closed * model_.characteristic_length()))
    return false;
  std::swap(state.q, found.q);
  std::swap(state.v, found.v);
  return true;
}

bool SingularCrossing::find_radii(const State& state, const Project& at_node) {
  for (Part& part : parts_) {
    part.best = part.is_parked ? 0 : std::numeric_limits<double>::infinity();
    part.r = part.best_r = radius;
    part.fastest = 0;
  }
  for (std::size_t f = 0; f < way_.size(); ++f) {
    double& fastest = parts_[std::size_t(part_of_dof_[f])].fastest;
    fastest = std::max(fastest, std::abs(state.v[f]) / dofs_.unit[Eigen::Index(f)]);
  }
  for (const double r : radii) {
    std::vector<char> is_tried;
    for (Part& part : parts_) {
      is_tried.push_back(std::abs(part.x) < r && !(part.best < agrees));
      part.r = is_tried.back() != 0 ? r : part.best_r;
    }
    if (std::ranges::find(is_tried, 1) == is_tried.end()) break;
    const std::vector<double> apart = interpolate(state, at_node);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      Part& part = parts_[p];
      if (is_tried[p] != 0 && apart[p] < part.best) part.best = apart[p], part.best_r = part.r;
    }
  }
  bool is_last_best = true;
  for (Part& part : parts_) {
    if (!(part.best < disagrees)) return false;
    is_last_best &= part.r == part.best_r;
    part.r = part.best_r;
  }
  if (!is_last_best) interpolate(state, at_node);
  return true;
}

std::vector<double> SingularCrossing::interpolate(const State& state, const Project& at_node) {
  constexpr double failed = std::numeric_limits<double>::infinity();
  std::vector<double> apart(parts_.size(), 0.0);
  std::vector<Weights> fewer;
  for (Part& part : parts_) {
    part.weights = lagrange(part.x / part.r, 0, count);
    fewer.push_back(lagrange(part.x / part.r, 1, count - 1));
  }
  const Eigen::Index nv = dofs_.unit.size();
  shift_ = v_ = Eigen::VectorXd::Zero(nv);
  Eigen::VectorXd shift = shift_, v = v_, first_gone, first_v, gone(nv);
  std::vector<double> place(parts_.size());
  // nodes ahead first: if the motion ends, it ends there
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::size_t k = (i + count / 2) % count;
    State& node = nodes_[k];
    node = state;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      place[p] = places[parts_[p].is_parked ? 0 : k] * parts_[p].r;
    const auto distance = [&](std::size_t f) {
      const auto p = std::size_t(part_of_dof_[f]);
      return place[p] - parts_[p].x;
    };
    for (std::size_t f = 0; f < way_.size(); ++f) moved_[f] = distance(f) * way_[f];
    integrate(model_, state.q, moved_, node.q);
    if (moves_in_time_) node.time += (place[0] - parts_[0].x) / parts_[0].speed;
    if (!at_node(node).ok()) return std::vector<double>(parts_.size(), failed);
    difference(model_, state.q, node.q, moved_);
    for (std::size_t f = 0; f < way_.size(); ++f) {
      const auto p = std::size_t(part_of_dof_[f]);
      double& deviation = gone[Eigen::Index(f)];
      deviation = moved_[f] - distance(f) * way_[f];
      if (!(std::abs(deviation) / dofs_.unit[Eigen::Index(f)] < sideways * std::abs(place[p])))
        apart[p] = failed;
    }
    if (std::ranges::find(apart, failed) != apart.end())  // the nodes of all parts are needed
      return std::vector<double>(parts_.size(), failed);
    // Lagrange interpolation reproduces the linear part exactly: only deviations are summed
    const Eigen::Map<const Eigen::VectorXd> node_v(node.v.data(), nv);
    if (i == 0) {
      first_gone = gone;
      first_v = node_v;
    }
    for (Eigen::Index f = 0; f < nv; ++f) {
      const auto p = std::size_t(part_of_dof_[std::size_t(f)]);
      const double moved = gone[f] - first_gone[f], changed = node_v[f] - first_v[f];
      shift_[f] += parts_[p].weights[k] * moved;
      shift[f] += fewer[p][k] * moved;
      v_[f] += parts_[p].weights[k] * changed;
      v[f] += fewer[p][k] * changed;
    }
  }
  for (Eigen::Index f = 0; f < nv; ++f) {
    const auto p = std::size_t(part_of_dof_[std::size_t(f)]);
    apart[p] = std::max({apart[p], std::abs(shift[f] - shift_[f]) / dofs_.unit[f],
                         std::abs(v[f] - v_[f]) / dofs_.unit[f] / parts_[p].fastest});
    if (!std::isfinite(shift_[f] + v_[f])) apart[p] = failed;
  }
  shift_ += first_gone;
  v_ += first_v;
  return apart;
}

}  // namespace trammel
