#include "tests/mutants/mutant.hpp"

#include <cstdlib>
#include <fstream>

namespace trammel {

namespace {

int number_of_environment() {
  const char* text = std::getenv("TRAMMEL_MUTANT");
  return text == nullptr ? 0 : std::atoi(text);
}

// Writes the reached fault numbers at the end of the program.
struct Writer {
  ~Writer() {
    const char* file = std::getenv("TRAMMEL_MUTANT_REACHED");
    if (file == nullptr) return;
    std::ofstream out(file);
    for (std::size_t n = 0; n < mutant_limit; ++n)
      if (reached_mutants[n]) out << n << '\n';
  }
} writer;

}  // namespace

int active_mutant = number_of_environment();
std::array<std::atomic<bool>, mutant_limit> reached_mutants{};

}  // namespace trammel
