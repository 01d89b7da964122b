// Composition: another file inside this one, prefixed and placed.
#pragma once

#include <string>
#include <vector>

#include "trammel/read/load.hpp"
#include "trammel/read/toml/items.hpp"
#include "trammel/read/toml/parameters.hpp"
#include "trammel/read/toml/prefixed.hpp"

namespace trammel {

// The files that are being read, each inside the one before; shared by all of them.
struct Inclusion {
  static constexpr int deepest = 16, most_files = 1000;

  const ReadOptions& options;
  std::vector<std::string> open = {};  // names, as messages show them
  int files = 0;
  std::size_t bytes = 0;
};

// A file that was read, and waits for its turn among the items.
struct IncludedFile {
  const TomlEntry* entry = nullptr;
  bool is_there = false;  // if not, that has been told
  Description description;
  Transplant transplant;
  std::string on = "ground";
  Placement at = {};
  Base base = Base::fixed;
  bool says_where = false;  // it says at, on or base
  ItemPlace place = {};
};

// Reads the file, and enters its parameters here.
IncludedFile read_include(const TomlEntry& entry, std::vector<ParameterSetting>& settings,
                          Inclusion& inclusion, Scope& scope, TomlContext& context);
// Adds what the file holds.
void append_include(const IncludedFile& included, TomlContext& context);

}  // namespace trammel
