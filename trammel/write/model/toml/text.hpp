// Tokens of a TOML text: keys, strings, numbers.
#pragma once

#include <string>
#include <string_view>

namespace trammel::toml {

// "plain" with quotes, and escapes where TOML requires them.
std::string string_text(std::string_view text);
// Without quotes where TOML allows it.
std::string key_text(std::string_view name);
// The shortest text that reads back as the same number; -0 is 0.
std::string number_text(double x);

}  // namespace trammel::toml
