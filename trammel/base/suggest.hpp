// "did you mean ...?": the known name most like a wrong one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace trammel {

// How many single typing mistakes apart are they? A letter missing, too many or wrong, two
// neighbours swapped; upper or lower case does not matter. (Optimal string alignment distance.)
int edit_distance(std::string_view a, std::string_view b);

// The nearest known name, the first of equals; none if all are too far away to be meant.
std::optional<std::string> suggest(std::string_view wrong, std::span<const std::string> known);

}  // namespace trammel
