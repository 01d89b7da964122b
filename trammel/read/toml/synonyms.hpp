// Words that other formats and tools (URDF, MJCF, SDF, Simscape) have for keys and choices of the
// model file, for hints. Nothing here is accepted: one thing has one name in a file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "trammel/read/toml/keys.hpp"

namespace trammel::toml {

// What to write instead of a key that no table has, as in: "a joint's frame is given by at = { xyz
// = [0, 0, 1] }". None if no table of these keys has a key for it.
std::optional<std::string> hint_for_key(std::string_view word, std::span<const Key> keys);

// The choice that other formats call `word`: "revolute" for "hinge". None if it is not among
// `known`.
std::optional<std::string> choice_meant_by(std::string_view word,
                                           std::span<const std::string> known);

}  // namespace trammel::toml
