#include "trammel/constraint/mobility/near_mobility.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <memory>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/mobility/lengths.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel {

namespace {

// Singular values below this fraction of the largest are weak and are examined.
constexpr double weak = 1e-2;
// Largest change of lengths that counts as small, as a fraction of the characteristic length: more
// makes another mechanism.
constexpr double hair = 1e-2;
// Violation of rows scaled to about 1 that double precision cannot reduce. Lengths that are right
// to first order only leave more: the square of their error.
constexpr double rounding = 1e-13;
// Larger mechanisms are not examined: they would take minutes.
constexpr int most_dofs = 60;
// Distances [rad] at which the constraints must still be satisfiable: so far that near a singular
// pose the violation, half the square of the distance, is several times `hair`.
constexpr double ways_to_go[] = {0.1, -0.1, 0.3, -0.3};

// A model with its workspace and its constraint rows at a position.
class Rigging {
 public:
  explicit Rigging(Model model)
      : model_(std::make_unique<Model>(std::move(model))), workspace_(*model_), rows_(*model_) {}

  void evaluate(const std::vector<double>& q) {
    kernel::kernels().kinematics({*model_, model_->numbers()}, q, workspace_->zero,
                                 workspace_->zero, *workspace_, workspace_->kinematics);
    rows_.evaluate(*model_, workspace_->kinematics, q, workspace_->zero, workspace_->zero, {});
  }
  const Model& model() const { return *model_; }
  Workspace& workspace() { return workspace_; }
  const ConstraintRows& rows() const { return rows_; }
  const Positions& positions() const { return workspace_->kinematics; }

 private:
  std::unique_ptr<Model> model_;  // the workspace refers to it by address
  Workspace workspace_;
  ConstraintRows rows_;
};

class LengthJudge {
 public:
  LengthJudge(const Model& model, const State& state)
      : description_(model), own_(model), q_(state.q), size_(model.characteristic_length()) {
    own_.evaluate(q_);
    unit_ = dof_weights(model, own_.positions()).cwiseInverse();
    const Eigen::VectorXd& natural = own_.rows().row_scales();
    scale_ = Eigen::VectorXd::Ones(natural.size());
    for (Eigen::Index k = 0; k < natural.size(); ++k)
      if (natural[k] > 0) scale_[k] = 1 / natural[k];
    const Eigen::VectorXd singular = singular_values(derivatives(own_));
    for (const double s : singular) strong_ += s > 0 && s >= weak * singular[0] ? 1 : 0;
    for (const double s : singular) rank_ += s > 0 && s >= 1e-9 * singular[0] ? 1 : 0;
  }
  bool is_suspect() const { return strong_ < rank_; }

  // The smallest change that satisfies the constraints at all poses, or none.
  struct Change {
    Eigen::VectorXd by;
    std::unique_ptr<Rigging> mechanism;
    State state;
    int finite = 0;
  };
  Change least_change(int finite_now) {
    std::vector<int> all;
    for (int k = 0; k < description_.count(); ++k) all.push_back(k);
    first_ = conditions(all, Eigen::VectorXd::Zero(description_.count()), own_);
    // a single length that suffices is easier to report, and to correct
    Change alone;
    for (int place = 0; place < description_.places(); ++place) {
      Change change = change_of(description_.of_place(place), finite_now);
      const bool is_less = !alone.mechanism || change.finite > alone.finite ||
                           (change.finite == alone.finite && change.by.norm() < alone.by.norm());
      if (change.mechanism && is_less) alone = std::move(change);
    }
    return alone.mechanism ? std::move(alone) : change_of(all, finite_now);
  }
  const Lengths& lengths() const { return description_; }

 private:
  Eigen::MatrixXd derivatives(const Rigging& rigging) const {
    return scale_.asDiagonal() * rigging.rows().jacobian() * unit_.asDiagonal();
  }
  Eigen::VectorXd violation(const Rigging& rigging) const {
    return scale_.cwiseProduct(rigging.rows().error());
  }

  // Newton's method on the strong rows only; false if it does not converge
  bool close(Rigging& rigging, std::vector<double>& q) const {
    for (int step = 0; step < 30; ++step) {
      rigging.evaluate(q);
      const Svd parts = svd(derivatives(rigging), Basis::full, Basis::full);
      const Eigen::VectorXd along =
          (parts.U.leftCols(strong_).transpose() * violation(rigging)).array() /
          parts.values.head(strong_).array();
      const Eigen::VectorXd dq = unit_.asDiagonal() * (parts.V.leftCols(strong_) * -along);
      if (!(along.norm() < 2)) return false;
      const std::vector<double> from = q;
      integrate(rigging.model(), from, as_span(dq), q);
      if (along.norm() < 1e-14) break;
    }
    rigging.evaluate(q);
    const Svd parts = svd(derivatives(rigging), Basis::full, Basis::full);
    return (parts.U.leftCols(strong_).transpose() * violation(rigging)).norm() < 1e-11;
  }

  // poses along the null space of the strong rows
  std::vector<std::vector<double>> poses(Rigging& rigging) const {
    std::vector<std::vector<double>> found;
    std::vector<double> start = q_;
    if (!close(rigging, start)) return found;
    found.push_back(start);
    const Svd parts = svd(derivatives(rigging), Basis::full, Basis::full);
    const Eigen::MatrixXd ways = parts.V.rightCols(parts.V.cols() - strong_);
    for (Eigen::Index w = 0; w < ways.cols(); ++w)
      for (const double far : ways_to_go) {
        const Eigen::VectorXd way = unit_.asDiagonal() * ways.col(w);
        std::vector<double> there(q_.size());
        integrate(rigging.model(), start,
                  as_span(Eigen::VectorXd(far / max_abs(ways.col(w)) * way)), there);
        if (close(rigging, there)) found.push_back(there);
      }
    return found;
  }

