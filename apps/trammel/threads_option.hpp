// Option --threads: the workspaces of one large model use several threads.
#pragma once

#include <string>

#include "trammel/dynamics/workspace.hpp"

namespace CLI {
class App;
}

namespace trammel::cli {

class ThreadsOption {
 public:
  void offer(CLI::App& app);
  void check() const;  // throws UsageError
  Workspace workspace(const Model& model) const;

 private:
  int count() const;
  std::string threads_ = "1";
};

}  // namespace trammel::cli
