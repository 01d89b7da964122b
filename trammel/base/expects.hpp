// TRAMMEL_EXPECTS(condition): assertion that only a bug of the library can violate. Enabled in
// tests and debug builds, disabled in release builds; never reachable by user input.
#pragma once

#include <cstdio>
#include <cstdlib>

#if defined(NDEBUG) && !defined(TRAMMEL_CHECKED)
#define TRAMMEL_EXPECTS(condition) static_cast<void>(0)
#else
#define TRAMMEL_EXPECTS(condition)                                                           \
  ((condition) ? static_cast<void>(0)                                                        \
               : (std::fprintf(stderr, "%s:%d: this must hold and does not: %s\n", __FILE__, \
                               __LINE__, #condition),                                        \
                  std::abort()))
#endif
