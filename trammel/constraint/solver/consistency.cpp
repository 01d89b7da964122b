#include "trammel/constraint/solver/consistency.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/solver/dense_solvers.hpp"

namespace trammel {

namespace {

// States may violate constraints by a millionth of the characteristic length, and dependent rows
// differ by about as much. A contradiction is much larger.
constexpr double tolerance = 1e-4;

std::vector<int> left_out(const RowBasis& basis) {
  std::vector<bool> is_taken(std::size_t(basis.count), false);
  for (const int row : basis.rows) is_taken[std::size_t(row)] = true;
  std::vector<int> rows;
  for (int row = 0; row < basis.count; ++row)
    if (!is_taken[std::size_t(row)]) rows.push_back(row);
  return rows;
}

// Owner names of the rows, each once.
std::vector<std::string> owners(const ConstraintRows& rows, const std::vector<int>& of) {
  std::vector<std::string> names;
  for (const int row : of)
    if (const std::string& name = rows.owner_names()[std::size_t(rows.owner(row))];
        std::ranges::find(names, name) == names.end())
      names.push_back(name);
  return names;
}

// Required value of each row in its own unit: `asked` in the solver's form, `given` as in the
// caller's inputs. They differ by velocity-product terms of loop joints.
struct Demands {
  const char* what;  // "accelerations"
  Eigen::VectorXd options, given;
};

// "change inputs.a of joint 'left' or of joint 'right' (in a run, the [input] of that joint)"
std::string remedy(const Model& model, const ConstraintRows& rows,
                   const std::vector<int>& prescribed) {
  std::vector<std::string> motions, locks;
  for (const int row : prescribed) {
    const int f = rows.prescribed_dof(row), loop = rows.prescribed_loop_dof(row);
    const bool is_loop = f < 0;
    const std::string joint =
        fmt::format("joint '{}'", is_loop ? model.closure_dof_name(loop) : model.dof_name(f));
    if ((is_loop ? model.closure_drive(loop) : model.prescription(f)) == Drive::locked)
      locks.push_back(joint);
    else
      motions.push_back((is_loop ? "inputs.loop_a of " : "inputs.a of ") + joint);
  }
  std::string text;
  if (!motions.empty())
    text = fmt::format("give motions that agree: change {} (in a run, the [input] of that joint)",
                       fmt::join(motions, " or "));
  if (!locks.empty())
    text += fmt::format("{}unlock {} (drive = \"none\")", text.empty() ? "" : ", or ",
                        fmt::join(locks, " or "));
  return text;
}

// Message of a contradiction. It names the prescribed motions with their values, and the consistent
// value of the first, which follows from the other rows.
std::string contradiction(const Model& model, const ConstraintRows& rows, const RowBasis& basis,
                          int row, const Demands& demands) {
  const auto [all, weights] = dependent_set(rows.sparse_jacobian(), basis, row);
  double sum = 0;  // of weight times required value: zero if the rows are consistent
  for (std::size_t k = 0; k < all.size(); ++k) sum += weights[k] * demands.options[all[k]];
  std::vector<int> prescribed;
  for (const int k : all)
    if (k >= rows.prescribed_start()) prescribed.push_back(k);
  const int first = prescribed.empty() || row >= rows.prescribed_start() ? row : prescribed.back();
  std::erase(prescribed, first);
  std::vector<int> others = prescribed;
  if (others.empty())
    for (const int k : all)
      if (rows.owner(k) != rows.owner(first)) others.push_back(k);
  std::vector<std::string> names = owners(rows, others);

  const double weight = weights[std::size_t(std::ranges::find(all, first) - all.begin())];
  const double given = demands.given[first], agreed = given - sum / weight + 0.0;
  std::string text = fmt::format(
      "{} contradicts {}: they depend on each other and require {} that differ", rows.name(first),
      names.empty() ? "what the bodies can do" : fmt::format("{}", fmt::join(names, ", ")),
      demands.what);
  if (first < rows.prescribed_start())
    return text + fmt::format(
                      " by {:.3g} ({:.6g} and {:.6g}); the pose is singular, and these velocities "
                      "are tangent to none of its branches: choose those of one branch, or "
                      "start near the pose",
                      std::abs(given - agreed), given, agreed);
  std::string values = fmt::format("{:.6g}", given + 0.0);
  for (const int k : prescribed) values += fmt::format(" and {:.6g}", demands.given[k] + 0.0);
  if (prescribed.empty()) values += fmt::format(" and {:.6g}", agreed);
  prescribed.insert(prescribed.begin(), first);
  return text + fmt::format(" ({}); {:.6g} of the first would agree; {}", values, agreed,
                            remedy(model, rows, prescribed));
}

}  // namespace

Status check_left_out_rows(const EvalContext& context, const ConstraintRows& rows,
                           const RowBasis& basis, const Eigen::VectorXd& a) {
  const double fastest = max_abs(a);
  for (const int row : left_out(basis)) {
    const double wanted = rows.acceleration()[row];
    const double found = rows.sparse_jacobian().dot(row, a), missed = found + wanted;
    const double size = rows.row_scales()[row] * fastest + std::abs(wanted);
    if (std::abs(missed) <= tolerance * size || std::abs(missed) <= 1e-9) continue;
    Demands demands{"accelerations", -rows.acceleration(), {}};
    demands.given = demands.options;
    const std::span<const double> loop_a = context.inputs().loop_a;
    for (int k = rows.prescribed_start(); k < rows.count() && !loop_a.empty(); ++k)
      if (const int loop = rows.prescribed_loop_dof(k); loop >= 0)
        demands.given[k] = loop_a[std::size_t(loop)];
    return Status::failure(fmt::format("{}: {}", context.name(),
                                       contradiction(context.model(), rows, basis, row, demands)));
  }
  return {};
}

bool are_left_out_rows_satisfied(const ConstraintRows& rows, std::span<const int> basis,
                                 const Eigen::VectorXd& a) {
  constexpr double rounding = 1e-9;
  const double fastest = max_abs(a);
  auto next = basis.begin();
  for (int row = 0; row < rows.count(); ++row) {
    if (next != basis.end() && *next == row) {
      ++next;
      continue;
    }
    const double wanted = rows.acceleration()[row];
    const double missed = std::abs(rows.sparse_jacobian().dot(row, a) + wanted);
    if (!(missed <= rounding * (rows.row_scales()[row] * fastest + std::abs(wanted) + 0.1)))
      return false;
  }
  return true;
}

Status check_left_out_rates(const Model& model, const ConstraintRows& rows, const RowBasis& basis,
                            std::span<const double> v) {
  double fastest = 0;
  for (const double speed : v) fastest = std::max(fastest, std::abs(speed));
  for (const int row : left_out(basis)) {
    const double missed = rows.rate()[row];
    if (std::abs(missed) <= tolerance * rows.row_scales()[row] * fastest + 1e-9) continue;
    const Eigen::VectorXd velocity = Eigen::Map<const Eigen::VectorXd>(v.data(), std::ssize(v));
    const Eigen::VectorXd options = rows.sparse_jacobian() * velocity - rows.rate();
    return Status::failure(
        contradiction(model, rows, basis, row, {"velocities", options, options}));
  }
  return {};
}

std::string undetermined_motion(const Model& model, const Eigen::MatrixXd& M,
                                const Eigen::MatrixXd& J, const RowBasis& basis) {
  const Eigen::MatrixXd T = null_space_basis(J, basis);
  if (T.cols() == 0) return {};
  const Eigen::VectorXd motion = T * symmetric_eigen(T.transpose() * M * T).vectors.col(0);
  Eigen::Index most = 0;
  max_abs(motion, most);
  return fmt::format(", in which joint '{}' moves", model.dof_name(int(most)));
}

}  // namespace trammel
