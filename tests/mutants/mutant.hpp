// Run-time switch of the mutation build (./dev mutate): the active fault of tests/mutants/*.toml,
// and the faults that a run has reached.
//
//   TRAMMEL_MUTANT=n             fault n is active; none without it
//   TRAMMEL_MUTANT_REACHED=file  at its end the program writes the reached numbers, one per line
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace trammel {

inline constexpr std::size_t mutant_limit = 10000;  // the same as in tools/mutants.py

extern int active_mutant;
extern std::array<std::atomic<bool>, mutant_limit> reached_mutants;

// Whether fault n is active; also records that the place of the fault was reached.
inline bool mutant(int n) {
  reached_mutants[std::size_t(n)].store(true, std::memory_order_relaxed);
  return n == active_mutant;
}

}  // namespace trammel
