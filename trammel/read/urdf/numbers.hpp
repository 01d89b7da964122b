// Numbers in XML attributes: decimal points in every locale, separated by spaces.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel::urdf {

struct NumberList {
  std::vector<double> values;  // at most as many as expected
  std::size_t count = 0;       // number of words found
  std::string mistake, hint;   // of the first word that is not a finite number
};

NumberList parse_numbers(std::string_view text, std::size_t asked);

}  // namespace trammel::urdf
