// How a motion is followed and what is kept of it, as said on the command line and in the model.
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
  // What the command line leaves open the model's [run] says, what that leaves open is usual.
  // Throws UsageError.
  RunOptions options(const Model& model) const;
  // Quantities, and single columns.
  std::vector<std::string> recorded(const Model& model) const;

 private:
  std::string duration_, method_, tolerance_, step_, sample_, record_, wall_limit_;
};

}  // namespace trammel::cli
