#include "state_json.hpp"

#include <nlohmann/json.hpp>

#include "trammel/model/build/names.hpp"

namespace trammel::cli {

using Json = nlohmann::ordered_json;

namespace {

std::vector<Expr> values_of(const Json& json) {
  std::vector<Expr> values;
  if (!json.is_array()) return {json.get<double>()};
  for (const Json& value : json) values.push_back(value.get<double>());
  return values;
}

// {"elbow": 0.3, "wrist": [1, 0, 0, 0]}, or {"values": [...], "names": [...]} with one name per
// value
std::vector<StartDescription> starts_of(const Json& json, const Description& description,
                                        const Place& place) {
  std::vector<StartDescription> starts;
  if (!json.contains("values") || !json.contains("names")) {
    for (const auto& [joint, value] : json.get_ref<const Json::object_t&>())
      starts.push_back({joint, values_of(value), place});
    return starts;
  }
  const Json &names = json["names"], &values = json["values"];
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string name = names[k].get<std::string>();
    // "wrist.qy" follows "wrist.qx"
    const std::string joint = coordinate_named(name, description).joint;
    if (starts.empty() || starts.back().joint != joint) starts.push_back({joint, {}, place});
    starts.back().values.push_back(values.at(k).get<double>());
  }
  return starts;
}

}  // namespace

// Parts are passed by reference: copying nested lists is recursive, and the file determines the
// depth.
void read_state_json(const Source& source, Description& description, Diagnostics& diagnostics) {
  const Place place{source.name, 0, 0};
  const char* const example = "as in {\"position\": {\"elbow\": 0.3}}";
  try {
    const Json file = Json::parse(source.text);
    const Json nothing = Json::object();
    const Json& state = file.contains("state") ? file["state"] : file;
    if (!state.contains("position") && !state.contains("velocity") && !state.contains("guess") &&
        !state.contains("velocity_guess"))
      return diagnostics.error(place, "the file has neither a position nor a velocity", example);
    const auto part = [&](const char* key) -> const Json& {
      return state.contains(key) ? state[key] : nothing;
    };
    description.start_positions = starts_of(part("position"), description, place);
    description.start_velocities = starts_of(part("velocity"), description, place);
    description.position_guesses = starts_of(part("guess"), description, place);
    description.velocity_guesses = starts_of(part("velocity_guess"), description, place);
  } catch (const Json::exception& error) {
    const std::string what = error.what();  // "[json.exception...] the text"
    diagnostics.error(place, "this is no state in JSON: " + what.substr(what.find("] ") + 2),
                      example);
  }
}

}  // namespace trammel::cli
