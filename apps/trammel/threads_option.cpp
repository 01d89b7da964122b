#include "threads_option.hpp"

#include <CLI/CLI.hpp>
#include <cmath>

#include <fmt/format.h>

#include "numbers.hpp"
#include "program.hpp"

namespace trammel::cli {

void ThreadsOption::offer(CLI::App& app) {
  app.add_option("--threads", threads_,
                 "threads for one large model, with the same results (0: one per core; default: 1)")
      ->type_name("N");
}

void ThreadsOption::check() const { static_cast<void>(count()); }

int ThreadsOption::count() const {
  constexpr int most = 64;
  const double threads = number(threads_, "--threads");
  if (!(threads >= 0 && threads <= most) || threads != std::floor(threads))
    throw UsageError(fmt::format("option --threads is '{}'", threads_),
                     fmt::format("it takes 1 to {}, or 0 for one per core", most));
  return int(threads);
}

Workspace ThreadsOption::workspace(const Model& model) const {
  Workspace workspace(model);
  workspace.set_threads(model, count());
  return workspace;
}

}  // namespace trammel::cli
