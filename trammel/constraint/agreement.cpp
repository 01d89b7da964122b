#include "trammel/constraint/agreement.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

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

}  // namespace

Status check_left_out_rows(const char* question, const Rows& rows, const RankPlan& plan,
                           const Eigen::VectorXd& a) {
  if (plan.redundant() == 0) return {};
  std::vector<bool> is_taken(std::size_t(plan.count), false);
  for (const int row : plan.rows) is_taken[std::size_t(row)] = true;
  const Eigen::MatrixXd& J = rows.jacobian();
  const double fastest = a.size() > 0 ? a.cwiseAbs().maxCoeff() : 0;
  for (int row = 0; row < plan.count; ++row) {
    if (is_taken[std::size_t(row)]) continue;
    const double wanted = rows.acceleration()[row];
    const double missed = J.row(row).dot(a) + wanted;
    const double size = rows.natural_lengths()[row] * fastest + std::abs(wanted);
    if (std::abs(missed) <= tolerance * size || std::abs(missed) <= 1e-9) continue;
    const std::string others = others_in_set(rows, plan, row);
    const auto tells_of = [&](const char* words) {
      return (rows.name(row) + others).find(words) != std::string::npos;
    };
    return Status::failure(fmt::format(
        "{}: {} contradicts {}: they depend on each other and ask for accelerations that differ by "
        "{:.3g}; {}",
        question, rows.name(row), others.empty() ? "what the bodies can do" : others,
        std::abs(missed),
        tells_of("planned motion")
            ? tells_of("locked") ? "take the plan out, or unlock the joint"
                                 : "plan fewer, or give plans that agree"
            : "the pose is singular, and these velocities lead along none of its branches: "
              "choose those of one branch, or start beside the pose"));
  }
  return {};
}

std::string undetermined_motion(const Model& model, const Eigen::MatrixXd& M,
                                const Eigen::MatrixXd& J, const RankPlan& plan) {
  const Eigen::MatrixXd T = complement(J, plan);
  if (T.cols() == 0) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> inertia(T.transpose() * M * T);
  const Eigen::VectorXd motion = T * inertia.eigenvectors().col(0);
  Eigen::Index most = 0;
  motion.cwiseAbs().maxCoeff(&most);
  return fmt::format(", in which joint '{}' moves", model.freedom_name(int(most)));
}

}  // namespace trammel
