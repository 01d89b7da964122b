// How accelerations change from a state to those beside it that keep all rows: the implicit
// derivative. At accelerations and multipliers that are held,
//
//   r = (M a + h - J^T lambda - tau)(q, v) ,   s = (J a - gamma)(q, v)
//
// are differentiated by Dual numbers along given directions, a few at a time, and
//
//   M a' - J^T lambda' = -r' ,   J a' = -s'
//
// is solved with the independent rows: a' is the part of it that no multiplier takes up. Whatever
// forward dynamics takes into account is in r and s. For this room and those that build on it.
#pragma once

#include <Eigen/Core>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/rank_plan.hpp"
#include "trammel/constraint/rows.hpp"
#include "trammel/dynamics/question.hpp"

namespace trammel {

class AccelerationSlopes {
 public:
  // `question` honours constraints and has the forces act; it, and what it is about, must outlive
  // this. `T`: ways to move that the rows of the plan leave, J T = 0.
  AccelerationSlopes(const Question& question, Workspace& workspace, const RankPlan& plan,
                     Eigen::MatrixXd T);

  // Why it cannot be told, if so.
  const Status& status() const { return status_; }
  const Eigen::VectorXd& a() const { return a_; }  // at the state itself
  const Rows& rows() const { return rows_; }       // there

  // How J v changes, one column per direction, when positions move along dq (nv x directions, each
  // as a velocity would) and v stays; of joints driven by motion, what they have is what they
  // should.
  Eigen::MatrixXd rates(const Eigen::MatrixXd& dq) const;
  // The least velocities that take given rates (rows x directions) back.
  Eigen::MatrixXd least_velocities(const Eigen::MatrixXd& rates) const;

  // How accelerations change when positions move along dq and velocities by dv, so that all rows
  // stay kept.
  [[nodiscard]] Status along(const Eigen::MatrixXd& dq, const Eigen::MatrixXd& dv,
                             Eigen::MatrixXd& out) const;
  // How they change with efforts, nv x nv.
  Eigen::MatrixXd by_efforts() const;

 private:
  Eigen::MatrixXd of_plan(const Eigen::MatrixXd& all_rows) const;

  const Question& question_;
  const RankPlan plan_;
  const Eigen::MatrixXd T_;
  Rows rows_;
  Eigen::MatrixXd M_;
  Eigen::VectorXd a_, lambda_;
  OrthogonalDecomposition rows_solver_;
  Llt inertia_;  // T^T M T
  Status status_;
};

}  // namespace trammel
