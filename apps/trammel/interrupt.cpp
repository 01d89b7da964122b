#include "interrupt.hpp"

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace trammel::cli {

namespace {

// the signal may come to any thread, as to the one that serves a page
std::atomic<bool> has_come_once = false;
static_assert(std::atomic<bool>::is_always_lock_free, "else no handler may touch it");

void come(int signal) {
  has_come_once = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  has_come_once = false;
  // one that a shell told to ignore signals, as behind nohup, goes on ignoring them
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, come) == SIG_IGN) std::signal(signal, SIG_IGN);
}

Interrupt::~Interrupt() {
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
}

bool Interrupt::has_come() { return has_come_once; }

}  // namespace trammel::cli
