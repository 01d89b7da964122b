// Vectors aligned to cache lines: a SIMD register that spans two lines takes two loads or stores.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace trammel {

inline constexpr std::size_t cache_line = 64;  // [bytes]; also the width of the widest registers

// Allocator for standard containers: the memory begins at a cache line, or at the alignment of T
// if that is larger.
template <class T> struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{alignof(T) > cache_line ? alignof(T) : cache_line};

  CacheLineAllocator() = default;
  template <class U> CacheLineAllocator(const CacheLineAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) = default;
};

// std::vector whose first element lies at the beginning of a cache line.
template <class T> using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace trammel
