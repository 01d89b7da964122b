#include "run_options.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "numbers.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/model/description_numbers.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel::cli {

void RunChoices::offer(CLI::App& app) {
  app.add_option("--duration", duration_, "how long [s]; 10 unless the model says")
      ->type_name("TIME");
  app.add_option(
         "--method", method_,
         "dormand-prince (chooses its steps), extrapolation (the same, order 8), radau or bdf "
         "(the same, for stiff springs), rk4 or semi-implicit-euler")
      ->type_name("METHOD");
  app.add_option("--tolerance", tolerance_,
                 "how far one step may be wrong, relatively; 1e-8 unless said")
      ->type_name("NUMBER");
  app.add_option("--step", step_, "of rk4 and semi-implicit-euler; the longest of the others [s]")
      ->type_name("TIME");
  app.add_option("--sample", sample_,
                 "from one sample to the next [s]; a thousandth of the duration unless said, 0: "
                 "every step")
      ->type_name("TIME");
  app.add_option("--record", record_, "what is kept: positions,velocities,energy unless said")
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
  RunOptions options;
  std::string method = method_;
  bool says_sample = false;
  if (const auto& said = model.description().run) {
    const Values<double> value = evaluate_at_nominal(model.description());
    if (said->duration) options.duration = value(*said->duration);
    if (said->step) options.step = value(*said->step);
    if (said->tolerance) options.relative = value(*said->tolerance);
    if (said->sample) options.sample = value(*said->sample), says_sample = true;
    if (method.empty()) method = said->method;
  }
  if (!duration_.empty()) options.duration = time_above_zero(duration_, "--duration");
  if (!step_.empty()) options.step = time_above_zero(step_, "--step");
  if (!tolerance_.empty()) options.relative = number(tolerance_, "--tolerance", dimension::none);
  if (!sample_.empty()) options.sample = number(sample_, "--sample", dimension::time);
  if (sample_.empty() && !says_sample) options.sample = options.duration / 1000;
  options.absolute = options.relative / 100;
  if (!method.empty()) {
    const std::optional<Method> found = method_named(method);
    if (!found) {
      const auto near = suggest(method, method_names());
      throw UsageError(fmt::format("there is no method '{}'", method),
                       near ? fmt::format("did you mean '{}'?", *near)
                            : fmt::format("there are {}", fmt::join(method_names(), ", ")));
    }
    options.method = *found;
  }
  return options;
}

std::vector<std::string> RunChoices::recorded(const Model& model) const {
  std::vector<std::string> names{"positions", "velocities", "energy"};
  if (const auto& said = model.description().run; said && !said->record.empty())
    names = said->record;
  if (!record_.empty()) names = split(record_);
  std::vector<std::string> known;
  for (const RecordedQuantity& quantity : recorded_quantities()) known.emplace_back(quantity.name);
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end()) {
      const auto near = suggest(name, known);
      throw UsageError(fmt::format("there is no quantity '{}' to record", name),
                       near ? fmt::format("did you mean '{}'?", *near)
                            : fmt::format("there are {}", fmt::join(known, ", ")));
    }
  return names;
}

}  // namespace trammel::cli
