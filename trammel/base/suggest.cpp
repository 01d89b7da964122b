#include "trammel/base/suggest.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace trammel {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

// One mistake in three characters is a typing error; more is another word. A name of one character
// allows none.
int most_mistakes(std::size_t length) { return length < 2 ? 0 : std::max(1, int(length / 3)); }

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  // row i holds the distances of the first i characters of a to each prefix of b
  std::vector<int> row(b.size() + 1), above(b.size() + 1), second_above;
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = int(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    second_above = std::exchange(above, row);
    row[0] = int(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = lower(a[i - 1]), y = lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (x == y ? 0 : 1)});
      const bool is_swapped = i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y;
      if (is_swapped) row[j] = std::min(row[j], second_above[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::optional<std::string> suggest(std::string_view wrong, std::span<const std::string> known) {
  std::optional<std::string> nearest;
  if (wrong.size() > 200) return nearest;  // not a typing error; comparing would take too long
  int fewest = most_mistakes(wrong.size()) + 1;
  for (const std::string& name : known) {
    if (std::max(name.size(), wrong.size()) - std::min(name.size(), wrong.size()) >=
        std::size_t(fewest))
      continue;  // their lengths alone are too far apart
    const int mistakes = edit_distance(wrong, name);
    if (mistakes < fewest) {
      fewest = mistakes;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace trammel
