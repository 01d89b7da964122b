// Tokens of a TOML text: keys, strings, numbers.
#pragma once

#include <string>
#include <string_view>

namespace trammel::toml_text {

// "plain" with quotes, and escapes where TOML requires them.
std::string string(std::string_view text);
// Without quotes where TOML allows it.
std::string key(std::string_view name);
// The shortest text that reads back as the same number; -0 is 0.
std::string number(double x);

}  // namespace trammel::toml_text
