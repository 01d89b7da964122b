// Checks of the TOML text before parsing, and messages for syntax errors.
#pragma once

#include <string_view>

#include "trammel/read/toml/document.hpp"

namespace trammel::toml {

// Checks the nesting depth of brackets and keys. Reports the first that is too deep.
bool check_nesting(const Source& source, Diagnostics& diagnostics);

// Reports the parser's message, with a hint of our own where there is one.
void report_syntax(const Source& source, TextPosition position, std::string_view complaint,
                   Diagnostics& diagnostics);

}  // namespace trammel::toml
