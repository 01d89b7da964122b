// Parser of plain TOML: headings, keys and values as generated and most written model files have
// them. It writes the document directly, without a second tree, in a tenth of the time of a whole
// TOML parser, which matters for files of many thousand bodies.
//
// Plain are bare or quoted keys of one part, headings [a.b.c] without blanks, numbers in decimals,
// texts of one line without escapes, booleans, lists, inline tables and comments. Not plain:
// dotted keys, [[lists of tables]], a heading that completes an earlier one, escapes and characters
// beyond ASCII in texts, dates, numbers with underscores or in other bases, and every mistake.
#pragma once

#include <optional>
#include <string_view>

#include "trammel/read/toml/document.hpp"

namespace trammel::toml {

// The root table, equal to that of the whole parser; nothing if the text is not plain. Cost linear
// in the text, whose nesting check_nesting has bounded.
std::optional<Value> parse_plain(std::string_view text);

}  // namespace trammel::toml
