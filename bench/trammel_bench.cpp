// Trammel's results: see bench/serve.hpp for the commands, bench/bench.py for their use.
#include "bench/allocation_count.hpp"
#include "bench/large.hpp"
#include "bench/subject.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"

namespace {

struct Trammel {
  using Subject = bench::Subject;
  static std::string about() {
    const trammel::kernel::Table& kernels = trammel::kernel::kernels();
    return std::string("Trammel, ") + kernels.instruction_set + " kernels, " +
           std::to_string(kernels.lanes) + " lanes, " + bench::compiler();
  }
  static long allocations() { return bench::allocation_count(); }
};

}  // namespace

int main() {
  return bench::Server<Trammel>({{"large",
                                  [](std::istream& words) {
                                    long bodies = 0;
                                    words >> bodies;
                                    return bench::large_chain(bodies);
                                  }}})
      .run();
}
