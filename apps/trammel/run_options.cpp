#include "run_options.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "numbers.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/model/description/run_words.hpp"
#include "trammel/simulate/checks/described_run.hpp"
#include "trammel/simulate/checks/run_checks.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel::cli {

void RunChoices::offer_steps(CLI::App& app) {
  app.add_option("--duration", duration_, "duration [s]; default: that of the model, else 10")
      ->type_name("TIME");
  app.add_option("--method", method_,
                 "dormand-prince (adaptive steps), extrapolation (adaptive, order 8), radau or bdf "
                 "(adaptive, for stiff systems), rk4 or semi-implicit-euler (fixed steps)")
      ->type_name("METHOD");
  app.add_option("--tolerance", tolerance_, "relative error per step; default: 1e-8")
      ->type_name("NUMBER");
  app.add_option("--step", step_,
                 "step of rk4 and semi-implicit-euler; longest step of the other methods [s]")
      ->type_name("TIME");
  app.add_option("--wall-limit", wall_limit_,
                 "end the run after this wall-clock time, as Ctrl-C does; exit code 124")
      ->type_name("TIME");
}

void RunChoices::offer(CLI::App& app) {
  offer_steps(app);
  app.add_option("--sample", sample_,
                 "interval between samples [s]; default: a thousandth of the duration (whole "
                 "steps of rk4 and semi-implicit-euler); 0: every step")
      ->type_name("TIME");
  app.add_option("--record", record_,
                 fmt::format("recorded quantities; default: positions,velocities,energy; of {}; or "
                             "single columns, as q.elbow, frame.tip.* (* matches anything)",
                             fmt::join(run_quantities, ", ")))
      ->type_name("QUANTITIES");
}

namespace {

double time_above_zero(const std::string& text, std::string_view option) {
  const double time = number(text, option, dimension::time);
  if (!(time > 0))
    throw UsageError(fmt::format("option {} is '{}'", option, text), "it takes a time above 0");
  return time;
}

}  // namespace

RunOptions RunChoices::options(const Model& model) const {
  RunWishes wishes;
  if (!duration_.empty()) wishes.duration = time_above_zero(duration_, "--duration");
  if (!step_.empty()) wishes.step = time_above_zero(step_, "--step");
  if (!tolerance_.empty()) wishes.tolerance = number(tolerance_, "--tolerance", dimension::none);
  if (!sample_.empty()) wishes.sample = number(sample_, "--sample", dimension::time);
  if (!method_.empty()) {
    wishes.method = method_named(method_);
    if (!wishes.method) {
      const auto near = suggest(method_, method_names());
      throw UsageError(fmt::format("there is no method '{}'", method_),
                       near ? fmt::format("did you mean '{}'?", *near)
                            : fmt::format("there are {}", fmt::join(method_names(), ", ")));
    }
  }
  RunOptions options = run_options(model, wishes);
  if (!wall_limit_.empty()) options.wall_limit = time_above_zero(wall_limit_, "--wall-limit");
  if (wishes.step)
    if (const Status status = check_step("option --step is", options.step, 0, options.duration,
                                         double(options.most_steps));
        !status)
      throw UsageError(status.message());
  return options;
}

std::vector<std::string> RunChoices::recorded(const Model& model) const {
  const std::vector<std::string> names = record_.empty() ? run_record(model) : split(record_);
  const std::vector<std::string> known(run_quantities.begin(), run_quantities.end());
  for (const std::string& name : names) {
    if (name.find_first_of(".*") == std::string::npos) {
      if (std::ranges::find(known, name) != known.end()) continue;
      const auto near = suggest(name, known);
      throw UsageError(fmt::format("there is no quantity '{}' to record", name),
                       near ? fmt::format("did you mean '{}'?", *near)
                            : fmt::format("there are {}", fmt::join(known, ", ")));
    }
    const std::vector<std::string> columns = recorded_columns(model);
    if (std::ranges::any_of(columns, [&](const auto& column) { return is_like(name, column); }))
      continue;
    const auto near = suggest(name, columns);
    throw UsageError(fmt::format("there is no column '{}' to record", name),
                     near ? fmt::format("did you mean '{}'?", *near)
                          : "a run with --record and whole quantities shows their columns");
  }
  return names;
}

}  // namespace trammel::cli
