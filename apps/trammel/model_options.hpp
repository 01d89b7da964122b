// MODEL and the options that change it.
#pragma once

#include <string>
#include <vector>

#include "terminal.hpp"
#include "trammel/read/load.hpp"

namespace trammel::cli {

class ModelOptions {
 public:
  void offer(CLI::App& app);          // the positional MODEL, what reads it, and --gravity
  void offer_reading(CLI::App& app);  // --set, --base, --package, --strict ...
  void offer_set(CLI::App& app);      // --set alone

  ReadOptions read_options() const;  // throws UsageError
  // MODEL, or the file `other`; warnings are printed.
  Model load(const Terminal& terminal, const std::string& other = {}) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_, gravity_, base_ = "fixed";
  std::vector<std::string> set_, packages_;
  bool strict_ = false, allow_nonphysical_ = false;
};

// An option that may be given several times, with one value each time.
void offer_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                    const std::string& type, const std::string& meaning);

}  // namespace trammel::cli
