// The mechanism as something that flows: y' = f(t, y) with y = [q | v | z], plain numbers.
//
// Quaternions are flat numbers here, and loops may be a little open: wherever f is asked, it first
// goes to the mechanism beside y (quaternions of length 1, planned joints where their plan has
// them, loops closed, velocities that keep them closed) and answers for that. So f is smooth all
// around the motions that exist, a Runge-Kutta method keeps its order, and no row is ever judged on
// a state that is open. Of wheels alone f may also be asked where y is, which is as smooth and a
// third of the work: accelerations then go on missing the rows by as much, and a step's end is
// brought back.
#pragma once

#include <optional>
#include <string>

#include "trammel/dynamics/workspace.hpp"
#include "trammel/simulate/drives.hpp"
#include "trammel/simulate/singular_crossing.hpp"

namespace trammel {

class Flow {
 public:
  Flow(const Model& model, const Drives& drives, Workspace& workspace);

  int size() const { return nq_ + nv_ + nz_; }
  int nq() const { return nq_; }
  void pack(const State& state, std::span<double> y) const;
  // The mechanism beside y, as closed as numbers allow.
  [[nodiscard]] Status unpack(double time, std::span<const double> y, State& state);
  // The one f answers for, as far open as `gap` allows; its time is cut to `horizon`.
  [[nodiscard]] Status beside(double time, std::span<const double> y, State& state);
  // f(t, y). Times are cut to `horizon`, before which nothing jumps.
  [[nodiscard]] Status slope(double time, std::span<const double> y, std::span<double> y_dot);
  // Fails, and says of which joint, where a number is beyond all that moves: it has blown up.
  [[nodiscard]] Status expect_bounded(std::span<const double> y) const;
  // Only how q changes with these velocities.
  void rate(std::span<const double> y, std::span<double> q_dot);
  void set_horizon(double time) { horizon_ = time; }
  // How far open, of the mechanism's length, a state may stay for which f answers: noise to a
  // method that looks closer.
  void set_gap(double gap) { gap_ = gap; }
  // Whether wheels may be a little beside their rows where f is asked: for methods whose stages are
  // near the motion.
  void let_stages_be(bool open) { may_be_open_ = open && !drives_.have_functions(); }

  // The singular pose that may be crossed from here on; none: everything is evaluated where it is.
  void set_crossing(SingularCrossing* crossing) { crossing_ = crossing; }
  bool has_crossing() const { return crossing_ != nullptr; }
  SingularCrossing* crossing() const { return crossing_; }
  // If f is interpolated at y: the nearest node before the pose, where it need not be, and its
  // time.
  std::optional<double> leave_crossing(double time, std::span<const double> y,
                                       std::span<double> node);

  // How far y is from `other`, measured by what is allowed of each freedom, at most; 1: just
  // allowed. Positions are compared on their manifold.
  struct Tolerance {
    double relative, absolute;
  };
  double distance(std::span<const double> y, std::span<const double> other, Tolerance tolerance);
  // The same of what is left of the difference on the constraint manifold: near a singular pose the
  // directions off the manifold are rounding, and projection takes them away. Infinity where y
  // cannot be projected.
  double distance_on_manifold(double time, std::span<const double> y, std::span<const double> other,
                              Tolerance tolerance);
  // By what number k of y may be wrong at a value, so that it counts as 1 in distance().
  double allowed(int k, double value, Tolerance tolerance) const;
  // What is one for it: a radian (half of it, of a quaternion's parts), or a length.
  double unit(int k) const { return unit_[std::size_t(k)]; }
  // The freedom or number of z that was farthest in the last distance().
  std::string farthest() const { return name_of(farthest_); }

  long slopes() const { return slopes_; }  // how often f was asked

 private:
  void load(double time, std::span<const double> y, State& state) const;
  void hold_locked(State& state) const;
  void follow(State& state) const;  // quaternions, plans and locks; loops as they are
  Status settle(State& state, double gap);
  Status close(State& state, double gap);  // without a crossing
  // Accelerations of state_, which was projected by interpolation: those of the nodes.
  Status interpolate_accelerations(std::span<double> a);
  // Only accelerations, of state_; false where y has to be closed first.
  bool slope_where_it_is(double time, std::span<const double> y, std::span<double> a);
  // Of a freedom's position, then of its velocity, then of z.
  std::string name_of(int k) const;

  const Model& model_;
  const Drives& drives_;
  Workspace& workspace_;
  int nq_, nv_, nz_;
  double horizon_, gap_ = 1e-10;
  State state_;
  Drives::Acting acting_;
  std::vector<double> q_, other_q_, apart_, scale_;  // the last: one rad, or a length
  std::vector<double> unit_;                         // of each number of y
  int farthest_ = 0;
  long slopes_ = 0;
  bool may_be_open_ = false;
  SingularCrossing* crossing_ = nullptr;
  bool is_interpolated_ = false;  // the state that was settled last
  std::vector<double> node_a_;
};

}  // namespace trammel
