// Someone wants it to end (Ctrl-C, or a machine that shuts down): there is time to keep what there
// is. Asked a second time, it ends at once.
#pragma once

namespace trammel::cli {

// As long as it lives.
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
