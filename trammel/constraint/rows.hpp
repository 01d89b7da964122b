// All rows of a model's constraints at a state.
//
// A row is a linear condition on velocities, J v = 0, and what it takes to keep it: an effort
// J^T lambda. Most rows are a wrench between two bodies, some a sum of coordinates, some both. A
// row that is holonomic also holds a position; others, as that of a wheel that does not slip, do
// not.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "trammel/constraint/rank_plan.hpp"
#include "trammel/constraint/rows_at.hpp"
#include "trammel/dynamics/force_elements.hpp"
#include "trammel/dynamics/inputs.hpp"

namespace trammel {

class Rows {
 public:
  explicit Rows(const Model& model);

  int count() const { return int(error_.size()); }
  // Whose row it is, and which: "loop joint 'foot': force along".
  std::string name(int row) const { return names_[std::size_t(row)]; }
  int holder(int row) const { return holders_[std::size_t(row)]; }  // index in holder_names
  const std::vector<std::string>& holder_names() const { return holder_names_; }
  bool is_turn(int row) const { return is_turn_[std::size_t(row)]; }  // told in rad, not in m
  bool is_holonomic(int row) const { return is_holonomic_[std::size_t(row)]; }
  // Rows of planned and locked joints are the last ones, from here on.
  int planned_start() const { return planned_start_; }
  // The tree's freedom that a planned row is about; -1 if it is about a joint that closes a loop.
  int planned_freedom(int row) const;
  int planned_loop_freedom(int row) const;  // the other way round
  // A wheel that lies flat, where no direction of rolling is, or one whose terrain is curved more
  // than it is itself; empty if none is.
  const std::string& flat_wheel() const { return flat_wheel_; }
  const std::string& lost_wheel() const { return lost_wheel_; }

  // At the kinematics' positions, velocities and accelerations. `prescribed`: accelerations that
  // joints driven by motion are to have (nv); `loop_prescribed`: the same of joints that close
  // loops (closure_nv; if none are given, any will do).
  void evaluate(const Model& model, const Kinematics& kinematics, std::span<const double> q,
                std::span<const double> v, std::span<const double> a,
                std::span<const double> prescribed, std::span<const double> loop_prescribed = {});
  // The same without J and natural_lengths(), which cost more than all the rest: they stay what
  // they were until write_jacobian is told the kinematics.
  void look(const Model& model, const Kinematics& kinematics, std::span<const double> q,
            std::span<const double> v, std::span<const double> a,
            std::span<const double> prescribed, std::span<const double> loop_prescribed = {});
  void write_jacobian(const Model& model, const Kinematics& kinematics);
  // Planned joints that close loops follow this from now on, and hold a position while they do; the
  // numbers stay with the caller.
  void follow(const Model& model, const LoopPlan& plan);
  // What the rows are there.
  const RowsAt<double>& at() const { return at_; }

  // By how much positions, velocities and accelerations miss each row: c, J v, J a - gamma.
  const Eigen::VectorXd& error() const { return error_; }
  const Eigen::VectorXd& rate() const { return rate_; }
  const Eigen::VectorXd& acceleration() const { return acceleration_; }
  // J, count() x nv. Entries that are zero but for rounding are zero.
  const Eigen::MatrixXd& jacobian() const { return J_; }
  // How long each row of J would be if its wrench met every motion squarely: a row much shorter
  // than this is one that nothing can move against.
  const Eigen::VectorXd& natural_lengths() const { return natural_; }
  // These, and how far each row of J may be off: what rounding leaves of terms that cancel, and
  // what the positions' own violation of the rows changes.
  RowScales scales() const;
  RowScales scales(const std::vector<int>& of) const;

  // What the closures carry with these multipliers, and what they do along their own freedoms: the
  // parent's force on the child at M, in M's axes. Couplings that reach into a closure count too.
  std::vector<Force<double>> carried(const Eigen::VectorXd& lambda,
                                     std::span<const ElementForce> own) const;
  // What the floor does to each wheel with these multipliers, in world axes, where it touches.
  std::vector<Vec3<double>> on_wheels(const Eigen::VectorXd& lambda) const;
  // The rows of wheels, wheel after wheel: from the first to before the second.
  std::pair<int, int> wheel_rows() const { return {wheel_start_, coupling_start_}; }
  // Of a wheel's row: the direction of the floor's force, and where it acts, in the world.
  const Vec3<double>& direction(int row) const { return push_of_wheel(row).F.force; }
  const Vec3<double>& contact(int row) const { return push_of_wheel(row).p; }

  using Push = RowsAt<double>::Push;
  const std::vector<Push>& pushes() const { return at_.pushes; }

 private:
  void add_row(std::string name, int holder, bool is_turn, bool is_holonomic = true);
  const Push& push_of_wheel(int row) const;

  std::vector<std::string> names_, holder_names_;
  std::vector<int> holders_;
  std::vector<bool> is_turn_, is_holonomic_;
  std::string flat_wheel_, lost_wheel_;
  int wheel_start_ = 0, coupling_start_ = 0, planned_start_ = 0;
  int first_wheel_ = 0;  // among the holders
  std::size_t n_wheels_ = 0;
  RowsAt<double> at_;
  Eigen::VectorXd error_, rate_, acceleration_, natural_, rounding_;
  Eigen::MatrixXd J_, terms_;  // terms_: how large the terms of each entry of J are, times depth
  std::vector<std::pair<double, double>> sizes_;  // |moment|, |force| of the wrenches at one point
};

}  // namespace trammel
