#include "trammel/read/toml/load_path.hpp"

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/read/toml/path.hpp"

namespace trammel {

namespace {

constexpr std::string_view section = "path.";

// parameters and definitions by their nominal values
toml::Scope nominal_scope(const Description& description) {
  toml::Scope scope;
  for (const ParameterDescription& parameter : description.parameters)
    scope.add(parameter.name, {parameter.value});
  for (const DefinitionDescription& definition : description.definitions)
    scope.add(definition.name, {toml::nominal_value(description, definition.formula)});
  return scope;
}

}  // namespace

std::vector<std::string> path_names(const Description& description) {
  std::vector<std::string> names;
  for (const RawSection& section_found : description.raw_sections)
    if (section_found.name.starts_with(section))
      names.push_back(section_found.name.substr(section.size()));
  return names;
}

std::optional<PathDescription> read_path(const Description& description, const std::string& name,
                                         const std::string& text, Diagnostics& diagnostics) {
  const Source source{name, text};
  const std::optional<toml::Value> table = toml::parse_document(source, diagnostics);
  if (!table) return std::nullopt;
  Diagnostics found;
  std::optional<PathDescription> path;
  {
    toml::Report report(source, found);
    toml::Owner owner{fmt::format("path '{}'", name), report.place(table->position)};
    path =
        toml::read_path_table(owner, *table, nominal_scope(description), description, report).path;
  }
  diagnostics.append(found);
  return found.has_errors() ? std::nullopt : path;
}

std::optional<PathDescription> find_path(const Description& description, const std::string& name,
                                         Diagnostics& diagnostics) {
  for (const RawSection& section_found : description.raw_sections)
    if (section_found.name == fmt::format("{}{}", section, name))
      return read_path(description, name, section_found.text, diagnostics);
  const std::vector<std::string> names = path_names(description);
  const auto meant = suggest(name, names);
  diagnostics.error(description.source, fmt::format("the model has no path '{}'", shortened(name)),
                    meant           ? fmt::format("did you mean '{}'?", *meant)
                    : names.empty() ? "write one below [path.NAME], or give points in a CSV file"
                                    : fmt::format("its paths are {}", fmt::join(names, ", ")));
  return std::nullopt;
}

}  // namespace trammel
