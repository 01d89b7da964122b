// The items of a model file, each read by one function into the description.
#pragma once

#include <string>
#include <unordered_map>

#include "trammel/read/toml/table_reader.hpp"

namespace trammel {

// What every item needs to be read.
struct TomlContext {
  Report& report;
  const Scope& scope;  // parameters
  Description& description;
  std::unordered_map<std::string, std::size_t> joints = {};  // by name, when all have been read
};

// Whose table it is; complains about names that are too long.
TomlOwner owner_of(std::string_view kind, const TomlEntry& entry, Report& report);
// As it is kept: never longer than messages can bear.
std::string item_name(const TomlEntry& entry);

void read_body(const TomlEntry& entry, TomlContext& context);
void read_frame(const TomlEntry& entry, TomlContext& context);
void read_joint(const TomlEntry& entry, TomlContext& context);
void read_wheel(const TomlEntry& entry, TomlContext& context);
void read_coupling(const TomlEntry& entry, TomlContext& context);
void read_constraint(const TomlEntry& entry, TomlContext& context);
void read_spring(const TomlEntry& entry, TomlContext& context);
void read_contact(const TomlEntry& entry, TomlContext& context);
void read_motor(const TomlEntry& entry, TomlContext& context);
void read_terrain(const TomlEntry& entry, TomlContext& context);
void read_wrench(const TomlEntry& entry, TomlContext& context);
void read_ground_motion(const TomlEntry& ground, TomlContext& context);

// After all joints, whose freedoms say what the numbers measure.
void read_input(const TomlEntry& entry, TomlContext& context);
void read_controller(const TomlEntry& entry, TomlContext& context);
void read_event(const TomlEntry& entry, TomlContext& context);
void read_state(const TomlEntry& entry, TomlContext& context);

// Kept as they were said: read again by whoever asks (read/path.hpp).
void keep_path(const TomlEntry& entry, TomlContext& context);
void keep_run(const TomlEntry& run, TomlContext& context);

}  // namespace trammel
