// The mechanism as it is now, in a run on which joints lock, hands grasp and stops hold: each way
// it is held is a model of its own, made when it is needed. The tree is the same in all of them.
#pragma once

#include <memory>

#include "trammel/simulate/stops.hpp"

namespace trammel {

// Whether the mechanism is another one after it.
inline bool changes(const EventDescription& event) {
  return !event.lock.empty() || !event.unlock.empty() || !event.grasp.empty() ||
         !event.release.empty();
}

class Modes {
 public:
  Modes(const Model& model, const Drives& drives, Workspace& workspace);
  ~Modes();

  // Without the stops that hold, and with them.
  Moment released(const State& state) { return at(state, released_.get()); }
  Moment now(const State& state) { return at(state, held_ ? held_.get() : released_.get()); }
  // Whether it is as it was when the run began.
  bool is_unchanged() const { return !released_ && !held_; }

  // Does the model have what an event names? Fails, with all that it has not.
  [[nodiscard]] Status check(const EventDescription& event) const;
  // What happens: joints stay where they are, constraints hold what they find. The velocities jump
  // to those that are left of them, and `lost` grows by the kinetic energy that takes. Fails, and
  // says why, where the mechanism that comes of it cannot be.
  [[nodiscard]] Status happen(const EventDescription& event, State& state, double& lost);
  // These stops hold from now on, and no others.
  [[nodiscard]] Status hold(const std::vector<Stop>& stops);
  const std::vector<Stop>& holding() const { return holding_; }
  // What pushes each of those that hold, as long as it is above 0.
  [[nodiscard]] Status pushes(const State& state, std::vector<double>& out);

 private:
  struct Mode;
  Moment at(const State& state, Mode* mode);
  std::unique_ptr<Mode> make(const Description& description) const;
  void grasp_as_found(const std::string& constraint, const State& state, Description& description);

  const Model& model_;
  const Drives& drives_;
  Workspace& workspace_;
  std::unique_ptr<Mode> released_, held_;  // none: as it began
  std::vector<Stop> holding_;
};

}  // namespace trammel
