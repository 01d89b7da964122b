// Motions compared with Simbody: two arms on one object, an arm. Prints Markdown.
#include "bench/motion_beside.hpp"

namespace trammel::bench {
namespace {

void beside(const Task& task) {
  using ::bench::SimbodyMethod;
  std::vector<Outcome> outcomes;
  for (double accuracy = 1e-3; accuracy > 1e-11; accuracy /= 10)
    for (const auto& [method, name] :
         {std::pair(SimbodyMethod::runge_kutta_merson, "Runge-Kutta-Merson"),
          {SimbodyMethod::runge_kutta_fehlberg, "Runge-Kutta-Fehlberg"}}) {
      const ::bench::PlainArrival found =
          follow_by_simbody(task.told, task.duration, method, accuracy);
      outcomes.push_back(
          {fmt::format("{}, {:.0e}", name, accuracy), task.error(found.q, found.v), found.seconds});
    }
  print_beside(task, "Simbody", outcomes);
}

}  // namespace
}  // namespace trammel::bench

int main() {
  using namespace trammel::bench;
  try {
    print_header();
    beside(Task("r_ex2", 1));
    beside(Task("seven_axis_arm", 10));
  } catch (const std::exception& mistake) {
    fmt::print(stderr, "simbody_motion: {}\n", mistake.what());
    return 1;
  }
  return 0;
}
