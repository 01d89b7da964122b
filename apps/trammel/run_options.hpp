// Options of a run: integration method and recorded quantities, from the command line and the
// model.
#pragma once

#include <string>
#include <vector>

#include "terminal.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/write/run/run_record.hpp"

namespace trammel::cli {

class RunChoices {
 public:
  void offer(CLI::App& app);        // all of them
  void offer_steps(CLI::App& app);  // without --sample and --record
  // The command line overrides the model's [run], which overrides the defaults. Throws UsageError.
  RunOptions options(const Model& model) const;
  // Quantities, and single columns.
  std::vector<std::string> recorded(const Model& model) const;
  // Warning if the default interval between samples of a run was much longer than its steps; empty
  // if it was not, or was chosen.
  std::string sampling_warning(const Model& model, const RunRecord& run) const;

 private:
  std::string duration_, method_, tolerance_, step_, sample_, record_, wall_limit_;
};

}  // namespace trammel::cli
