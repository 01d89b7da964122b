// Equations of motion as an ordinary differential equation y' = f(t, y) with y = [q | v | z].
//
// y is a plain vector: quaternions need not have length 1 and loops need not be exactly closed.
// f(t, y) first projects y onto the constraint manifold (quaternions normalized, prescribed joints
// on their motion, loops closed, velocities compatible) and evaluates the dynamics there. This
// extends f smoothly to a neighborhood of the manifold, so Runge-Kutta methods keep their order,
// and the rank of the rows is never determined at a state that violates them. f may also be
// evaluated at y itself, which is as smooth and takes a third of the time: the accelerations then
// keep the violation of the rows unchanged, and the end of the step is projected. Not near a
// singular pose.
#pragma once

#include <optional>
#include <string>

#include "trammel/constraint/forces/wheel_loads.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/simulate/events/load_range.hpp"
#include "trammel/simulate/events/singular_crossing.hpp"
#include "trammel/simulate/inputs/simulation_inputs.hpp"

namespace trammel {

class OdeSystem {
 public:
  OdeSystem(const Model& model, const SimulationInputs& run_inputs, Workspace& workspace);

  int size() const { return nq_ + nv_ + nz_; }
  int nq() const { return nq_; }
  void pack(const State& state, std::span<double> y) const;
  // Projects y onto the constraint manifold, to rounding.
  [[nodiscard]] Status unpack(double time, std::span<const double> y, State& state);
  // The projected state at which f is evaluated, to the tolerance of set_projection_tolerance();
  // its time is at most the horizon.
  [[nodiscard]] Status projected_state(double time, std::span<const double> y, State& state);
  // The state of y before projection: quaternions normalized, prescribed joints on their motion.
  // For batches, which project many states at once as unpack() (end of a step) and
  // projected_state() (a stage) do, with these tolerances; after that, at the end of a step,
  // count_revolutions().
  void load_unprojected(double time, std::span<const double> y, State& state) const;
  static constexpr double end_tolerance = 1e-13;
  double stage_tolerance() const { return projection_tolerance_; }
  double horizon() const { return horizon_; }
  void count_revolutions(State& state) { run_inputs_.update_revolutions(state, acting_); }
  // f(t, y). Times are at most the horizon, before which no input jumps.
  [[nodiscard]] Status rhs(double time, std::span<const double> y, std::span<double> y_dot);
  // Fails, naming the joint, if an entry exceeds 1e100 or is not a number: the solution diverges.
  [[nodiscard]] Status expect_bounded(std::span<const double> y) const;
  // dq/dt alone, for the velocities in y.
  void rate(std::span<const double> y, std::span<double> q_dot);
  void set_horizon(double time) { horizon_ = time; }
  // Allowed constraint violation of the state at which f is evaluated, relative to the
  // characteristic length; it is noise in f to methods with tight tolerances.
  void set_projection_tolerance(double violation) { projection_tolerance_ = violation; }
  // Whether f may be evaluated without projection, at states that violate the constraints slightly:
  // for methods whose stages are near the solution. `in_short_steps`: only if no dof moves far in
  // the step, for methods without an error estimate, which would see a large violation. Ignored
  // with user-defined effort functions.
  enum class OpenStages { never, in_short_steps, always };
  void let_stages_be(OpenStages open) {
    open_stages_ = run_inputs_.have_functions() ? OpenStages::never : open;
    is_open_ = open_stages_ != OpenStages::never;
  }
  // Whether f is evaluated without projection in a step of length h from an accepted y with this
  // derivative: a function of the two alone, the same for all stages, because a method keeps its
  // order with projected stages and with open ones, but not with some of each.
  bool is_open_in_step(double h, std::span<const double> y_dot) const;
  void set_open(bool open) { is_open_ = open; }
  bool is_open() const { return is_open_ && crossing_ == nullptr; }

  // A trial step of length h begins at the last begin_here(), the evaluation of f at an accepted y.
  // Contact loads of the wheels over the evaluations of f, which computes them anyway, are those of
  // the step.
  void begin_here() { load_range_.begin_here(); }
  void begin_step(double h, std::span<const double> y_dot) {
    load_range_.begin_step();
    is_open_ = is_open_in_step(h, y_dot);
  }
  // Loads at the y of the last evaluation, directly after it; false if they are not known.
  [[nodiscard]] bool wheel_loads(std::vector<WheelLoad>& out);
  LoadRange::Verdict load_range() const { return load_range_.verdict(); }

  // The singular pose that may be crossed from here on; nullptr: no interpolation.
  void set_crossing(SingularCrossing* crossing) { crossing_ = crossing; }
  bool has_crossing() const { return crossing_ != nullptr; }
  SingularCrossing* crossing() const { return crossing_; }
  // If f is interpolated at y: the nearest node before the pose, where no interpolation is needed,
  // and its time.
  std::optional<double> leave_crossing(double time, std::span<const double> y,
                                       std::span<double> node);

  // Largest difference of y and `other` over all entries, relative to the tolerance: 1 is just
  // allowed. Positions are compared on their manifold.
  struct Tolerance {
    double relative, absolute;
  };
  double distance(std::span<const double> y, std::span<const double> other, Tolerance tolerance);
  // The same for the component of the difference tangent to the constraint manifold: near a
  // singular pose the normal components are rounding, which the projection removes. Infinity if y
  // cannot be projected.
  double distance_on_manifold(double time, std::span<const double> y, std::span<const double> other,
                              Tolerance tolerance);
  // Error of entry k of y that counts as 1 in distance(), at a value.
  double allowed(int k, double value, Tolerance tolerance) const;
  // Unit of entry k: a radian (half of it for quaternion components), or the characteristic length.
  double unit(int k) const { return unit_[std::size_t(k)]; }
  // Name of the entry with the largest difference in the last distance().
  std::string farthest() const { return name_of(farthest_); }

  long evaluations() const { return evaluations_; }  // number of evaluations of f

 private:
  void load(double time, std::span<const double> y, State& state) const;
  void stop_locked_joints(State& state) const;
  void follow(State& state) const;  // normalizes quaternions, applies prescribed motions and locks
  Status settle(State& state, double violation);
  Status close(State& state, double violation);  // projection without a crossing
  // Accelerations of a projected state by the inputs evaluated last.
  Status accelerations(const State& state, std::span<double> a);
  // Accelerations of state_, which was projected by interpolation: interpolated from those of the
  // nodes.
  Status interpolate_accelerations(std::span<double> a);
  // Accelerations alone, at state_ without projection; false if y has to be projected first.
  bool rhs_where_it_is(double time, std::span<const double> y, std::span<double> a);
  void note_loads();  // after an evaluation
  // Names of entries: positions of all dofs, then velocities, then z.
  std::string name_of(int k) const;

  const Model& model_;
  const SimulationInputs& run_inputs_;
  Workspace& workspace_;
  int nq_, nv_, nz_;
  double horizon_, projection_tolerance_ = 1e-10;
  State state_;
  SimulationInputs::Acting acting_;
  std::vector<double> q_, other_q_, apart_, scale_;  // scale_: 1 rad or a length
  std::vector<double> unit_;                         // per entry of y
  int farthest_ = 0;
  long evaluations_ = 0;
  OpenStages open_stages_ = OpenStages::never;
  bool is_open_ = false;  // f is evaluated without projection
  SingularCrossing* crossing_ = nullptr;
  bool is_interpolated_ = false;  // the state projected last
  std::vector<double> node_a_, first_node_a_;
  bool has_loads_;  // some wheel carries load
  WheelMultipliers multipliers_;
  LoadRange load_range_;
};

}  // namespace trammel
