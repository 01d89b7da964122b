// Readers for the items of a model file, one function per kind of item.
#pragma once

#include <string>
#include <unordered_map>

#include "trammel/read/toml/table_reader.hpp"

namespace trammel {

// Shared data of all readers.
struct TomlContext {
  Report& report;
  const Scope& scope;  // parameters
  Description& description;
  std::unordered_map<std::string, std::size_t> joints = {};  // by name, after all have been read
};

// Owner of the entry's table in messages; reports names that are too long.
TomlOwner owner_of(std::string_view kind, const TomlEntry& entry, Report& report);
// The name of the item, shortened to the length allowed in messages.
std::string item_name(const TomlEntry& entry);

void read_body(const TomlEntry& entry, TomlContext& context);
void read_frame(const TomlEntry& entry, TomlContext& context);
void read_joint(const TomlEntry& entry, TomlContext& context);
void read_wheel(const TomlEntry& entry, TomlContext& context);
void read_coupling(const TomlEntry& entry, TomlContext& context);
void read_constraint(const TomlEntry& entry, TomlContext& context);
void read_spring(const TomlEntry& entry, TomlContext& context);
void read_bushing(const TomlEntry& entry, TomlContext& context);
void read_contact(const TomlEntry& entry, TomlContext& context);
void read_motor(const TomlEntry& entry, TomlContext& context);
void read_terrain(const TomlEntry& entry, TomlContext& context);
void read_wrench(const TomlEntry& entry, TomlContext& context);
void read_ground_motion(const TomlEntry& ground, TomlContext& context);

// After all joints, whose degrees of freedom determine the dimensions of the numbers.
void read_input(const TomlEntry& entry, TomlContext& context);
void read_controller(const TomlEntry& entry, TomlContext& context);
void read_event(const TomlEntry& entry, TomlContext& context);
void read_state(const TomlEntry& entry, TomlContext& context);

// Stored as raw sections: parsed again on demand (read/path.hpp).
void keep_path(const TomlEntry& entry, TomlContext& context);
void keep_run(const TomlEntry& run, TomlContext& context);

}  // namespace trammel
