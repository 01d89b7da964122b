// One run of simulate(): its state, its steps, its events and its samples. Internal to this module.
//
// simulate.cpp: the loop over steps and the choice of the step size; simulation_run_start.cpp:
// start and checkpoints; simulation_run_events.cpp: the end of a step, with events and samples.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trammel/simulate/checks/interruption.hpp"
#include "trammel/simulate/events/event_log.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {

class SimulationRun {
 public:
  SimulationRun(const Model& model, State& state, const SimulationInputs& run_inputs,
                const RunOptions& options, Workspace& workspace, const Observer& observer,
                RunStatistics& statistics, const Checkpoints& checkpoints);

  // From breakpoint to breakpoint of the inputs, until the end or an event that ends the run.
  Status go();

 private:
  // Steps.
  double target() const;
  double next_sample() const;
  Status step_fixed();
  Status step_chosen();
  Status step_of_its_own();
  Status take(double h, bool& has_next_rhs);
  double miss_of(double end);
  double first_step();

  // Start, changes of the model, checkpoints.
  void set_projection_tolerance();
  Status begin();
  void enter();
  Status go_on_from(const Checkpoint& checkpoint);
  Status keep();
  bool is_under_way() const { return time_ < end_ && !event_log_.is_over(); }
  Status interrupted() const;
  Status stopped(const std::string& why) const;

  // Singular poses that a step may come near.
  void find_crossing(double h);
  void begin_crossing();

  // End of a step: events, samples, the new state.
  Status accept(double end, bool has_next_rhs);
  Status detect_events(double& end, bool& has_next_rhs, bool& happens);
  Status handle_events();
  bool read_wheel_loads(double end);
  Status record_step(double h, double covered, bool has_loads);
  bool is_sample_time() const;
  Status show();

  static constexpr double safety = 0.9, least = 0.2, most = 5;
  // Bound of the integration error of redundant wheel layouts, in steps with the largest allowed
  // error; in angles, of which pivots show a part, it is some hundred steps.
  static constexpr double steps_wrong = 10;

  State& state_;
  const RunOptions& options_;
  const bool rolls_;  // the model has wheels
  const Observer& observer_;
  const Checkpoints& checkpoints_;
  RunStatistics& statistics_;
  Interruption interruption_;
  EventLog event_log_;
  std::optional<OdeSystem> ode_;
  std::optional<SingularCrossing> crossing_;  // made when a singular pose comes near
  std::unique_ptr<Integrator> integrator_;
  double start_, end_, time_, breakpoint_ = 0, h_ = 0, last_miss_ = 1e-4;
  double tried_ = 0;  // length of the last trial step
  bool was_rejected_ = false, has_y_dot_ = false;
  long samples_ = 0, grid_ = 0;       // completed
  long grid_before_ = 0;              // before the current step
  long evaluations_before_ = 0;       // before the current OdeSystem was made
  std::vector<double> sample_times_;  // additional sample times
  std::vector<double> breakpoints_, y_, y_dot_, next_, other_, next_dot_;
  std::vector<WheelLoad> loads_;  // of the wheels, at the end of a step
  State shown_, ended_;           // state between steps; state at the end of a step
};

}  // namespace trammel
