// Number of random cases, or seconds of a long run, in a test: all of them, or a tenth (at least
// 10) under a sanitizer. Sanitizer builds are ten times slower and look for memory errors and
// races, not for rare numerical cases.
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
