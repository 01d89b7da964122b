// Options of a run: integration method and recorded quantities, from the command line and the
// model.
#pragma once

#include <string>
#include <vector>

#include "terminal.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel::cli {

class RunChoices {
 public:
  void offer(CLI::App& app);        // all of them
  void offer_steps(CLI::App& app);  // without --sample and --record
  // The command line overrides the model's [run], which overrides the defaults. Throws UsageError.
  RunOptions options(const Model& model) const;
  // Quantities, and single columns.
  std::vector<std::string> recorded(const Model& model) const;

 private:
  std::string duration_, method_, tolerance_, step_, sample_, record_, wall_limit_;
};

}  // namespace trammel::cli
