// Columns of a recording are named by what they are of: "q.elbow", "frame.tip.z", "energy.total".
// Which there are, only a run knows; here is how their names are made.
#pragma once

#include <string>
#include <string_view>

namespace trammel {

// "frame." of "frame.tip.z": the part before the name of an item. Empty where none is named, as in
// "energy.total".
std::string_view group_of_items(std::string_view column);
// The same column, or joint, where the names of all items have a prefix: "frame.left_tip.z",
// "left_elbow", "energy.total".
std::string with_prefix(std::string_view column_or_joint, std::string_view prefix);

}  // namespace trammel
