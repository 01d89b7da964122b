#include "run_options.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "numbers.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/model/column_name.hpp"
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

// An adaptive method takes some fifty steps for each period of the fastest motion, so a sample for
// every few_steps has about three for a period.
constexpr double few_steps = 20;

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
  if (takes_fixed_steps(options.method) && !(options.step > 0))
    throw UsageError(fmt::format("the method {} takes steps of one length, and none is given",
                                 to_string(options.method)),
                     "give it by --step, as in --step 1ms, or as step in the model's [run]");
  if (wishes.step)
    if (const Status status = check_step("option --step is", options.step, 0, options.duration,
                                         double(options.most_steps));
        !status)
      throw UsageError(status.message());
  return options;
}

std::string RunChoices::sampling_warning(const Model& model, const RunRecord& run) const {
  const bool is_chosen =
      !sample_.empty() || (model.description().run && model.description().run->sample);
  const double interval = run.metadata.options.sample;
  const long steps = run.statistics.steps;
  if (is_chosen || steps == 0 || interval < 0.1) return {};
  const double step = (run.statistics.end - run.metadata.start.time) / double(steps);
  if (interval < few_steps * step) return {};
  return fmt::format(
      "warning: samples are {:.3g} s apart, and steps were {:.2g} s long: a fast motion is not "
      "seen "
      "in them; --sample {:.1g} records more",
      interval, step, interval / 100);
}

std::vector<std::string> RunChoices::recorded(const Model& model) const {
  const std::vector<std::string> names = record_.empty() ? run_record(model) : split(record_);
  const std::vector<std::string> known(run_quantities.begin(), run_quantities.end());
  for (const std::string& given : names) {
    const std::string name = with_label(given, model.description());
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
