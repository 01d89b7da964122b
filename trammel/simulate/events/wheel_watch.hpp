// Detection of wheels that would lift off or slip if the rolling constraints allowed it, with the
// times of begin and end. Internal to this module.
//
// Contact forces are continuous between breakpoints of the inputs. If a margin has changed sign by
// the end of a step, or came so near to zero that it may have changed and reverted, the time is
// found in between.
#pragma once

#include <functional>
#include <optional>

#include "trammel/constraint/forces/wheel_contacts.hpp"
#include "trammel/simulate/events/step_taken.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {

class WheelWatch {
 public:
  enum class Grip { holds, slips, lifts };
  // Contact forces of the wheels at a state; false if they cannot be computed.
  using Ask = std::function<bool(const State& state, std::vector<WheelContact>& out)>;

  explicit WheelWatch(const Model& model);
  // To be called when inputs or velocities have jumped.
  void forget() { last_.reset(); }
  // Adds records of the changes in this step, in order of time.
  void check_step(const StepTaken& step, const Ask& ask, std::vector<EventRecord>& out);

  // Per wheel; empty if no wheel carries load.
  const std::vector<Grip>& grips() const { return grips_; }
  void set_grip(std::size_t wheel, Grip grip) { grips_[wheel] = grip; }

 private:
  struct ContactSample {
    double part = 0;
    State state;
    std::vector<WheelContact> contacts;
  };
  bool sample_contacts(const State& state, double part, const Ask& ask, ContactSample& out) const;
  bool comes_near(const ContactSample& before, const ContactSample& after) const;
  // Adds evaluations between those two, enough to reveal a change that reverts.
  void refine_samples(const StepTaken& step, const Ask& ask,
                      std::vector<ContactSample>& samples) const;
  void find_changes(const StepTaken& step, const Ask& ask, const ContactSample& before,
                    const ContactSample& after, std::vector<EventRecord>& out);
  // The first state between `before` and `after` at which the wheel's grip has changed.
  ContactSample first_change(const StepTaken& step, const Ask& ask, std::size_t wheel,
                             const ContactSample& before, const ContactSample& after) const;
  double standing(std::size_t wheel, const ContactSample& at) const;
  void record(std::size_t wheel, const ContactSample& at, std::vector<EventRecord>& out);

  std::vector<Grip> grips_;
  std::optional<ContactSample> last_;  // end of the last step
  ContactSample after_;                // end of this step; swapped with the one before
};

}  // namespace trammel
