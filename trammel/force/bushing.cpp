#include "trammel/force/bushing.hpp"

#include <fmt/format.h>

#include <cmath>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

static_assert(ForceElement<BushingNumbers<double>>);

namespace {

class BushingCheck {
 public:
  BushingCheck(const BushingDescription& bushing, const Values<double>& value,
               Diagnostics& diagnostics)
      : bushing_(bushing), value_(value), diagnostics_(diagnostics) {}

  void check() {
    check_matrix("stiffness", bushing_.stiffness);
    check_matrix("damping", bushing_.damping);
    if (const std::size_t n = bushing_.preload.size(); n != 0 && n != 6)
      error("preload", fmt::format("has a preload of {} numbers", n),
            "give six: along x, y, z, then about them");
    bool acts =
        !bushing_.stiffness.empty() || !bushing_.damping.empty() || !bushing_.preload.empty();
    for (std::size_t axis = 0; axis < 6; ++axis) {
      acts |= !bushing_.tables[axis].is_empty();
      check_table(axis);
    }
    if (!acts)
      error("stiffness", "has neither stiffness nor damping, table or preload",
            "give one of them, as in stiffness = [1e6, 1e6, 1e6, 1e3, 1e3, 1e3]");
  }

 private:
  void error(std::string_view key, const std::string& fact, std::string_view hint) {
    diagnostics_.error(bushing_.place.of(key), fmt::format("bushing '{}' {}", bushing_.name, fact),
                       hint);
  }

  void check_matrix(const char* key, const std::vector<Expr>& given) {
    if (given.empty()) return;
    if (given.size() != 6 && given.size() != 36)
      return error(key, fmt::format("has a {} of {} numbers", key, given.size()),
                   "give six, the diagonal, or six lists of six, a symmetric matrix");
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(6, 6);
    for (int i = 0; i < 6; ++i)
      if (given.size() == 6)
        A(i, i) = value_(given[std::size_t(i)]);
      else
        for (int j = 0; j < 6; ++j) A(i, j) = value_(given[std::size_t(6 * i + j)]);
    for (int i = 0; i < 6; ++i)
      if (A(i, i) < 0)
        return error(key, fmt::format("has {} {} along {}", key, A(i, i), bushing_.axes[i]),
                     "it is zero or more");
    const double rounding = 1e-9;  // of a file with few digits
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < i; ++j) {
        if (std::abs(A(i, j) - A(j, i)) > rounding * std::max(std::abs(A(i, j)), std::abs(A(j, i))))
          return error(key,
                       fmt::format("has a {} that is not symmetric: {} in row {} and column {}, {} "
                                   "in row {} and column {}",
                                   key, A(i, j), i + 1, j + 1, A(j, i), j + 1, i + 1),
                       "give both entries the same number");
      }
    // in units of the diagonal, so that the choice of units does not matter
    Eigen::MatrixXd scaled = A;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        const double unit = std::sqrt(A(i, i) * A(j, j));
        if (i != j && unit == 0 && A(i, j) != 0)
          return error(key,
                       fmt::format("has a {} with a negative eigenvalue: row {} and column {} have "
                                   "{}, and one of the diagonal entries is 0",
                                   key, i + 1, j + 1, A(i, j)),
                       "give both diagonal entries a number above 0, or this one 0");
        scaled(i, j) = unit > 0 ? A(i, j) / unit : 0;
      }
    if (const double least = min_entry(symmetric_eigenvalues(scaled)); least < -rounding)
      error(key,
            fmt::format("has a {} with a negative eigenvalue, {:.3g} relative to its diagonal", key,
                        least),
            "the energy of a displacement cannot be negative: reduce the entries off the diagonal");
  }

  void check_table(std::size_t axis) {
    const auto& [at, force] = bushing_.tables[axis];
    if (at.empty() && force.empty()) return;
    const std::string key = fmt::format("table.{}", bushing_.axes[axis]);
    if (at.size() != force.size() || at.size() < 2)
      return error(
          key,
          fmt::format("has {} displacements and {} forces in {}", at.size(), force.size(), key),
          "give as many of each, at least two");
    for (std::size_t k = 1; k < at.size(); ++k) {
      if (!(value_(at[k]) > value_(at[k - 1])))
        return error(key,
                     fmt::format("has displacement {} after {} in {}", value_(at[k]),
                                 value_(at[k - 1]), key),
                     "displacements increase from point to point");
      if (!(value_(force[k]) >= value_(force[k - 1])))
        return error(
            key,
            fmt::format("has force {} after {} in {}", value_(force[k]), value_(force[k - 1]), key),
            "the restoring force does not fall with the displacement");
    }
  }

  const BushingDescription& bushing_;
  const Values<double>& value_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_numbers(const BushingDescription& bushing, const Values<double>& value,
                   Diagnostics& diagnostics) {
  BushingCheck(bushing, value, diagnostics).check();
}

}  // namespace trammel
