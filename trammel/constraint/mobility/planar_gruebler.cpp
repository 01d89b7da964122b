#include "trammel/constraint/mobility/planar_gruebler.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/dynamics/kinematics.hpp"

namespace trammel {

namespace {

// Axes computed from decimals are parallel to rounding, or they are not.
constexpr double parallel_tolerance = 1e-9;

bool is_along(const Vec3<double>& a, const Vec3<double>& n) {
  return norm(cross(n, a)) <= parallel_tolerance * norm(a);
}
bool is_across(const Vec3<double>& a, const Vec3<double>& n, double scale) {
  return std::abs(dot(n, a)) <= parallel_tolerance * scale;
}

// Normal of the planes: the direction of all rotations, or, where nothing rotates, of two slides.
std::optional<Vec3<double>> normal_of_planes(const Model& model, const Kinematics& kinematics) {
  Vec3<double> n{}, first{};
  for (int f = 0; f < model.nv(); ++f) {
    const auto& [w, v] = kinematics.axes[std::size_t(f)];
    if (norm(w) > norm(n)) n = w;
  }
  for (int f = 0; f < model.nv() && !(norm(n) > 0); ++f) {
    const Vec3<double>& v = kinematics.axes[std::size_t(f)].linear;
    if (!(norm(first) > 0)) first = v;
    if (norm(cross(first, v)) > parallel_tolerance * norm(first) * norm(v)) n = cross(first, v);
  }
  if (!(norm(n) > 0)) return std::nullopt;
  n = (1 / norm(n)) * n;
  for (int f = 0; f < model.nv(); ++f) {
    const auto& [w, v] = kinematics.axes[std::size_t(f)];
    const double scale = norm(v) + model.characteristic_length() * norm(w);
    if (!is_along(w, n) || !is_across(v, n, scale)) return std::nullopt;
  }
  return n;
}

// Rank of planar wrenches about one point: moment along the normal [N m / m], forces across it.
int planar_rank(const std::vector<std::array<double, 3>>& wrenches) {
  std::array<Eigen::Vector3d, 3> basis;
  int rank = 0;
  for (const auto& [m, x, y] : wrenches) {
    Eigen::Vector3d left(m, x, y);
    const double whole = left.norm();
    for (int k = 0; k < rank; ++k) left -= basis[std::size_t(k)].dot(left) * basis[std::size_t(k)];
    if (rank < 3 && left.norm() > parallel_tolerance * std::max(whole, 1.0))
      basis[std::size_t(rank++)] = left.normalized();
  }
  return rank;
}

}  // namespace

std::optional<int> planar_gruebler(const Model& model, const State& state, Workspace& workspace) {
  State still = state;
  std::ranges::fill(still.v, 0.0);
  Kinematics moving(model);
  if (!kinematics(model, still, {}, workspace, moving)) return std::nullopt;
  const std::optional<Vec3<double>> n = normal_of_planes(model, moving);
  if (!n) return std::nullopt;
  const std::vector<double> zero(std::size_t(model.nv()), 0.0);
  ConstraintRows rows(model);
  rows.evaluate(model, moving, still.q, zero, zero, {});
  const double length = model.characteristic_length();
  const Vec3<double> some = std::abs(n->x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  const Vec3<double> x = cross(*n, some), y = cross(*n, x);

  struct Owner {
    Vec3<double> p;
    std::vector<std::array<double, 3>> wrenches;
  };
  std::map<int, Owner> owners;
  for (const ConstraintRows::RowWrench& row : rows.row_wrenches()) {
    Owner& owner = owners.try_emplace(rows.owner(row.row), Owner{row.p, {}}).first->second;
    const Vec3<double> moment = row.F.moment + cross(row.p - owner.p, row.F.force);
    owner.wrenches.push_back({dot(*n, moment) / length, dot(x, row.F.force), dot(y, row.F.force)});
  }
  int planar_rows = rows.count();
  for (const auto& [index, owner] : owners)
    planar_rows += planar_rank(owner.wrenches) - int(owner.wrenches.size());
  return model.nv() - planar_rows;
}

}  // namespace trammel
