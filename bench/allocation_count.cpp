#include "bench/allocation_count.hpp"

#include <cerrno>
#include <cstdlib>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {
long count = 0;
}

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) { return ++count, __libc_malloc(size); }
void* calloc(std::size_t n, std::size_t size) { return ++count, __libc_calloc(n, size); }
void* realloc(void* old, std::size_t size) { return ++count, __libc_realloc(old, size); }
void* memalign(std::size_t a, std::size_t size) { return ++count, __libc_memalign(a, size); }
void* aligned_alloc(std::size_t a, std::size_t size) { return memalign(a, size); }
int posix_memalign(void** out, std::size_t a, std::size_t size) {
  *out = memalign(a, size);
  return *out != nullptr ? 0 : ENOMEM;
}
}

long bench::allocation_count() { return count; }
#else  // sanitizers replace malloc; other systems have no hook
long bench::allocation_count() { return -1; }
#endif
