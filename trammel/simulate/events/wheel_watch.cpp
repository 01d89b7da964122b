#include "trammel/simulate/events/wheel_watch.hpp"
#include "trammel/simulate/events/event_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace trammel {

namespace {

using Grip = WheelWatch::Grip;

Grip grip_of(const WheelContact& contact) {
  if (contact.lifts()) return Grip::lifts;
  return contact.touches && contact.slips() ? Grip::slips : Grip::holds;
}

// Positive while the wheel grips: normal force, and friction left.
std::array<double, 2> margins(const WheelContact& contact) {
  const double rest = std::isfinite(contact.friction)
                          ? contact.friction * contact.up() - contact.sideways()
                          : contact.up();
  return {contact.up(), rest};
}

}  // namespace

WheelWatch::WheelWatch(const Model& model) {
  if (std::ranges::any_of(model.wheels(), &Wheel::touches))
    grips_.assign(model.wheels().size(), Grip::holds);
}

bool WheelWatch::sample_contacts(const State& state, double part, const Ask& ask,
                                 ContactSample& out) const {
  out.part = part;
  out.state = state;
  return ask(out.state, out.contacts) && out.contacts.size() == grips_.size();
}

void WheelWatch::check_step(const StepTaken& step, const Ask& ask, std::vector<EventRecord>& out) {
  if (grips_.empty()) return;
  if (!last_) {
    last_ = ContactSample();
    if (!sample_contacts(step.begin, 0, ask, *last_))
      return forget();  // the next step reports the reason
    for (std::size_t k = 0; k < grips_.size(); ++k) record(k, *last_, out);
  }
  last_->part = 0;
  if (!sample_contacts(step.end, 1, ask, after_)) return forget();
  if (comes_near(*last_, after_)) {
    std::vector<ContactSample> samples{*last_, after_};
    refine_samples(step, ask, samples);
    for (std::size_t k = 1; k < samples.size(); ++k)
      find_changes(step, ask, samples[k - 1], samples[k], out);
  } else {
    find_changes(step, ask, *last_, after_, out);
  }
  std::swap(*last_, after_);
  std::ranges::stable_sort(out, {}, &EventRecord::time);
}

// Steps resolve the motion well: a margin farther from zero than twice its change, and than a tenth
// of the load on the wheels, keeps its sign.
bool WheelWatch::comes_near(const ContactSample& before, const ContactSample& after) const {
  double load = 0;
  for (const WheelContact& contact : after.contacts) load = std::max(load, std::abs(contact.up()));
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    const auto was = margins(before.contacts[k]), is = margins(after.contacts[k]);
    if (!after.contacts[k].touches) continue;
    const double friction = after.contacts[k].friction;
    const double loads[] = {load, std::isfinite(friction) ? friction * load : load};
    for (std::size_t m = 0; m < was.size(); ++m)
      if (std::min(std::abs(was[m]), std::abs(is[m])) <
          std::max(2 * std::abs(is[m] - was[m]), 0.1 * loads[m]))
        return true;
  }
  return false;
}

void WheelWatch::refine_samples(const StepTaken& step, const Ask& ask,
                                std::vector<ContactSample>& samples) const {
  const auto add = [&](double part) {
    State state;
    ContactSample there;
    if (!step.between(part, state).ok() || !sample_contacts(state, part, ask, there)) return;
    samples.insert(std::ranges::upper_bound(samples, part, {}, &ContactSample::part),
                   std::move(there));
  };
  for (const double part : {0.25, 0.5, 0.75}) add(part);
  // extremum of the parabola through three evaluations, where it comes near zero
  std::vector<double> nearest;
  for (std::size_t k = 0; k < grips_.size(); ++k)
    for (std::size_t m = 0; m < 2; ++m)
      for (std::size_t i = 1; i + 1 < samples.size(); ++i) {
        const auto margin = [&](std::size_t l) { return margins(samples[l].contacts[k])[m]; };
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

void WheelWatch::find_changes(const StepTaken& step, const Ask& ask, const ContactSample& before,
                              const ContactSample& after, std::vector<EventRecord>& out) {
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    if (grips_[k] == grip_of(after.contacts[k])) continue;
    ContactSample begin = before;
    // from gripping over slipping to lifting there are two changes
    for (int change = 0; change < 2 && grips_[k] != grip_of(after.contacts[k]); ++change) {
      begin = first_change(step, ask, k, begin, after);
      record(k, begin, out);
    }
  }
}

// Margin of the wheel's last reported grip: negative if the grip has changed.
double WheelWatch::standing(std::size_t wheel, const ContactSample& at) const {
  const WheelContact& contact = at.contacts[wheel];
  const auto [up, rest] = margins(contact);
  const Grip was = grips_[wheel];
  const double margin = was == Grip::lifts   ? -up
                        : was == Grip::slips ? std::min(up, -rest)
                                             : std::min(up, rest);
  constexpr double least = std::numeric_limits<double>::min();
  return grip_of(contact) == was ? std::max(margin, least) : std::min(margin, -least);
}

// Root finding by Chandrupatla's method [Chandrupatla 1997]: inverse quadratic interpolation where
// it can be trusted, bisection elsewhere.
WheelWatch::ContactSample WheelWatch::first_change(const StepTaken& step, const Ask& ask,
                                                   std::size_t wheel, const ContactSample& before,
                                                   const ContactSample& after) const {
  constexpr double close_enough = 3e-14;  // of the step
  struct Side {
    double part, margin;
  };
  ContactSample first = after;
  Side here{after.part, standing(wheel, after)}, other_side{before.part, standing(wheel, before)};
  if (other_side.margin < 0)  // grip was reported otherwise: bisect
    other_side.margin = std::abs(here.margin);
  double way = 0.5;
  for (int look = 0; look < 100; ++look) {
    const double part = here.part + way * (other_side.part - here.part);
    State state;
    ContactSample there;
    if (!step.between(part, state).ok() || !sample_contacts(state, part, ask, there)) break;
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

void WheelWatch::record(std::size_t wheel, const ContactSample& at, std::vector<EventRecord>& out) {
  const WheelContact& contact = at.contacts[wheel];
  const Grip grip = grip_of(contact), before = std::exchange(grips_[wheel], grip);
  if (grip == before) return;
  std::string what = before == Grip::lifts ? "presses on the floor again" : "holds again";
  if (grip == Grip::lifts) what = event_words::would_lift;
  if (grip == Grip::slips)
    what = fmt::format("{} its {:.3g} from here on", event_words::would_slip, contact.friction);
  out.push_back({at.state.time, fmt::format("wheel '{}' {}", contact.wheel, what), 0});
}

}  // namespace trammel
