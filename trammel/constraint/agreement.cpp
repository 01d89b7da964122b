#include "trammel/constraint/agreement.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/roads.hpp"

namespace trammel {

namespace {

// States may be open by a millionth of the mechanism's length; rows that depend on each other then
// disagree by about that much. A contradiction is larger by far.
constexpr double tolerance = 1e-4;

std::string others_in_set(const Rows& rows, const RankPlan& plan, int row) {
  const Eigen::MatrixXd sets = dependent_sets(rows.jacobian(), plan);
  std::vector<bool> is_taken(std::size_t(plan.count), false);
  for (const int k : plan.rows) is_taken[std::size_t(k)] = true;
  Eigen::Index set = 0;
  for (int k = 0; k < row; ++k) set += is_taken[std::size_t(k)] ? 0 : 1;
  std::vector<std::string> names;
  for (Eigen::Index k = 0; k < sets.rows(); ++k)
    if (rows.holder(int(k)) != rows.holder(row) && sets(k, set) != 0)
      if (const std::string& name = rows.holder_names()[std::size_t(rows.holder(int(k)))];
          std::ranges::find(names, name) == names.end())
        names.push_back(name);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<int> left_out(const RankPlan& plan) {
  std::vector<bool> is_taken(std::size_t(plan.count), false);
  for (const int row : plan.rows) is_taken[std::size_t(row)] = true;
  std::vector<int> rows;
  for (int row = 0; row < plan.count; ++row)
    if (!is_taken[std::size_t(row)]) rows.push_back(row);
  return rows;
}

// `asked` is what the row asks for, `found` what the others lead to, in the row's own unit.
std::string contradiction(const Rows& rows, const RankPlan& plan, int row, const char* what,
                          double asked, double found) {
  const std::string others = others_in_set(rows, plan, row);
  const auto tells_of = [&](const char* words) {
    return (rows.name(row) + others).find(words) != std::string::npos;
  };
  return fmt::format(
      "{} contradicts {}: they depend on each other and ask for {} that differ by {:.3g} ({:.6g} "
      "and {:.6g}); {}",
      rows.name(row), others.empty() ? "what the bodies can do" : others, what,
      std::abs(found - asked), asked, found,
      tells_of("planned motion")
          ? tells_of("locked") ? "take the plan out, or unlock the joint"
                               : "plan fewer, or give plans that agree"
          : "the pose is singular, and these velocities lead along none of its branches: "
            "choose those of one branch, or start beside the pose");
}

}  // namespace

Status check_left_out_rows(const char* question, const Rows& rows, const RankPlan& plan,
                           const Eigen::VectorXd& a) {
  const double fastest = max_abs(a);
  for (const int row : left_out(plan)) {
    const double wanted = rows.acceleration()[row];
    const double found = rows.jacobian().row(row).dot(a), missed = found + wanted;
    const double size = rows.natural_lengths()[row] * fastest + std::abs(wanted);
    if (std::abs(missed) <= tolerance * size || std::abs(missed) <= 1e-9) continue;
    return Status::failure(fmt::format(
        "{}: {}", question, contradiction(rows, plan, row, "accelerations", -wanted, found)));
  }
  return {};
}

Status check_left_out_rates(const Rows& rows, const RankPlan& plan, std::span<const double> v) {
  double fastest = 0;
  for (const double speed : v) fastest = std::max(fastest, std::abs(speed));
  for (const int row : left_out(plan)) {
    const double missed = rows.rate()[row];
    if (std::abs(missed) <= tolerance * rows.natural_lengths()[row] * fastest + 1e-9) continue;
    const double found =
        rows.jacobian().row(row).dot(Eigen::Map<const Eigen::VectorXd>(v.data(), std::ssize(v)));
    return Status::failure(contradiction(rows, plan, row, "velocities", found - missed, found));
  }
  return {};
}

std::string undetermined_motion(const Model& model, const Eigen::MatrixXd& M,
                                const Eigen::MatrixXd& J, const RankPlan& plan) {
  const Eigen::MatrixXd T = complement(J, plan);
  if (T.cols() == 0) return {};
  const Eigen::VectorXd motion = T * symmetric_eigen(T.transpose() * M * T).vectors.col(0);
  Eigen::Index most = 0;
  max_abs(motion, most);
  return fmt::format(", in which joint '{}' moves", model.freedom_name(int(most)));
}

}  // namespace trammel
