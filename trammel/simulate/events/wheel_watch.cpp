#include "trammel/simulate/events/wheel_watch.hpp"
#include "trammel/simulate/events/event_words.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace trammel {

WheelWatch::WheelWatch(const Model& model) {
  if (std::ranges::none_of(model.wheels(), &Wheel::touches)) return;
  grips_.assign(model.wheels().size(), Grip::holds);
  for (const Wheel& wheel : model.wheels())
    contacts_.push_back({model.description().wheels[std::size_t(wheel.description)].name,
                         wheel.friction, wheel.touches});
}

WheelWatch::Margins WheelWatch::margins(std::size_t wheel, const Sample& at) const {
  const auto& [up, sideways, margin] = at.loads[wheel];
  const double friction = contacts_[wheel].friction;
  return {margin, std::isfinite(friction) ? friction * up - sideways : margin};
}

WheelWatch::Grip WheelWatch::grip_of(std::size_t wheel, const Sample& at) const {
  const double up = at.loads[wheel].up, sideways = at.loads[wheel].sideways;
  if (!contacts_[wheel].touches) return Grip::holds;
  if (up < 0) return Grip::lifts;
  // without a normal force any friction is too little
  const double needed = sideways == 0 ? 0
                        : up > 0      ? sideways / up
                                      : std::numeric_limits<double>::infinity();
  return needed > contacts_[wheel].friction ? Grip::slips : Grip::holds;
}

bool WheelWatch::sample_loads(const State& state, double part, const Ask& ask, Sample& out) const {
  out.part = part;
  out.time = state.time;
  return ask(state, out.loads) && out.loads.size() == grips_.size();
}

void WheelWatch::check_step(const StepTaken& step, const Ask& ask, std::vector<EventRecord>& out) {
  if (grips_.empty()) return;
  const auto keep = [this](Sample& sample) {
    std::swap(ends_[std::size_t(next_end_)], sample);
    next_end_ = (next_end_ + 1) % 3;
    ends_known_ = std::min(ends_known_ + 1, 3);
  };
  if (ends_known_ == 0) {
    if (!sample_loads(step.begin, 0, ask, after_)) return;  // the next step reports the reason
    for (std::size_t k = 0; k < grips_.size(); ++k) record(k, after_, out);
    keep(after_);
  }
  if (step.end_loads != nullptr) {
    after_.part = 1;
    after_.time = step.end.time;
    after_.loads = *step.end_loads;
  } else if (!sample_loads(step.end, 1, ask, after_)) {
    return forget();
  }
  if (may_change(after_, step.loads) && !search(step, ask, out)) return forget();
  // at a breakpoint, where inputs jump, the loads have just been evaluated after the jump
  if (step.end_loads == nullptr) forget();
  keep(after_);
}

bool WheelWatch::may_change(const Sample& after, LoadRange::Verdict loads) const {
  if (loads == LoadRange::Verdict::peak) return true;
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    if (grip_of(k, after) != grips_[k]) return true;
    if (contacts_[k].touches && comes_near(k, end_before(0), after) &&
        (loads == LoadRange::Verdict::undecided || !keeps_signs(k, after)))
      return true;
  }
  return false;
}

// Steps resolve the motion well: a margin farther from zero than twice its change, and than a tenth
// of the load on the wheels, keeps its sign.
bool WheelWatch::comes_near(std::size_t wheel, const Sample& before, const Sample& after) const {
  double load = 0;
  for (const WheelLoad& other : after.loads) load = std::max(load, std::abs(other.up));
  const Margins was = margins(wheel, before), is = margins(wheel, after);
  const double friction = contacts_[wheel].friction;
  const double loads[] = {load, std::isfinite(friction) ? friction * load : load};
  for (std::size_t m = 0; m < was.size(); ++m)
    if (std::min(std::abs(was[m]), std::abs(is[m])) <
        std::max(2 * std::abs(is[m] - was[m]), 0.1 * loads[m]))
      return true;
  return false;
}

