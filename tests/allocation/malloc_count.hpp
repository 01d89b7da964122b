// Counters of the heap in this test program: calls, bytes in use, and the most bytes in use since a
// moment. allocation_test.cpp defines them, in malloc and related functions.
#pragma once

#include <cstddef>

namespace trammel {

// Whether anything is counted: with glibc's malloc only. Sanitizers have their own.
bool counts_memory();
// Calls of malloc and related functions so far.
std::size_t allocations_so_far();
// Bytes in use, with the rounding of malloc.
std::size_t bytes_in_use();
// The most bytes in use since the last call of forget_peak().
std::size_t most_bytes_in_use();
void forget_peak();

}  // namespace trammel
