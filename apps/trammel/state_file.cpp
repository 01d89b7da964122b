// A state from a file: TOML with [state.position] and [state.velocity] as in a model, or JSON, as
// {"position": {"elbow": 0.3}} or as `trammel eval --json` prints it.
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "answer.hpp"
#include "state_options.hpp"
#include "trammel/model/builder.hpp"
#include "trammel/read/source.hpp"
#include "trammel/read/state.hpp"

namespace trammel::cli {

namespace {

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
    for (const auto& [joint, value] : json.get_ref<const Json::object_t&>())
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

void read_json(const Source& source, Description& said, Diagnostics& diagnostics) {
  const Place place{source.name, 0, 0};
  const char* const example = "as in {\"position\": {\"elbow\": 0.3}}";
  try {
    Json json = Json::parse(source.text);
    if (json.contains("state")) json = Json(json["state"]);
    if (!json.contains("position") && !json.contains("velocity"))
      return diagnostics.error(place, "the file has neither a position nor a velocity", example);
    said.start_positions = starts_of(json.value("position", Json::object()), place);
    said.start_velocities = starts_of(json.value("velocity", Json::object()), place);
  } catch (const Json::exception& error) {
    const std::string what = error.what();  // "[json.exception...] the text"
    diagnostics.error(place, "this is no state in JSON: " + what.substr(what.find("] ") + 2),
                      example);
  }
}

}  // namespace

// The model is built again with the file's words, so that they are checked as those of a model are.
State read_state(const Model& model, const std::string& path) {
  Diagnostics diagnostics;
  const std::optional<Source> source = open_source(path, diagnostics);
  if (!source) throw ModelError(diagnostics);
  Description said = model.description();
  if (path.ends_with(".json")) {
    read_json(*source, said, diagnostics);
  } else if (!read_state_file(*source, said, diagnostics)) {
    diagnostics.error({source->name, 0, 0}, "the file says nothing of a state",
                      "write [state.position], and below it lines as in elbow = 0.5");
  }
  return start_state(build_model(said, diagnostics));
}

}  // namespace trammel::cli
