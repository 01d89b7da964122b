// Discrete modes of the mechanism in a run with locking joints, grasps and stops: each mode is a
// model of its own, built when it is needed. All have the same tree.
#pragma once

#include <memory>

#include "trammel/simulate/events/stops.hpp"

namespace trammel {

// Whether the event changes the model.
inline bool changes(const EventDescription& event) {
  return !event.lock.empty() || !event.unlock.empty() || !event.grasp.empty() ||
         !event.release.empty();
}

class Modes {
 public:
  Modes(const Model& model, const SimulationInputs& run_inputs, Workspace& workspace);
  ~Modes();

  // The current mode without and with the closed stops.
  RunSnapshot released(const State& state) { return at(state, released_.get()); }
  RunSnapshot now(const State& state) {
    return at(state, with_stops_ ? with_stops_.get() : released_.get());
  }
  // Whether the mode is that of the start.
  bool is_unchanged() const { return !released_ && !with_stops_; }

  // Fails, with a list, if the model lacks joints or constraints that an event names.
  [[nodiscard]] Status check(const EventDescription& event) const;
  // Executes an event: joints lock where they are, constraints keep the relative poses they find.
  // Velocities are projected onto the new constraints, and `lost` grows by the loss of kinetic
  // energy. Fails, with the reason, if the new model cannot be built.
  [[nodiscard]] Status handle_events(const EventDescription& event, State& state, double& lost);
  // Closes these stops and opens all others.
  [[nodiscard]] Status hold(const std::vector<Stop>& stops);
  const std::vector<Stop>& holding() const { return holding_; }
  // Contact force of each closed stop; a stop with a negative force has to open.
  [[nodiscard]] Status pushes(const State& state, std::vector<double>& out);

 private:
  struct Mode;
  RunSnapshot at(const State& state, Mode* mode);
  std::unique_ptr<Mode> make(const Description& description) const;
  void grasp_as_found(const std::string& constraint, const State& state, Description& description);

  const Model& model_;
  const SimulationInputs& run_inputs_;
  Workspace& workspace_;
  std::unique_ptr<Mode> released_, with_stops_;  // none: as at the start
  std::vector<Stop> holding_;
};

}  // namespace trammel
