// Values monitored by events: coordinates, columns of a recording, user functions.
#pragma once

#include "trammel/simulate/events/event_function.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel {

class EventValues {
 public:
  EventValues(const Model& model, const SimulationInputs& run_inputs)
      : model_(model), run_inputs_(run_inputs) {}

  // Adds the value of an event of the description: a joint coordinate, or a column by its name in a
  // recording. Fails, with a suggestion, if it is neither. `out` is the index of the value.
  [[nodiscard]] Status add(const EventDescription& event, int& out);
  int add(const EventFunction& event);

  // Evaluates all values at a snapshot; `loop_q` comes from SimulationInputs::read_loops. Fails
  // where a column or a function is not defined; a column of a loop that no longer exists is nan.
  [[nodiscard]] Status evaluate(const RunSnapshot& snapshot, std::span<const double> loop_q);
  double operator[](int k) const { return values_[std::size_t(k)]; }

 private:
  struct Source {
    int q = -1;         // index of a tree coordinate, or
    int loop_dof = -1;  // dof of a loop joint, or
    int column = -1;    // column of the recorder, or
    const EventFunction* function = nullptr;
  };
  int add(Source source);
  int column_of(const std::string& name);
  std::string listed(const NamedJoint& joint) const;

  const Model& model_;
  const SimulationInputs& run_inputs_;
  std::vector<Source> sources_;
  std::vector<std::string> columns_;
  std::unique_ptr<Recorder> recorder_;  // for the columns
  std::vector<double> values_;
};

}  // namespace trammel
