// Composition of models: includes another file, with a prefix and a placement.
#pragma once

#include <string>
#include <vector>

#include "trammel/read/load.hpp"
#include "trammel/read/toml/items.hpp"
#include "trammel/read/toml/parameters.hpp"
#include "trammel/read/toml/prefixed.hpp"

namespace trammel::toml {

// Stack of the files being read, each inside the one before; shared by all of them.
struct Inclusion {
  static constexpr int deepest = 16, most_files = 1000;

  const ReadOptions& options;
  std::vector<std::string> open = {};  // names, as messages show them
  int files = 0;
  std::size_t bytes = 0;
};

// An included file that has been read and is to be appended among the items.
struct IncludedFile {
  const Entry* entry = nullptr;
  bool is_there = false;  // false: the error has been reported
  Description description;
  Transplant transplant;
  std::string on = "ground";
  Placement at = {};
  Base base = Base::fixed;
  bool has_placement = false;  // it has one of at, on, base
  ItemPlace place = {};
};

// Reads the file, and adds its parameters to the scope and the description.
IncludedFile read_include(const Entry& entry, std::vector<ParameterSetting>& settings,
                          Inclusion& inclusion, Scope& scope, Context& context);
// Appends the items of the file.
void append_include(const IncludedFile& included, Context& context);

}  // namespace trammel::toml
