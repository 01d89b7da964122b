// "did you mean ...?": the known name most similar to a wrong one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace trammel {

// Optimal string alignment distance: the number of insertions, deletions, substitutions and swaps
// of neighboring characters between two names; case is ignored.
int edit_distance(std::string_view a, std::string_view b);

// The nearest known name, the first of equals; none if all are too different.
std::optional<std::string> suggest(std::string_view wrong, std::span<const std::string> known);

}  // namespace trammel