  // violation at the poses in directions that no motion reduces, and its derivative by lengths
  struct Conditions {
    Eigen::VectorXd open;
    Eigen::MatrixXd by_lengths;
  };
  Conditions conditions(const std::vector<int>& lengths, const Eigen::VectorXd& by,
                        Rigging& rigging) const {
    const std::vector<std::vector<double>> at = poses(rigging);
    std::vector<Eigen::MatrixXd> across;
    std::vector<Eigen::VectorXd> gaps;
    for (const std::vector<double>& q : at) {
      rigging.evaluate(q);
      const Svd parts = svd(derivatives(rigging), Basis::full, Basis::full);
      across.push_back(parts.U.rightCols(parts.U.cols() - strong_).transpose());
      gaps.push_back(violation(rigging));
    }
    const Eigen::Index each = scale_.size() - strong_;
    const auto count = Eigen::Index(at.size());
    Conditions found{Eigen::VectorXd(each * count),
                     Eigen::MatrixXd(each * count, Eigen::Index(lengths.size()))};
    for (Eigen::Index k = 0; k < count; ++k)
      found.open.segment(each * k, each) = across[std::size_t(k)] * gaps[std::size_t(k)];
    // places enter the violation linearly: the step may be long
    const double step = 1e-3 * size_;
    for (std::size_t j = 0; j < lengths.size(); ++j) {
      Eigen::VectorXd near = by;
      near[lengths[j]] += step;
      Rigging other(rebuild_model(description_.changed(near)));
      for (Eigen::Index k = 0; k < count; ++k) {
        other.evaluate(at[std::size_t(k)]);
        found.by_lengths.block(each * k, Eigen::Index(j), each, 1) =
            across[std::size_t(k)] * (violation(other) - gaps[std::size_t(k)]) / step;
      }
    }
    return found;
  }

  Conditions conditions(const std::vector<int>& lengths, const Eigen::VectorXd& by) const {
    Rigging rigging(rebuild_model(description_.changed(by)));
    return conditions(lengths, by, rigging);
  }
  Conditions of_first(const std::vector<int>& lengths) const {
    return {first_.open, first_.by_lengths(Eigen::all, lengths)};
  }

  // Smallest change of these lengths that satisfies the constraints at all poses, by Gauss-Newton;
  // none unless the changed mechanism has a larger finite mobility.
  Change change_of(const std::vector<int>& lengths, int finite_now) const {
    Eigen::VectorXd by = Eigen::VectorXd::Zero(description_.count());
    // conditions that coincide for the overconstrained mechanism differ here by its distance `off`:
    // singular values of that size count as zero
    double off = hair;
    for (int step = 0; step < 12; ++step) {
      const auto [open, by_lengths] = step == 0 ? of_first(lengths) : conditions(lengths, by);
      if (open.size() == 0) return {};
      if (open.norm() <= rounding) return checked(by, finite_now);
      const OrthogonalDecomposition solver(by_lengths, std::clamp(0.1 * off, 1e-9, 1e-3));
      const Eigen::VectorXd now = by(lengths);
      const Eigen::VectorXd then = solver.solve(by_lengths * now - open);
      off = (then - now).norm() / size_;
      by(lengths) = then;
      if (!(max_abs(by) <= hair * size_)) return {};
      // nonlinear terms are a fraction `hair`: a first step that leaves more than 10 % cannot work
      if (step == 0 && (by_lengths * then + open).norm() > 0.1 * open.norm()) return {};
    }
    return {};
  }
  Change checked(const Eigen::VectorXd& by, int finite_now) const {
    Change change{by, std::make_unique<Rigging>(rebuild_model(description_.changed(by))), {}, 0};
    Rigging& there = *change.mechanism;
    change.state = neutral_state(there.model());
    change.state.q = q_;
    Mobility found;
    if (!close(there, change.state.q) ||
        !assemble(there.model(), change.state, there.workspace(), {.nudges = 0}).ok() ||
        !mobility_as_it_is(there.model(), change.state, there.workspace(), found).ok() ||
        found.finite <= finite_now)
      return {};
    change.finite = found.finite;
    return change;
  }

  Lengths description_;
  Rigging own_;
  std::vector<double> q_;
  double size_;
  Eigen::VectorXd unit_, scale_;  // scales of dof, of rows
  int strong_ = 0, rank_ = 0;
  Conditions first_;  // on all lengths, at the given lengths
};

}  // namespace

void judge_lengths(const Model& model, const State& state, Mobility& found) {
  if (model.nv() == 0 || model.nv() > most_dofs) return;
  const ConstraintRows rows(model);
  for (int k = 0; k < rows.count(); ++k)
    if (!rows.is_holonomic(k)) return;
  if (rows.count() == 0) return;
  LengthJudge judge(model, state);
  if (!judge.is_suspect()) return;
  const LengthJudge::Change change = judge.least_change(found.finite);
  if (!change.mechanism) return;
  found.verdict = Mobility::Verdict::nearly_overconstrained;
  found.finite_nearby = change.finite;
  found.lengths = judge.lengths().changes(change.by);
}

}  // namespace trammel
