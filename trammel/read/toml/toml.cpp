#include "trammel/read/toml/toml.hpp"

#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/read/toml/model_reader.hpp"

namespace trammel::toml {

namespace {

std::vector<std::string> parameter_names(const Description& description) {
  std::vector<std::string> names;
  for (const ParameterDescription& parameter : description.parameters)
    names.push_back(parameter.name);
  for (const DefinitionDescription& definition : description.definitions)
    names.push_back(definition.name);
  return names;
}

// A file that is included twice has its errors reported once.
void pass_on_once(const Diagnostics& found, Diagnostics& diagnostics) {
  std::unordered_set<std::string> reported;
  for (const Diagnostic& description : found.list()) {
    if (!reported.insert(to_string(description)).second) continue;
    if (description.severity == Severity::error)
      diagnostics.error(description.place, description.message, description.hint);
    else
      diagnostics.warning(description.place, description.message, description.hint);
  }
}

}  // namespace

Description read_description(const Source& source, const ReadOptions& options,
                             Diagnostics& diagnostics) {
  std::vector<ParameterSetting> settings;
  for (const auto& [name, value] : options.set) settings.push_back({name, value});
  Inclusion inclusion{.options = options, .open = {source.name}};
  Diagnostics found;
  Description description = read_model(source, settings, inclusion, found);
  pass_on_once(found, diagnostics);

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

}  // namespace trammel::toml
