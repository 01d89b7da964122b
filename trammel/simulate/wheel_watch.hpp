// Wheels that would lift off or slip if they could, and when they begin and cease to. For this room
// only.
//
// What a wheel carries is continuous between the corners of what acts. Where it has changed sign by
// the end of a step, or came so near that it may have been there and back, the moment is found
// between.
#pragma once

#include <functional>
#include <optional>

#include "trammel/constraint/wheel_contacts.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/simulate/step_taken.hpp"

namespace trammel {

class WheelWatch {
 public:
  enum class Grip { holds, slips, lifts };
  // What the wheels carry at a state; false where that cannot be told.
  using Ask = std::function<bool(const State& state, std::vector<WheelContact>& out)>;

  explicit WheelWatch(const Model& model);
  // What acts has jumped, or velocities have.
  void forget() { last_.reset(); }
  // Adds what happened to the wheels in this step, in the order of time.
  void look(const StepTaken& step, const Ask& ask, std::vector<Happening>& out);

  // Per wheel; none: no wheel carries anything.
  const std::vector<Grip>& grips() const { return grips_; }
  void set_grip(std::size_t wheel, Grip grip) { grips_[wheel] = grip; }

 private:
  struct Look {
    double part = 0;
    State state;
    std::vector<WheelContact> contacts;
  };
  bool look_at(const State& state, double part, const Ask& ask, Look& out) const;
  bool comes_near(const Look& before, const Look& after) const;
  // Looks between those two, so many that what was there and back shows.
  void look_between(const StepTaken& step, const Ask& ask, std::vector<Look>& looks) const;
  void find_changes(const StepTaken& step, const Ask& ask, const Look& before, const Look& after,
                    std::vector<Happening>& out);
  // The first moment at which a wheel is no longer as it was before, and is not after.
  Look first_change(const StepTaken& step, const Ask& ask, std::size_t wheel, const Look& before,
                    const Look& after) const;
  double standing(std::size_t wheel, const Look& at) const;
  void tell(std::size_t wheel, const Look& at, std::vector<Happening>& out);

  std::vector<Grip> grips_;
  std::optional<Look> last_;  // where the last step ended
  Look after_;                // where this one does; the room of the one before it
};

}  // namespace trammel
