// Detection of wheels that would lift off or slip if the rolling constraints allowed it, with the
// times of begin and end. Internal to this module.
//
// Contact forces are continuous between breakpoints of the inputs, and their margins (normal force,
// friction left) are functions of time whose sign decides. Those at the end of a step are a
// by-product of the derivative there. A step is searched if a margin has changed sign by its end,
// if the loads had a peak in between, or if a margin came so near to zero that it may have changed
// its sign and reverted: near zero, the cubic through the margins at the ends of this step and of
// two steps before it decides, unless it does not describe them.
#pragma once

#include <array>
#include <functional>
#include <span>

#include "trammel/simulate/events/step_taken.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {

class WheelWatch {
 public:
  enum class Grip { holds, slips, lifts };
  // Contact loads of the wheels at a state; false if they cannot be computed.
  using Ask = std::function<bool(const State& state, std::vector<WheelLoad>& out)>;

  explicit WheelWatch(const Model& model);
  // Whether a wheel carries load.
  bool is_needed() const { return !grips_.empty(); }
  // To be called when inputs or velocities have jumped.
  void forget() { ends_known_ = 0; }
  // Adds records of the changes in this step, in order of time.
  void check_step(const StepTaken& step, const Ask& ask, std::vector<EventRecord>& out);

  // Per wheel; empty if no wheel carries load.
  const std::vector<Grip>& grips() const { return grips_; }
  void set_grip(std::size_t wheel, Grip grip) { grips_[wheel] = grip; }

  // Whether a margin kept its sign from the third to the last of four times, as a smooth function:
  // the cubic through the four values has no zero there, even if it were wrong by as much as the
  // last value differs from the parabola through the three others.
  static bool keeps_sign(std::span<const double, 4> times, std::span<const double, 4> margins);

 private:
  struct Sample {
    double part = 0, time = 0;
    std::vector<WheelLoad> loads;
  };
  // Positive while the wheel grips: normal force, and friction left.
  using Margins = std::array<double, 2>;
  Margins margins(std::size_t wheel, const Sample& at) const;
  Grip grip_of(std::size_t wheel, const Sample& at) const;

  bool sample_loads(const State& state, double part, const Ask& ask, Sample& out) const;
  // Whether the step has to be searched.
  bool may_change(const Sample& after, LoadRange::Verdict loads) const;
  bool comes_near(std::size_t wheel, const Sample& before, const Sample& after) const;
  bool keeps_signs(std::size_t wheel, const Sample& after) const;
  // False if loads cannot be computed.
  bool search(const StepTaken& step, const Ask& ask, std::vector<EventRecord>& out);
  // Adds evaluations between both ends, enough to reveal a change that reverts.
  void refine_samples(const StepTaken& step, const Ask& ask, std::vector<Sample>& samples) const;
  void find_changes(const StepTaken& step, const Ask& ask, const Sample& before,
                    const Sample& after, std::vector<EventRecord>& out);
  // The first state between `before` and `after` at which the wheel's grip has changed.
  Sample first_change(const StepTaken& step, const Ask& ask, std::size_t wheel,
                      const Sample& before, const Sample& after) const;
  double standing(std::size_t wheel, const Sample& at) const;
  void record(std::size_t wheel, const Sample& at, std::vector<EventRecord>& out);
  const Sample& end_before(int steps) const {  // 0: the end of the last step
    return ends_[std::size_t(next_end_ + 2 - steps) % 3];
  }

  struct Contact {
    std::string name;
    double friction;  // infinite: the wheel does not slip
    bool touches;     // carries load
  };
  std::vector<Contact> contacts_;
  std::vector<Grip> grips_;
  std::array<Sample, 3> ends_;  // of the last steps, in a ring
  int next_end_ = 0, ends_known_ = 0;
  Sample after_;  // end of this step
};

}  // namespace trammel
