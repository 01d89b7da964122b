// Joint values on the command line, by name or all in order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/read/units.hpp"

namespace trammel::cli {

// Entries of a joint, or a single entry.
struct Slots {
  int start = 0, count = 0;
};

// q has one entry per coordinate; v, a and tau one per degree of freedom.
enum class Space { coordinates, dofs };

std::string entry_name(const Model& model, Space space, int k);
// The same for a name with an index: "wrist.turn2" of "wrist[1]"; other names are unchanged.
std::string with_label(const Model& model, Space space, const std::string& name);
// Throws UsageError for a name that no joint of the tree has.
Slots find(const Model& model, Space space, const std::string& name, std::string_view option);
// "rad/s^2" -> its dimension
Dimension dimension_of(const std::string& unit);

// Overwrites the given entries of `values`.
void put(const Model& model, Space space, const std::vector<std::string>& given,
         std::string_view option, const std::vector<std::string>& units,
         std::vector<double>& values);
// Writes the values given for loop joints to `loop_values`; returns the rest.
std::vector<std::string> put_loops(const Model& model, Space space,
                                   const std::vector<std::string>& given, std::string_view option,
                                   const std::vector<std::string>& units,
                                   std::vector<double>& loop_values);
// Values given for loop joints.
std::vector<LoopValues> loop_values(const Model& model, Space space,
                                    const std::vector<std::string>& given, std::string_view option);
// Normalizes quaternions that were given with few digits.
void normalize_quaternions(const Model& model, std::vector<double>& q);

}  // namespace trammel::cli