bool WheelWatch::keeps_signs(std::size_t wheel, const Sample& after) const {
  if (ends_known_ < 3) return false;
  const Sample& before = end_before(0);
  // Zero, not nearly zero: the minimum norm of a redundant layout leaves this wheel without load.
  // Such loads exist until no wheel off an edge of the support polygon is loaded any more, and the
  // margins of the loaded ones are monitored.
  if (before.loads[wheel].margin == 0 && after.loads[wheel].margin == 0 &&
      !std::isfinite(contacts_[wheel].friction))
    return true;
  const Sample* const ends[] = {&end_before(2), &end_before(1), &before, &after};
  for (std::size_t m = 0; m < 2; ++m) {
    std::array<double, 4> times, values;
    for (std::size_t k = 0; k < 4; ++k) {
      times[k] = ends[k]->time;
      values[k] = margins(wheel, *ends[k])[m];
    }
    if (!keeps_sign(times, values)) return false;
  }
  return true;
}

bool WheelWatch::keeps_sign(std::span<const double, 4> times, std::span<const double, 4> margins) {
  const double sign = margins[2] > 0 ? 1 : -1;
  const double length = times[3] - times[2];
  if (!(sign * margins[2] > 0) || !(sign * margins[3] > 0) || !(length > 0)) return false;
  // Newton's form from the third point back: m(s) = c0 + s (c1 + (s + a) (c2 + (s + b) c3)), with
  // s from 0 to 1 along the last step; all with the sign that makes the margins positive
  const double a = (times[2] - times[1]) / length, b = (times[2] - times[0]) / length;
  const double c0 = sign * margins[2], m1 = sign * margins[1], m0 = sign * margins[0];
  const double c1 = (c0 - m1) / a;
  const double c2 = (c1 - (m1 - m0) / (b - a)) / b;
  const double parabola = c0 + c1 + (1 + a) * c2;
  const double miss = sign * margins[3] - parabola;
  const double c3 = miss / ((1 + a) * (1 + b));
  // least value: at an end, or where the derivative d0 + d1 s + d2 s^2 vanishes
  double least = std::min(c0, sign * margins[3]);
  const double d0 = c1 + a * (c2 + b * c3), d1 = 2 * (c2 + (a + b) * c3), d2 = 3 * c3;
  const double root = std::sqrt(std::max(0.0, d1 * d1 - 4 * d0 * d2));
  const double q = -0.5 * (d1 + std::copysign(root, d1));  // stable roots: q / d2 and d0 / q
  for (const double s : {q / d2, d0 / q})
    if (s > 0 && s < 1) least = std::min(least, c0 + s * (c1 + (s + a) * (c2 + (s + b) * c3)));
  return least > std::abs(miss);
}

bool WheelWatch::search(const StepTaken& step, const Ask& ask, std::vector<EventRecord>& out) {
  // both ends anew: loads of the derivative are those before the projection
  std::vector<Sample> samples(2);
  if (!sample_loads(step.begin, 0, ask, samples[0]) || !sample_loads(step.end, 1, ask, samples[1]))
    return false;
  after_.loads = samples[1].loads;
  refine_samples(step, ask, samples);
  for (std::size_t k = 1; k < samples.size(); ++k)
    find_changes(step, ask, samples[k - 1], samples[k], out);
  std::ranges::stable_sort(out, {}, &EventRecord::time);
  return true;
}

void WheelWatch::refine_samples(const StepTaken& step, const Ask& ask,
                                std::vector<Sample>& samples) const {
  const auto add = [&](double part) {
    State state;
    Sample there;
    if (!step.between(part, state).ok() || !sample_loads(state, part, ask, there)) return;
    samples.insert(std::ranges::upper_bound(samples, part, {}, &Sample::part), std::move(there));
  };
  for (const double part : {0.25, 0.5, 0.75}) add(part);
  // extremum of the parabola through three evaluations, where it comes near zero
  std::vector<double> nearest;
  for (std::size_t k = 0; k < grips_.size(); ++k)
    for (std::size_t m = 0; m < 2; ++m)
      for (std::size_t i = 1; i + 1 < samples.size(); ++i) {
        const auto margin = [&](std::size_t l) { return margins(k, samples[l])[m]; };
        const double a = margin(i - 1), b = margin(i), c = margin(i + 1);
        const double bend = a - 2 * b + c, slope = 0.5 * (c - a);
        if (bend == 0 || std::abs(slope) > std::abs(bend) || a * b <= 0 || b * c <= 0) continue;
        const double there = b - 0.5 * slope * slope / bend;
        if (there / b < 0.1)
          nearest.push_back(samples[i].part -
                            slope / bend * (samples[i + 1].part - samples[i - 1].part) / 2);
      }
  for (const double part : nearest)
    if (part > 0 && part < 1) add(part);
}

