// A number over time, as inputs and the targets of controllers say it: constant, ramp, step, ...
#pragma once

#include "trammel/read/toml/items.hpp"

namespace trammel {

// Who has it, what it is of, and what its numbers measure, one entry for each freedom.
struct ProfileOwner {
  const TomlEntry& entry;
  std::string joint;
  std::vector<Expected> expected;
};
// Reads the one profile that the table names into out.profile and out.numbers.
void read_profile(const ProfileOwner& whose, TableReader& table, TomlContext& context,
                  InputDescription& out);

// The points of a table that stands in a file of its own: a line for each time, the time first,
// then a value for each freedom, with commas between; a first line of names may be there, with
// units in brackets. Nothing, and what is wrong reported, if it cannot be read.
struct PointsInFile {
  std::vector<Expr> times, values;
};
std::optional<PointsInFile> read_points_file(const std::string& path,
                                             const std::vector<Expected>& expected,
                                             Diagnostics& diagnostics);

}  // namespace trammel
