// The numbers that events wait for: coordinates, columns of a recording, functions of the user's.
#pragma once

#include "trammel/simulate/event_function.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel {

class EventValues {
 public:
  EventValues(const Model& model, const Drives& drives) : model_(model), drives_(drives) {}

  // What an event of the description waits for: a joint's coordinate, or a column by its name in a
  // recording. Fails, and says what there is, where it is neither. `out` is its number here.
  [[nodiscard]] Status add(const EventDescription& event, int& out);
  int add(const EventFunction& event);

  // All of them at a moment; `loop_q` is what Drives::read_loops has found. Fails where a column or
  // a function has no answer; of a loop that is gone, a column is nan.
  [[nodiscard]] Status look(const Moment& moment, std::span<const double> loop_q);
  double operator[](int k) const { return values_[std::size_t(k)]; }

 private:
  struct Source {
    int q = -1;             // the coordinate, or
    int loop_freedom = -1;  // of a joint that closes a loop, or
    int column = -1;        // of the recorder, or
    const EventFunction* function = nullptr;
  };
  int add(Source source);
  int column_of(const std::string& name);

  const Model& model_;
  const Drives& drives_;
  std::vector<Source> sources_;
  std::vector<std::string> columns_;
  std::unique_ptr<Recorder> recorder_;  // of the columns
  std::vector<double> values_;
};

}  // namespace trammel
