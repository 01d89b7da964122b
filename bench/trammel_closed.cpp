// Trammel's results for closed mechanisms: see bench/serve.hpp for the commands,
// bench/growth_peers.py and bench/everyday.py for their use.
#include "bench/closed_subject.hpp"
#include "bench/robot_of_model.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"

namespace {

struct Trammel {
  using Subject = bench::ClosedSubject;
  static std::string about() {
    const trammel::kernel::Table& kernels = trammel::kernel::kernels();
#ifdef TRAMMEL_CHECKED
    const char* checks = ", assertions on";
#else
    const char* checks = "";
#endif
    return std::string("Trammel, ") + kernels.instruction_set + " kernels, " + bench::compiler() +
           checks;
  }
  static long allocations() { return -1; }
};

}  // namespace

int main() {
  const auto robot_of = [](std::istream& words) {  // a model, and the file to write
    std::string model, path;
    words >> model >> std::quoted(path);
    return bench::write_robot_of_model(model, path);
  };
  return bench::Server<Trammel>({{"robot_of", robot_of}}).run();
}
