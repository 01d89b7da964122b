// Bytes of the heap in use; 0 if the C library does not report it.
#pragma once

#include <cstddef>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace bench {

inline std::size_t bytes_in_use() {
#ifdef __GLIBC__
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

}  // namespace bench
