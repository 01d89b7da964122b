// Random guesses for the assembly, and distances between positions.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly_solver.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/dynamics/matrices.hpp"

namespace trammel {

namespace {

// Uniform random number, the same on every platform, unlike std::uniform_real_distribution.
double even(std::mt19937& engine, double from, double to) {
  return from + (to - from) * (double(engine()) / 4294967296.0);
}

}  // namespace

std::vector<double> AssemblySolver::perturbed(const std::vector<double>& q, unsigned seed,
                                              double far) const {
  std::mt19937 engine(seed);
  Eigen::VectorXd step = Eigen::VectorXd::Zero(model_.nv());
  for (const int f : free_) step[f] = even(engine, -far, far);
  std::vector<double> there = moved(q, step);
  push_inside(there);
  return there;
}

std::vector<double> AssemblySolver::somewhere(std::vector<double> q, unsigned seed) const {
  std::mt19937 engine(seed);
  Eigen::VectorXd step = Eigen::VectorXd::Zero(model_.nv());
  for (const int f : free_) step[f] = even(engine, -std::numbers::pi, std::numbers::pi);
  q = moved(q, step);
  for (const Limit& limit : limits_)
    if (limit.range.is_limited_below() && limit.range.is_limited_above())
      q[std::size_t(limit.coordinate)] = even(engine, limit.range.lower, limit.range.upper);
  push_inside(q);
  return q;
}

double AssemblySolver::distance(const std::vector<double>& q,
                                const std::vector<double>& other) const {
  std::vector<double> way(std::size_t(model_.nv()));
  difference(model_, q, other, way);
  double sum = 0;
  for (const int f : free_) sum += std::pow(way[std::size_t(f)] / unit_[f], 2);
  return std::sqrt(sum);
}

double AssemblySolver::mass_distance(const std::vector<double>& q,
                                     const std::vector<double>& other) {
  std::vector<double> way(std::size_t(model_.nv()));
  difference(model_, q, other, way);
  for (const Body& body : model_.bodies())
    for (int f = body.v_start; f < body.v_end; ++f)
      if (comes_round(body.joint, f - body.v_start))
        way[std::size_t(f)] = std::remainder(way[std::size_t(f)], 2 * std::numbers::pi);
  const Eigen::VectorXd d = as_vector(way).cwiseQuotient(unit_);
  Eigen::MatrixXd M(model_.nv(), model_.nv());
  kernel::kernels().mass_matrix({model_, model_.numbers()}, q, *workspace_, span_of(M));
  M = unit_.asDiagonal() * M * unit_.asDiagonal();
  const double largest = max_abs(M.diagonal());
  M.diagonal().array() += largest > 0 ? 1e-6 * largest : 1;
  return std::sqrt(std::max(0.0, d.dot(M * d)));
}

}  // namespace trammel
