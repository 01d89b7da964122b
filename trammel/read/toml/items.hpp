// Readers for the items of a model file, one function per kind of item.
#pragma once

#include <string>
#include <unordered_map>

#include "trammel/read/toml/table_reader.hpp"

namespace trammel::toml {

// Shared data of all readers.
struct Context {
  Report& report;
  const Scope& scope;  // parameters
  Description& description;
  std::unordered_map<std::string, std::size_t> joints = {};  // by name, after all have been read
};

// Owner of the entry's table in messages; reports names that are too long.
Owner owner_of(std::string_view kind, const Entry& entry, Report& report);
// The name of the item, shortened to the length allowed in messages.
std::string item_name(const Entry& entry);

void read_body(const Entry& entry, Context& context);
void read_frame(const Entry& entry, Context& context);
void read_joint(const Entry& entry, Context& context);
void read_wheel(const Entry& entry, Context& context);
void read_coupling(const Entry& entry, Context& context);
void read_constraint(const Entry& entry, Context& context);
void read_spring(const Entry& entry, Context& context);
void read_bushing(const Entry& entry, Context& context);
void read_user_force(const Entry& entry, Context& context);
void read_contact(const Entry& entry, Context& context);
void read_motor(const Entry& entry, Context& context);
void read_terrain(const Entry& entry, Context& context);
void read_wrench(const Entry& entry, Context& context);
void read_ground_motion(const Entry& ground, Context& context);

// After all joints, whose degrees of freedom determine the dimensions of the numbers.
void read_input(const Entry& entry, Context& context);
void read_controller(const Entry& entry, Context& context);
void read_event(const Entry& entry, Context& context);
void read_state(const Entry& entry, Context& context);

// Stored as raw sections: parsed again on demand (read/path.hpp).
void keep_path(const Entry& entry, Context& context);
void keep_run(const Entry& run, Context& context);

}  // namespace trammel::toml
