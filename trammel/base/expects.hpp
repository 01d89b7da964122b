// TRAMMEL_EXPECTS(condition): something only our own bug can break. On in tests and debug builds,
// off in release; never reachable from what a user says.
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
