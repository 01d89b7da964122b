#include "interrupt.hpp"

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace trammel::cli {

namespace {

// any thread may receive the signal, for example the one that serves a page
std::atomic<int> first_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "else no handler may touch it");

void come(int signal) {
  int none = 0;
  first_signal.compare_exchange_strong(none, signal);
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  first_signal = 0;
  // signals that the shell set to be ignored, as nohup does, stay ignored
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, come) == SIG_IGN) std::signal(signal, SIG_IGN);
}

Interrupt::~Interrupt() {
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
}

int Interrupt::signal() { return first_signal; }

}  // namespace trammel::cli
