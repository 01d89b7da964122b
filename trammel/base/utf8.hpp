// Well-formed UTF-8 [RFC 3629]: no overlong forms, no surrogates, nothing above U+10FFFF. JSON
// admits no other text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trammel {

// Length in bytes of the character that begins at `at`; 0 if none does.
std::size_t utf8_length(std::string_view text, std::size_t at);

// The text with U+FFFD in place of every byte that belongs to no character.
std::string as_utf8(std::string_view text);

}  // namespace trammel
