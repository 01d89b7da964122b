#include "trammel/model/build/with_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"

namespace trammel {

namespace {

[[noreturn]] void refuse(const Description& description, const std::string& name) {
  if (std::ranges::find(description.definitions, name, &DefinitionDescription::name) !=
      description.definitions.end())
    throw std::invalid_argument(
        fmt::format("with_parameters: '{}' is a formula of other parameters: give those, or set it "
                    "when the file is loaded",
                    name));
  std::vector<std::string> known;
  for (const ParameterDescription& parameter : description.parameters)
    known.push_back(parameter.name);
  const auto near = suggest(name, known);
  throw std::invalid_argument(fmt::format(
      "with_parameters: the model '{}' has no parameter '{}'; {}", description.name, name,
      near            ? fmt::format("did you mean '{}'?", *near)
      : known.empty() ? "it has none"
                      : fmt::format("its parameters are {}", fmt::join(known, ", "))));
}

}  // namespace

Model with_parameters(const Model& model, const std::vector<std::pair<std::string, double>>& values,
                      const BuildOptions& options) {
  Description description = model.description();
  for (const auto& [name, value] : values) {
    const auto parameter =
        std::ranges::find(description.parameters, name, &ParameterDescription::name);
    if (parameter == description.parameters.end()) refuse(description, name);
    if (!std::isfinite(value))
      throw std::invalid_argument(fmt::format(
          "with_parameters: '{}' is {}: give it a finite number, in SI units", name, value));
    parameter->value = value;
  }
  return build_model(std::move(description), {}, options);
}

}  // namespace trammel
