// Properties of every model that a reader accepts.
#pragma once

#include <string_view>

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/description/description.hpp"

namespace trammel::fuzz {

// Builds the model. One that is refused has readable messages. One that is accepted had no errors
// before, has finite start states of the sizes it states, and its description is the same after it
// was written as TOML and read back. Returns whether it was accepted.
bool check_model(const Description& description, const Diagnostics& found, std::string_view file,
                 std::string_view text);

}  // namespace trammel::fuzz
