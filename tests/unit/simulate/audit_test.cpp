#include "trammel/simulate/checks/audit.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "trammel/simulate/events/event_words.hpp"

namespace trammel::audit_test {
namespace {

TEST(Audit, EnergyIsKeptToAThousandthOfTheLargestKineticEnergy) {
  AuditNumbers seen{.has_begun = true, .must_conserve_energy = true, .energy_at_start = 100};
  seen.largest_kinetic = 10;
  seen.energy_change = 0.0099;
  EXPECT_TRUE(energy_is_conserved(seen));
  seen.energy_change = 0.0101;
  EXPECT_FALSE(energy_is_conserved(seen)) << "however large the potential energy is";
  seen.energy_change = 2.3e5, seen.largest_kinetic = 2.3e5;
  EXPECT_FALSE(energy_is_conserved(seen));
  // at rest: rounding of the energy itself
  seen.largest_kinetic = 0, seen.energy_change = 1e-13;
  EXPECT_TRUE(energy_is_conserved(seen));
  seen.energy_change = 1e-9;
  EXPECT_FALSE(energy_is_conserved(seen));
}

TEST(Audit, EventsThatQuestionARunAreCounted) {
  std::vector<EventRecord> events;
  const auto add = [&](double time, std::string text) {
    events.push_back({time, std::move(text)});
  };
  add(0.5, "event 'latch'");
  add(1, fmt::format("the upper limit of joint 'knee' (1) {}", event_words::limit_passed));
  add(2, fmt::format("wheel 'left' {}", event_words::would_lift));
  add(3, fmt::format("the lower limit of joint 'hip' (-1) {}", event_words::limit_passed));
  add(4, fmt::format("wheel 'left' {} its 0.3 from here on", event_words::would_slip));
  add(5, "wheel 'left' holds again");
  const DoubtfulEvents found = doubtful_events(events);
  EXPECT_EQ(found.limits.count, 2);
  EXPECT_EQ(found.limits.first, 1);
  EXPECT_EQ(found.lifts.count, 1);
  EXPECT_EQ(found.lifts.first, 2);
  EXPECT_EQ(found.slips.count, 1);
  EXPECT_EQ(doubtful_events({}).limits.count, 0);
}

}  // namespace
}  // namespace trammel::audit_test
