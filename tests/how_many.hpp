// How many random cases, or seconds of a long run, a test looks at: all of them, or a tenth where a
// sanitizer looks on, which takes ten times as long and seeks wrong memory and races, not rare
// numbers.
#pragma once

#include <algorithm>

namespace trammel {

inline int how_many(int all) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return std::min(all, std::max(10, all / 10));
#else
  return all;
#endif
}

}  // namespace trammel
