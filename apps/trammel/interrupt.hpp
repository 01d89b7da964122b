// Signal handler for SIGINT (Ctrl-C) and SIGTERM: the first signal lets the run save its data and
// stop, a second one of the same kind ends the program at once.
#pragma once

namespace trammel::cli {

// Active during its lifetime.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool has_come() { return signal() != 0; }
  static int signal();  // SIGINT or SIGTERM, whichever came first; 0: none has
};

}  // namespace trammel::cli
