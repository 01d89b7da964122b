#include "trammel/simulate/checks/described_run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/simulate/checks/run_checks.hpp"

namespace trammel {

namespace {

double usual_sample(const RunOptions& options) {
  const double thousandth = options.duration / 1000;
  if (!takes_fixed_steps(options.method) || !(options.step > 0)) return thousandth;
  return options.step * std::max(1.0, std::ceil(thousandth / options.step - 1e-9));
}

}  // namespace

RunOptions run_options(const Model& model, const RunWishes& wishes) {
  RunOptions options;
  RunWishes description;
  if (const auto& run = model.description().run) {
    const Values<double> value = evaluate_at_nominal(model.description());
    if (run->duration) description.duration = value(*run->duration);
    if (run->tolerance) description.tolerance = value(*run->tolerance);
    if (run->step) description.step = value(*run->step);
    if (run->sample) description.sample = value(*run->sample);
    if (!run->method.empty()) {
      description.method = method_named(run->method);
      if (!description.method && !wishes.method)
        throw std::invalid_argument(fmt::format("run: there is no method '{}'; there are {}",
                                                run->method, fmt::join(method_names(), ", ")));
    }
  }
  const auto choose = [&](auto wish, auto& out) {
    if (wishes.*wish || description.*wish) out = *(wishes.*wish ? wishes.*wish : description.*wish);
  };
  choose(&RunWishes::duration, options.duration);
  choose(&RunWishes::tolerance, options.relative);
  choose(&RunWishes::step, options.step);
  choose(&RunWishes::method, options.method);
  options.absolute = options.relative / 100;
  options.sample = usual_sample(options);
  choose(&RunWishes::sample, options.sample);
  // an error in the step of the file is reported with its place; other steps are the caller's
  if (description.step && !wishes.step && *description.step > 0)
    if (const Status status = check_step("the step is", options.step, 0, options.duration,
                                         double(options.most_steps));
        !status) {
      Diagnostics found;
      found.error(model.description().run->place.of("step"), status.message());
      throw ModelError(std::move(found));
    }
  return options;
}

std::vector<std::string> run_record(const Model& model) {
  if (const auto& run = model.description().run; run && !run->record.empty()) return run->record;
  return {"positions", "velocities", "energy"};
}

}  // namespace trammel
