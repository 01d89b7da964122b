// Lockstep batch: several runs of one model that take every step together.
#pragma once

#include <Eigen/Core>
#include <string>

#include "trammel/dynamics/batch.hpp"
#include "trammel/simulate/events/rank_watch.hpp"
#include "trammel/simulate/integrate/fixed_steps.hpp"
#include "trammel/simulate/integrate/ode_system.hpp"

namespace trammel {

class LockstepBatch {
 public:
  // `lanes_workspace`: buffers of the batch kernels for one worker.
  LockstepBatch(const Model& model, const SimulationInputs& run_inputs, void* lanes_workspace,
                int runs);

  // Starts from these states: q is nq x runs, v is nv x runs, contiguous; at most the number of
  // runs given to the constructor.
  void begin(const double* q, const double* v, int runs);
  // Steps of y = [q | v | z], one column per run. Runs that fail keep their state, and stopped()
  // has the reason.
  void step_rk4(const FixedStep& step);
  void step_semi_implicit_euler(const FixedStep& step);
  auto q() const { return y_.topRows(ode_.nq()).leftCols(runs_); }
  auto v() const { return y_.middleRows(ode_.nq(), nv_).leftCols(runs_); }
  const std::string& stopped(int run) const { return stopped_[std::size_t(run)]; }
  // The run stopped because its loops come near a singular pose, or their rank changes. Crossing it
  // needs interpolation: simulate() has to repeat the run from its start.
  bool is_near_singular_pose(int run) const { return is_near_[std::size_t(run)] != 0; }

 private:
  using Columns = Eigen::MatrixXd;
  // Right-hand side of each run, without projection where is_open_.
  void rhs(double time, const Columns& y, Columns& y_dot);
  void rhs_by_lanes(double time, const Columns& y, Columns& y_dot);
  void rhs_alone(int run, double time, const Columns& y, Columns& y_dot);
  enum class Projection { stage, end_of_step };
  void project(double time, const Columns& y, Projection at);
  void load_projected(int run, double time, const Columns& y);  // state_, with q_ and v_
  void settle(const FixedStep& step);
  void stop(int run, const std::string& why);
  void look_ahead(double h);               // stops runs that may come near a singular pose
  void check_step(int run, double begin);  // checks the step that ended at state_

  const Model& model_;
  const SimulationInputs& run_inputs_;
  void* const lanes_workspace_;
  Workspace workspace_;
  OdeSystem ode_;
  int nv_, runs_ = 0;
  bool by_lanes_, is_flat_;  // is_flat: no quaternions and no constraints, y needs no projection
  SimulationInputs::Acting acting_;
  State state_;
  double time_ = 0;
  Columns y_, next_, stage_, stages_[5];
  std::vector<char> is_open_;  // per run: the stages of this step are not projected
  bool has_y_dot_ = false;     // the first of stages_ is already known
  Columns q_, v_, tau_, a_;    // in the layout of the kernels
  std::vector<char> is_sure_;
  std::vector<std::string> stopped_;
  std::vector<RankWatch> watches_;  // one per run, if there are loops
  std::vector<State> at_;           // state of each of these runs
  std::vector<char> is_near_;
};

}  // namespace trammel
