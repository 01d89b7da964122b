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

  static bool has_come();
};

}  // namespace trammel::cli
