// Numbers as XML attributes have them: a point for decimals whatever the locale, spaces between.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel {

struct NumberList {
  std::vector<double> values;  // no more than asked for
  std::size_t count = 0;       // how many there were
  std::string mistake, hint;   // of the first word that is no finite number
};

NumberList parse_numbers(std::string_view text, std::size_t asked);

}  // namespace trammel
