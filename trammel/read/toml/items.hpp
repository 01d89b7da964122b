// The items of a model file, each read by one function into the description.
#pragma once

#include "trammel/read/toml/table_reader.hpp"

namespace trammel {

// What every item needs to be read.
struct TomlContext {
  Report& report;
  const Scope& scope;  // parameters
  Description& description;
};

// Whose table it is; complains about names that are too long.
TomlOwner owner_of(std::string_view kind, const TomlEntry& entry, Report& report);
// As it is kept: never longer than messages can bear.
std::string item_name(const TomlEntry& entry);

void read_body(const TomlEntry& entry, TomlContext& context);
void read_frame(const TomlEntry& entry, TomlContext& context);
void read_joint(const TomlEntry& entry, TomlContext& context);

}  // namespace trammel
