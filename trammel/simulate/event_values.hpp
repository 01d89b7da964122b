// Values monitored by events: coordinates, columns of a recording, user functions.
#pragma once

#include "trammel/simulate/event_function.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel {

class EventValues {
 public:
  EventValues(const Model& model, const SimulationInputs& drives) : model_(model), drives_(drives) {}

  // Adds the value of an event of the description: a joint coordinate, or a column by its name in a
  // recording. Fails, with a suggestion, if it is neither. `out` is the index of the value.
  [[nodiscard]] Status add(const EventDescription& event, int& out);
  int add(const EventFunction& event);

  // Evaluates all values at a snapshot; `loop_q` comes from SimulationInputs::read_loops. Fails
  // where a column or a function is not defined; a column of a loop that no longer exists is nan.
  [[nodiscard]] Status look(const RunSnapshot& moment, std::span<const double> loop_q);
  double operator[](int k) const { return values_[std::size_t(k)]; }

 private:
  struct Source {
    int q = -1;             // index of a tree coordinate, or
    int loop_freedom = -1;  // dof of a loop joint, or
    int column = -1;        // column of the recorder, or
    const EventFunction* function = nullptr;
  };
  int add(Source source);
  int column_of(const std::string& name);

  const Model& model_;
  const SimulationInputs& drives_;
  std::vector<Source> sources_;
  std::vector<std::string> columns_;
  std::unique_ptr<Recorder> recorder_;  // for the columns
  std::vector<double> values_;
};

}  // namespace trammel
