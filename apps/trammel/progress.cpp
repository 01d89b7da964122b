#include "progress.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "numbers.hpp"

namespace trammel::cli {

Progress::Progress(std::string what, double start, double duration, const Terminal& terminal)
    : what_(std::move(what)),
      start_(start),
      duration_(duration),
      from_(start),
      is_shown_(!terminal.is_quiet() && isatty(STDERR_FILENO) != 0),
      begin_(Clock::now()),
      last_(begin_) {}

void Progress::reach(double time) {
  if (!is_shown_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const double spent = std::chrono::duration<double>(now - begin_).count();
  const double gone = time - start_, part = gone / duration_, speed = (time - from_) / spent;
  fmt::print(stderr, "\r{}  {:3.0f} %   t {:.6g}/{:.6g} s   {:.3g} x real time   eta {}  ", what_,
             100 * part, std::nearbyint(gone * 1000) / 1000, duration_, speed,
             duration_text(speed > 0 ? (duration_ - gone) / speed : 0.0));
  std::fflush(stderr);
  has_line_ = true;
}

void Progress::end() {
  if (has_line_) fmt::print(stderr, "\r{:79}\r", "");
  has_line_ = false;
}

}  // namespace trammel::cli
