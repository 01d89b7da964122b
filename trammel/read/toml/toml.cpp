#include "trammel/read/toml.hpp"

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/read/toml/model_reader.hpp"

namespace trammel {

namespace {

std::vector<std::string> parameter_names(const Description& description) {
  std::vector<std::string> names;
  for (const ParameterDescription& parameter : description.parameters)
    names.push_back(parameter.name);
  for (const DefinitionDescription& definition : description.definitions)
    names.push_back(definition.name);
  return names;
}

}  // namespace

Description read_toml(const Source& source, const ReadOptions& options, Diagnostics& diagnostics) {
  std::vector<ParameterSetting> settings;
  for (const auto& [name, value] : options.set) settings.push_back({name, value});
  Inclusion inclusion{.options = options, .open = {source.name}};
  Description description = read_model(source, settings, inclusion, diagnostics);

  const std::vector<std::string> known = parameter_names(description);
  for (const ParameterSetting& setting : settings) {
    if (setting.is_used) continue;
    const auto meant = suggest(setting.name, known);
    diagnostics.error({source.name, 0, 0},
                      fmt::format("there is no parameter '{}' to set", shortened(setting.name)),
                      meant ? fmt::format("did you mean '{}'?", *meant)
                      : known.empty()
                          ? "the file has no parameters"
                          : fmt::format("its parameters are {}", fmt::join(known, ", ")));
  }
  return description;
}

}  // namespace trammel
