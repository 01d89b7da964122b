// Time profiles of inputs and of controller targets: constant, ramp, step, ...
#pragma once

#include "trammel/read/toml/items.hpp"

namespace trammel::toml {

// Owner of a profile: its entry, its joint, and the dimensions, one per degree of freedom.
struct ProfileOwner {
  const Entry& entry;
  std::string joint;
  std::vector<Expected> expected;
  bool is_position = false;  // a prescribed motion or a target, not an effort
};
// Reads the single profile of the table into out.profile and out.numbers.
void read_profile(const ProfileOwner& whose, TableReader& table, Context& context,
                  InputDescription& out);

// Points of a table from a separate file: one line per time, with the time first, then one value
// per degree of freedom, separated by commas; an optional first line has names, with units in
// brackets. Returns nothing and reports errors if it cannot be read.
struct PointsInFile {
  std::vector<Expr> times, values;
};
std::optional<PointsInFile> read_points_file(const std::string& path,
                                             const std::vector<Expected>& expected,
                                             Diagnostics& diagnostics);

}  // namespace trammel::toml
