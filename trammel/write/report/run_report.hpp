// Report of a motion while it is simulated.
#pragma once

#include <span>

#include "trammel/simulate/checks/audit.hpp"
#include "trammel/simulate/recorder.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/write/report/report.hpp"

namespace trammel {

// Adds audit lines, all marked as not good, for exceeded limits and for wheels that would lift off
// or slip.
void add_event_lines(std::span<const EventRecord> events, MotionReport& report);

// Observer of a run: body poses, and joint reactions and contact forces as arrows.
class RunReport {
 public:
  RunReport(const Model& model, const SimulationInputs& run_inputs);

  [[nodiscard]] Status observe(const State& state, Workspace& workspace);
  // For a mechanism that events may have changed.
  [[nodiscard]] Status observe(const RunSnapshot& snapshot);

  // Adds the recording, which must have the same samples, and the statistics. `stopped`: the reason
  // why the run did not reach its end; may be empty.
  MotionReport finish(const Recording& recording, const Audit& audit, const RunOptions& options,
                      const RunStatistics& statistics, const std::string& stopped = {}) const;

 private:
  void see_forces(const RunSnapshot& snapshot, const Positions& positions);

  const Model& model_;
  const SimulationInputs& run_inputs_;
  MotionReport report_;
};

}  // namespace trammel
