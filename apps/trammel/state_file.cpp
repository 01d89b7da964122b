// A state from a file: TOML with [state.position] and [state.velocity] as in a model, or JSON, as
// {"position": {"elbow": 0.3}} or as `trammel eval --json` prints it.
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "state_options.hpp"
#include "trammel/model/builder.hpp"
#include "trammel/read/load.hpp"
#include "trammel/read/source.hpp"

namespace trammel::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Starts {
  std::vector<StartDescription> positions, velocities;
};

std::vector<Expr> values_of(const Json& json) {
  std::vector<Expr> values;
  for (const Json& value : json.is_array() ? json : Json::array({json}))
    values.push_back(value.get<double>());
  return values;
}

// {"elbow": 0.3, "wrist": [1, 0, 0, 0]}, or {"values": [...], "names": [...]} with an entry each
std::vector<StartDescription> starts_of(const Json& json, const Place& place) {
  std::vector<StartDescription> starts;
  if (!json.contains("values") || !json.contains("names")) {
    for (const auto& [joint, value] : json.items())
      starts.push_back({joint, values_of(value), place});
    return starts;
  }
  const Json &names = json["names"], &values = json["values"];
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string name = names[k].get<std::string>();
    const std::string joint = name.substr(0, name.rfind('['));  // "wrist[2]" follows "wrist[1]"
    if (starts.empty() || starts.back().joint != joint) starts.push_back({joint, {}, place});
    starts.back().values.push_back(values.at(k).get<double>());
  }
  return starts;
}

Starts read_json(const Source& source) {
  const Place place{source.name, 0, 0};
  Diagnostics diagnostics;
  try {
    Json json = Json::parse(source.text);
    if (json.contains("state")) json = Json(json["state"]);
    Starts starts;
    if (json.contains("position")) starts.positions = starts_of(json["position"], place);
    if (json.contains("velocity")) starts.velocities = starts_of(json["velocity"], place);
    if (json.contains("position") || json.contains("velocity")) return starts;
    diagnostics.error(place, "the file has neither a position nor a velocity",
                      "as in {\"position\": {\"elbow\": 0.3}}");
  } catch (const Json::exception& error) {
    const std::string what = error.what();  // "[json.exception...] the text"
    diagnostics.error(place, "not a state in JSON: " + what.substr(what.find("] ") + 2),
                      "as in {\"position\": {\"elbow\": 0.3}}");
  }
  throw ModelError(diagnostics);
}

}  // namespace

// The model is built again with the file's words, so that they are checked as those of a model are.
State read_state(const Model& model, const std::string& path) {
  Diagnostics diagnostics;
  const std::optional<Source> source = open_source(path, diagnostics);
  if (!source) throw ModelError(diagnostics);
  Starts starts;
  if (const std::size_t first = source->text.find_first_not_of(" \t\r\n");
      first != std::string::npos && source->text[first] == '{') {
    starts = read_json(*source);
  } else {
    Description read = read_description(source->name, source->text, {}, diagnostics);
    if (diagnostics.has_errors()) throw ModelError(diagnostics);
    starts = {std::move(read.start_positions), std::move(read.start_velocities)};
  }
  Description said = model.description();
  said.start_positions = std::move(starts.positions);
  said.start_velocities = std::move(starts.velocities);
  return start_state(build_model(said));
}

}  // namespace trammel::cli
