// Options of one state of a mechanism and of the forces on it.
#pragma once

#include <string>
#include <vector>

#include "terminal.hpp"
#include "threads_option.hpp"
#include "trammel/constraint/assembly/assembly.hpp"

namespace trammel::cli {

// State and inputs of an evaluation; owns the arrays that Inputs points to.
struct StateAndInputs {
  State state;
  std::vector<double> a, tau, loop_a, loop_tau;
  std::vector<Wrench> wrenches;
  Support ground;
  AssemblyOptions assembly;  // fixed values and targets of the assembly
  std::vector<int> given_a;  // dofs with given accelerations: the others follow
  Inputs inputs() const {
    return {.tau = tau,
            .a = a,
            .wrenches = wrenches,
            .ground = ground,
            .loop_tau = loop_tau,
            .loop_a = loop_a};
  }
};

class StateOptions {
 public:
  void offer_position(CLI::App& app);  // --state --q --guess --assemble --reach --branch --starts
  void offer(CLI::App& app);           // and --v --a --tau --wrench --ground-velocity ...
  // And --v --tau --wrench; options for a single state are parsed, so that they can be refused by
  // name.
  void offer_over_time(CLI::App& app);
  // Assembly uses the threads of this option.
  void use(const ThreadsOption& threads) { threads_ = threads; }

  // Starts from assembled_start(model). Joints named in --q are moved from there by continuation
  // along the same assembly branch. Throws UsageError for unknown names and wrong sizes.
  StateAndInputs state_and_inputs(const Model& model) const;
  // The same before assembly.
  StateAndInputs guess(const Model& model) const;
  // Coordinates from [state.guess], of the model or of --state, that --q does not give.
  std::vector<int> guessed_coordinates(const Model& model) const;
  // Warns of angles in --q that were probably meant in degrees, and of angles too large for
  // doubles.
  void warn_about_angles(const Model& model, const Terminal& terminal) const;
  // --q is a complete list, and not a guess.
  bool lists_all_positions() const { return !assemble_ && lists_all(q_); }
  // Whether an option was given that some quantities do not use: "--a", "--tau", ...
  bool gives(std::string_view option) const;
  const std::string& file() const { return state_file_; }  // --state; empty: none

 private:
  AssemblyOptions assembly(const Model& model) const;
  int checked_starts() const;
  void close(const Model& model, const AssemblyOptions& assembly, State& state) const;
  State closed_start(const Model& model) const;
  bool lists_all(const std::vector<std::string>& given) const;
  void take_branch(const Model& model, const AssemblyOptions& assembly, State& state) const;
  void offer_acting(CLI::App& app);  // --tau --wrench
  bool gives_position() const { return !q_.empty() || !state_file_.empty(); }

  std::string state_file_, ground_velocity_, ground_acceleration_, branch_, starts_;
  std::vector<std::string> q_, v_, a_, tau_, wrenches_, reach_;
  bool assemble_ = false;
  std::vector<std::string> guess_;
  ThreadsOption threads_;
};

// "tool" or "forearm:0.1,0,0": a body or frame of the model, and a point in its axes. Throws
// UsageError with a suggestion.
FrameRef place(const Model& model, const std::string& text, std::string_view option);

// The model with the file's start in place of its own.
Model with_start_of(const Model& model, const std::string& path);

}  // namespace trammel::cli
