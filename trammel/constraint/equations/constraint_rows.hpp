// Constraint rows of a model at a state: residuals, constraint Jacobian J, row scales.
//
// A row is a linear condition on velocities, J v = 0, with the constraint effort J^T lambda. Most
// rows are a wrench between two bodies, some a sum of coordinates, some both. A holonomic row also
// constrains the position; others, as that of a wheel that does not slip, do not.
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "trammel/base/sparse_rows.hpp"
#include "trammel/constraint/equations/constraint_rows_at.hpp"
#include "trammel/constraint/rank/row_basis.hpp"
#include "trammel/dynamics/force_elements.hpp"
#include "trammel/dynamics/inputs.hpp"

namespace trammel {

class ConstraintRows {
 public:
  explicit ConstraintRows(const Model& model);

  int count() const { return int(error_.size()); }
  // Owner and component of the row: "loop joint 'foot': force along".
  std::string name(int row) const { return names_[std::size_t(row)]; }
  int owner(int row) const { return owners_[std::size_t(row)]; }  // index in owner_names
  const std::vector<std::string>& owner_names() const { return owner_names_; }
  bool is_turn(int row) const { return traits_[std::size_t(row)].is_turn; }  // in rad, not in m
  bool is_holonomic(int row) const { return traits_[std::size_t(row)].is_holonomic; }
  // Rows of prescribed and locked joints are the last ones, from this index on.
  int prescribed_start() const { return start_of<PrescribedDofBlock>(); }
  // The tree's dof of a prescribed or locked row; -1 if the row belongs to a loop joint.
  int prescribed_dof(int row) const;
  int prescribed_loop_dof(int row) const;  // the loop joint's dof; -1 if it belongs to the tree
  bool is_linear(int row) const { return traits_[std::size_t(row)].is_linear; }
  // Rows of couplings, prescribed and locked joints: from this index on. No recursive solver can
  // leave one of them out.
  int coupling_start() const { return start_of<CouplingBlock>(); }
  // Name of a wheel that lies flat (no rolling direction); empty if there is none.
  const std::string& flat_wheel() const { return flat_wheel_; }
  // Constraint whose rows are undefined at this state, and the reason: "wheel 'left' has no contact
  // point: ..."; empty if there is none.
  const std::string& undefined() const { return undefined_; }
  bool are_defined() const { return flat_wheel_.empty() && undefined_.empty(); }

  // Evaluates all rows at the kinematics' positions, velocities and accelerations. `prescribed`:
  // accelerations of prescribed joints (nv; if empty, 0); `loop_prescribed`: of prescribed loop
  // joints (loop_nv; if empty, their acceleration residual is 0).
  void evaluate(const Model& model, const Kinematics& kinematics, std::span<const double> q,
                std::span<const double> v, std::span<const double> a,
                std::span<const double> prescribed, std::span<const double> loop_prescribed = {});
  // The same without J and row_scales(), which cost more than all the rest: they keep their old
  // values until write_jacobian is called with the kinematics.
  void evaluate_without_jacobian(const Model& model, const Kinematics& kinematics,
                                 std::span<const double> q, std::span<const double> v,
                                 std::span<const double> a, std::span<const double> prescribed,
                                 std::span<const double> loop_prescribed = {});
  void write_jacobian(const Model& model, const Kinematics& kinematics);
  // Sets the prescribed motion of loop joints; with positions in `loops` their rows are holonomic.
  // The arrays of `loops` are not copied.
  void follow(const Model& model, const PrescribedLoopMotion& loops);
  // Residuals and wrenches of the rows as last evaluated.
  const ConstraintRowsAt<double>& at() const { return at_; }

  // Residuals of each row in position, velocity and acceleration: c, J v, J a - gamma.
  const Eigen::VectorXd& error() const { return error_; }
  const Eigen::VectorXd& rate() const { return rate_; }
  const Eigen::VectorXd& acceleration() const { return acceleration_; }
  // J, count() x nv. A row has entries at the joints between the two bodies of its wrench and their
  // lowest common ancestor, and at the coordinates it acts on directly. Entries that are zero up to
  // rounding are zero. Its components are sets of constraints that share no joint.
  const SparseRows& sparse_jacobian() const { return J_; }
  // The same as a dense matrix, count() * nv numbers, made when it is first needed.
  const Eigen::MatrixXd& jacobian() const;
  // Row scales: the length each row of J would have if its wrench met every joint axis squarely
  // (docs/theory/rank.md, (4)). A row much shorter than its scale constrains no motion.
  const Eigen::VectorXd& row_scales() const { return natural_; }
  // Row scales and error bounds of the rows of J: rounding of terms that cancel, and the effect of
  // the positions' own constraint violation.
  RowScales scales() const;
  RowScales scales(const std::vector<int>& of) const;

  // Wrenches in the loop joints for these multipliers, with the efforts along their own dof: the
  // parent's force on the child at M, in M's axes. Couplings on a loop joint are included.
  std::vector<Force<double>> carried(const Eigen::VectorXd& lambda,
                                     std::span<const ElementForce> own) const;
  // The ground's force on each wheel for these multipliers, in world axes, at the contact point.
  std::vector<Vec3<double>> on_wheels(const Eigen::VectorXd& lambda) const;
  // Range of the wheels' rows, wheel after wheel: first row, end.
  std::pair<int, int> wheel_rows() const { return {start_of<WheelBlock>(), end_of<WheelBlock>()}; }
  // Of a wheel's row: direction of the ground's force, and the contact point, in world axes.
  const Vec3<double>& direction(int row) const { return wrench_of_wheel(row).F.force; }
  const Vec3<double>& contact(int row) const { return wrench_of_wheel(row).p; }

  using RowWrench = EvaluatedRows<double>::RowWrench;
  const std::vector<RowWrench>& row_wrenches() const { return at_.evaluated().row_wrenches; }

 private:
  // Rows of a kind: the first, and one past the last.
  template <class Kind> int start_of() const { return starts_[kind_index<Kind>()]; }
  template <class Kind> int end_of() const { return starts_[kind_index<Kind>() + 1]; }
  const RowWrench& wrench_of_wheel(int row) const;

  std::vector<std::string> names_, owner_names_;
  std::vector<int> owners_;
  std::vector<RowTraits> traits_;  // without names
  std::string flat_wheel_, undefined_;
  std::array<int, std::variant_size_v<Block> + 1> starts_ = {};  // first row of each kind
  int first_wheel_ = 0;                                          // index in owner_names
  std::size_t n_wheels_ = 0;
  ConstraintRowsAt<double> at_;
  Eigen::VectorXd error_, rate_, acceleration_, natural_, rounding_;
  SparseRows J_;
  std::vector<double> terms_;  // per entry of J: sum of its absolute terms, times depth
  mutable Eigen::MatrixXd dense_J_;
  mutable bool is_dense_J_current_ = false;
  std::vector<int> depth_;  // per tree body: number of bodies from ground to it
  std::vector<std::pair<double, double>> sizes_;  // |moment|, |force| of the wrenches at one point
};

}  // namespace trammel
