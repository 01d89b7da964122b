// Scalar function of time: an effort, or the position of a joint. A piecewise cubic polynomial
// between breakpoints, plus sines; steps, ramps, splines, tables and noise have the same form.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace trammel {

class Signal {
 public:
  struct Value {
    double value = 0, rate = 0, acceleration = 0;
  };

  Signal() = default;  // zero
  static Signal constant(double value);
  static Signal step(double from, double to, double at);
  // Linear from one value to another, from `start` on; over > 0.
  static Signal ramp(double from, double to, double start, double over);
  // offset + amplitude sin(2 pi frequency t + phase)
  static Signal sine(double amplitude, double frequency, double phase, double offset);
  // from + rate t, at all times.
  static Signal speed(double rate, double from);
  // Band-limited noise with mean `offset` and root mean square `rms` about it: the sum of 64 sines
  // of equal amplitudes, whose frequencies (one in each 64th of the band from `low` to `high` [Hz])
  // and phases are pseudo-random numbers of the seed. Smooth, the same on every call, and as a
  // function of time alone independent of steps and of interruptions. 0 <= low < high.
  static Signal noise(double rms, double low, double high, double offset, std::uint64_t seed);
  // `to` from `at` on for a time `over`, `from` before and after.
  static Signal pulse(double from, double to, double at, double over);
  // From rest to rest with the cubic 3 s^2 - 2 s^3 [van der Merwe 1995, 4.6].
  static Signal rest_to_rest(double from, double to, double start, double over);
  // Interpolation of points, times increasing; constant before the first and after the last. table:
  // linear; spline: cubic, with rate zero at both ends.
  static Signal table(std::span<const double> times, std::span<const double> values);
  static Signal spline(std::span<const double> times, std::span<const double> values);

  // At a breakpoint, the value from the right.
  Value at(double time) const;
  // Breakpoints: times at which the value, its rate or its acceleration may jump.
  std::vector<double> breakpoints() const;

 private:
  struct Piece {
    double start;
    double c[4];  // c0 + c1 s + c2 s^2 + c3 s^3 with s = time - start
  };
  double before_ = 0;          // value before the first piece
  std::vector<Piece> pieces_;  // in order of time
  double speed_ = 0;           // speed_ t is added
  struct Wave {
    double amplitude, frequency, phase;  // [Hz], [rad]
  };
  std::vector<Wave> waves_;
};

}  // namespace trammel
