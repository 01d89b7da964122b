// A motion over time, as said on the command line: where it begins, what drives it, in which mode.
#pragma once

#include "run_options.hpp"
#include "state_options.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel::cli {

class MotionOptions {
 public:
  // What RunChoices offers goes before.
  void offer(CLI::App& app);

  // Throws UsageError for a mode that is not there, and for what is said of one moment only.
  void check() const;
  Situation situation(const Model& model) const { return state_.situation(model); }
  void question_angles(const Model& model, const Terminal& terminal) const {
    state_.question_angles(model, terminal);
  }
  // Brings the start to where prescribed motions begin; what is given stays, or is refused.
  void lead_to_plans(const Model& model, const Drives& drives, Situation& situation) const;
  // With the efforts and wrenches of the command line, which act all the time.
  Drives drives(const Model& model, const Situation& situation) const;
  const std::string& state_file() const { return state_.file(); }
  const std::string& mode() const { return mode_; }
  // simulate, drive_through or hold_through
  using Follow = Status (*)(const Model& model, State& state, const Drives& drives,
                            const RunOptions& options, Workspace& workspace, const Watch& watch,
                            RunFacts& facts, const Checkpoints& checkpoints);
  Follow follow() const;

 private:
  StateOptions state_;
  std::string mode_ = "dynamic";
};

}  // namespace trammel::cli
