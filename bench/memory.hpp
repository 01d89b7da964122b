// How many bytes of the heap are in use; 0 where nobody says.
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
