// What can be wrong with the text before it means anything.
#pragma once

#include <string_view>

#include "trammel/read/toml/document.hpp"

namespace trammel {

// Are brackets and keys of a sane depth? Reports where they are not.
bool check_nesting(const Source& source, Diagnostics& diagnostics);

// The parser's complaint, in our words where we have some.
void report_syntax(const Source& source, TextPosition position, std::string_view complaint,
                   Diagnostics& diagnostics);

}  // namespace trammel