void WheelWatch::find_changes(const StepTaken& step, const Ask& ask, const Sample& before,
                              const Sample& after, std::vector<EventRecord>& out) {
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    if (grips_[k] == grip_of(k, after)) continue;
    Sample begin = before;
    // from gripping over slipping to lifting there are two changes
    for (int change = 0; change < 2 && grips_[k] != grip_of(k, after); ++change) {
      begin = first_change(step, ask, k, begin, after);
      record(k, begin, out);
    }
  }
}

// Margin of the wheel's last reported grip: negative if the grip has changed.
double WheelWatch::standing(std::size_t wheel, const Sample& at) const {
  const auto [up, rest] = margins(wheel, at);
  const Grip was = grips_[wheel];
  const double margin = was == Grip::lifts   ? -up
                        : was == Grip::slips ? std::min(up, -rest)
                                             : std::min(up, rest);
  constexpr double least = std::numeric_limits<double>::min();
  return grip_of(wheel, at) == was ? std::max(margin, least) : std::min(margin, -least);
}

// Root finding by Chandrupatla's method [Chandrupatla 1997]: inverse quadratic interpolation where
// it can be trusted, bisection elsewhere.
WheelWatch::Sample WheelWatch::first_change(const StepTaken& step, const Ask& ask,
                                            std::size_t wheel, const Sample& before,
                                            const Sample& after) const {
  constexpr double close_enough = 3e-14;  // of the step
  struct Side {
    double part, margin;
  };
  Sample first = after;
  Side here{after.part, standing(wheel, after)}, other_side{before.part, standing(wheel, before)};
  if (other_side.margin < 0)  // grip was reported otherwise: bisect
    other_side.margin = std::abs(here.margin);
  double way = 0.5;
  for (int look = 0; look < 100; ++look) {
    const double part = here.part + way * (other_side.part - here.part);
    State state;
    Sample there;
    if (!step.between(part, state).ok() || !sample_loads(state, part, ask, there)) break;
    const Side now{part, standing(wheel, there)};
    if (now.margin < 0) first = std::move(there);
    Side third = here;
    if ((now.margin < 0) != (here.margin < 0)) {
      third = other_side;
      other_side = here;
    }
    here = now;
    const double width = std::abs(other_side.part - here.part);
    const double least = 0.5 * close_enough / width;
    if (!(least < 0.5)) break;
    const double x = (here.part - other_side.part) / (third.part - other_side.part);
    const double y = (here.margin - other_side.margin) / (third.margin - other_side.margin);
    way = 0.5;
    if (y * y < x && (1 - y) * (1 - y) < 1 - x)
      way = here.margin / (other_side.margin - here.margin) * third.margin /
                (other_side.margin - third.margin) +
            (third.part - here.part) / (other_side.part - here.part) * here.margin /
                (third.margin - here.margin) * other_side.margin /
                (third.margin - other_side.margin);
    way = std::clamp(way, least, 1 - least);
  }
  return first;
}

void WheelWatch::record(std::size_t wheel, const Sample& at, std::vector<EventRecord>& out) {
  const Grip grip = grip_of(wheel, at), before = std::exchange(grips_[wheel], grip);
  if (grip == before) return;
  const Contact& contact = contacts_[wheel];
  std::string what = before == Grip::lifts ? "presses on the floor again" : "holds again";
  if (grip == Grip::lifts) what = event_words::would_lift;
  if (grip == Grip::slips)
    what = fmt::format("{} its {:.3g} from here on", event_words::would_slip, contact.friction);
  out.push_back({at.time, fmt::format("wheel '{}' {}", contact.name, what), 0});
}

}  // namespace trammel
