// A motion that is simulated, on its way to a page.
#pragma once

#include <span>

#include "trammel/simulate/audit.hpp"
#include "trammel/simulate/recorder.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/write/report.hpp"

namespace trammel {

// Audit lines, none of them good, for limits passed and for wheels that would lift off or slip.
void add_event_lines(std::span<const Happening> happenings, MotionReport& report);

// Watches a run: where bodies are, and what joints carry, as arrows.
class RunReport {
 public:
  RunReport(const Model& model, const Drives& drives);

  [[nodiscard]] Status see(const State& state, Workspace& workspace);
  // Of a mechanism that may have changed since.
  [[nodiscard]] Status see(const Moment& moment);

  // With what was recorded meanwhile, sample by sample the same ones, and how it went. `stopped`:
  // why it did not reach its end; may be empty.
  MotionReport finish(const Recording& recording, const Audit& audit, const RunOptions& options,
                      const RunFacts& facts, const std::string& stopped = {}) const;

 private:
  void see_forces(const Moment& moment, const Positions& positions);

  const Model& model_;
  const Drives& drives_;
  MotionReport report_;
};

}  // namespace trammel
