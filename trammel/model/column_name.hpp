// Column names of a recording, made of the quantity and the item: "q.elbow", "frame.tip.z",
// "energy.total". Which columns exist depends on the run.
#pragma once

#include <string>
#include <string_view>

#include "trammel/model/description/description.hpp"

namespace trammel {

// The part before the name of an item: "frame." of "frame.tip.z". Empty for columns without an
// item, as "energy.total".
std::string_view group_of_items(std::string_view column);
// The name of a column or joint after a prefix is added to the names of all items:
// "frame.left_tip.z", "left_elbow", "energy.total".
std::string with_prefix(std::string_view column_or_joint, std::string_view prefix);

// The name of a column, coordinate or degree of freedom that is given by its index among those of
// its joint, with the label instead: "q.base.qw" of "q.base[0]", "wrist.slide" of "wrist[1]". Other
// names are unchanged. `is_position`: of a name without a group.
std::string with_label(std::string_view name, const Description& description,
                       bool is_position = true);

}  // namespace trammel
