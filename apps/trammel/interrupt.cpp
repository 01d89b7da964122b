#include "interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace trammel::cli {

namespace {

volatile std::sig_atomic_t has_come_once = 0;

void come(int signal) {
  has_come_once = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  has_come_once = 0;
  // one that a shell told to ignore signals, as behind nohup, goes on ignoring them
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, come) == SIG_IGN) std::signal(signal, SIG_IGN);
}

Interrupt::~Interrupt() {
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
}

bool Interrupt::has_come() { return has_come_once != 0; }

}  // namespace trammel::cli
